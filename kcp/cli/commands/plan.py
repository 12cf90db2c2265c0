"""`kcp-agent plan "TASK" --manifest LOCATION`: the load plan, with `--trace` every verdict behind it too."""

from __future__ import annotations

import time

from kcp.api import today
from kcp.cli.exit_codes import DONE
from kcp.cli.planning_options import plan_options, task_and_manifest
from kcp.cli.progress import Progress
from kcp.cli.render_flags import is_rendered
from kcp.cli.sources import sources_of, trust_of
from kcp.cli.walking import ALONE, root_failure, walk_limits
from kcp.errors import UsageError
from kcp.federation import Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.cli.plan_memory import PlanMemory
    from kcp.cli.streams import Output
    from kcp.federation import Node
    from kcp.planning.results import Plan, Trace
    from kcp.reading.sources import Sources


def run(arguments: Arguments, out: Output) -> int:
    """Plan a manifest, and with `--follow` its federation, and print the plan."""
    task, location = task_and_manifest(arguments, arguments.positionals)
    if is_rendered(arguments):
        return _plan_rendered(arguments, task, location, out)
    limits = walk_limits(arguments)
    sources = sources_of(arguments)
    trust = trust_of(arguments, sources)
    options = plan_options(arguments, today())
    memory = _memory(arguments, sources)
    with Progress("planning") as progress:
        walk = Walk(task, options, sources, trust, limits or ALONE, on_visit=progress.step)
        root = walk.run(location)
    if root.plan is None:
        raise root_failure(root)
    result: Plan | Node | Trace = root.plan if limits is None else root
    if arguments.switch("--trace"):
        result = _trace(walk, task, root)
    if memory is not None:
        memory.record(root.plan, options, time.time_ns())
    if arguments.switch("--json"):
        out.line(result.to_json(arguments.text("--correlation-id")))
    else:
        _show(result, out)
    if memory is not None:
        memory.show(out)
    return DONE


def _plan_rendered(arguments: Arguments, task: str, location: str, out: Output) -> int:
    """Plan what a trusted render leaves of the manifest; 2 at tier `failed`."""
    from kcp.cli.plan_rendered import render_to_plan

    planning = render_to_plan(arguments, location)
    result = planning.trace(task) if arguments.switch("--trace") else planning.plan(task)
    if arguments.switch("--json"):
        out.line(result.to_json(arguments.text("--correlation-id")))
    else:
        _show(result, out)
    return DONE


def _memory(arguments: Arguments, sources: Sources) -> PlanMemory | None:
    """The memory to record in, opened before anything is planned; UsageError for flags that need one."""
    if arguments.text("--memory") is None:
        for flag in ("--sign-key", "--trusted-episode-key", "--require-signed-episodes"):
            if flag in arguments.given:
                raise UsageError(f"{flag} needs --memory")
        return None
    from kcp.cli.plan_memory import PlanMemory

    return PlanMemory(arguments, sources)


def _trace(walk: Walk, task: str, root: Node) -> Trace:
    """The trace of the same verified bytes (B10)."""
    from kcp.planning.trace import make_trace

    assert walk.root_manifest is not None
    trace = make_trace(walk.root_manifest, task, walk.options)
    return trace.replace(plan=trace.plan.replace(signature=root.signature))


def _show(result: Plan | Node | Trace, out: Output) -> None:
    from kcp.cli.show.page import Page
    from kcp.cli.show.plan import add_plan
    from kcp.federation import Node
    from kcp.planning.results import Plan

    page = Page()
    if isinstance(result, Plan):
        add_plan(page, result)
    elif isinstance(result, Node):
        from kcp.cli.show.tree import add_tree

        add_tree(page, result)
    else:
        from kcp.cli.show.trace import add_trace

        add_plan(page, result.plan)
        add_trace(page, result)
    page.show(out)
