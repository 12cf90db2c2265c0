"""`kcp-agent explain UNIT "TASK" --manifest LOCATION`: what keeps a unit out, and what would let it in."""

from __future__ import annotations

from kcp.api import today
from kcp.cli.exit_codes import DONE
from kcp.cli.parser import CommandLineError
from kcp.cli.planning_options import plan_options, task_and_manifest
from kcp.cli.sources import sources_of, trust_of
from kcp.cli.walking import ALONE, root_failure
from kcp.errors import KcpError
from kcp.federation import Walk
from kcp.planning.explain import explain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output
    from kcp.model import Manifest
    from kcp.options import PlanOptions


def run(arguments: Arguments, out: Output) -> int:
    """Explain one unit of a manifest; a question that was answered is done, whatever the answer."""
    unit_id = next(iter(arguments.positionals), "")
    if not unit_id:
        raise CommandLineError("Missing unit id.", usage="explain")
    task, location = task_and_manifest(arguments, arguments.positionals[1:])
    options = plan_options(arguments, today())
    manifest = _verified(arguments, location, task, options)
    explanation = explain(manifest, unit_id, task, options)
    if explanation is None:
        raise _no_such_unit(unit_id, manifest)
    if arguments.switch("--json"):
        out.line(explanation.to_json())
    else:
        from kcp.cli.show.explain import add_explanation
        from kcp.cli.show.page import Page

        page = Page()
        add_explanation(page, explanation)
        page.show(out)
    return DONE


def _verified(arguments: Arguments, location: str, task: str, options: PlanOptions) -> Manifest:
    """The manifest that `plan` would plan with the same flags."""
    sources = sources_of(arguments)
    walk = Walk(task, options, sources, trust_of(arguments, sources), ALONE)
    root = walk.run(location)
    if walk.root_manifest is None:
        raise root_failure(root)
    return walk.root_manifest


def _no_such_unit(unit_id: str, manifest: Manifest) -> KcpError:
    from difflib import get_close_matches

    close = get_close_matches(unit_id, [unit.id for unit in manifest.units], n=1)
    hint = f"Did you mean {close[0]}?" if close else None
    return KcpError(f"no unit '{unit_id}' in {manifest.source}", hint=hint)
