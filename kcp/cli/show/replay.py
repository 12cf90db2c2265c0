"""Replay reports for people: a verdict a line, and what moved (surfaces contract §3)."""

from __future__ import annotations

from kcp.cli.exit_codes import DONE, UNCHECKED
from kcp.cli.show.page import BAD, DIM, GOOD, ID, TITLE, WARN
from kcp.evidence.reports import FailedReport, GroundedReport, unchecked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.show.page import Page
    from kcp.evidence.comparison import Check
    from kcp.evidence.reports import Report

_MARKS = {
    "identical": ("✓", GOOD),
    "still-grounded": ("✓", GOOD),
    "drifted": ("✗", BAD),
    "gone": ("✗", BAD),
}
_OTHER = ("⚠", WARN)


def add_report(page: Page, report: Report) -> None:
    """The verdicts on one artifact, what differs in it, and whether it holds."""
    page.add(("Replay: ", TITLE), report.artifact)
    if isinstance(report, FailedReport):
        page.add("  ", _OTHER, f" {report.error}")
    if isinstance(report, GroundedReport):
        for claim in report.claims:
            mark = _MARKS.get(claim.status, _OTHER)
            page.add("  ", mark, " ", (claim.unit_id, ID), f": {claim.status} — {claim.detail}")
            page.add((f"      {claim.claim}", DIM))
        for gap in report.gaps:
            page.add("  ", _OTHER, f" {gap.status} — {gap.detail}")
            page.add((f"      {gap.claim}", DIM))
    for check in report.checks:
        mark = _MARKS.get(check.status, _OTHER)
        page.add("  ", mark, " ", (check.project, ID), f" ({check.source}): {check.status} — {check.detail}")
        _add_differences(page, check)
    page.add(*_verdict(report))


def _verdict(report: Report) -> tuple[tuple[str, str], str]:
    if report.ok:
        return ("✓", GOOD), " holds"
    if unchecked(report):
        return _OTHER, " could not be checked"
    return ("✗", BAD), " does not hold"


def _add_differences(page: Page, check: Check) -> None:
    if check.moved is None:
        return
    from kcp.cli.show.diff import add_changes, add_places
    from kcp.evidence.differences import find_differences

    differences = find_differences(*check.moved)
    if differences.diff is not None:
        add_changes(page, differences.diff, "      ")
    add_places(page, differences, "      ")
    if check.fields == ("signature",) and "signature" not in check.moved[0]:
        page.add(("      made with --no-verify? then replay it with --no-verify too", DIM))


def add_summary(page: Page, codes: list[int]) -> None:
    """How many of several artifacts hold, by their exit codes."""
    held, failed = codes.count(DONE), codes.count(UNCHECKED)
    moved = len(codes) - held - failed
    mark = ("✓", GOOD) if held == len(codes) else _OTHER if failed else ("✗", BAD)
    page.add()
    page.add(
        mark,
        f" {len(codes)} artifacts: {held} hold, {moved} do not, {failed} could not be checked",
    )
