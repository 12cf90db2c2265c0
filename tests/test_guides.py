"""Guides do what they say: their commands are run, in order, and end with the codes they tell."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import START

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the guides' commands are for a POSIX shell")


def blocks(guide: Path, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", guide.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def commands(guide: Path) -> list[tuple[str, int]]:
    """Every command with the exit code that its comment tells."""
    found = []
    for line in "".join(blocks(guide, "sh")).splitlines():
        comment = re.search(r"# exits with (\d+)$", line)
        found.append((line, int(comment.group(1)) if comment else 0))
    return found


@pytest.fixture
def shell(repository: Path, tmp_path: Path) -> Path:
    """A folder with a `kcp-agent` for the path, which runs this checkout."""
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "kcp-agent"
    start = START.format(root=str(repository))
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -c "{start}" "$@"\n')
    program.chmod(0o755)
    return programs


def test_sign_your_manifest(repository: Path, shell: Path, tmp_path: Path):
    guide = repository / "docs" / "guides" / "sign-your-manifest.md"
    folder = tmp_path / "harbour"
    folder.mkdir()
    (text,) = blocks(guide, "yaml")
    (folder / "knowledge.yaml").write_text(text, "utf-8")
    environment = {"PATH": f"{shell}:{os.environ.get('PATH', '')}", "HOME": str(tmp_path)}
    codes = []
    for command, expected in commands(guide):
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == expected, f"{command}\n{done.stdout}{done.stderr}"
        assert "bug" not in done.stderr
        codes.append(expected)
    assert len(codes) >= 20
    assert {0, 1, 3} == set(codes)


def test_every_kcp_agent_command_of_the_guides_is_run(repository: Path):
    """A command outside of the executed blocks would not be."""
    for guide in (repository / "docs" / "guides").glob("sign-*.md"):
        run = sum(line.startswith("kcp-agent ") for line, _ in commands(guide))
        assert run == len(re.findall(r"^ *(?:\$ )?kcp-agent ", guide.read_text("utf-8"), re.MULTILINE))
