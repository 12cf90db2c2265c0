"""Scripts that a release runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from kcp import __version__
from tests.cli.conftest import START

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a POSIX shell")


def run(*words: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    line = [str(word) for word in words]
    return subprocess.run(line, capture_output=True, text=True, timeout=120, check=False, **options)  # type: ignore[call-overload]


@pytest.fixture
def notes(repository: Path, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs release-notes on a changelog."""

    def call(tag: str, changelog: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "scripts").mkdir(exist_ok=True)
        (tmp_path / "kcp").mkdir(exist_ok=True)
        shutil.copy(repository / "scripts" / "release-notes", tmp_path / "scripts")
        (tmp_path / "kcp" / "_version.py").write_text('__version__ = "1.2.0"\n')
        (tmp_path / "CHANGELOG.md").write_text(changelog)
        return run(tmp_path / "scripts" / "release-notes", tag)

    return call


def test_release_notes(notes: Callable):
    log = "# Changelog\n\n## [Unreleased]\n\n- more\n\n## [1.2.0] - 2026-12-01\n\n- this\n\n## [1.2.0a1]\n"
    done = notes("v1.2.0", log)
    assert (done.returncode, done.stdout.strip()) == (0, "- this")
    assert notes("v1.2.1", log).returncode == 1
    assert notes("1.2.0", log).returncode == 1
    assert notes("v1.2.0", "# Changelog\n\n## [1.2.0a1]\n\n- old\n").returncode == 1
    assert notes("v1.2.0", "").returncode == 1


@pytest.fixture
def program(repository: Path, tmp_path: Path) -> Path:
    """A program as a single file, that runs the checkout."""
    path = tmp_path / f"kcp-agent-{__version__}-here"
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -c "{START.format(root=str(repository))}" "$@"\n')
    path.chmod(0o755)
    return path


def archive_of(program: Path) -> Path:
    archive = program.with_name(f"{program.name}.tar.xz")
    with tarfile.open(archive, "w:xz") as tar:
        tar.add(program, "kcp-agent/kcp-agent")
    return archive


@pytest.mark.slow
def test_a_program_that_works_passes(program: Path, repository: Path):
    archive_of(program)
    program.with_name(f"{program.name}.cdx.json").touch()
    done = run(repository / "scripts" / "smoke-release", program.parent)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"smoke-test: {program} works",
        f"smoke-test: {program}.tar.xz works",
    ]


@pytest.mark.parametrize(
    ("instead", "why"),
    [
        ("echo kcp-agent 0.0.1", "in the output"),
        ("exit 3", "exit code 3, not 0"),
        (f"echo kcp-agent {__version__}", "no 'deploy-guide'"),
    ],
)
def test_one_that_does_not_work_fails(program: Path, repository: Path, instead: str, why: str):
    program.write_text(f"#!/bin/sh\n{instead}\n")
    for given in (program, archive_of(program)):
        done = run(repository / "scripts" / "smoke-test", given)
        assert done.returncode == 1
        assert why in done.stderr
    assert run(repository / "scripts" / "smoke-release", program.parent).returncode == 1


def test_a_folder_without_programs_is_fine(repository: Path, tmp_path: Path):
    done = run(repository / "scripts" / "smoke-release", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "nothing to try" in done.stdout


@pytest.mark.parametrize("same", [True, False])
def test_rebuild_compares_every_file(repository: Path, tmp_path: Path, same: bool):
    checkout = tmp_path / "a checkout"
    (checkout / "scripts").mkdir(parents=True)
    (checkout / ".venv").mkdir()
    shutil.copy(repository / "scripts" / "rebuild", checkout / "scripts")
    made = "same" if same else "$PWD"
    stubs = {
        "build-binary": '[ ! -e .venv ] && [ ! -e dist ] && [ "${CCACHE_DIR#$HOME}" = "$CCACHE_DIR" ]',
        "pack-release": f'mkdir -p "$2" && echo same >"$2/a" && echo "{made}" >"$2/b"',
    }
    for name, line in stubs.items():
        (checkout / "scripts" / name).write_text(f"#!/bin/sh\n{line}\n")
        (checkout / "scripts" / name).chmod(0o755)
    first = checkout / "dist" / "release"
    first.mkdir(parents=True)
    for name in ("a", "b"):
        (first / name).write_text("same\n")
    done = run(checkout / "scripts" / "rebuild", "dist/release", cwd=checkout)
    assert done.returncode == (0 if same else 1), done.stderr
    assert "rebuild: a is the same" in done.stdout
    assert ("rebuild: b is the same" in done.stdout) is same
