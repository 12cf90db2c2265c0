"""`kcp-agent help [COMMAND]`."""

from __future__ import annotations

from kcp.cli.command_table import find_command
from kcp.cli.exit_codes import DONE
from kcp.cli.help import command_help, overview
from kcp.cli.parser import CommandLineError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output


def run(arguments: Arguments, out: Output) -> int:
    """Print the help of the program or of one command."""
    if not arguments.positionals:
        out.write(overview())
        return DONE
    name = arguments.positionals[0]
    command = find_command(name)
    if command is None:
        raise CommandLineError(f"Unknown command: {name}", usage="")
    out.write(command_help(command))
    return DONE
