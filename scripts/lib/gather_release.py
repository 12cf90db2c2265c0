"""Check that a folder holds a whole release and nothing else, and complete it.

Wanted are wheel, sdist and their list of components, and for every system that --require names the archive,
the single file and the list of components; other systems may be there, whole. Added are manual page,
completions, installers, the manifests for Homebrew and Scoop where their systems are there, and SHA256SUMS.
Exit codes: 0 done, 1 something is missing or strange.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path

from kcp.cli.completion import completion
from scripts.lib.build_binary import version
from scripts.lib.fill_packaging import INSTALLERS, PACKAGE_MANIFESTS, FillError, read_sums, write
from scripts.lib.pack_release import COMPLETIONS, MAN_PAGE

SYSTEMS = ("linux-x86_64", "linux-aarch64", "darwin-x86_64", "darwin-arm64", "windows-amd64", "windows-arm64")
SUMS = "SHA256SUMS"


def package_files(number: str) -> set[str]:
    """What there is once, for all systems."""
    return {
        f"kcp_agent-{number}-py3-none-any.whl",
        f"kcp_agent-{number}.tar.gz",
        f"kcp-agent-{number}.cdx.json",
    }


def system_files(number: str, system: str) -> set[str]:
    """What there is for a system."""
    name = f"kcp-agent-{number}-{system}"
    windows = system.startswith("windows-")
    return {
        f"{name}.zip" if windows else f"{name}.tar.xz",
        f"{name}.exe" if windows else name,
        f"{name}.cdx.json",
    }


def check(present: set[str], number: str, required: list[str]) -> list[str]:
    """What is wrong with a release of these files, one line each."""
    wanted = package_files(number)
    for system in SYSTEMS:
        files = system_files(number, system)
        if system in required or files & present:
            wanted |= files
    wrong = [f"{name} is missing" for name in sorted(wanted - present)]
    return wrong + [f"{name} is no part of a release" for name in sorted(present - wanted)]


def sums(folder: Path) -> str:
    """SHA256SUMS of all files in a folder, itself excepted, as sha256sum writes it."""
    files = sorted(path for path in folder.iterdir() if path.name != SUMS)
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)


def complete(folder: Path, homepage: str) -> list[str]:
    """Add all that a release has besides; returns a line for each manifest that was left out."""
    (folder / MAN_PAGE.name).write_bytes(MAN_PAGE.read_bytes())
    for shell, name in COMPLETIONS.items():
        (folder / name).write_bytes(completion(shell).encode())
    release = read_sums(sums(folder), homepage)
    write(release, INSTALLERS, folder)
    left_out = write(release, PACKAGE_MANIFESTS, folder)
    (folder / SUMS).write_bytes(sums(folder).encode())
    return left_out


def main() -> int:
    """Check and complete; returns the exit code."""
    parser = argparse.ArgumentParser(prog="gather-release", description="Check and complete a release.")
    parser.add_argument("folder", type=Path, help="the folder with what the builds made")
    parser.add_argument("--homepage", required=True, help="the project's page, https://…")
    parser.add_argument(
        "--require", action="append", default=[], choices=SYSTEMS, help="a system that must be there"
    )
    given = parser.parse_args()
    try:
        wrong = check({path.name for path in given.folder.iterdir()}, version(), given.require)
        if not wrong:
            for line in complete(given.folder, given.homepage):
                print(f"gather-release: {line}")
    except (FillError, OSError) as error:
        wrong = [str(error)]
    for line in wrong:
        print(f"gather-release: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
