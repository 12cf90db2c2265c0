"""Parser, help, manual page, completions and README say the same of commands and flags."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from kcp.cli.command_table import COMMANDS
from kcp.cli.completion import SHELLS, completion
from kcp.cli.flags import FLAGS, Flag, flags_of
from kcp.cli.help import command_help, overview
from kcp.cli.parser import parse
from kcp.errors import UsageError

NAMES = [command.name for command in COMMANDS]
SAMPLES = {"count": "1", "amount": "1", "date": "2026-07-06"}


def value(flag: Flag) -> list[str]:
    return [SAMPLES.get(flag.kind, "x")] if flag.metavar else []


def parsed(name: str) -> set[str]:
    """The flags that the parser takes after a command, each tried."""
    (command,) = [command for command in COMMANDS if command.name == name]
    taken = set()
    for flag in FLAGS:
        # The kind of a flag depends on the command; one that does not take it refuses every kind.
        (own,) = [each for each in flags_of(name) if each.name == flag.name] or [flag]
        try:
            arguments = parse(command, [flag.name, *value(own)])
        except UsageError:
            continue
        if flag.name in arguments.given or (flag.name == "--help" and arguments.help):
            taken.add(flag.name)
    return taken


def in_help(name: str) -> set[str]:
    (command,) = [command for command in COMMANDS if command.name == name]
    return set(re.findall(r"^  (--[a-z-]+)", command_help(command), re.MULTILINE))


@pytest.fixture(scope="module")
def manual() -> dict[str, set[str]]:
    """The flags in the manual page, by command."""
    path = Path(__file__).parents[2] / "docs" / "man" / "kcp-agent.1"
    sections = re.split(
        r'^\.S[SH] ?"?(.*?)"?$', path.read_text("utf-8").replace(r"\-", "-"), flags=re.MULTILINE
    )
    named = zip(sections[1::2], sections[2::2], strict=True)
    found = {}
    for title, body in named:
        command = re.fullmatch(r"\\fBkcp-agent (\S+)\\fR", title)
        if command:
            found[command[1]] = set(re.findall(r"^\\fB(--[a-z-]+)\\fR", body, re.MULTILINE))
    return found


def completed(shell: str, name: str) -> set[str]:
    """The flags that a completion script offers after a command."""
    script = completion(shell)
    if shell == "fish":
        lines = [line for line in script.splitlines() if line.startswith("complete -c kcp-agent ")]
        own = [line for line in lines if f"'__fish_seen_subcommand_from {name}'" in line]
        return {f"--{flag}" for line in own for flag in re.findall(r" -l ([a-z-]+)", line)}
    start = {
        "bash": f"    {name}) flags=",
        "zsh": f"    {name}) _arguments ",
        "powershell": f"  '{name}' = ",
    }[shell]
    own = [line for line in script.splitlines() if line.startswith(start)]
    texts = {
        "bash": r"--[a-z-]+",
        "zsh": r"(?<=')\*?(--[a-z-]+)(?=\[)",
        "powershell": r"(?<=')--[a-z-]+(?=')",
    }
    return set(re.findall(texts[shell], own[0]))


@pytest.mark.parametrize("name", NAMES)
def test_flags_are_the_same_everywhere(name: str, manual: dict[str, set[str]]):
    table = {flag.name for flag in flags_of(name)}
    assert parsed(name) == table
    assert in_help(name) == table
    assert manual[name] == table - {"--help"}  # which a manual goes without
    for shell in SHELLS:
        assert completed(shell, name) == table, shell


def test_commands_are_the_same_everywhere(manual: dict[str, set[str]], repository: Path):
    assert list(manual) == NAMES
    assert (
        re.findall(r"^  ([a-z]+) ", overview().split("\nCommands:\n")[1].split("\n\n")[0], re.MULTILINE)
        == NAMES
    )
    readme = (repository / "README.md").read_text("utf-8")
    rows = readme.split("\n| command | what it does |\n")[1].split("\n\n")[0].splitlines()[1:]
    listed = [word for row in rows for word in re.findall(r"`([a-z]+)[^`]*`", row.split(" | ")[0])]
    assert sorted(listed) == sorted(NAMES)
    assert set(re.findall(r"--[a-z][a-z-]*", readme)) <= {flag.name for flag in FLAGS} | {"--check", "--flag"}


@pytest.mark.skipif(
    importlib.util.find_spec("argparse_manpage") is None, reason="argparse-manpage is missing"
)
def test_the_manual_page_is_current(repository: Path):
    from scripts.lib.man_page import page

    assert (repository / "docs" / "man" / "kcp-agent.1").read_text("utf-8") == page()
