"""Build wheel and sdist and try the wheel as a user gets it.

The wheel goes into a clean virtual environment where pip may use only the packages of requirements.lock, so
its metadata must name all it needs. Everything happens in a temporary folder; the root build/ is not touched.
With --wheel FILE nothing is built, and that wheel is tried.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HUB = ROOT / "examples" / "demo-hub"
IN_SDIST = ("LICENSE", "README.md", "pyproject.toml", "requirements.lock")
FOLDERS_IN_SDIST = ("build", "docs", "examples", "kcp", "scripts", "tests", "vectors")


class CheckError(Exception):
    """What is wrong with the package, in one line."""


def run(*command: str | Path, cwd: Path) -> str:
    """The standard output of a command that must succeed."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    output = done.stdout.decode(errors="replace")
    if done.returncode != 0:
        sys.stdout.write(output)
        raise CheckError(f"exit code {done.returncode} from: {' '.join(str(part) for part in command)}")
    return output


def snapshot(folder: Path) -> set[tuple[str, int, int]]:
    """Names, sizes and times of all files below a folder."""
    files = ((path, path.stat()) for path in folder.rglob("*") if path.is_file())
    return {(str(path), stat.st_size, stat.st_mtime_ns) for path, stat in files}


def build(dist: Path) -> tuple[Path, Path]:
    """Make the sdist, and from it the wheel, without touching the root build/."""
    recipes = snapshot(ROOT / "build")
    run(sys.executable, "-I", "-m", "build", "--no-isolation", "--outdir", dist, ROOT, cwd=dist)
    if snapshot(ROOT / "build") != recipes:
        raise CheckError("building wrote into the root folder build/")
    (wheel,) = dist.glob("*.whl")
    (sdist,) = dist.glob("*.tar.gz")
    return wheel, sdist


def check_wheel(wheel: Path) -> None:
    """Only the package and its metadata, all of the package's modules."""
    names = set(zipfile.ZipFile(wheel).namelist())
    strangers = sorted(name for name in names if not name.startswith(("kcp/", "kcp_agent-")))
    if strangers:
        raise CheckError(f"the wheel holds more than the package: {', '.join(strangers[:5])}")
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "kcp").rglob("*.py")}
    missing = sorted((modules | {"kcp/py.typed"}) - names)
    if missing:
        raise CheckError(f"the wheel lacks {', '.join(missing[:5])}")


def check_sdist(sdist: Path) -> None:
    """All that is needed to build, test and port the program."""
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    folders = {name.partition("/")[0] for name in names if "/" in name}
    wanted = {folder for folder in FOLDERS_IN_SDIST if any(p.is_file() for p in (ROOT / folder).rglob("*"))}
    missing = sorted((set(IN_SDIST) - names) | (wanted - folders))
    if missing:
        raise CheckError(f"the sdist lacks {', '.join(missing)}")


def install(wheel: Path, scratch: Path) -> Path:
    """Install the wheel in a clean environment, offline; returns the folder of its programs."""
    pip = ("-I", "-m", "pip", "--disable-pip-version-check", "--no-input")
    wheels = scratch / "wheels"
    lock = ROOT / "requirements.lock"
    run(
        sys.executable,
        *pip,
        "wheel",
        "-qq",
        "--no-deps",
        "--require-hashes",
        "-r",
        lock,
        "-w",
        wheels,
        cwd=scratch,
    )
    venv = scratch / "venv"
    run(os.path.realpath(sys.executable), "-I", "-m", "venv", venv, cwd=scratch)
    programs = venv / ("Scripts" if os.name == "nt" else "bin")
    run(programs / "python", *pip, "install", "-qq", "--no-index", "--find-links", wheels, wheel, cwd=scratch)
    run(programs / "python", *pip, "check", cwd=scratch)
    return programs


def try_out(programs: Path, elsewhere: Path, version: str) -> None:
    """Run the installed program from a folder that is not the checkout."""
    for name in ("kcp-agent", "kcp"):
        said = run(programs / name, "--version", cwd=elsewhere)
        if version not in said:
            raise CheckError(f"{name} --version says {said.strip()!r}; the wheel is {version}")
    planned = run(
        programs / "kcp-agent", "plan", "how do I deploy to production?", "--manifest", HUB, cwd=elsewhere
    )
    if not planned.strip():
        raise CheckError("plan on examples/demo-hub printed nothing")
    run(programs / "kcp-agent", "validate", HUB, cwd=elsewhere)
    where = run(programs / "python", "-I", "-c", "import kcp; print(kcp.__file__)", cwd=elsewhere)
    if not Path(where.strip()).is_relative_to(programs.parent):
        raise CheckError(f"the installed program runs the code of {where.strip()}")


def main() -> int:
    """Exit code 0 when all holds, 1 with one line saying what does not."""
    parser = argparse.ArgumentParser(
        prog="check-package", description="Build wheel and sdist and try the wheel."
    )
    parser.add_argument("--wheel", type=Path, help="build nothing and try this wheel")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kcp-package-") as name:
        scratch = Path(name).resolve()
        try:
            if given.wheel:
                wheel = given.wheel.resolve()
            else:
                wheel, sdist = build(scratch)
                check_sdist(sdist)
                for made in (wheel, sdist):
                    print(f"built {made.name}, {made.stat().st_size} bytes")
            check_wheel(wheel)
            programs = install(wheel, scratch)
            elsewhere = scratch / "elsewhere"
            elsewhere.mkdir()
            try_out(programs, elsewhere, wheel.name.split("-")[1])
        except CheckError as error:
            print(f"FAILED: {error}")
            return 1
    print("the wheel installs offline in a clean environment; --version, plan and validate work from there")
    return 0


if __name__ == "__main__":
    sys.exit(main())
