"""How relevant a unit is to the task's terms (planner contract §5, "Score")."""

from __future__ import annotations

from kcp.text.casing import lower

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.model import Unit

INTENT_WEIGHT, TRIGGER_WEIGHT, LABEL_WEIGHT = 3, 4, 2


def count_hits(unit: Unit, terms: tuple[str, ...]) -> tuple[int, int, int]:
    """How many terms the unit's intent, its triggers, and its id or path match.

    A trigger also matches a term that contains it, so an empty trigger matches every term (decisions A).
    """
    intent = lower(unit.intent)
    label = lower(f"{unit.id} {unit.path}")
    triggers = [lower(trigger) for trigger in unit.triggers]
    in_intent = in_triggers = in_label = 0
    for term in terms:
        if term in intent:
            in_intent += 1
        if term in label:
            in_label += 1
        for trigger in triggers:
            if term in trigger or trigger in term:
                in_triggers += 1
                break
    return in_intent, in_triggers, in_label


def score(hits: tuple[int, int, int]) -> int:
    """The weighted sum of hits."""
    return INTENT_WEIGHT * hits[0] + TRIGGER_WEIGHT * hits[1] + LABEL_WEIGHT * hits[2]


def score_reasons(hits: tuple[int, int, int]) -> list[str]:
    """Why the score is what it is, one line a kind of hit."""
    kinds = zip(("intent matches", "triggers match", "id/path matches"), hits, strict=True)
    return [f"{kind} {count} term(s)" for kind, count in kinds if count]
