"""Build the stand-alone program for this system, as build/options.toml says.

Into the folder --out (dist/binary) go:
  kcp-agent/          the folder; its program is kcp-agent/kcp-agent
  single/kcp-agent    the single file
  kcp-agent-VERSION-SYSTEM.tar.xz   the folder as a download
  report.xml          what Nuitka put in, and why
The same sources, lock file, compiler and interpreter give the same bytes, wherever the checkout lies.
Exit codes: 0 done, 3 not possible (one line says why), 130 interrupted.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import lzma
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from scripts.lib import licences, single_file

ROOT = Path(__file__).resolve().parent.parent.parent
OPTIONS: dict[str, Any] = tomllib.loads((ROOT / "build" / "options.toml").read_text("utf-8"))
# Every file in the program and every archive carries this time, 2020-01-01.
EPOCH = 1577836800
NEEDED = {"gcc": "gcc", "ccache": "ccache", "patchelf": "patchelf", "readelf": "binutils"}


class BuildError(Exception):
    """Why there is no program, in one line."""


def version() -> str:
    """The version of the package."""
    said: dict[str, str] = {}
    exec((ROOT / "kcp" / "_version.py").read_text("utf-8"), said)  # noqa: S102
    return said["__version__"]


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version."""
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def check_tools() -> None:
    """Say what is missing before minutes have passed."""
    least = OPTIONS["nuitka"]["at_least"]
    found = importlib.metadata.version("nuitka")
    if numbers(found) < numbers(least):
        raise BuildError(f"needs Nuitka {least} or later, not {found}")
    missing = [package for program, package in NEEDED.items() if not shutil.which(program)]
    if missing:
        raise BuildError(f"needs {', '.join(missing)} (on Debian: apt install {' '.join(missing)})")
    done = subprocess.run(
        ["gcc", "-static-pie", "-xc", "-", "-o", os.devnull, "-l:libzstd.a"],
        input=b"int main(void) { return 0; }",
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        raise BuildError(
            "needs static libzstd and libc to link with (on Debian: apt install libzstd-dev libc6-dev)"
        )
    static = Path(sysconfig.get_config_var("LIBPL") or "", sysconfig.get_config_var("LIBRARY") or "")
    if not static.is_file():
        raise BuildError(
            f"this Python has no static library to link with ({static}); set KCP_PYTHON to one that has"
        )


def library(name: str) -> Path:
    """Where the system's loader finds a shared library."""
    listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        words = line.split()
        if words[:1] == [name] and ("x86-64" in line or platform.machine() != "x86_64"):
            return Path(words[-1])
    raise BuildError(f"{name} is not on this system")


def environment(work: Path) -> dict[str, str]:
    """What the compilers see: nothing of the person's settings that would change a byte."""
    kept = ("PATH", "HOME", "TMPDIR", "CCACHE_DIR", "LANG")
    own = {name: os.environ[name] for name in kept if name in os.environ}
    prefix_maps = f"-ffile-prefix-map={work}=. -fdebug-prefix-map={work}=."
    return own | {
        "SOURCE_DATE_EPOCH": str(EPOCH),
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": os.pathsep.join([str(work), str(ROOT / "build" / "plugin")]),
        "CCACHE_BASEDIR": str(work),
        "CCACHE_NOHASHDIR": "1",
        "CCACHE_COMPILERCHECK": "content",
        "CFLAGS": prefix_maps,
        "NUITKA_CACHE_DIR": str(
            Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kcp-nuitka"
        ),
    }


def nuitka(source: str, out: Path, work: Path, jobs: int, extra: list[str]) -> Path:
    """Compile a package of the work folder; returns the folder that holds the program."""
    options = OPTIONS["nuitka"]
    command = [
        *(sys.executable, "-m", "nuitka", *options["flags"], f"--jobs={jobs}", "--assume-yes-for-downloads"),
        f"--output-dir={out}",
        "--output-filename=kcp-agent",
        f"--user-plugin={ROOT / 'build' / 'plugin' / 'trim_plugin.py'}",
        "--include-module=whole_inspect",
        *(f"--include-module={name}" for name in options["modules"]),
        *(f"--nofollow-import-to={name}" for name in options["leave_out"]),
        *(f"--include-data-files={library(name).resolve()}={name}" for name in options["libraries"]),
        *extra,
        source,
    ]
    done = subprocess.run(
        command,
        cwd=work,
        env=environment(work),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    (out / f"{source}.log").write_bytes(done.stdout)
    if done.returncode != 0:
        sys.stderr.buffer.write(done.stdout[-6000:])
        raise BuildError("Nuitka failed (output above)")
    return out / f"{source}.dist"


def trim(folder: Path) -> None:
    """Programs and libraries without a debugger's symbols, each looking beside the program for others."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.read_bytes()[:4] == b"\x7fELF":
            subprocess.run(["strip", "--strip-unneeded", str(path)], check=True)
            place = os.path.join("$ORIGIN", os.path.relpath(folder, path.parent)).removesuffix("/.")
            if ".so" in path.name:
                subprocess.run(["patchelf", "--set-rpath", place, str(path)], check=True)


def settle(folder: Path) -> None:
    """The same times and permissions on every system."""
    for path in sorted(folder.rglob("*"), reverse=True):
        path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
        os.utime(path, (EPOCH, EPOCH))


def archive(folder: Path, target: Path) -> None:
    """The folder as a .tar.xz whose bytes depend on nothing but its contents."""

    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        member.mtime = EPOCH
        return member

    with (
        lzma.open(target, "wb", preset=9 | lzma.PRESET_EXTREME) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in (folder, *sorted(folder.rglob("*"))):
            name = path.relative_to(folder.parent).as_posix()
            tar.add(path, name, recursive=False, filter=plain)


def build_program(out: Path, jobs: int) -> None:
    """Folder, single file and download."""
    with tempfile.TemporaryDirectory(prefix="kcp-build-") as name:
        work = Path(name).resolve()
        shutil.copytree(ROOT / "kcp", work / "kcp", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copyfile(ROOT / "build" / "entry.py", work / "kcp" / "__main__.py")
        packages = [f"--include-package={package}" for package in OPTIONS["nuitka"]["packages"]]
        report = [f"--report={work / 'report.xml'}", "--report-diffable"]
        made = nuitka("kcp", work, work, jobs, [*packages, *report])
        trim(made)
        licences.add(ROOT / "LICENSE", made, OPTIONS["licences"])
        settle(made)
        folder = out / "kcp-agent"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(made, folder)
        shutil.copyfile(work / "report.xml", out / "report.xml")
        launcher = work / "launcher"
        single_file.compile_launcher(ROOT / "build" / "launcher", launcher, OPTIONS["launcher"], "gcc")
        packed = single_file.pack(folder, version(), EPOCH, **OPTIONS["single_file"])
        (out / "single").mkdir(exist_ok=True)
        single_file.make(launcher, packed, out / "single" / "kcp-agent")
    system = f"{platform.system().lower()}-{platform.machine()}"
    archive(folder, out / f"kcp-agent-{version()}-{system}.tar.xz")


def build_empty(out: Path, jobs: int) -> None:
    """A program that does nothing, made in the same way: what its start takes, no option of ours can save."""
    with tempfile.TemporaryDirectory(prefix="kcp-build-") as name:
        work = Path(name).resolve()
        (work / "kcp").mkdir()
        (work / "kcp" / "__init__.py").touch()
        (work / "kcp" / "__main__.py").write_text("import os\nos._exit(0)\n")
        made = nuitka("kcp", work, work, jobs, [])
        shutil.rmtree(out / "empty", ignore_errors=True)
        shutil.copytree(made, out / "empty")


def describe(out: Path) -> None:
    """Sizes of what was made."""
    folder = sum(path.stat().st_size for path in (out / "kcp-agent").rglob("*") if path.is_file())
    print(f"{out / 'kcp-agent'}: {folder / 1e6:.1f} MB in a folder")
    for path in (out / "single" / "kcp-agent", *sorted(out.glob("*.tar.xz"))):
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


def main() -> int:
    """Build what is asked for; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="build-binary",
        description="Build the stand-alone program: a folder, a single file, and a download.",
    )
    parser.add_argument(
        "--out", type=Path, default=ROOT / "dist" / "binary", help="folder (default dist/binary)"
    )
    parser.add_argument(
        "--empty", action="store_true", help="only the empty program that scripts/bench compares with"
    )
    parser.add_argument("--check-tools", action="store_true", help="only say whether all it needs is here")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="C compilers at once")
    given = parser.parse_args()
    out = given.out.resolve()
    try:
        check_tools()
        if given.check_tools:
            return 0
        out.mkdir(parents=True, exist_ok=True)
        if given.empty:
            build_empty(out, given.jobs)
        else:
            build_program(out, given.jobs)
            describe(out)
    except KeyboardInterrupt:
        return 130
    except (BuildError, OSError, subprocess.CalledProcessError) as error:
        print(f"build-binary: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
