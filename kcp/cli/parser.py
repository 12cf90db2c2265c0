"""Command-line words become typed arguments, by the table in `flags`.

Not argparse, for three reasons. Importing it and making one sub-parser takes 9 ms of the 30 that `--help`
may take, this 1 ms. Its rules differ from the command line's contract: it reads `-5` and `-x` as options,
stops collecting positionals around flags unless every caller uses the intermixed variant, and reports the
first bad value before an unknown flag. And its messages and help text change with the interpreter's version
(headings, colours, metavars), while the contract fixes them.

The rules: `--flag value` and `--flag=value`; names in full; the last repetition wins; a value does not start
with `--` unless written with `=`; after `--` every word is positional; words that start with one dash are
positional, but for `-h`.
"""

from __future__ import annotations

from kcp.cli.flags import FLAGS, flags_of
from kcp.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.cli.command_table import Command
    from kcp.cli.flags import Flag


class CommandLineError(UsageError):
    """A command line whose error text the contract fixes: printed bare, then a hint or a usage text.

    `usage` names the command whose usage follows, `""` the program's.
    """

    def __init__(self, message: str, *, hint: str | None = None, usage: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.usage = usage


class Arguments:
    """What was asked of a command: its positional words, and the flags given, by name."""

    __slots__ = ("command", "given", "help", "positionals")

    def __init__(self, command: str) -> None:
        self.command = command
        self.positionals: list[str] = []
        self.given: dict[str, Any] = {}
        self.help = False

    def switch(self, flag: str) -> bool:
        """Whether a switch was given."""
        return flag in self.given

    def text(self, flag: str) -> str | None:
        """The value of a text, name or date flag; None where it was not given or is empty."""
        return self.given.get(flag) or None

    def words(self, flag: str) -> tuple[str, ...] | None:
        """The entries of a list flag; None where it was not given."""
        return self.given.get(flag)

    def every(self, flag: str) -> tuple[str, ...]:
        """The values of a repeated flag, in order."""
        values: tuple[str, ...] = self.given.get(flag, ())
        return values

    def count(self, flag: str) -> int | None:
        """The value of a count flag; None where it was not given."""
        return self.given.get(flag)

    def amount(self, flag: str) -> float | None:
        """The value of an amount flag; None where it was not given."""
        return self.given.get(flag)


def parse(command: Command, words: list[str]) -> Arguments:
    """The arguments of a command; CommandLineError or UsageError for the first thing wrong with them.

    An unknown flag is reported first of all, and where help is asked for, values are not looked at.
    """
    arguments = Arguments(command.name)
    raw: list[tuple[Flag, str | None]] = []
    _split(command, words, arguments, raw)
    if arguments.help:
        return arguments
    for flag, value in raw:
        read = _read_value(flag, value)
        if flag.kind == "repeated":
            read = (*arguments.every(flag.name), read)
        arguments.given[flag.name] = read
    if command.most is not None and len(arguments.positionals) > command.most:
        surplus = arguments.positionals[command.most]
        raise CommandLineError(f"Unexpected argument: {surplus}", hint=_see_help(command.name))
    return arguments


def _split(
    command: Command, words: list[str], arguments: Arguments, raw: list[tuple[Flag, str | None]]
) -> None:
    """Tell flags from positionals; a flag that lacks its value gets None."""
    known = {flag.name: flag for flag in flags_of(command.name)}
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word == "--":
            arguments.positionals += words[index:]
            return
        if word == "-h":
            arguments.help = True
            continue
        if not word.startswith("--"):
            arguments.positionals.append(word)
            continue
        name, equals, value = word.partition("=")
        flag = known.get(name)
        if flag is None:
            raise _unknown_option(name, command.name, list(known))
        if name == "--help":
            arguments.help = True
        if flag.kind == "switch" or equals:
            raw.append((flag, value if equals else None))
        elif index < len(words) and not _is_flag(words[index]):
            raw.append((flag, words[index]))
            index += 1
        else:
            raw.append((flag, None))


def _is_flag(word: str) -> bool:
    return word.startswith("--") or word == "-h"


def _read_value(flag: Flag, value: str | None) -> Any:
    if flag.kind == "switch":
        if value is not None:
            raise UsageError(f"{flag.name} takes no value, got '{value}'")
        return True
    if value is None:
        hint = f"a value that starts with a dash is written {flag.name}={flag.metavar}"
        raise UsageError(f"{flag.name} needs a value", hint=hint)
    if flag.kind == "list":
        return tuple([entry for part in value.split(",") if (entry := part.strip())])
    if flag.kind in ("name", "repeated") and not value:
        raise UsageError(f"{flag.name} must not be empty")
    if flag.kind in ("text", "name", "repeated"):
        return value
    from kcp.cli.values import read_amount, read_count, read_date

    return {"count": read_count, "amount": read_amount, "date": read_date}[flag.kind](flag.name, value)


def _unknown_option(name: str, command: str, known: list[str]) -> CommandLineError:
    message = f"Unknown option: {name}"
    elsewhere = [other for flag in FLAGS if flag.name == name for other in flag.commands]
    if elsewhere:
        return CommandLineError(message, hint=f"{name} belongs to: {', '.join(elsewhere)}")
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1)
    return CommandLineError(message, hint=f"Did you mean {close[0]}?" if close else _see_help(command))


def _see_help(command: str) -> str:
    return f"See: kcp-agent {command} --help"
