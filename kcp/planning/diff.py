"""What changed between two plans (planner contract §15)."""

from __future__ import annotations

from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from kcp.planning.results import Plan

    Scalar = str | float | bool | None


class PlanLabel(Record):
    """Which plan a side of a diff is."""

    project: str | None
    version: str | None
    task: str | None
    as_of: str | None


class PlanDigest(Record):
    """The part of a plan that a diff compares: scores, reasons, budget figures and warnings by name."""

    label: PlanLabel
    selected: tuple[tuple[str, Scalar], ...]
    skipped: tuple[tuple[str, Scalar], ...]
    figures: tuple[Scalar, ...]
    warnings: tuple[str, ...]


class Side(Record):
    """Where a unit stood: its score when selected, its reason when skipped."""

    score: Scalar = None
    reason: Scalar = None


class Move(Record):
    """A unit that went from selected to skipped, or back."""

    id: str
    direction: str
    from_: Side
    to: Side


class ScoreChange(Record):
    """A unit selected in both plans with another score."""

    id: str
    before: Scalar
    after: Scalar
    delta: Scalar


class Presence(Record):
    """A unit that only one plan mentions."""

    id: str
    side: str


class BudgetShift(Record):
    """A budget or context figure that changed."""

    field: str
    before: Scalar
    after: Scalar


class ReasonChange(Record):
    """A unit skipped in both plans for another reason."""

    id: str
    before: Scalar
    after: Scalar


class WarningChanges(Record):
    """Warnings that one side has and the other has not."""

    added: tuple[str, ...]
    removed: tuple[str, ...]


class Diff(Record):
    """The differences of two plans; `identical` when every list is empty."""

    a: PlanLabel
    b: PlanLabel
    identical: bool
    moves: tuple[Move, ...]
    score_changes: tuple[ScoreChange, ...]
    presence: tuple[Presence, ...]
    budget_shifts: tuple[BudgetShift, ...]
    reason_changes: tuple[ReasonChange, ...]
    warning_changes: WarningChanges

    def to_json(self) -> str:
        """The diff as JSON text without a final newline."""
        from kcp.wire.encode import to_wire
        from kcp.wire.jsontext import encode_json

        return encode_json(to_wire(self))


FIGURES = (
    "budget.ceiling",
    "budget.projectedSpend",
    "budget.remaining",
    "context.ceiling",
    "context.projectedTokens",
    "context.remaining",
)


def digest(plan: Plan) -> PlanDigest:
    """The compared part of a plan."""
    budget, context = plan.budget, plan.context
    return PlanDigest(
        label=PlanLabel(plan.manifest.project, plan.manifest.version, plan.task, plan.as_of),
        selected=tuple([(unit.id, unit.score) for unit in plan.selected]),
        skipped=tuple([(unit.id, unit.reason) for unit in plan.skipped]),
        figures=(
            budget.ceiling,
            budget.projected_spend,
            budget.remaining,
            context.ceiling,
            context.projected_tokens,
            context.remaining,
        ),
        warnings=plan.warnings,
    )


def diff_plans(a: PlanDigest, b: PlanDigest) -> Diff:
    """What differs from `a` to `b`; a repeated id counts with its last entry."""
    moves: list[Move] = []
    scores: list[ScoreChange] = []
    presence: list[Presence] = []
    reasons: list[ReasonChange] = []
    a_selected, a_skipped = dict(a.selected), dict(a.skipped)
    b_selected, b_skipped = dict(b.selected), dict(b.skipped)
    for unit in dict.fromkeys([*a_selected, *a_skipped, *b_selected, *b_skipped]):
        if unit not in a_selected and unit not in a_skipped:
            presence.append(Presence(unit, "b_only"))
        elif unit not in b_selected and unit not in b_skipped:
            presence.append(Presence(unit, "a_only"))
        elif unit in a_selected and unit in b_skipped:
            before, after = Side(score=a_selected[unit]), Side(reason=b_skipped[unit])
            moves.append(Move(unit, "selected_to_skipped", before, after))
        elif unit in a_skipped and unit in b_selected:
            before, after = Side(reason=a_skipped[unit]), Side(score=b_selected[unit])
            moves.append(Move(unit, "skipped_to_selected", before, after))
        elif unit in a_selected:
            _compare_scores(unit, a_selected[unit], b_selected[unit], scores)
        elif a_skipped[unit] != b_skipped[unit]:
            reasons.append(ReasonChange(unit, a_skipped[unit], b_skipped[unit]))
    shifts = [
        BudgetShift(field, before, after)
        for field, before, after in zip(FIGURES, a.figures, b.figures, strict=True)
        if before != after
    ]
    added, removed = _missing_from(a.warnings, b.warnings), _missing_from(b.warnings, a.warnings)
    changes = (moves, scores, presence, shifts, reasons, added, removed)
    return Diff(
        a=a.label,
        b=b.label,
        identical=not any(changes),
        moves=tuple(moves),
        score_changes=tuple(scores),
        presence=tuple(presence),
        budget_shifts=tuple(shifts),
        reason_changes=tuple(reasons),
        warning_changes=WarningChanges(added, removed),
    )


def _compare_scores(unit: str, before: Scalar, after: Scalar, changes: list[ScoreChange]) -> None:
    if before != after:
        numeric = isinstance(before, (int, float)) and isinstance(after, (int, float))
        delta = after - before if numeric else None  # type: ignore[operator]
        changes.append(ScoreChange(unit, before, after, delta))


def _missing_from(known: Iterable[str], warnings: tuple[str, ...]) -> tuple[str, ...]:
    seen = frozenset(known)
    return tuple([warning for warning in warnings if warning not in seen])
