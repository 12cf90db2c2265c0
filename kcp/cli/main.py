"""Where the program starts, and the one place where errors become text and an exit code."""

from __future__ import annotations

import gc
import os
import sys

from kcp.cli.command_table import find_command
from kcp.cli.exit_codes import BUG, DONE, INTERRUPTED, USAGE
from kcp.cli.parser import CommandLineError, parse
from kcp.cli.streams import Output, complain
from kcp.errors import KcpError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from kcp.cli.parser import Arguments

MAX_WORD = 1_000  # characters; more is an argument echoed, not something to read


def entry() -> NoReturn:
    """Run the program on its command line and leave with its exit code.

    The collector stays off: a command that runs for moments makes no garbage worth finding. Leaving through
    `os._exit` spares the interpreter's tidying up; all output is flushed before.
    """
    gc.disable()
    try:
        code = main(sys.argv[1:])
    except KeyboardInterrupt:
        code = INTERRUPTED
    os._exit(code)


def main(argv: list[str]) -> int:
    """Run one command line: output on standard output and standard error; returns the exit code."""
    out = Output()
    try:
        _require_utf8(argv)
        code = _dispatch(argv, out)
        out.flush()
        return code
    except KcpError as error:
        _flush_quietly(out)
        complain(error_text(error))
        return error.exit_code
    except KeyboardInterrupt:
        _flush_quietly(out)
        complain("kcp-agent: interrupted\n")
        return INTERRUPTED
    except OSError as error:
        # Whatever a command did not foresee (a working directory that is gone, a full disk) is no bug.
        _flush_quietly(out)
        complain(error_text(KcpError(f"the system refused: {error}")))
        return KcpError.exit_code
    except Exception as error:  # noqa: BLE001 — no traceback reaches a user unasked
        _flush_quietly(out)
        complain(_bug_text(error))
        return BUG


def _dispatch(argv: list[str], out: Output) -> int:
    if not argv:
        from kcp.cli.help import overview

        out.write(overview())
        return USAGE
    name, words = argv[0], argv[1:]
    if name in ("--help", "-h"):
        name = "help"
    if name == "--version":
        return _print_version(words, out)
    command = find_command(name)
    if command is None:
        raise CommandLineError(f"Unknown command: {name}", usage="")
    arguments = parse(command, words)
    if arguments.help and name != "help":
        from kcp.cli.help import command_help

        out.write(command_help(command))
        return DONE
    return _run(arguments, out)


def _run(arguments: Arguments, out: Output) -> int:
    """Run a command; each is a module of its own, imported only when asked for."""
    module = __import__(f"kcp.cli.commands.{arguments.command}", fromlist=["run"])
    let_interrupts_in()
    code: int = module.run(arguments, out)
    return code


def let_interrupts_in() -> None:
    """Called when a command is about to run; the stand-alone program holds interrupts back until then."""


def _print_version(words: list[str], out: Output) -> int:
    if words:
        raise CommandLineError(f"Unexpected argument: {words[0]}", hint="See: kcp-agent --help")
    from kcp._version import __version__

    out.line(f"kcp-agent {__version__}")
    return DONE


def _require_utf8(argv: list[str]) -> None:
    for number, argument in enumerate(argv, 1):
        try:
            argument.encode()
        except UnicodeEncodeError:
            shown = argument.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
            raise UsageError(f"argument {number} is not UTF-8: {shown}") from None


def error_text(error: KcpError) -> str:
    """An error as standard error shows it: what is wrong on one line, then a hint or the usage."""
    from kcp.cli.show.escape import escape

    message = " ".join([_shortened(word) for word in escape(error.message).split(" ")])
    if not isinstance(error, CommandLineError):
        message = f"kcp-agent: {message}"
    elif error.usage is not None:
        from kcp.cli.help import overview, usage

        usage_text = usage(error.usage) if error.usage else overview()
        return f"{message}\n\n{usage_text}" if message else usage_text
    return f"{message}\n{escape(error.hint)}\n" if error.hint else f"{message}\n"


def _shortened(word: str) -> str:
    half = MAX_WORD // 2
    return word if len(word) <= MAX_WORD else f"{word[:half]}…{word[-half:]}"


def _bug_text(error: Exception) -> str:
    if os.environ.get("KCP_DEBUG") == "1":
        import traceback

        trail = "".join(traceback.format_exception(error))
        return f"{trail}kcp-agent: this is a bug; please report it with the lines above\n"
    from kcp.cli.show.escape import escape

    what = f"{type(error).__name__}: {escape(str(error))[:200]}"
    return f"kcp-agent: this is a bug ({what}); please report it with what KCP_DEBUG=1 shows\n"


def _flush_quietly(out: Output) -> None:
    try:
        out.flush()
    except KcpError:
        pass
