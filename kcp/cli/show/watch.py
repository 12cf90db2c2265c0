"""A round of `watch` for people (surfaces contract §3 and §5)."""

from __future__ import annotations

from kcp.cli.show.page import BAD, DIM, GOOD, TITLE, WARN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.validate.findings import Report
    from kcp.authoring.watch.cycle import Round
    from kcp.cli.show.page import Page


def add_round(page: Page, result: Round) -> None:
    """The findings, then what changed in the plan or, where that is not asked, the plan."""
    add_report(page, result.report)
    if result.diff is not None:
        if result.diff.identical:
            page.add(("  (plan unchanged)", DIM))
            return
        from kcp.cli.show.diff import add_changes

        add_changes(page, result.diff, "  ")
    elif result.plan is not None:
        from kcp.cli.show.plan import add_plan

        page.add()
        add_plan(page, result.plan)


def add_report(page: Page, report: Report) -> None:
    """The findings of the agent's rules and the verdict."""
    project = "" if report.project is None else f" ({report.project})"
    page.add(("Validate: ", TITLE), f"{report.source}{project}")
    for finding in report.findings:
        mark = ("✗", BAD) if finding.level == "error" else ("⚠", WARN)
        page.add("  ", mark, f" {finding.where}: {finding.message}")
    errors = sum(finding.level == "error" for finding in report.findings)
    warnings = len(report.findings) - errors
    if report.ok:
        page.add(("✓", GOOD), f" valid — {warnings} warning(s)")
    else:
        page.add(("✗", BAD), f" invalid — {errors} error(s), {warnings} warning(s)")
