"""What `validate` found, for people (surfaces contract §3)."""

from __future__ import annotations

from kcp.cli.show.page import BAD, DIM, GOOD, ID, TITLE, WARN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.validate.lint import LintResult, Located
    from kcp.authoring.validate.questions import Answer
    from kcp.cli.show.page import Page

FRAME_WIDTH = 100
_INDENT = "      "


def add_result(page: Page, result: LintResult) -> None:
    """The findings with their places, what reading dropped, what was suppressed, and the verdict."""
    project = "" if result.project is None else f" ({result.project})"
    page.add(("Validate: ", TITLE), f"{result.source}{project}")
    for located in result.findings:
        _add_finding(page, result.source, located)
    for message, position in result.remarks:
        place = "" if position is None else f" ({result.source}:{position.line}:{position.column})"
        page.add(("  · ", DIM), f"{message}{place}")
    _add_suppressed(page, result)
    for answer in result.answers:
        _add_answer(page, answer)
    errors = sum(located.level == "error" for located in result.findings)
    warnings = len(result.findings) - errors
    if result.valid is not None and result.valid != result.ok:
        verdict = "valid" if result.valid else "not valid"
        page.add(("  · ", DIM), f"by the specification's rules alone it is {verdict}")
    if result.ok:
        page.add(("✓", GOOD), f" valid — {warnings} warning(s)")
    else:
        page.add(("✗", BAD), f" invalid — {errors} error(s), {warnings} warning(s)")


def _add_finding(page: Page, source: str, located: Located) -> None:
    mark = ("✗", BAD) if located.level == "error" else ("⚠", WARN)
    page.add("  ", mark, f" {located.finding.where}: {located.finding.message}")
    place = "" if located.line is None else f"  {source}:{located.line}:{located.column}"
    page.add(_INDENT, (located.rule, ID), (place, DIM))
    if located.line is not None and located.text is not None and located.column is not None:
        _add_frame(page, located.line, located.column, located.end_column, located.text)
    if located.hint is not None:
        page.add(_INDENT, (f"hint: {located.hint}", DIM))


def _add_frame(page: Page, line: int, column: int, end_column: int | None, text: str) -> None:
    """The line, and a mark under what is meant; of a long line the part around it."""
    start = column - 1
    first = max(0, start - FRAME_WIDTH // 2) if len(text) > FRAME_WIDTH else 0
    shown = text[first : first + FRAME_WIDTH].replace("\t", " ")
    length = max(1, min((end_column or column + 1) - column, first + FRAME_WIDTH - start))
    number = str(line)
    page.add(_INDENT, (f"{number} │ ", DIM), shown)
    if start <= len(text):
        page.add(_INDENT, (f"{' ' * len(number)} │ ", DIM), " " * (start - first), ("^" * length, WARN))


def _add_answer(page: Page, answer: Answer) -> None:
    """A question, whether it finds what it should, and what it selects."""
    question = answer.question
    wanted = "" if question.expected is None else f" => {question.expected}"
    chosen = [
        unit_id if eligible else f"{unit_id} (not load-eligible)" for unit_id, eligible in answer.selected
    ]
    mark = ("✓", GOOD) if answer.found else ("✗", BAD)
    page.add("  ", mark, f' "{question.text}"{wanted}', (f"  selects {', '.join(chosen) or 'nothing'}", DIM))


def _add_suppressed(page: Page, result: LintResult) -> None:
    if not result.suppressed:
        return
    counts: dict[str, int] = {}
    for by, located in result.suppressed:
        asked = "a comment" if by == "inline" else "the settings"
        key = f"{located.rule} by {asked}"
        counts[key] = counts.get(key, 0) + 1
    listed = ", ".join([f"{key} ×{count}" if count > 1 else key for key, count in counts.items()])
    page.add(("  · ", DIM), f"{len(result.suppressed)} finding(s) suppressed: {listed}")
