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
    """Every command with the exit code that its comment tells; a here-document belongs to its command."""
    found = []
    lines = iter("".join(blocks(guide, "sh")).splitlines())
    for line in lines:
        command, comment = line, re.search(r"# exits with (\d+)$", line)
        if line.endswith("<<'END'"):
            for text in lines:
                command += f"\n{text}"
                if text == "END":
                    break
        found.append((command, int(comment.group(1)) if comment else 0))
    return found


def make_program(repository: Path, folder: Path) -> Path:
    """A folder for the path with a `kcp-agent` that runs this checkout."""
    programs = folder / "bin"
    programs.mkdir()
    program = programs / "kcp-agent"
    start = START.format(root=str(repository))
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -c "{start}" "$@"\n')
    program.chmod(0o755)
    return programs


def follow(guide: Path, repository: Path, folder: Path) -> list[tuple[str, int, str]]:
    """Run a guide's commands one by one beside its manifest; each with its exit code and output."""
    programs = make_program(repository, folder)
    work = folder / "harbour"
    work.mkdir()
    (text,) = blocks(guide, "yaml")
    (work / "knowledge.yaml").write_text(text, "utf-8")
    environment = {"PATH": f"{programs}:{os.environ.get('PATH', '')}", "HOME": str(folder)}
    done = []
    for command, expected in commands(guide):
        result = subprocess.run(
            ["sh", "-c", command],
            cwd=work,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert result.returncode == expected, f"{command}\n{result.stdout}{result.stderr}"
        assert "bug" not in result.stderr
        done.append((command, expected, result.stdout))
    return done


def test_sign_your_manifest(repository: Path, tmp_path: Path):
    done = follow(repository / "docs" / "guides" / "sign-your-manifest.md", repository, tmp_path)
    assert len(done) >= 20
    assert {code for _, code, _ in done} == {0, 1, 3}


def test_test_findability(repository: Path, tmp_path: Path):
    guide = repository / "docs" / "guides" / "test-findability.md"
    done = follow(guide, repository, tmp_path)
    assert len(done) >= 10
    assert {code for _, code, _ in done} == {0, 1}
    shown = [line for text in blocks(guide, "text") for line in text.splitlines()]
    printed = [line for _, _, out in done for line in out.splitlines()]
    assert shown
    assert [line for line in shown if line not in printed] == []


def test_every_kcp_agent_command_of_the_guides_is_run(repository: Path):
    """A command outside of the executed blocks would not be."""
    for name in ("sign-your-manifest", "test-findability"):
        guide = repository / "docs" / "guides" / f"{name}.md"
        run = sum(line.startswith("kcp-agent ") for line, _ in commands(guide))
        assert run == len(re.findall(r"^ *(?:\$ )?kcp-agent ", guide.read_text("utf-8"), re.MULTILINE))
