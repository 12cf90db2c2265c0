"""What the user may not read is never taken for what is not there.

The tests run the program without the rights that let root read everything.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

GOOD = """\
project: p
version: "1"
kcp_version: "0.32"
units:
  - {id: a, path: a.md, intent: Go!, scope: global, triggers: [t], audience: [agent]}
"""
WITHOUT = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
DIGEST = "0" * 64

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")


def words_before() -> list[str]:
    """What a command line starts with so that permissions count."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("root may read everything, and there is no setpriv to drop that right")
    if subprocess.run([*WITHOUT, "true"], capture_output=True, timeout=60, check=False).returncode != 0:
        pytest.skip("root may read everything, and setpriv cannot drop that right here")
    return list(WITHOUT)


@pytest.fixture
def bound(command: Callable[..., list[str]], tmp_path: Path) -> Callable[..., tuple[int, str, str]]:
    """Runs a command line in the test's folder, bound by permissions."""
    before = words_before()

    def call(*words: str | Path) -> tuple[int, str, str]:
        line = [*before, *command(*words)]
        environment = {"PATH": os.environ.get("PATH", "")}
        done = subprocess.run(
            line, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        return done.returncode, done.stdout, done.stderr

    return call


@pytest.fixture
def close() -> Iterator[Callable[[Path, int], Path]]:
    """Takes permissions away until the test is over."""
    closed: list[Path] = []

    def change(path: Path, mode: int = 0) -> Path:
        path.chmod(mode)
        closed.append(path)
        return path

    yield change
    for path in reversed(closed):
        path.chmod(0o700)


def write(folder: Path, text: str = GOOD) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a.md").write_text("x", encoding="utf-8")
    (folder / "knowledge.yaml").write_text(text, encoding="utf-8")
    return folder


# Closed altogether, not listed, or not entered.
@pytest.mark.parametrize("mode", [0o000, 0o300, 0o600])
def test_a_closed_folder_is_named_and_not_passed_over(
    bound: Callable, close: Callable, tmp_path: Path, mode: int
):
    write(tmp_path / "repo")
    close(write(tmp_path / "repo" / "docs" / "closed"), mode)
    code, out, err = bound("validate", "repo")
    assert (code, err) == (3, "")
    assert "✓ valid" in out
    assert out.count("permission denied: repo/docs/closed") == 1
    code, out, _ = bound("validate", "repo", "--json")
    assert code == 3
    assert [each["ok"] for each in json.loads(out)].count(False) == 1
    code, out, _ = bound("validate", "repo", "--fix")
    assert code == 3
    assert "not fixed: repo/docs/closed" in out


def test_what_a_folder_that_is_not_listed_shows_is_judged_once(
    bound: Callable, close: Callable, tmp_path: Path
):
    close(write(tmp_path / "repo"), 0o300)
    code, out, _ = bound("validate", "repo")
    assert code == 3
    assert out.count("Validate: repo/knowledge.yaml") == 1
    assert bound("validate", "repo/knowledge.yaml")[0] == 0


@pytest.mark.parametrize("word", ["closed", "closed/knowledge.yaml"])
def test_a_closed_location_is_not_a_missing_one(bound: Callable, close: Callable, tmp_path: Path, word: str):
    close(write(tmp_path / "closed"))
    for words in (("validate", word), ("plan", "t", "--manifest", word)):
        code, out, err = bound(*words)
        assert code == 3
        assert "permission denied: closed" in out + err
        assert "no knowledge.yaml found" not in out + err
        assert "not found" not in out + err


def hashed(path: str) -> str:
    return GOOD.replace("path: a.md", f"path: {path}, content_hash: {{algorithm: sha256, value: '{DIGEST}'}}")


@pytest.mark.parametrize("closed", ["docs/a.md", "docs"])
def test_a_hash_of_closed_content_is_not_passed_over(
    bound: Callable, close: Callable, tmp_path: Path, closed: str
):
    write(tmp_path, hashed("docs/a.md"))
    write(tmp_path / "docs")
    close(tmp_path / closed)
    code, out, _ = bound("validate", "knowledge.yaml", "--rules", "spec")
    assert code == 0
    assert "content_hash could not be checked: cannot read docs/a.md: permission denied" in out
    assert "does not exist" not in out


def test_a_render_says_why_a_hash_was_not_checked(bound: Callable, close: Callable, tmp_path: Path):
    write(tmp_path, hashed("a.md"))
    close(tmp_path / "a.md")
    (tmp_path / "keys.yaml").write_text("version: 1\nkeys: []\n", encoding="utf-8")
    code, out, err = bound("render", "--origin", "h.example", "--keys", "keys.yaml", "--json")
    assert code == 0, err
    assert "unit 'a' content_hash could not be checked: cannot read a.md: permission denied" in err
    (dropped,) = [
        each for each in json.loads(out)["sanitization"]["dropped"] if "content_hash" in each["path"]
    ]
    assert dropped["observed"] == "unreadable"


@pytest.mark.parametrize("name", [".kcp-agent.toml", "pyproject.toml"])
def test_closed_settings_are_not_ignored(bound: Callable, close: Callable, tmp_path: Path, name: str):
    write(tmp_path)
    (tmp_path / name).write_text("")
    close(tmp_path / name)
    said = f"kcp-agent: permission denied: {tmp_path}/{name}\n"
    assert bound("validate", "knowledge.yaml") == (3, "", said)
