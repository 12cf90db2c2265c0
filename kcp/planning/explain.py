"""Explain: one unit's path through the gates, and the smallest changes that would open it.

Only what the agent brings is changed, always so as to pass the first gate that still blocks, and only where
that gate looks (`remedies`, `limits`). A suggestion is a request that was planned and in whose plan the unit
is selected load-eligible; of all such requests those with the fewest changes are given. Nothing is guessed.
"""

from __future__ import annotations

from kcp.planning.requests import Request
from kcp.planning.results import ManifestInfo
from kcp.planning.search import Search
from kcp.planning.trace import unit_gates
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.model import Manifest
    from kcp.options import PlanOptions
    from kcp.planning.requests import Change
    from kcp.planning.results import GateResult

OPEN = "the unit is selected and load-eligible"
CLOSED = "no capability opens this: the manifest must change"
UNDECIDED = "no change was found within the search limit"


class Suggestion(Record):
    """Changes that, made together, select the unit load-eligible, at a place and with a score."""

    changes: tuple[Change, ...]
    position: int
    score: int


class Obstacle(Record):
    """The gate that nothing the agent brings can open."""

    gate: str
    detail: str


class Explanation(Record):
    """One unit under one request, in wire order.

    `load_eligible` is the cascade's word on the unit, `selected` whether the plan has it. `obstacle` is set
    where nothing the agent brings opens the unit.
    """

    unit: str
    task: str
    as_of: str
    manifest: ManifestInfo
    selected: bool
    load_eligible: bool
    gates: tuple[GateResult, ...]
    suggestions: tuple[Suggestion, ...]
    obstacle: Obstacle | None
    note: str

    def to_json(self) -> str:
        """The explanation as JSON text (`kind: "explanation"`), without a final newline."""
        from kcp.wire.encode import artifact_json

        return artifact_json(self)


def explain(manifest: Manifest, unit_id: str, task: str, options: PlanOptions) -> Explanation | None:
    """The explanation of the first unit with an id, or None where the manifest has none."""
    place = next((place for place, unit in enumerate(manifest.units) if unit.id == unit_id), None)
    if place is None:
        return None
    request = Request(task, options)
    search = Search(manifest, place)
    run = search.runs.run(request)
    verdict = run.verdicts[place]
    found = search.smallest(request)
    suggestions = [Suggestion(way.changes, way.position, way.score) for way in found]
    obstacle = None
    if search.is_open(request):
        note = OPEN
    elif suggestions:
        count = len(suggestions[0].changes)
        note = f"{count} {'change' if count == 1 else 'changes'} would select the unit load-eligible"
    elif search.cut:
        note = UNDECIDED
    else:
        note = CLOSED
        obstacle = Obstacle(*search.obstacle)
    return Explanation(
        unit=unit_id,
        task=task,
        as_of=options.as_of,
        manifest=ManifestInfo(
            manifest.project, manifest.version, manifest.kcp_version, manifest.source, manifest.sha256
        ),
        selected=any(verdict is accepted for accepted in run.selection.accepted),
        load_eligible=verdict.failed is None and verdict.eligible,
        gates=unit_gates(run, place),
        suggestions=tuple(suggestions),
        obstacle=obstacle,
        note=note,
    )
