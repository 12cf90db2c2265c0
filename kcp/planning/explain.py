"""Explain: one unit's path through the gates, and the smallest changes that would open it.

The search changes only what the agent brings, one thing at a time, always to pass the first gate that still
blocks; every suggestion is a request that was planned and in whose plan the unit is selected and
load-eligible. Suggestions of fewer changes come first; nothing is guessed.
"""

from __future__ import annotations

from kcp.planning import remedies
from kcp.planning.cascade import World, judge
from kcp.planning.planner import Run
from kcp.planning.remedies import Blocked, Request
from kcp.planning.trace import make_trace
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.model import Manifest
    from kcp.options import PlanOptions
    from kcp.planning.cascade import Verdict
    from kcp.planning.remedies import Candidate, Change
    from kcp.planning.results import GateResult
    from kcp.planning.selection import Admission

MAX_CHANGES = 8
MAX_RUNS = 2_000  # requests tried in all
MAX_SUGGESTIONS = 3
CLOSED = "no capability opens this: the manifest must change"
UNDECIDED = "no combination of changes was found within the search limit"

_UNIT_REMEDIES = {
    "audience": remedies.for_audience,
    "not_for": remedies.for_not_for,
    "temporal": remedies.for_temporal,
    "supersession": remedies.for_supersession,
    "relevance": remedies.for_relevance,
    "skill_eligibility": remedies.for_skill_eligibility,
    "attestation": remedies.for_attestation,
    "payment": remedies.for_payment,
    "access": remedies.for_access,
}
_SELECTION_REMEDIES = {
    "max_units": remedies.for_max_units,
    "money_budget": remedies.for_money_budget,
    "context_budget": remedies.for_context_budget,
}


class Suggestion(Record):
    """Changes that, made together, select the unit load-eligible."""

    changes: tuple[Change, ...]


class Obstacle(Record):
    """The gate that nothing the agent brings can open."""

    gate: str
    detail: str


class Explanation(Record):
    """One unit under one request. `obstacle` is set where there is no suggestion and the unit is closed."""

    unit: str
    task: str
    selected: bool
    load_eligible: bool
    gates: tuple[GateResult, ...]
    suggestions: tuple[Suggestion, ...]
    obstacle: Obstacle | None
    note: str

    def to_json(self) -> str:
        """The explanation as JSON text without a final newline."""
        from kcp.wire.encode import to_wire
        from kcp.wire.jsontext import encode_json

        return encode_json(to_wire(self))


def explain(manifest: Manifest, unit_id: str, task: str, options: PlanOptions) -> Explanation | None:
    """The explanation of the first unit with an id, or None where the manifest has none."""
    place = next((place for place, unit in enumerate(manifest.units) if unit.id == unit_id), None)
    if place is None:
        return None
    traced = make_trace(manifest, task, options).units[place]
    search = _Search(manifest, place)
    request = Request(task, options)
    state = search.state(request)
    suggestions = [] if state.gate is None else search.smallest(request)
    obstacle = None
    note = "the unit is selected and load-eligible"
    if suggestions:
        note = f"{len(suggestions[0].changes)} change(s) would select it load-eligible"
    elif state.gate is not None:
        obstacle = search.dead_end
        note = UNDECIDED if obstacle is None else CLOSED
    return Explanation(
        unit=unit_id,
        task=task,
        selected=state.admission is not None and state.admission.failed is None,
        load_eligible=state.gate is None or (state.verdict.failed is None and state.verdict.eligible),
        gates=traced.gates,
        suggestions=tuple(suggestions),
        obstacle=obstacle,
        note=note,
    )


class _State:
    """Where a request leaves the unit: the first gate that blocks it, None where it is selected and open."""

    __slots__ = ("admission", "gate", "verdict", "world")

    def __init__(self, verdict: Verdict, world: World, gate: str | None, admission: Admission | None) -> None:
        self.verdict = verdict
        self.world = world
        self.gate = gate
        self.admission = admission

    @property
    def detail(self) -> str:
        """Why the gate blocks."""
        if self.admission is not None and self.admission.failed is not None:
            return self.admission.detail
        if self.verdict.failed in (None, "strict"):
            return self.verdict.governance_failure or (self.verdict.reasons or [""])[-1]
        return self.verdict.reason


class _Search:
    """Iterative deepening over the changes that could pass the first blocking gate."""

    def __init__(self, manifest: Manifest, place: int) -> None:
        self.manifest = manifest
        self.place = place
        self.runs = 0
        self.dead_end: Obstacle | None = None
        self.cut = False

    def smallest(self, request: Request) -> list[Suggestion]:
        """The first few suggestions with the fewest changes."""
        for allowed in range(1, MAX_CHANGES + 1):
            self.cut = False
            found = []
            for changes in self._extend(request, (), allowed):
                found.append(Suggestion(changes))
                if len(found) == MAX_SUGGESTIONS:
                    break
            if found:
                return found
            if not self.cut:
                break
        if self.cut:
            self.dead_end = None
        return []

    def _extend(
        self, request: Request, changes: tuple[Change, ...], allowed: int
    ) -> Iterator[tuple[Change, ...]]:
        state = self.state(request)
        if state.gate is None:
            yield changes
            return
        if self.runs >= MAX_RUNS or allowed == 0:
            self.cut = True
            return
        candidates = list(_candidates(request, state))
        if not candidates and self.dead_end is None:
            self.dead_end = Obstacle(state.gate, state.detail)
        for change, changed in candidates:
            if any(change.what == earlier.what for earlier in changes):
                changed_again = _merge(changes, change)
                yield from self._extend(changed, changed_again, allowed - 1)
            else:
                yield from self._extend(changed, (*changes, change), allowed - 1)

    def state(self, request: Request) -> _State:
        """Plan a request as far as it takes to see where it leaves the unit."""
        self.runs += 1
        world = World(self.manifest, request.task, request.options)
        verdict = judge(self.manifest.units[self.place], world)
        gate = _blocking_gate(verdict, world)
        if gate is not None:
            return _State(verdict, world, gate, None)
        run = Run(self.manifest, request.task, request.options)
        own = run.verdicts[self.place]
        admission = next(item for item in run.selection.admissions if item.verdict is own)
        return _State(own, world, admission.failed, admission)


def _merge(changes: tuple[Change, ...], change: Change) -> tuple[Change, ...]:
    """A second change of one thing counts as one change from the first's start."""
    return tuple(
        [
            change.replace(before=earlier.before) if earlier.what == change.what else earlier
            for earlier in changes
        ]
    )


def _blocking_gate(verdict: Verdict, world: World) -> str | None:
    """The first gate up to `strict` that keeps a unit from being load-eligible."""
    if verdict.failed not in (None, "strict"):
        return verdict.failed
    if verdict.eligible:
        return None
    if verdict.governance_failure is not None:
        return "skill_eligibility"
    if verdict.requires_attestation and not world.agent_can_attest:
        return "attestation"
    return "payment" if not verdict.payment.affordable else "access"


def _candidates(request: Request, state: _State) -> Iterator[Candidate]:
    assert state.gate is not None
    if state.admission is not None:
        yield from _SELECTION_REMEDIES[state.gate](request, state.admission)
    elif state.gate in _UNIT_REMEDIES:
        yield from _UNIT_REMEDIES[state.gate](Blocked(request, state.verdict, state.world))
