"""The recipes in build/ agree with the lock files and with themselves. tests/binary tests what they make."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from scripts.lib.build_binary import numbers

ROOT = Path(__file__).resolve().parent.parent
OPTIONS = tomllib.loads((ROOT / "build" / "options.toml").read_text("utf-8"))
LAUNCHER = ROOT / "build" / "launcher"


def locked(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text("utf-8")
    assert "://" not in text
    entries = re.split(r"\n(?=\S)", text.strip())
    assert all("--hash=sha256:" in entry for entry in entries)
    return {entry.partition("==")[0]: re.split(r"[ \\;]", entry.partition("==")[2])[0] for entry in entries}


def test_the_binary_holds_what_the_tests_run_with():
    tested, built = locked("requirements.lock"), locked("requirements-build.lock")
    shared = tested.keys() & built.keys()
    assert {"pyyaml", "pynacl", "rich", "urllib3"} <= shared
    assert {name: tested[name] for name in shared} == {name: built[name] for name in shared}


def test_the_compiler_is_new_enough():
    assert numbers(locked("requirements-build.lock")["nuitka"]) >= numbers(OPTIONS["nuitka"]["at_least"])


def test_nothing_is_both_left_out_and_asked_for():
    nuitka = OPTIONS["nuitka"]
    assert not set(nuitka["leave_out"]) & {*nuitka["packages"], *nuitka["modules"], *nuitka["bytecode"]}


def test_slim_modules_have_what_the_program_imports(tmp_path: Path):
    from yaml import error, events, nodes, tokens

    slim = (ROOT / "build" / "plugin" / "slim" / "yaml.py").read_text("utf-8")
    imported = [line.split()[1] for line in slim.splitlines() if line.startswith("from .")]
    assert [f".{module.__name__.rpartition('.')[2]}" for module in (error, events, nodes, tokens)] == imported


@pytest.mark.skipif(not shutil.which("gcc"), reason="gcc is not installed")
@pytest.mark.parametrize("source", sorted(LAUNCHER.glob("*.c")), ids=lambda path: path.name)
def test_the_launcher_compiles_without_a_warning(source: Path):
    if source.name == "unpack.c" and not Path("/usr/include/zstd.h").is_file():
        pytest.skip("libzstd-dev is not installed")
    line = ["gcc", *OPTIONS["launcher"]["flags"], "-Werror", "-fsyntax-only", str(source)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
