"""The command line's rules (surfaces contract §1.1, decision B7)."""

from __future__ import annotations

import pytest

from kcp.cli.command_table import COMMANDS, Command, find_command
from kcp.cli.flags import FLAGS, flags_of
from kcp.cli.parser import Arguments, CommandLineError, parse
from kcp.errors import UsageError


def command(name: str) -> Command:
    found = find_command(name)
    assert found is not None
    return found


def plan(*words: str) -> Arguments:
    return parse(command("plan"), list(words))


def test_value_flags_take_the_next_word_or_what_follows_the_equals_sign():
    assert plan("--env", "prod").text("--env") == "prod"
    assert plan("--env=prod").text("--env") == "prod"
    assert plan("--env=a=b").text("--env") == "a=b"


def test_the_last_repetition_wins():
    assert plan("--env", "a", "--env=b").text("--env") == "b"
    assert plan("--max-units", "2", "--max-units", "3").count("--max-units") == 3


def test_positionals_stand_anywhere():
    arguments = plan("how", "--strict", "to", "--env", "prod", "berth")
    assert arguments.positionals == ["how", "to", "berth"]
    assert arguments.switch("--strict")


@pytest.mark.parametrize("word", ["-5", "-x", "-", "--", ""])
def test_what_counts_as_a_positional(word: str):
    expected = [] if word == "--" else [word]
    assert plan(word).positionals == expected


def test_after_two_dashes_all_is_positional():
    assert plan("a", "--", "--strict", "-h", "--", "--env").positionals == [
        "a",
        "--strict",
        "-h",
        "--",
        "--env",
    ]


@pytest.mark.parametrize("next_word", ["--strict", "--nonsense", "--", "-h"])
def test_a_value_flag_does_not_swallow_the_next_flag(next_word: str):
    if next_word == "-h":
        assert plan("--task", next_word).help
        return
    with pytest.raises(UsageError) as caught:
        plan("--task", next_word)
    expected = "Unknown option: --nonsense" if next_word == "--nonsense" else "--task needs a value"
    assert caught.value.message == expected


def test_a_value_flag_at_the_end_needs_a_value():
    with pytest.raises(UsageError, match="--env needs a value") as caught:
        plan("task", "--env")
    assert "--env=NAME" in (caught.value.hint or "")


def test_a_value_may_start_with_dashes_after_the_equals_sign():
    assert plan("--task=--strict").text("--task") == "--strict"


def test_a_switch_takes_no_value():
    with pytest.raises(UsageError, match="--strict takes no value"):
        plan("--strict=yes")


def test_lists_are_split_trimmed_and_emptied():
    assert plan("--methods", " free, x402 ,,").words("--methods") == ("free", "x402")
    assert plan("--methods", "").words("--methods") == ()
    assert plan().words("--methods") is None


def test_an_unknown_flag_is_named_first_of_all():
    with pytest.raises(CommandLineError) as caught:
        plan("--max-units", "abc", "--help", "--stict=1")
    assert caught.value.message == "Unknown option: --stict"
    assert caught.value.hint == "Did you mean --strict?"


def test_no_abbreviations():
    with pytest.raises(CommandLineError, match="Unknown option: --man"):
        plan("--man", "x")


def test_a_flag_of_another_command_is_unknown_here():
    with pytest.raises(CommandLineError) as caught:
        parse(command("validate"), ["--strict", "x"])
    assert caught.value.message == "Unknown option: --strict"
    assert caught.value.hint == "--strict belongs to: plan, explain, load, watch"


def test_an_unlike_flag_gets_a_pointer_to_the_help():
    with pytest.raises(CommandLineError) as caught:
        plan("--qqqq")
    assert caught.value.hint == "See: kcp-agent plan --help"


def test_surplus_positionals_are_refused():
    with pytest.raises(CommandLineError, match=r"Unexpected argument: c\.json"):
        parse(command("diff"), ["a.json", "b.json", "c.json"])


@pytest.mark.parametrize(
    ("text", "value"), [("0", 0), ("7", 7), ("7.0", 7), ("1e3", 1000), (" 4 ", 4), ("-0", 0)]
)
def test_counts(text: str, value: int):
    given = plan(f"--max-units={text}").count("--max-units")
    assert given == value
    assert type(given) is int


@pytest.mark.parametrize(
    "text", ["", " ", "abc", "-1", "1.5", "NaN", "Infinity", "1e999", "1,000", "٣", "1_0"]
)
def test_what_is_not_a_count(text: str):
    with pytest.raises(UsageError) as caught:
        plan(f"--max-units={text}")
    assert caught.value.message == f"--max-units must be a whole number, zero or more, not '{text}'"
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(("text", "value"), [("0.5", 0.5), ("1", 1), ("1e-3", 0.001), ("0", 0)])
@pytest.mark.parametrize("flag", ["--budget", "--context-budget", "--spend"])
def test_amounts_may_have_a_fraction(flag: str, text: str, value: float):
    assert plan(flag, text).amount(flag) == value


@pytest.mark.parametrize("text", ["abc", "-1", "-0.01", "Infinity", "NaN", "", "5 USDC"])
@pytest.mark.parametrize("flag", ["--budget", "--context-budget", "--spend"])
def test_what_is_not_an_amount(flag: str, text: str):
    with pytest.raises(UsageError) as caught:
        plan(f"{flag}={text}")
    assert caught.value.message == f"{flag} must be a number, zero or more, not '{text}'"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "2026-07-01",
            "2024-02-29",
            "2000-02-29",
            "2026-07-01T10:00:00Z",
            "2026-07-01T23",
            "2026-07-01 00:00",
        ),
        *(
            "2026-07-01T23:59:60.5z",
            "2026-07-01T1000",
            "2026-07-01T10:00-11:30",
            "2026-07-01T10:00:00,25+0200",
        ),
    ],
)
def test_dates(text: str):
    assert plan("--as-of", text).text("--as-of") == text


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "today",
            "2026",
            "2026-7-1",
            "2026-13-01",
            "2026-02-29",
            "1900-02-29",
            "2026-07-00",
            "01-07-2026",
        ),
        *("2026-07-01x", "2026-07-01 ", "2026-07-01T", "٢٠٢٦-٠٧-٠١", "2026-07-01Tzz", "-026-07-01"),
        *("2026-07-01T24", "2026-07-01T99:99", "2026-07-01T12:60", "2026-07-01T12:00:61", "2026-07-01T1"),
        *("2026-07-01T12:00+24:00", "2026-07-01T12:00+01:60", "2026-07-01T12:00Z+01", "2026-07-01T12::"),
    ],
)
def test_what_is_not_a_date(text: str):
    with pytest.raises(UsageError, match="--as-of must be a date"):
        plan(f"--as-of={text}")


@pytest.mark.parametrize("flag", [flag.name for flag in FLAGS if flag.kind == "name"])
def test_a_restriction_is_never_dropped_for_being_empty(flag: str):
    owner = next(each for each in FLAGS if each.name == flag).commands[0]
    with pytest.raises(UsageError, match=f"{flag} must not be empty"):
        parse(command(owner), [f"{flag}="])


def test_the_table_is_sound():
    commands = {each.name for each in COMMANDS}
    for name in commands:
        names = [flag.name for flag in flags_of(name)]
        assert len(set(names)) == len(names), name
    for flag in FLAGS:
        assert flag.name.startswith("--")
        assert set(flag.commands) <= commands
        assert (flag.kind == "switch") == (flag.metavar == "")
