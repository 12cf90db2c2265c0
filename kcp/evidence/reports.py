"""What replay answers with: the verdicts on one artifact, in wire order (evidence contract §2, §3)."""

from __future__ import annotations

from kcp.evidence.comparison import ERROR, IDENTICAL
from kcp.records import Record
from kcp.wire.encode import to_wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.evidence.comparison import Check


class ReplayReport(Record):
    """The verdicts on the plans of an artifact; `ok` when there is at least one and all are `identical`."""

    artifact: str
    checks: tuple[Check, ...]
    ok: bool


class ClaimVerdict(Record):
    """Whether a cited unit still holds what a claim was grounded in.

    `status` is `still-grounded`, `drifted` or `gone`. `unreadable` says that the bytes could not be had at
    all, for a reason that may pass; it is no part of the wire form.
    """

    claim: str
    unit_id: str
    status: str
    detail: str
    unreadable: bool = False


class GapVerdict(Record):
    """A claim that nothing supported when the answer was given."""

    claim: str
    status: str
    detail: str


class GroundedReport(Record):
    """The verdicts on an answer; `ok` when a claim was checked and all that were still hold.

    `checks` are the verdicts on the answer's plan and on its text, where they do not hold; the reference has
    none, so the wire form has the member only where there are some.
    """

    artifact: str
    claims: tuple[ClaimVerdict, ...]
    gaps: tuple[GapVerdict, ...]
    ok: bool
    checks: tuple[Check, ...] = ()


class FailedReport(Record):
    """An artifact, one of several, that could not be replayed, and why."""

    artifact: str
    error: str
    checks: tuple[Check, ...] = ()
    ok: bool = False


Report = ReplayReport | GroundedReport | FailedReport


def report_on(name: str, checks: list[Check]) -> ReplayReport:
    """A report whose `ok` follows from its checks."""
    return ReplayReport(name, tuple(checks), bool(checks) and all(c.status == IDENTICAL for c in checks))


def unchecked(report: Report) -> bool:
    """Whether something in an artifact could not be checked at all: exit code 3 rather than 1 (B19)."""
    if isinstance(report, FailedReport) or any(check.status == ERROR for check in report.checks):
        return True
    return isinstance(report, GroundedReport) and any(claim.unreadable for claim in report.claims)


def report_wire(report: Report) -> dict[str, Any]:
    """A report as JSON members."""
    wire: dict[str, Any] = to_wire(report)
    if isinstance(report, GroundedReport) and not report.checks:
        del wire["checks"]
    return wire
