"""`kcp-agent plan "TASK" --manifest LOCATION`: the load plan, with `--trace` every verdict behind it too."""

from __future__ import annotations

from kcp.api import plan, today, trace
from kcp.cli.exit_codes import DONE
from kcp.cli.loading import load_for_plan
from kcp.cli.parser import CommandLineError
from kcp.cli.planning_options import plan_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output
    from kcp.planning.results import Plan, Trace


def run(arguments: Arguments, out: Output) -> int:
    """Plan a manifest for a task and print the plan."""
    task = arguments.text("--task") or " ".join(arguments.positionals)
    location = arguments.text("--manifest")
    if not task:
        raise CommandLineError("Missing task.", usage="plan")
    if location is None:
        raise CommandLineError("Missing --manifest.", usage="plan")
    manifest = load_for_plan(location, arguments.count("--max-bytes"))
    options = plan_options(arguments, today())
    make = trace if arguments.switch("--trace") else plan
    result = make(manifest, task, options)
    if arguments.switch("--json"):
        out.line(result.to_json(arguments.text("--correlation-id")))
    else:
        _show(result, out)
    return DONE


def _show(result: Plan | Trace, out: Output) -> None:
    from kcp.cli.show.page import Page
    from kcp.cli.show.plan import add_plan
    from kcp.planning.results import Plan

    page = Page()
    if isinstance(result, Plan):
        add_plan(page, result)
    else:
        from kcp.cli.show.trace import add_trace

        add_plan(page, result.plan)
        add_trace(page, result)
    page.show(out)
