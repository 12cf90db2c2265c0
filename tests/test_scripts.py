"""The scripts, the lock file and the version: what a person with a fresh clone relies on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from scripts.lib.gen_manifest import TERMS, WORDS, manifest_text

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = [*sorted(path for path in (ROOT / "scripts").iterdir() if path.is_file()), ROOT / ".ci" / "run"]
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

needs_posix = pytest.mark.skipif(os.name == "nt", reason="a POSIX shell and modes")


def normalised(name: str) -> str:
    """A distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


@needs_posix
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_script_is_executable_and_says_what_it_does(script: Path) -> None:
    assert os.access(script, os.X_OK)
    lines = script.read_text("utf-8").splitlines()
    assert lines[0] in ("#!/bin/sh", "#!/usr/bin/env bash")
    assert re.match(r"# [A-Z].*\w", lines[1])


@needs_posix
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_script_parses(script: Path) -> None:
    shell = "bash" if "bash" in script.read_text("utf-8").splitlines()[0] else "sh"
    done = subprocess.run([shell, "-n", str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_lock_file_names_no_host_and_hashes_everything() -> None:
    assert "://" not in LOCK
    assert not re.search(r"^\s*-", LOCK.replace("    --hash=sha256:", ""), re.MULTILINE)
    entries = re.split(r"\n(?=\S)", LOCK.strip())
    for entry in entries:
        assert re.match(r"[a-z0-9-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry


def test_lock_file_covers_the_dependencies() -> None:
    locked = {
        normalised(line.partition("==")[0]) for line in LOCK.splitlines() if "==" in line.split(" ;")[0]
    }
    wanted = PROJECT["project"]["dependencies"] + PROJECT["dependency-groups"]["dev"]
    names = {normalised(re.split(r"[^\w.-]", requirement)[0]) for requirement in wanted}
    assert names <= locked


def test_version_stands_in_one_place() -> None:
    from kcp._version import __version__

    assert "version" not in PROJECT["project"]
    texts = [path for path in (ROOT / "kcp").rglob("*.py") if f'"{__version__}"' in path.read_text("utf-8")]
    # The version of a project that has none, which `init` assumes, may be the same by chance.
    assert {path.name for path in texts} - {"project.py"} == {"_version.py"}


def test_committed_text_names_no_place_of_one_machine() -> None:
    """Absolute paths of a development machine and registry hosts have no place in the repository."""
    hosts = ("pypi" + ".org", "files.python" + "hosted", "registry.npmjs" + ".org", "proxy.golang" + ".org")
    folders = ("/wo" + "rk/", "/ro" + "ot/")
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    found = []
    for name in filter(None, listed.stdout.decode().split("\0")):
        path = ROOT / name
        if not path.is_file():
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        found += [f"{name}: {word}" for word in hosts + folders if word in text]
    assert found == []


def make_checkout(folder: Path) -> Path:
    """The scripts with a program that prints its arguments, and an environment that counts as current."""
    checkout = folder / "a checkout"
    shutil.copytree(ROOT / "scripts", checkout / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "requirements.lock", checkout)
    (checkout / "kcp").mkdir()
    (checkout / "kcp" / "__main__.py").write_text("import sys, os\nprint(sys.argv[1:], os.getcwd())\n")
    programs = checkout / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(sys.executable)
    shutil.copy(ROOT / "requirements.lock", checkout / ".venv")
    return checkout


def run_script(command: list[str], cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script with nothing on standard input."""
    return subprocess.run(
        command,
        cwd=cwd,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@needs_posix
def test_launcher_works_from_anywhere_and_through_a_link(tmp_path: Path) -> None:
    checkout = make_checkout(tmp_path)
    elsewhere = tmp_path / "else where"
    elsewhere.mkdir()
    link = elsewhere / "agent"
    link.symlink_to(os.path.relpath(checkout / "scripts" / "kcp-agent", elsewhere))
    for command in (
        [str(checkout / "scripts" / "kcp-agent")],
        ["./agent"],
        ["../a checkout/scripts/kcp-agent"],
    ):
        done = run_script([*command, "plan", "two words", ""], elsewhere)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"{['plan', 'two words', '']} {elsewhere.resolve()}\n"


@needs_posix
@pytest.mark.parametrize("damage", ["stamp missing", "lock file changed", "interpreter gone"])
def test_launcher_sets_up_again_what_is_not_whole(tmp_path: Path, damage: str) -> None:
    checkout = make_checkout(tmp_path)
    if damage == "stamp missing":
        (checkout / ".venv" / "requirements.lock").unlink()
    elif damage == "lock file changed":
        (checkout / "requirements.lock").write_text("# empty\n")
    else:
        (checkout / ".venv" / "bin" / "python").unlink()
    # An interpreter that fits but leaves a mark instead of setting up.
    fake = tmp_path / "python"
    fake.write_text('#!/bin/sh\ncase $2 in -c) echo True ;; *) echo "asked for: $2" >&2; exit 3 ;; esac\n')
    fake.chmod(0o755)
    done = run_script([str(checkout / "scripts" / "kcp-agent")], tmp_path, KCP_PYTHON=str(fake))
    assert done.returncode == 3
    assert done.stderr == f"asked for: {checkout.resolve()}/scripts/lib/set_up.py\n"
    assert done.stdout == ""


@needs_posix
@pytest.mark.parametrize("named", ["/bin/false", "no-such-python"])
def test_launcher_says_in_one_line_that_the_named_python_does_not_fit(tmp_path: Path, named: str) -> None:
    checkout = make_checkout(tmp_path)
    (checkout / ".venv" / "requirements.lock").unlink()
    done = run_script([str(checkout / "scripts" / "kcp-agent")], tmp_path, KCP_PYTHON=named)
    assert done.returncode == 3
    assert (
        done.stderr == f"kcp-agent: KCP_PYTHON={named} is not a Python of 3.11 or later with venv and pip\n"
    )


def test_generated_manifests_are_the_same_for_the_same_arguments() -> None:
    assert manifest_text(50, 0.5, seed=3) == manifest_text(50, 0.5, seed=3)
    assert manifest_text(50, 0.5, seed=3) != manifest_text(50, 0.5, seed=4)


@pytest.mark.parametrize(("relevance", "matching"), [(0, 0), (0.1, 20), (0.9, 180), (1, 200)])
def test_generated_manifests_match_the_task_in_the_given_share(relevance: float, matching: int) -> None:
    assert not [(word, term) for word in WORDS for term in TERMS if word in term or term in word]
    units = manifest_text(200, relevance).partition("units:\n")[2].split("  - id: u")[1:]
    # The scope of governed units names deploy/**, which no score counts.
    texts = [unit.partition("size_tokens")[0].partition("action_scope")[0].lower() for unit in units]
    assert sum(any(term in text for term in TERMS) for text in texts) == matching
