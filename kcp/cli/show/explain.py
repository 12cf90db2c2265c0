"""An explanation for people: the unit's way through the gates, then what would open it."""

from __future__ import annotations

from kcp.cli.show.page import BAD, DIM, GOOD, ID, TITLE, WARN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.show.page import Page
    from kcp.planning.explain import Explanation, Suggestion
    from kcp.planning.requests import Change

_GATE_WIDTH = 16
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+.,/:@%")


def add_explanation(page: Page, explanation: Explanation) -> None:
    """The gates as in the trace, then suggestions as command-line words, or the gate that stays shut."""
    manifest = explanation.manifest
    page.add(("Explain: ", TITLE), (explanation.unit, ID), f' for "{explanation.task}"')
    page.add((f"  {manifest.project} v{manifest.version} · as of {explanation.as_of}", DIM))
    page.add()
    for result in explanation.gates:
        mark = ("✓", GOOD) if result.passed else ("✗", BAD)
        page.add("  ", mark, f" {result.gate:<{_GATE_WIDTH}} {result.detail}")
    page.add()
    if explanation.suggestions:
        page.add((f"{explanation.note}:", TITLE))
        for suggestion in explanation.suggestions:
            _add_suggestion(page, suggestion)
    elif explanation.obstacle is not None:
        page.add(("✗ ", BAD), explanation.note)
        page.add(f"  {explanation.obstacle.gate}: {explanation.obstacle.detail}")
    else:
        is_open = explanation.selected and explanation.load_eligible
        page.add(("✓ ", GOOD) if is_open else ("⚠ ", WARN), explanation.note)


def _add_suggestion(page: Page, suggestion: Suggestion) -> None:
    words = [_words(change) for change in suggestion.changes]
    place = f"position {suggestion.position}, score {suggestion.score}"
    page.add("  ", ("→ ", GOOD), (", ".join(words), ID), (f"  ({place})", DIM))
    for change in suggestion.changes:
        before = "none" if change.before is None else change.before
        after = "none" if change.after is None else change.after
        page.add((f"      {change.what}: {before} → {after}", DIM))


def _words(change: Change) -> str:
    if change.arguments is None:
        return f"without {' '.join(change.leave_out or ())}"
    return " ".join([_quoted(word) for word in change.arguments])


def _quoted(word: str) -> str:
    """A word as a POSIX shell takes it."""
    return word if word and _PLAIN.issuperset(word) else "'" + word.replace("'", "'\\''") + "'"
