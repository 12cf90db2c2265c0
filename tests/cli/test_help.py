"""Help, usage and the version (surfaces contract §1.2)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from kcp import __version__
from kcp.cli.command_table import COMMANDS
from kcp.cli.flags import FLAGS, flags_of

COMMAND_NAMES = [command.name for command in COMMANDS]


@pytest.fixture(autouse=True)
def width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_no_command_prints_the_usage_and_is_wrong_use(run: Callable):
    code, out, err = run()
    assert (code, err) == (2, "")
    assert out.startswith("Usage: kcp-agent COMMAND")


@pytest.mark.parametrize("word", ["--help", "-h", "help"])
def test_help_of_the_program(run: Callable, word: str):
    code, out, err = run(word)
    assert (code, err) == (0, "")
    assert all(f"\n  {name} " in out for name in COMMAND_NAMES)


@pytest.mark.parametrize("name", COMMAND_NAMES)
@pytest.mark.parametrize("words", [["{}", "--help"], ["{}", "-h"], ["help", "{}"]])
def test_help_of_a_command_has_exactly_its_flags(run: Callable, name: str, words: list[str]):
    if name == "help" and words[0] == "{}":
        words = ["help", "help"]
    code, out, err = run(*[word.format(name) for word in words])
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: kcp-agent {name} ")
    options = out.split("\nOptions:\n")[1].split("\n\n")[0]
    assert re.findall(r"^  (--[a-z-]+)", options, re.MULTILINE) == [flag.name for flag in flags_of(name)]


def test_help_asked_for_anywhere_wins_over_bad_values(run: Callable):
    assert run("plan", "task", "--max-units", "abc", "--env", "--help").code == 0


@pytest.mark.parametrize("columns", ["20", "40", "80", "100", "500", "0", "-3", "wide"])
def test_lines_keep_to_the_width(run: Callable, monkeypatch: pytest.MonkeyPatch, columns: str):
    monkeypatch.setenv("COLUMNS", columns)
    wanted = min(max(int(columns), 40), 100) if columns.isdecimal() and int(columns) else 80
    out = run("validate", "--help").out
    body = out.split("\n", 1)[1]
    assert max(map(len, body.splitlines())) <= wanted
    assert out.endswith("\n")
    assert not any(line.endswith(" ") for line in out.splitlines())


def test_every_flag_is_explained():
    for flag in FLAGS:
        assert flag.help
        assert not flag.help.endswith(".")


def test_version(run: Callable):
    assert run("--version") == (0, f"kcp-agent {__version__}\n", "")
    assert run("--version", "x").code == 2


@pytest.mark.parametrize("words", [["bogus"], ["help", "bogus"], ["--json"], ["Plan"], [""]])
def test_unknown_command(run: Callable, words: list[str]):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    lines = err.splitlines()
    assert lines[:2] == [f"Unknown command: {words[-1]}", ""]
    assert lines[2].startswith("Usage: kcp-agent COMMAND")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["plan"], "Missing task."),
        (["plan", "", "--manifest", "x"], "Missing task."),
        (["plan", "--task", "", "--manifest", "x"], "Missing task."),
        (["plan", "berth"], "Missing --manifest."),
        (["plan", "berth", "--manifest", ""], "Missing --manifest."),
        (["validate"], "Missing manifest location."),
        (["validate", ""], "Missing manifest location."),
        (["conform"], "Missing path."),
    ],
)
def test_missing_arguments(run: Callable, words: list[str], message: str):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert err.startswith(f"{message}\n\nUsage: kcp-agent {words[0]} ")


@pytest.mark.parametrize("words", [["diff"], ["diff", "a.json"]])
def test_diff_with_fewer_than_two_files_prints_its_usage(run: Callable, words: list[str]):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert err.startswith("Usage: kcp-agent diff A B")


def test_unknown_option(run: Callable):
    assert run("plan", "x", "--trce") == (2, "", "Unknown option: --trce\nDid you mean --trace?\n")
