"""A validation report for people (surfaces contract §3)."""

from __future__ import annotations

from kcp.cli.show.page import BAD, DIM, GOOD, TITLE, WARN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.validate.findings import Report
    from kcp.cli.show.page import Page


def add_report(page: Page, report: Report) -> None:
    """The findings, what reading dropped, and the verdict."""
    project = "" if report.project is None else f" ({report.project})"
    page.add(("Validate: ", TITLE), f"{report.source}{project}")
    for finding in report.findings:
        mark = ("✗", BAD) if finding.level == "error" else ("⚠", WARN)
        page.add("  ", mark, f" {finding.where}: {finding.message}")
    for message, position in report.remarks:
        place = "" if position is None else f" ({report.source}:{position.line}:{position.column})"
        page.add(("  · ", DIM), f"{message}{place}")
    errors = sum(finding.level == "error" for finding in report.findings)
    warnings = len(report.findings) - errors
    if report.ok:
        page.add(("✓", GOOD), f" valid — {warnings} warning(s)")
    else:
        page.add(("✗", BAD), f" invalid — {errors} error(s), {warnings} warning(s)")
