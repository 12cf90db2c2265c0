"""Help and usage texts, made from the table of flags."""

from __future__ import annotations

import os
import sys

from kcp.cli.command_table import COMMANDS, find_command
from kcp.cli.exit_codes import MEANINGS
from kcp.cli.flags import flags_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.command_table import Command
    from kcp.cli.flags import Flag

_WIDEST, _NARROWEST = 100, 40
_COLUMN = 30  # where the help of a flag starts


def usage(name: str) -> str:
    """How a command is called, and where to read more."""
    command = find_command(name)
    assert command is not None
    return f"{_usage_line(command)}\nSee: kcp-agent {name} --help\n"


def _usage_line(command: Command) -> str:
    options = "" if command.name == "help" else " [OPTION]..."
    return f"Usage: kcp-agent {command.name} {command.arguments}{options}"


def overview() -> str:
    """The help of the whole program."""
    width = _width()
    lines = [
        "Usage: kcp-agent COMMAND [ARGUMENT]... [OPTION]...",
        "",
        *_wrap(
            "Plans, deterministically and fail-closed, which knowledge of a manifest of the Knowledge "
            "Context Protocol an agent may load for a task.",
            width,
        ),
        "",
        "Commands:",
    ]
    for command in COMMANDS:
        lines += _row(command.name, command.summary, width, 14)
    lines += [
        "",
        "Options:",
        *_row("--help, -h", "show this help; after a command, that of the command", width, 14),
        *_row("--version", "show the version", width, 14),
        "",
        "Example:",
        '  kcp-agent plan "how do I deploy to production?" --manifest ./docs --env prod',
        "",
        *_exit_codes(width),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def command_help(command: Command) -> str:
    """The help of one command, with every flag it takes."""
    width = _width()
    lines = [_usage_line(command), "", *_wrap(command.description, width), "", "Options:"]
    for flag in flags_of(command.name):
        lines += _row(_spelling(flag), _explanation(flag), width, _COLUMN)
    lines += ["", *_exit_codes(width)]
    return "\n".join(lines) + "\n"


def _spelling(flag: Flag) -> str:
    if flag.name == "--help":
        return "--help, -h"
    return f"{flag.name} {flag.metavar}".rstrip()


def _explanation(flag: Flag) -> str:
    return flag.help if flag.default is None else f"{flag.help} (default: {flag.default})"


def _exit_codes(width: int) -> list[str]:
    lines = ["Exit codes:"]
    for code, meaning in MEANINGS:
        lines += _row(str(code), meaning, width, 7)
    return lines


def _row(name: str, text: str, width: int, column: int) -> list[str]:
    """A name and its explanation beside it, or below where the name is too long."""
    column = min(column, width // 2)
    wrapped = _wrap(text, width - column)
    label = f"  {name}"
    lines = [] if len(label) + 2 <= column else [label]
    first = label.ljust(column) if not lines else " " * column
    return [*lines, first + wrapped[0], *[" " * column + line for line in wrapped[1:]]]


def _wrap(text: str, width: int) -> list[str]:
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]


def _width() -> int:
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and len(columns) < 6 and int(columns):
        width = int(columns)
    else:
        try:
            width = os.get_terminal_size(sys.__stdout__.fileno()).columns  # type: ignore[union-attr]
        except (AttributeError, OSError, ValueError):
            width = 80
    return max(_NARROWEST, min(width, _WIDEST))
