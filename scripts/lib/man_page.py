"""The manual page, by argparse-manpage from a parser that is made of the table of commands and flags."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from kcp._version import __version__
from kcp.cli.command_table import COMMANDS, Command
from kcp.cli.exit_codes import MEANINGS
from kcp.cli.flags import Flag, flags_of

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "man" / "kcp-agent.1"
# Of the page's last change. Pages are dated, and one that is compared byte for byte cannot have today's date.
DATE = "2026-11-29"


class _Unwrapped(argparse.HelpFormatter):
    """Paragraphs on one line each: the page's bytes must not follow the terminal's width.

    And a line that a wrap made start with a full stop would be an instruction to roff.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=100_000)


def argument_parser() -> argparse.ArgumentParser:
    """The table as argparse knows it; it serves the manual page only, never a command line."""
    parser = argparse.ArgumentParser(
        prog="kcp-agent", description=_description(), add_help=False, formatter_class=_Unwrapped
    )
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")
    for command in COMMANDS:
        _add_command(commands, command)
    return parser


def _description() -> str:
    return (
        "Plans, deterministically and fail-closed, which knowledge of a manifest of the Knowledge Context "
        "Protocol an agent may load for a task, and checks what such plans said."
    )


def _add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser], command: Command) -> None:
    parser = commands.add_parser(
        command.name,
        help=_literal(command.summary),
        description=_literal(command.description),
        usage=_literal(f"kcp-agent {command.name} {command.arguments} [OPTION]..."),
        add_help=False,
        formatter_class=_Unwrapped,
    )
    for flag in flags_of(command.name):
        _add_flag(parser, flag)


def _add_flag(parser: argparse.ArgumentParser, flag: Flag) -> None:
    text = _literal(flag.help) + (f" (default: {_literal(flag.default)})" if flag.default else "")
    if flag.metavar:
        parser.add_argument(flag.name, metavar=flag.metavar, help=text)
    else:
        parser.add_argument(flag.name, action="store_true", help=text)


def _literal(text: str) -> str:
    return text.replace("%", "%%")


def page() -> str:
    """The manual page as roff text."""
    from argparse_manpage.manpage import Manpage  # type: ignore[import-untyped]

    parser = argument_parser()
    statuses = "\n".join(f".TP\n{code}\n{meaning}" for code, meaning in MEANINGS)
    environment = (
        ".TP\nNO_COLOR\nno colours, even on a terminal\n.TP\nKCP_DEBUG\n1 shows the traceback of a bug"
    )
    parser._manpage = [  # type: ignore[attr-defined]
        {"heading": "EXIT STATUS", "content": statuses},
        {"heading": "ENVIRONMENT", "content": environment},
    ]
    manual = Manpage(parser, format="single-commands-section")
    manual.description = "plan which knowledge an agent may load, and check such plans"
    manual.date = DATE
    manual.source = f"kcp-agent {__version__}"
    manual.manual = "User Commands"
    return str(manual)


def main() -> int:
    """Write the page, or with --check fail where it would change."""
    text = page()
    if "--check" in sys.argv[1:]:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
            print("docs/man/kcp-agent.1 is stale: run scripts/gen-man", file=sys.stderr)
            return 1
        return 0
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
