"""The search for the smallest changes of a request that select a unit load-eligible.

First the unit's own gates: breadth first by the number of things changed, so that what opens them first
is smallest. Each way through is then fitted to the limits, which leaves no choice: a limit that refuses the
unit is raised as far as it must be. Last, words that rank the unit higher may spare raising limits. All
bounds are counts, so the answer does not depend on the machine.
"""

from __future__ import annotations

from kcp.planning.cascade import GATES, World, index_units, judge
from kcp.planning.limits import SELECTION_REMEDIES, Contest, Ranking, more_units
from kcp.planning.planner import Run
from kcp.planning.remedies import UNIT_REMEDIES, added_words, reword
from kcp.planning.requests import Blocked, Request, merge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.model import Manifest
    from kcp.planning.cascade import Verdict
    from kcp.planning.requests import Candidate, Change
    from kcp.planning.selection import Admission

MAX_CHANGES = 8
MAX_REQUESTS = 2_000  # requests whose own gates are looked at
MAX_VERDICTS = 80_000  # units judged, over all requests that are planned whole
MIN_BASES, MAX_BASES = 8, 16  # ways through the own gates that are fitted to the limits
MAX_REWORDED = 2  # of them, how many are also tried with other words
MAX_STEPS = 4  # times that limits are raised one by one for one of them
MAX_SUGGESTIONS = 3
_REASON_STARTS = {"attestation": "restricted: ", "payment": "unaffordable: ", "access": "access '"}


class Way:
    """Changes that lead to a request, and once it is fitted, where the unit stands in its plan."""

    __slots__ = ("changes", "position", "request", "score")

    def __init__(self, request: Request, changes: tuple[Change, ...] = ()) -> None:
        self.request = request
        self.changes = changes
        self.position = self.score = 0

    def then(self, candidate: Candidate) -> Way:
        """The way with one more change."""
        return Way(candidate[1], merge(self.changes, candidate[0]))


class Situation:
    """Where a request leaves the unit: the first gate that blocks it, None where it is selected and open."""

    __slots__ = ("admission", "detail", "gate", "ranking", "request", "verdict", "world")

    def __init__(
        self, request: Request, verdict: Verdict, world: World, gate: str | None, detail: str
    ) -> None:
        self.request = request
        self.verdict = verdict
        self.world = world
        self.gate = gate
        self.detail = detail
        self.ranking: Ranking | None = None
        self.admission: Admission | None = None


class Runs:
    """Whole runs of the cascade, kept where only a limit differs: verdicts do not depend on limits."""

    def __init__(self, manifest: Manifest, place: int) -> None:
        self.manifest = manifest
        self.place = place
        self._kept: dict[Request, Run] = {}
        self._rankings: dict[Request, Ranking] = {}

    def run(self, request: Request) -> Run:
        """The run of a request; its selection is under the limits of the first request that differs in no
        more than limits.
        """
        unlimited = _without_limits(request)
        run = self._kept.get(unlimited)
        if run is None:
            run = self._kept[unlimited] = Run(self.manifest, request.task, request.options)
        return run

    def ranking(self, request: Request) -> Ranking:
        """How the unit, which must be a survivor, ranks under a request."""
        unlimited = _without_limits(request)
        ranking = self._rankings.get(unlimited)
        if ranking is None:
            run = self.run(request)
            ranking = self._rankings[unlimited] = Ranking(run, run.verdicts[self.place])
        return ranking


def _without_limits(request: Request) -> Request:
    return request.bring(max_units=5, budget=None, context_budget=None)


class Search:
    """One search for one unit, by its place in the manifest.

    After `smallest`, `cut` says that a bound ended it, and `obstacle` names the furthest gate it met.
    """

    def __init__(self, manifest: Manifest, place: int) -> None:
        self.manifest = manifest
        self.place = place
        self.runs = Runs(manifest, place)
        self.cut = False
        self.obstacle = ("", "")
        self._furthest = -1
        self._first_by_id = index_units(manifest)
        self._most = max(MIN_BASES, min(MAX_BASES, MAX_VERDICTS // max(1, len(manifest.units))))

    def smallest(self, request: Request) -> list[Way]:
        """The first few ways with the fewest changes, none where the request needs no change."""
        bases = self._through_own_gates(request)
        if not bases:
            return []
        fewest = len(bases[0].changes)
        found: list[Way] = []
        tried = [*bases, *[reworded for base in bases[:MAX_REWORDED] for reworded in self._reworded(base)]]
        for way in tried:
            fitted = self._fitted(way)
            if fitted is not None:
                found.append(fitted)
            if sum(len(way.changes) == fewest for way in found) == MAX_SUGGESTIONS:
                break
        self.cut = not found
        least = min([len(way.changes) for way in found], default=0)
        return [way for way in found if way.changes and len(way.changes) == least][:MAX_SUGGESTIONS]

    def _through_own_gates(self, request: Request) -> list[Way]:
        """The ways with the fewest changes to a request that takes the unit through its own gates."""
        seen = {request}
        level = [Way(request)]
        for _ in range(MAX_CHANGES + 1):
            later: list[Way] = []
            found: list[Way] = []
            for way in level:  # grows while it is gone through
                if len(found) == self._most or len(seen) > MAX_REQUESTS:
                    self.cut = not found
                    break
                situation = self._look_at_own_gates(way.request)
                if situation.gate is None:
                    found.append(way)
                    continue
                for candidate in self._candidates(situation):
                    if candidate[1] not in seen:
                        seen.add(candidate[1])
                        further = way.then(candidate)
                        (level if len(further.changes) == len(way.changes) else later).append(further)
            if found or self.cut or not later:
                return found
            level = later
        self.cut = True
        return []

    def _fitted(self, way: Way) -> Way | None:
        """The way with the limits raised that refuse the unit, or None where that does not select it."""
        return self._raised(way) or self._raised_with_room(way)

    def _raised(self, way: Way) -> Way | None:
        """The way with one limit after the other raised."""
        for _ in range(MAX_STEPS):
            situation = self.look(way.request)
            if situation.admission is None:
                return None
            if situation.gate is None:
                way.position = situation.admission.accepted + 1
                way.score = situation.admission.verdict.score
                return way
            candidates = self._candidates(situation)
            if not candidates:
                return None
            way = way.then(candidates[0])
        return None

    def _raised_with_room(self, way: Way) -> Way | None:
        """The way with the budgets raised for all that ranks better, and then room for as many units."""
        held = way.request.options.max_units
        raised = self._raised(Way(way.request.bring(max_units=float("inf")), way.changes))
        if raised is None:
            return None
        raised.request = raised.request.bring(max_units=held)
        if raised.position > held:
            return self._raised(raised.then(more_units(raised.request, raised.position)))
        return self._raised(raised)

    def _reworded(self, way: Way) -> list[Way]:
        """The ways by which words of the unit's own are added to the task besides."""
        task = way.request.task
        words = added_words(self.manifest.units[self.place], task, MAX_REWORDED)
        return [way.then(reword(way.request, f"{task} {added}")) for added in words]

    def is_open(self, request: Request) -> bool:
        """Whether a request selects the unit load-eligible as it is."""
        return self.look(request).gate is None

    def look(self, request: Request) -> Situation:
        """Plan a request as far as it takes to see where it leaves the unit."""
        situation = self._look_at_own_gates(request)
        if situation.gate is not None:
            return situation
        situation.ranking = self.runs.ranking(request)
        situation.admission = admission = situation.ranking.admission(request.options)
        situation.gate, situation.detail = admission.failed, _refusal(admission)
        return situation

    def _look_at_own_gates(self, request: Request) -> Situation:
        world = World(self.manifest, request.task, request.options, self._first_by_id)
        verdict = judge(self.manifest.units[self.place], world)
        gate = _blocking_gate(verdict, world)
        return Situation(request, verdict, world, gate, "" if gate is None else _detail(verdict, gate))

    def _candidates(self, situation: Situation) -> list[Candidate]:
        gate = situation.gate
        assert gate is not None
        candidates: list[Candidate] = []
        if situation.ranking is not None and situation.admission is not None:
            contest = Contest(situation.request, situation.admission, situation.ranking)
            candidates += SELECTION_REMEDIES[gate](contest)
        elif gate in UNIT_REMEDIES:
            candidates += UNIT_REMEDIES[gate](Blocked(situation.request, situation.verdict, situation.world))
        if GATES.index(gate) > self._furthest:
            self.obstacle, self._furthest = (gate, situation.detail), GATES.index(gate)
        return candidates


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


def _detail(verdict: Verdict, gate: str) -> str:
    """Why the gate blocks."""
    if verdict.failed not in (None, "strict"):
        return verdict.reason
    if gate == "skill_eligibility":
        return verdict.governance_failure or ""
    start = _REASON_STARTS[gate]
    return next((reason for reason in verdict.reasons if reason.startswith(start)), "")


def _refusal(admission: Admission) -> str:
    if admission.failed == "max_units":
        return f"position {admission.accepted + 1} exceeds the cap"
    return admission.detail
