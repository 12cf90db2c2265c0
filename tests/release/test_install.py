"""build/install/install.sh, against a server on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.release.conftest import PROGRAM, SYSTEM, write_sums

pytestmark = pytest.mark.skipif(
    os.name == "nt" or not (shutil.which("curl") or shutil.which("wget")) or not shutil.which("xz"),
    reason="needs a POSIX shell, curl or wget, and xz",
)


def tools_but(tmp_path: Path, *missing: str) -> str:
    """A PATH on which the programs of this system are, some excepted."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for tool in Path(place).iterdir() if Path(place).is_dir() else ():
            if tool.name not in missing and not (folder / tool.name).exists():
                (folder / tool.name).symlink_to(tool)
    return str(folder)


def tree(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_it_installs_the_folder_and_a_link(release: Callable, install: Callable, home: Path):
    release()
    done = install()
    link = home / ".local" / "bin" / "kcp-agent"
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == f"installed kcp-agent 1.2.3: {link}"
    assert f"{link.parent} is not on your PATH" in done.stdout
    assert link.is_symlink()
    assert subprocess.check_output([link, "plan", "x y"], text=True) == "1.2.3 runs: plan x y\n"
    page = home / ".local" / "share" / "man" / "man1" / "kcp-agent.1"
    assert page.is_symlink()
    assert page.read_text().startswith(".TH")
    assert {path.name.partition("-")[0] for path in (home / ".local" / "lib" / "kcp-agent").iterdir()} == {
        "1.2.3"
    }
    assert not list(home.parent.glob("tmp.*"))


def test_a_newer_one_takes_its_place_and_all_can_be_taken_away(
    release: Callable, install: Callable, home: Path
):
    link = home / ".local" / "bin" / "kcp-agent"
    for version, made in (("1.2.3", True), ("1.2.3", False), ("1.3.0", True)):
        if made:
            release(version)
        assert install(PATH=f"{link.parent}{os.pathsep}{os.environ['PATH']}").returncode == 0
        assert subprocess.check_output([link, "--version"], text=True) == f"kcp-agent {version}\n"
    assert len(list((home / ".local" / "lib" / "kcp-agent").iterdir())) == 2
    assert install("--uninstall").returncode == 0
    assert tree(home) == {
        *(".local", ".local/bin", ".local/lib", ".local/share", ".local/share/man", ".local/share/man/man1")
    }


def test_another_prefix_and_a_digest(release: Callable, install: Callable, home: Path):
    archive = release()
    (line,) = [
        each for each in (archive.parent / "SHA256SUMS").read_text().splitlines() if archive.name in each
    ]
    digest = line.partition("  ")[0]
    assert install("--prefix", "some where", "--sha256", digest).returncode == 0
    assert (home / "some where" / "bin" / "kcp-agent").is_symlink()
    assert not (home / ".local").exists()
    done = install("--prefix", "other", "--sha256", "0" * 64)
    assert done.returncode == 3
    assert "is not what --sha256 says" in done.stderr
    assert not (home / "other").exists()


def test_it_does_with_wget(release: Callable, install: Callable, home: Path, tmp_path: Path):
    if not shutil.which("wget"):
        pytest.skip("wget is not installed")
    release()
    done = install(PATH=tools_but(tmp_path, "curl", "sha256sum"))
    assert (done.returncode, done.stderr) == (0, "")
    assert (home / ".local" / "bin" / "kcp-agent").exists()


def refused(done: subprocess.CompletedProcess[str], why: str, home: Path) -> None:
    """One line, no link, and nothing left of what was fetched."""
    assert done.returncode == 3
    assert why in done.stderr.splitlines()[-1]
    assert done.stderr.splitlines()[-1].startswith("install.sh: ")
    assert done.stdout == ""
    assert not (home / ".local" / "bin" / "kcp-agent").exists()
    kept = home / ".local" / "lib" / "kcp-agent"
    assert not kept.exists() or not list(kept.iterdir())
    assert not list(home.parent.glob("tmp.*"))


def test_other_bytes_are_refused(release: Callable, install: Callable, home: Path):
    archive = release()
    damaged = bytearray(archive.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    archive.write_bytes(damaged)
    refused(install(), "is not what SHA256SUMS says", home)


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("#!/bin/sh\nexit 1\n", "does not run"),
        (PROGRAM.replace("{version}", "0.9"), "the program says: kcp-agent 0.9"),
    ],
)
def test_a_program_that_does_not_run_is_not_installed(
    release: Callable, install: Callable, home: Path, program: str, why: str
):
    release(program=program)
    refused(install(), why, home)


def test_a_failed_update_leaves_what_was_there(release: Callable, install: Callable, home: Path):
    release("1.0.0")
    assert install().returncode == 0
    release("2.0.0", program="#!/bin/sh\nexit 1\n")
    assert install().returncode == 3
    link = home / ".local" / "bin" / "kcp-agent"
    assert subprocess.check_output([link, "--version"], text=True) == "kcp-agent 1.0.0\n"


def test_what_is_not_there_is_said(release: Callable, install: Callable, home: Path):
    archive = release()
    archive.unlink()
    refused(install(), f"/{archive.name}", home)
    release(system="plan9-risc")
    refused(install(), f"no archive for {SYSTEM}", home)
    (archive.parent / "SHA256SUMS").write_text("<html>not found</html>\n")
    refused(install(), f"no archive for {SYSTEM}", home)
    (archive.parent / "SHA256SUMS").unlink()
    refused(install(), "/SHA256SUMS", home)


def test_two_archives_for_one_system_are_not_chosen_between(release: Callable, install: Callable, home: Path):
    archive = release()
    shutil.copy(archive, archive.with_name(f"kcp-agent-1.2.4-{SYSTEM}.tar.xz"))
    write_sums(archive.parent)
    refused(install(), "several archives", home)


def test_what_is_not_ours_stays(release: Callable, install: Callable, home: Path):
    release()
    there = home / ".local" / "bin" / "kcp-agent"
    there.parent.mkdir(parents=True)
    there.write_text("another")
    for words in ((), ("--uninstall",)):
        done = install(*words)
        assert done.returncode == 3
        assert "is there already and not from here" in done.stderr
        assert there.read_text() == "another"
    there.unlink()
    there.symlink_to("/bin/sh")
    assert install().returncode == 3
    assert there.is_symlink()


@pytest.mark.parametrize(
    "source",
    ["http://example.org", "ftp://127.0.0.1", "file:///tmp", "http://127.0.0.1.example.org:80", "@BASE@"],
)
def test_only_https_is_fetched_from_elsewhere(install: Callable, source: str):
    done = install(source=source)
    assert done.returncode == 2
    assert done.stderr.startswith("install.sh: ")


@pytest.mark.parametrize("words", [["--prefix"], ["--what"], ["--sha256"], ["x"]])
def test_wrong_use(install: Callable, words: list[str]):
    assert install(*words).returncode == 2


def test_half_a_script_does_nothing(release: Callable, address: str, repository: Path, home: Path):
    release()
    whole = (repository / "build" / "install" / "install.sh").read_text()
    for share in (0.5, 0.9, 0.99):
        cut = subprocess.run(
            ["sh", "-s", "--", "--from", address],
            input=whole[: int(len(whole) * share)],
            env={"PATH": os.environ["PATH"], "HOME": str(home)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert "installed" not in cut.stdout
    assert tree(home) == set()


def test_it_never_asks_for_more_rights(repository: Path):
    for name in ("install.sh", "install.ps1"):
        text = (repository / "build" / "install" / name).read_text()
        code = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
        assert "sudo" not in code
        assert "RunAs" not in code
