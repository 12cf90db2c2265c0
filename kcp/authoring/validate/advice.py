"""What would let a question find a unit: triggers to declare, words to ask with, things to bring.

Everything that is named was planned: with it, the unit is selected load-eligible.
"""

from __future__ import annotations

from kcp.planning.explain import explain
from kcp.planning.planner import Run
from kcp.planning.scoring import count_hits
from kcp.planning.trace import CLOSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.model import Manifest, Unit
    from kcp.options import PlanOptions
    from kcp.planning.explain import Explanation, Suggestion

WORD_GATES = frozenset(
    {"relevance", "max_units", "money_budget", "context_budget"}
)  # a better score opens them
MAX_TRIGGERS = 8


def advise(manifest: Manifest, place: int, question: str, options: PlanOptions) -> str:
    """What keeps the unit at a place of the manifest out, and what would let it in, on one line."""
    unit_id = manifest.units[place].id
    explanation = explain(manifest, unit_id, question, options)
    assert explanation is not None
    gate, detail = _closed_gate(explanation)
    ways = []
    if gate in WORD_GATES:
        triggers = missing_triggers(manifest, place, question, options)
        if triggers:
            noun = "trigger" if len(triggers) == 1 else "triggers"
            ways.append(f"add the {noun} {', '.join(triggers)}")
    if explanation.suggestions:
        ways.append(_as_words(explanation.suggestions[0]))
    elif explanation.obstacle is not None and not ways:
        obstacle = explanation.obstacle
        further = "" if obstacle.gate == gate else f" ({obstacle.gate}: {obstacle.detail})"
        ways.append(f"nothing that is asked or brought changes that{further}")
    return "; ".join([f"{gate}: {detail}", *([", or ".join(ways)] if ways else [])])


def missing_triggers(manifest: Manifest, place: int, question: str, options: PlanOptions) -> tuple[str, ...]:
    """Words of the question which, as triggers of the unit, let the question select it load-eligible.

    Words that fewer other units have come first: they tell this unit apart. Empty where no words do.
    """
    unit = manifest.units[place]
    terms = dict.fromkeys(Run(manifest, question, options).world.terms)
    lacking = [term for term in terms if not count_hits(unit, (term,))[1]][:MAX_TRIGGERS]
    lacking.sort(key=lambda term: sum(any(count_hits(other, (term,))) for other in manifest.units))
    for count in range(1, len(lacking) + 1):
        triggers = tuple([term for term in terms if term in lacking[:count]])
        if _finds(manifest, place, unit.replace(triggers=(*unit.triggers, *triggers)), question, options):
            return triggers
    return ()


def _finds(manifest: Manifest, place: int, unit: Unit, question: str, options: PlanOptions) -> bool:
    """Whether the question selects a unit load-eligible that stands in place of another."""
    units = (*manifest.units[:place], unit, *manifest.units[place + 1 :])
    accepted = Run(manifest.replace(units=units), question, options).selection.accepted
    return any(verdict.unit is unit and verdict.eligible for verdict in accepted)


def _closed_gate(explanation: Explanation) -> tuple[str, str]:
    """The first gate that keeps the unit from being load-eligible, and why."""
    for result in explanation.gates:
        if not result.passed or result.detail.endswith(CLOSED):
            return result.gate, result.detail.removesuffix(CLOSED)
    return "selection", explanation.note


def _as_words(suggestion: Suggestion) -> str:
    """A suggestion as an instruction to whoever asks."""
    asking = [f'ask "{change.after}"' for change in suggestion.changes if change.what == "task"]
    flags = [
        f"without {' '.join(change.leave_out or ())}"
        if change.arguments is None
        else " ".join(change.arguments)
        for change in suggestion.changes
        if change.what != "task"
    ]
    return " ".join(
        [*asking, *(["and"] if asking and flags else []), *(["plan with", *flags] if flags else [])]
    )
