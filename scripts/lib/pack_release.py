"""Pack the stand-alone program as a release has it.

From what build-binary left in --binary (dist/binary), into --out (dist/release):
  kcp-agent-VERSION-SYSTEM.tar.xz   the folder with share/man/man1 and share/completions; .zip on Windows
  kcp-agent-VERSION-SYSTEM          the single file; .exe on Windows
The bytes depend on nothing but the contents. Exit codes: 0 done, 3 nothing to pack.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from kcp.cli.completion import completion
from scripts.lib.build_binary import EPOCH, archive, settle, version

ROOT = Path(__file__).resolve().parents[2]
MAN_PAGE = ROOT / "docs" / "man" / "kcp-agent.1"
# What each shell's completion script is called where it belongs.
COMPLETIONS = {
    "bash": "kcp-agent.bash",
    "zsh": "_kcp-agent",
    "fish": "kcp-agent.fish",
    "powershell": "kcp-agent.ps1",
}


def system() -> str:
    """This system as names of files have it; what `uname -s` and `uname -m` say, in small letters."""
    return f"{platform.system()}-{platform.machine()}".lower()


def add_share(folder: Path) -> None:
    """Put manual page and completions into a folder."""
    man = folder / "share" / "man" / "man1"
    man.mkdir(parents=True)
    shutil.copyfile(MAN_PAGE, man / MAN_PAGE.name)
    scripts = folder / "share" / "completions"
    scripts.mkdir()
    for shell, name in COMPLETIONS.items():
        (scripts / name).write_bytes(completion(shell).encode())


def zip_archive(folder: Path, target: Path) -> None:
    """The folder as a .zip, for systems without xz."""
    date = time.gmtime(EPOCH)[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(f"{folder.name}/{path.relative_to(folder).as_posix()}", date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = path.stat().st_mode << 16
            packed.writestr(entry, path.read_bytes())


def pack(binary: Path, out: Path, name: str) -> list[Path]:
    """Archive and single file, called `name`; returns what was made."""
    windows = "-windows-" in name
    with tempfile.TemporaryDirectory(prefix="kcp-pack-") as scratch:
        folder = Path(scratch) / "kcp-agent"
        shutil.copytree(binary / "kcp-agent", folder)
        add_share(folder)
        settle(folder)
        packed = out / (name + (".zip" if windows else ".tar.xz"))
        (zip_archive if windows else archive)(folder, packed)
    suffix = ".exe" if windows else ""
    single = out / (name + suffix)
    shutil.copyfile(binary / "single" / f"kcp-agent{suffix}", single)
    single.chmod(0o755)
    return [packed, single]


def main() -> int:
    """Pack what is there; returns the exit code."""
    parser = argparse.ArgumentParser(prog="pack-release", description="Pack the stand-alone program.")
    parser.add_argument(
        "--binary", type=Path, default=ROOT / "dist" / "binary", help="what build-binary made"
    )
    parser.add_argument(
        "--out", type=Path, default=ROOT / "dist" / "release", help="folder to put files into"
    )
    given = parser.parse_args()
    try:
        given.out.mkdir(parents=True, exist_ok=True)
        made = pack(given.binary, given.out, f"kcp-agent-{version()}-{system()}")
    except OSError as error:
        print(f"pack-release: {error}; run scripts/build-binary first", file=sys.stderr)
        return 3
    for path in made:
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
