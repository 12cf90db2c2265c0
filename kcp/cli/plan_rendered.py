"""`plan --render` and `load --render`: a plan from what a render leaves of a manifest, and nothing else."""

from __future__ import annotations

from kcp.api import today
from kcp.cli.commands.render import located, render_request
from kcp.cli.planning_options import plan_options
from kcp.cli.show.escape import escape
from kcp.cli.streams import complain
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.options import PlanOptions
    from kcp.planning.results import Plan, Trace
    from kcp.render.pipeline import Gathered
    from kcp.render.planned import PlannedRender


class RenderedPlanning(Record):
    """A render and how to plan with it."""

    gathered: Gathered
    rendered: PlannedRender
    options: PlanOptions

    def plan(self, task: str) -> Plan:
        """The plan for a task."""
        from kcp.planning.planner import make_plan

        return self.rendered.mark(make_plan(self.rendered.manifest, task, self.options))

    def trace(self, task: str) -> Trace:
        """The trace for a task."""
        from kcp.planning.trace import make_trace

        trace = make_trace(self.rendered.manifest, task, self.options)
        return trace.replace(plan=self.rendered.mark(trace.plan))


def render_to_plan(arguments: Arguments, location: str) -> RenderedPlanning:
    """Render a manifest; RenderRefusedError, exit code 2, at tier `failed`."""
    from kcp.render.pipeline import gather
    from kcp.render.planned import planned_render

    options = plan_options(arguments, today())
    request = render_request(arguments, location)
    gathered = located(lambda: gather(request), location)
    for warning in gathered.warnings:
        complain(f"⚠ {escape(warning)}\n")
    return RenderedPlanning(gathered, planned_render(gathered), options)
