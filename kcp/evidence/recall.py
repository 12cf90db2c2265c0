"""Recall: the episodes that share words with a task, and whether they still hold (evidence contract §4)."""

from __future__ import annotations

from kcp.errors import KcpError
from kcp.evidence.episodes import has_answer, root_plan
from kcp.planning.terms import task_terms
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from kcp.evidence.census import Census
    from kcp.evidence.episodes import Entry
    from kcp.evidence.replay import GroundedReport, ReplayReport
    from kcp.options import Capabilities

    Replay = Callable[[object, str], ReplayReport | GroundedReport]
    Gates = Callable[[Any], str | None]

VALID, DRIFTED, UNVERIFIABLE = "valid", "drifted", "unverifiable"
NOT_REPLAYED = "not replayed — recall carries no freshness claim"
ANSWER_HOLDS = "every cited unit holds its pinned bytes"
PLAN_HOLDS = "plan re-verifies against the live manifest"
NOTHING_CITED = "no cited unit to verify"


class Freshness(Record):
    """Whether an episode still holds: `valid`, `drifted` or `unverifiable`, and why."""

    status: str
    detail: str


class Hit(Record):
    """An episode that shares words with the task; `score` counts them, `integrity` tells who recorded it."""

    entry: Entry
    score: int
    status: str
    detail: str
    integrity: str


class Recall:
    """One recall: its hits as they are asked for, and afterwards how many it found and withheld."""

    def __init__(
        self, census: Census, caller: Capabilities, replay: Replay | None = None, gates: Gates | None = None
    ) -> None:
        self.census = census
        self.caller = caller
        self.replay = replay
        self.gates = gates
        self.withheld: list[str] = []
        self.found = 0

    def hits(self, task: str, limit: int | None = None) -> Iterator[Hit]:
        """The hits, best first, ties in the store's order; only one is held at a time."""
        terms = frozenset(task_terms(task))
        found = []
        for summary in self.census.summaries():
            score = sum([term in terms for term in task_terms(summary.task)])
            if score:
                found.append((-score, summary.name))
        found.sort()
        self.found = len(found)
        left = len(found) if limit is None else limit
        for negative, name in found:
            if left <= 0:
                return
            picked = self.census.reread(name)
            if picked is None or self._withholds(picked[0].entry):
                continue
            stored, integrity = picked
            left -= 1
            fresh = self.freshness(stored.entry)
            yield Hit(stored.entry, -negative, fresh.status, fresh.detail, integrity.state)

    def _withholds(self, entry: Entry) -> bool:
        """Whether an answer was made with what the caller does not present (row 11)."""
        artifact = entry["artifact"]
        missing = lacking(artifact, self.caller) if has_answer(artifact) else None
        if missing is not None:
            self.withheld.append(missing)
        return missing is not None

    def freshness(self, entry: Entry) -> Freshness:
        """Whether an episode still holds, found by replaying it; without a replay nothing is claimed."""
        if self.replay is None:
            return Freshness(UNVERIFIABLE, NOT_REPLAYED)
        return freshness(entry, self.replay, self.gates)


def freshness(entry: Entry, replay: Replay, gates: Gates | None = None) -> Freshness:
    """The verdict of the contract's recall table, with rows 10 and 15: today's gates count, and what could
    not be checked is not called drifted.
    """
    artifact = entry["artifact"]
    try:
        report: Any = replay(artifact, entry["id"])
    except KcpError as error:
        return Freshness(UNVERIFIABLE, f"could not replay: {error}")
    verdict = _of_answer(report) if hasattr(report, "claims") else _of_plan(report)
    if verdict.status == VALID and gates is not None and has_answer(artifact):
        try:
            gated = gates(artifact)
        except KcpError as error:
            return Freshness(UNVERIFIABLE, f"could not replay: {error}")
        if gated is not None:
            return Freshness(DRIFTED, gated)
    return verdict


def _of_plan(report: Any) -> Freshness:
    if report.ok:
        return Freshness(VALID, PLAN_HOLDS)
    if not any(check.status == "drifted" for check in report.checks):
        return Freshness(UNVERIFIABLE, f"could not replay: {_cause(report)}")
    moved = sum(check.status != "identical" for check in report.checks)
    return Freshness(DRIFTED, f"{moved} node(s) drifted since recorded")


def _of_answer(report: Any) -> Freshness:
    if report.ok:
        return Freshness(VALID, ANSWER_HOLDS)
    if any(claim.status == "drifted" for claim in report.claims):
        return _units_moved(report.claims)
    unreadable = [claim.detail for claim in report.claims if claim.unreadable]
    if unreadable or any(check.status in ("error", "unpinned") for check in report.checks):
        cause = unreadable[0] if unreadable else _cause(report)
        return Freshness(UNVERIFIABLE, f"could not replay: {cause}")
    if not report.claims:
        return Freshness(UNVERIFIABLE, NOTHING_CITED)
    if all(claim.status == "still-grounded" for claim in report.claims):
        return Freshness(DRIFTED, f"the plan behind the answer: {_cause(report)}")
    return _units_moved(report.claims)


def _units_moved(claims: Any) -> Freshness:
    moved = sum(claim.status != "still-grounded" for claim in claims)
    return Freshness(DRIFTED, f"{moved} cited unit(s) drifted or gone")


def _cause(report: Any) -> str:
    """The first verdict that stands in the way."""
    return next(
        (str(check.detail) for check in report.checks if check.status != "identical"), "nothing to check"
    )


def lacking(artifact: Any, caller: Capabilities) -> str | None:
    """What an artifact was made with that the caller does not present, or None (row 11)."""
    options = (root_plan(artifact) or {}).get("options")
    held = options.get("capabilities") if isinstance(options, dict) else None
    if not isinstance(held, dict):
        return "unknown capabilities"
    if held.get("role") != caller.role:
        return f"role '{held.get('role')}'"
    for member, noun, mine in (
        ("paymentMethods", "payment method", caller.payment_methods),
        ("credentials", "credential", caller.credentials),
    ):
        needed = held.get(member)
        if not isinstance(needed, list):
            return f"unknown {noun}s"
        missing = [item for item in needed if item not in mine]
        if missing:
            return f"{noun} '{missing[0]}'"
    provider = held.get("attestationProvider")
    return None if provider in (None, caller.attestation_provider) else f"attestation by '{provider}'"
