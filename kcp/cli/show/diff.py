"""The differences of two plans for people."""

from __future__ import annotations

from kcp.cli.show.page import BAD, DIM, GOOD, ID, TITLE, WARN
from kcp.wire.numbers import num

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.show.page import Page
    from kcp.evidence.differences import Differences
    from kcp.planning.diff import Diff, PlanLabel, Scalar, Side


def add_diff(page: Page, diff: Diff, besides: Differences) -> None:
    """Which plans were compared, what differs by kind, and the verdict.

    `besides` is what the protocol's diff does not compare: it changes the verdict's words, not the verdict.
    """
    page.add(("a: ", TITLE), _label(diff.a))
    page.add(("b: ", TITLE), _label(diff.b))
    add_changes(page, diff)
    if besides.places:
        page.add(("Not compared by a diff:", TITLE))
        add_places(page, besides, "  · ")
    if not diff.identical:
        page.add(("✗", BAD), " different")
    elif besides.places:
        page.add(("⚠", WARN), " identical in what a diff compares, but not in all")
    else:
        page.add(("✓", GOOD), " identical")


def add_places(page: Page, differences: Differences, indent: str) -> None:
    """The places that differ, each with both values."""
    for place in differences.places:
        page.add(indent, (place.path, ID), f": {place.before} → {place.after}")
    if differences.more:
        page.add((f"{indent}… and more", DIM))


def add_changes(page: Page, diff: Diff, indent: str = "") -> None:
    """What differs, by kind: units that moved, scores, budget figures, reasons, warnings."""
    for heading, rows in _sections(diff):
        if rows:
            page.add(indent, (f"{heading} ({len(rows)}):", TITLE))
            for subject, text in rows:
                page.add(f"{indent}  · ", (subject, ID), text)
    changes = diff.warning_changes
    if changes.added or changes.removed:
        page.add(indent, (f"Warnings ({len(changes.added) + len(changes.removed)}):", TITLE))
    for warning in changes.added:
        page.add((f"{indent}  + ", WARN), warning)
    for warning in changes.removed:
        page.add((f"{indent}  - ", DIM), warning)


def _sections(diff: Diff) -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        ("Moved", [(move.id, f": {_side(move.from_)} → {_side(move.to)}") for move in diff.moves]),
        ("Scores", [(item.id, _score(item.before, item.after, item.delta)) for item in diff.score_changes]),
        (
            "Only in one",
            [(item.id, f": only in {item.side.removesuffix('_only')}") for item in diff.presence],
        ),
        ("Budget", [(item.field, _change(item.before, item.after)) for item in diff.budget_shifts]),
        ("Reasons", [(item.id, _change(item.before, item.after)) for item in diff.reason_changes]),
    ]


def _label(label: PlanLabel) -> str:
    parts = []
    if label.project is not None:
        parts.append(f"{label.project} v{label.version or '?'}")
    if label.task is not None:
        parts.append(f'"{label.task}"')
    if label.as_of is not None:
        parts.append(f"as of {label.as_of}")
    return " · ".join(parts) or "(a plan without a name)"


def _side(side: Side) -> str:
    if side.reason is not None:
        return f"skipped ({_shown(side.reason)})"
    return f"selected (score {_shown(side.score)})"


def _score(before: Scalar, after: Scalar, delta: Scalar) -> str:
    sign = "+" if isinstance(delta, (int, float)) and delta > 0 else ""
    return f"{_change(before, after)} ({sign}{_shown(delta)})"


def _change(before: Scalar, after: Scalar) -> str:
    return f": {_shown(before)} → {_shown(after)}"


def _shown(value: Scalar) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else num(value)
