"""`kcp-agent diff A B`: what changed between two saved plans."""

from __future__ import annotations

from kcp.cli.exit_codes import DONE, FAILED
from kcp.cli.parser import CommandLineError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output


def run(arguments: Arguments, out: Output) -> int:
    """Compare the plans in two files: 0 where they are identical, else 1."""
    if len(arguments.positionals) < 2:
        raise CommandLineError("", usage="diff")
    from kcp.evidence.artifacts import plan_digest, plan_in, read_artifact
    from kcp.planning.diff import diff_plans

    saved = [(read_artifact(path), path) for path in arguments.positionals]
    difference = diff_plans(*[plan_digest(artifact, path) for artifact, path in saved])
    if arguments.switch("--json"):
        out.line(difference.to_json())
    else:
        from kcp.cli.show.diff import add_diff
        from kcp.cli.show.page import Page
        from kcp.evidence.differences import find_differences

        page = Page()
        add_diff(page, difference, find_differences(*[plan_in(artifact, path) for artifact, path in saved]))
        page.show(out)
    return DONE if difference.identical else FAILED
