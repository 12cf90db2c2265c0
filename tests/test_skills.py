"""Skill documents tell agents what the program does: commands, flags and tiers that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kcp.cli.command_table import COMMANDS
from kcp.cli.flags import flags_of
from kcp.reading.yaml12 import read_yaml

ROOT = Path(__file__).resolve().parent.parent
SKILLS = sorted((ROOT / "skills").glob("*/SKILL.md"))


def test_there_are_skills():
    assert [path.parent.name for path in SKILLS] == ["kcp-render"]


@pytest.mark.parametrize("path", SKILLS, ids=lambda path: path.parent.name)
def test_head_names_the_skill(path: Path):
    text = path.read_text("utf-8")
    before, head, _ = text.split("---\n", 2)
    assert before == ""
    members = read_yaml(head.encode()).root
    assert list(members) == ["name", "description"]
    assert members["name"] == path.parent.name
    assert 0 < len(members["description"]) <= 1024


@pytest.mark.parametrize("path", SKILLS, ids=lambda path: path.parent.name)
def test_commands_and_flags_exist(path: Path):
    text = path.read_text("utf-8")
    names = {command.name for command in COMMANDS}
    lines = [line.strip(" `") for line in re.findall(r"kcp (?:render|load|plan|keys) [^`\n]*", text)]
    assert len(lines) >= 3
    for line in lines:
        name = line.split()[1]
        assert name in names
        assert set(re.findall(r"--[a-z-]+", line)) <= {flag.name for flag in flags_of(name)}


@pytest.mark.parametrize("path", SKILLS, ids=lambda path: path.parent.name)
def test_every_tier_is_explained(path: Path):
    assert all(f"`{tier}`" in path.read_text("utf-8") for tier in ("trusted", "known", "unsigned"))
