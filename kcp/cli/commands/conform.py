"""`kcp-agent conform PATH...`: conformance cases against this very build."""

from __future__ import annotations

from kcp.cli.parser import CommandLineError
from kcp.cli.show.escape import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output


def run(arguments: Arguments, out: Output) -> int:
    """Run the cases; the exit code says whether all came out as expected."""
    paths = [path for path in arguments.positionals if path]
    if not paths:
        raise CommandLineError("Missing path.", usage="conform")
    from kcp.evidence.conformance import run as run_cases

    return run_cases(paths, arguments.text("--skip"), lambda line: out.line(escape(line)))
