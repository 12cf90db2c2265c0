"""Our own JSON: one object for one manifest, a list of them for several."""

from __future__ import annotations

from kcp.wire.jsontext import encode_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.authoring.validate.lint import LintResult, Located
    from kcp.authoring.validate.questions import Answer


def render(results: list[LintResult]) -> str:
    """The results as JSON text with a final newline."""
    reports = [_report(result) for result in results]
    return encode_json(reports[0] if len(reports) == 1 else reports) + "\n"


def _report(result: LintResult) -> dict[str, Any]:
    report: dict[str, Any] = {"source": result.source}
    if result.project is not None:
        report["project"] = result.project
    report["findings"] = [_finding(located) for located in result.findings]
    report["ok"] = result.ok
    if result.valid is not None:
        report["valid"] = result.valid
    if result.answers:
        report["questions"] = [_answer(answer) for answer in result.answers]
    if result.suppressed:
        report["suppressed"] = len(result.suppressed)
    return report


def _finding(located: Located) -> dict[str, Any]:
    finding: dict[str, Any] = {
        "rule": located.rule,
        "set": located.rule_set,
        "level": located.level,
        "where": located.finding.where,
        "message": located.finding.message,
    }
    if located.line is not None:
        finding["line"], finding["column"] = located.line, located.column
    return finding


def _answer(answer: Answer) -> dict[str, Any]:
    told: dict[str, Any] = {"question": answer.question.text}
    if answer.question.expected is not None:
        told["expected"] = answer.question.expected
    told["found"] = answer.found
    told["selected"] = [{"id": unit_id, "loadEligible": eligible} for unit_id, eligible in answer.selected]
    return told
