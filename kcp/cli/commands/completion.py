"""`kcp-agent completion SHELL`: a completion script for a shell."""

from __future__ import annotations

from kcp.cli.completion import SHELLS, completion
from kcp.cli.exit_codes import DONE
from kcp.cli.parser import CommandLineError
from kcp.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output


def run(arguments: Arguments, out: Output) -> int:
    """Print the script."""
    if not arguments.positionals:
        raise CommandLineError("Missing shell.", usage="completion")
    shell = arguments.positionals[0]
    if shell not in SHELLS:
        raise UsageError(f"unknown shell '{shell}'", hint=f"one of: {', '.join(SHELLS)}")
    out.write(completion(shell))
    return DONE
