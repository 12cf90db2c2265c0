"""Today's gates on a remembered answer: its units must still be ones the agent may load (rows 10, B17)."""

from __future__ import annotations

from kcp.errors import ArtifactError
from kcp.evidence.saved import is_grounded, is_loop, read_limits, read_tree, text_at
from kcp.federation import FETCHES_PER_NODE, Walk, WalkLimits
from kcp.trust.policy import TrustPolicy
from kcp.wire.options import read_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from kcp.evidence.plan_replay import ReplaySettings
    from kcp.federation import Node
    from kcp.planning.results import Plan, SelectedUnit


def gated_unit(artifact: Any, plans: Iterable[Plan]) -> str | None:
    """Why a unit that an answer was made from does not stand in today's plans as it did then, or None.

    Cited or not, every unit the model was shown counts: its words may be in the answer.
    """
    today = list(plans)
    selected: dict[str, list[tuple[SelectedUnit, str]]] = {}
    for plan in today:
        for unit in plan.selected:
            selected.setdefault(unit.id, []).append((unit, plan.manifest.project))
    for identifier, path, project in _units_of(artifact):
        if path is None:
            return f"unit '{identifier}' was cited but not loaded"
        candidates = [unit for unit, home in selected.get(identifier, ()) if project in (None, home)]
        if not candidates:
            return f"unit '{identifier}' is not selected today"
        same_path = [unit for unit in candidates if unit.path == path]
        if not same_path:
            return f"unit '{identifier}' lies at another path today"
        if not all(unit.load_eligible for unit in same_path):
            return f"unit '{identifier}' is not load-eligible today"
    return None


def todays_gates(settings: ReplaySettings, today: str) -> Callable[[Any], str | None]:
    """A check of remembered answers against manifests planned anew, with the options saved but as of today.

    It raises KcpError where they cannot be planned.
    """

    def gates(artifact: Any) -> str | None:
        saved = artifact["finalPlans"] if is_loop(artifact) else [artifact]
        plans = [plan for each in saved for plan in plans_of(_walk_today(each, settings, today))]
        return gated_unit(artifact, plans)

    return gates


def _walk_today(artifact: Any, settings: ReplaySettings, today: str) -> Node:
    root = read_tree(artifact)
    source = text_at(root.plan, "manifest", "source")
    saved = root.plan or {}
    if source is None or not isinstance(saved.get("options"), dict):
        raise ArtifactError("the saved plan does not say how it was made")
    echoed = {**saved["options"], "asOf": today}
    if "environment" in saved:
        echoed["env"] = saved["environment"]
    limits = WalkLimits(*read_limits(root, FETCHES_PER_NODE)) if root.is_tree else WalkLimits(0, 1)
    policy = TrustPolicy(settings.verify, pinned=settings.pinned, keyring=settings.keyring)
    options = read_options(echoed, "saved plan")
    node = Walk(saved["task"], options, settings.sources, policy, limits).run(source)
    if node.plan is None:
        raise ArtifactError(node.error or "the manifest cannot be planned")
    return node


def plans_of(node: Node) -> Iterator[Plan]:
    """The plans of a walk, each before its children's."""
    if node.plan is not None:
        yield node.plan
    for child in node.children:
        yield from plans_of(child)


def _units_of(artifact: Any) -> Iterator[tuple[str, str | None, str | None]]:
    """Id, path and, where it is told, project of the units an answer was made from."""
    synthesis = artifact.get("synthesis")
    loaded = synthesis.get("unitsLoaded") if isinstance(synthesis, dict) else None
    if not isinstance(loaded, list):
        raise ArtifactError("the answer does not say which units it was made from")
    seen = set()
    for unit in loaded:
        identifier, path = text_at(unit, "id"), text_at(unit, "path")
        if identifier is None or path is None:
            raise ArtifactError("the answer does not say which units it was made from")
        seen.add(identifier)
        yield identifier, path, text_at(unit, "manifest")
    if is_grounded(artifact):
        for claim in artifact["grounding"]["claims"]:
            cited = text_at(claim, "unitId")
            if cited is not None and claim.get("grounded") is True and cited not in seen:
                yield cited, None, None
