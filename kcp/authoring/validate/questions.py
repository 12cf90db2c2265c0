"""Questions that an agent would ask, planned against a manifest: does each find the unit it should?"""

from __future__ import annotations

from kcp.authoring.validate.manifest import WHERE
from kcp.authoring.validate.rule import Rule
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.validate.findings import Finding
    from kcp.model import Manifest
    from kcp.options import PlanOptions
    from kcp.planning.planner import Run

NOTHING_FOUND = Rule(
    "KCP151", "question-finds-nothing", "warning", "§4.9",
    "An agent that asks this question is given nothing it may load.", bad="intent: Start here",
    good="intent: Start here\ntriggers: [begin]", protected=True, question="Where do I begin?",
)  # fmt: skip
UNIT_NOT_FOUND = Rule(
    "KCP152", "question-misses-unit", "warning", "§4.9",
    "The question does not select the unit that answers it.", bad="intent: Start here",
    good="intent: Start here\ntriggers: [begin]", protected=True, question="Where do I begin? => guide",
)  # fmt: skip
UNIT_NOT_LOADABLE = Rule(
    "KCP153", "question-finds-unit-closed", "warning", "§4.11",
    "The question selects the unit that answers it, but an agent may not load it.",
    bad="access: restricted", good="access: public", protected=True, question="How do I start? => guide",
)  # fmt: skip
NO_SUCH_UNIT = Rule(
    "KCP154", "question-for-unknown-unit", "error", "§4.2",
    "The unit that should answer the question is not in the manifest.", bad="id: manual", good="id: guide",
    protected=True, question="How do I start? => guide",
)  # fmt: skip
RULES = (NOTHING_FOUND, UNIT_NOT_FOUND, UNIT_NOT_LOADABLE, NO_SUCH_UNIT)


class Question(Record):
    """A task, the id of the unit that should answer it (None: any), and where the question stands."""

    text: str
    expected: str | None = None
    origin: str = "--task"


class Asking(Record):
    """What is asked, and what the agent that asks brings."""

    questions: tuple[Question, ...]
    options: PlanOptions


class Answer(Record):
    """What a question selects, best first, each unit with its load eligibility.

    `found` is that the expected unit is among it load-eligible, or any unit where none is expected.
    """

    question: Question
    selected: tuple[tuple[str, bool], ...]
    found: bool


def ask(manifest: Manifest, asking: Asking) -> tuple[tuple[Answer, ...], list[Finding]]:
    """The answer to every question, and a finding for each that does not find what it should."""
    from kcp.planning.planner import Run

    answers, findings = [], []
    for question in asking.questions:
        run = Run(manifest, question.text, asking.options)
        selected = tuple([(verdict.unit.id, verdict.eligible) for verdict in run.selection.accepted])
        found = any(
            eligible and question.expected in (None, unit_id) for unit_id, eligible in selected
        )  # fmt: skip
        answers.append(Answer(question, selected, found))
        if not found:
            findings.append(_finding(question, run))
    return tuple(answers), findings


def _finding(question: Question, run: Run) -> Finding:
    if question.expected is None:
        return _nothing_found(question, run)
    manifest = run.world.manifest
    place = next((at for at, unit in enumerate(manifest.units) if unit.id == question.expected), None)
    if place is None:
        return _no_such_unit(question, manifest)
    from kcp.authoring.validate.advice import advise
    from kcp.authoring.validate.units import unit_where

    unit = manifest.units[place]
    closed = any(verdict.unit.id == question.expected for verdict in run.selection.accepted)
    rule, what = (UNIT_NOT_LOADABLE, "not load-eligible") if closed else (UNIT_NOT_FOUND, "not selected")
    advice = advise(manifest, place, question.text, run.world.options)
    return rule.at(unit_where(unit), ("units", place), f'{what} for "{question.text}": {advice}')


def _no_such_unit(question: Question, manifest: Manifest) -> Finding:
    from difflib import get_close_matches

    expected = question.expected or ""
    close = get_close_matches(expected, [unit.id for unit in manifest.units], n=1)
    meant = f"; did you mean '{close[0]}'?" if close else ""
    message = (
        f"\"{question.text}\" expects unit '{expected}', which is not declared ({question.origin}){meant}"
    )
    return NO_SUCH_UNIT.at(WHERE, ("units",), message)


def _nothing_found(question: Question, run: Run) -> Finding:
    accepted = run.selection.accepted
    what = "nothing that may be loaded" if accepted else "nothing"
    message = f'{what} is selected for "{question.text}"'
    place = _closest(run)
    if not run.world.terms:
        message += ": it has no words to search for"
    elif place is None:
        message += f": no unit has any of its words ({', '.join(dict.fromkeys(run.world.terms))})"
    else:
        from kcp.authoring.validate.advice import advise

        manifest = run.world.manifest
        advice = advise(manifest, place, question.text, run.world.options)
        message += f"; closest is '{manifest.units[place].id}': {advice}"
    return NOTHING_FOUND.at(WHERE, ("units",), message)


def _closest(run: Run) -> int | None:
    """The place of the unit that shares most with the question, whatever keeps it out."""
    from kcp.planning.scoring import count_hits, score

    scores = [score(count_hits(verdict.unit, run.world.terms)) for verdict in run.verdicts]
    best = max(scores, default=0)
    return scores.index(best) if best else None
