"""Questions asked of a manifest: what each finds, and advice that holds when it is followed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kcp.authoring.validate.advice import advise, missing_triggers
from kcp.authoring.validate.lint import LintOptions, LintResult, lint
from kcp.authoring.validate.questions import Answer, Asking, Question, ask
from kcp.model import Manifest
from kcp.options import Capabilities, PlanOptions
from kcp.planning.planner import make_plan
from kcp.reading.sources import ManifestBytes
from tests.planning.estates import IDS, OPTIONS, TASKS, manifests, read_raw
from tests.support import options, read

HARBOUR = """\
project: harbour
version: "1"
kcp_version: "0.32"
units:
  - text that is no unit
  - {id: tides, path: tides.md, intent: Tide tables, triggers: [tide], audience: [agent]}
  - {id: berths, path: berths.md, intent: Where a vessel lies, triggers: [berth], audience: [agent]}
  - {id: pilots, path: pilots.md, intent: Pilot rota, triggers: [pilot], audience: [human]}
  - id: soundings
    path: soundings.md
    intent: Soundings of the channel
    triggers: [sounding]
    audience: [agent]
    payment: {methods: [{type: x402, price_per_request: "0.05", currency: USDC}]}
  - {id: old, path: old.md, intent: Old charts, triggers: [chart], audience: [agent], deprecated: true}
"""


def asked(text: str, expected: str | None = None, of: str = HARBOUR, **changes: Any) -> tuple[Answer, str]:
    """The answer to one question, and what the finding says, `""` where there is none."""
    asking = Asking((Question(text, expected),), options(**changes))
    (answer,), findings = ask(read(of), asking)
    assert len(findings) <= 1
    assert answer.found == (not findings)
    return answer, "".join([f"{finding.rule} {finding.where}: {finding.message}" for finding in findings])


def test_a_question_that_finds_its_unit():
    answer, said = asked("when is the tide high?", "tides")
    assert (answer.selected, answer.found, said) == ((("tides", True),), True, "")


def test_a_question_without_a_unit_may_find_any():
    assert asked("when is the tide high?")[0].found
    assert asked("when is the tide high?", "berths")[0].selected == (("tides", True),)


MISSED = [
    (
        "where do I moor my yacht?",
        "berths",
        'relevance: no task-relevance match; add the trigger moor, or ask "where do I moor my yacht? berth"',
    ),
    (
        "which pilot comes?",
        "pilots",
        "audience: audience [\"human\"] excludes role 'agent'; plan with --role human",
    ),
    (
        "how deep?",
        "soundings",
        'relevance: no task-relevance match; ask "how deep? sounding" and plan with --methods free,x402',
    ),
    ("old charts", "old", "deprecated: deprecated; nothing that is asked or brought changes that"),
]
NOTHING = [
    ("who bakes bread?", ": no unit has any of its words (bakes, bread)"),
    ("how?", ": it has no words to search for"),
    (
        "pilot",
        "; closest is 'pilots': audience: audience [\"human\"] excludes role 'agent'; plan with --role human",
    ),
]
UNPAID = "payment: unaffordable: needs x402; plan with --methods free,x402"


@pytest.mark.parametrize(("question", "expected", "advice"), MISSED)
def test_a_unit_that_is_not_selected(question: str, expected: str, advice: str):
    said = asked(question, expected)[1]
    assert said == f"KCP152 unit '{expected}': not selected for \"{question}\": {advice}"


def test_a_unit_that_is_selected_but_closed():
    said = asked("soundings of the channel", "soundings")[1]
    assert said == f"KCP153 unit 'soundings': not load-eligible for \"soundings of the channel\": {UNPAID}"


@pytest.mark.parametrize(("question", "why"), NOTHING)
def test_nothing_is_selected(question: str, why: str):
    assert asked(question)[1] == f'KCP151 manifest: nothing is selected for "{question}"{why}'


def test_nothing_that_is_selected_may_be_loaded():
    answer, said = asked("sounding")
    assert answer.selected == (("soundings", False),)
    expected = f"nothing that may be loaded is selected for \"sounding\"; closest is 'soundings': {UNPAID}"
    assert said == f"KCP151 manifest: {expected}"


def test_a_unit_that_is_not_there():
    said = "KCP154 manifest: \"tides\" expects unit '{}', which is not declared (--task)"
    assert asked("tides", "zzz")[1] == said.format("zzz")
    assert asked("tides", "tide")[1] == said.format("tide") + "; did you mean 'tides'?"


def test_the_agent_that_asks_may_bring_more():
    assert asked("pilot", "pilots", capabilities=Capabilities(role="human"))[1] == ""
    assert asked("sounding", "soundings", capabilities=Capabilities(payment_methods=("x402",)))[1] == ""


def test_a_unit_that_is_outranked_needs_words_that_tell_it_apart():
    units = "".join(
        f"  - {{id: u{number}, path: u.md, intent: i, triggers: [deploy, ship]}}\n" for number in range(6)
    )
    crowd = f"project: p\nunits:\n{units}  - {{id: z, path: z.md, intent: deploy, triggers: []}}\n"
    said = asked("deploy and ship the yellow release", "z", crowd)[1]
    assert "max_units: position 6 exceeds cap of 5; add the triggers" in said
    assert "yellow, release" in said
    said = asked("ship it", "u5", crowd)[1]
    assert said.endswith("max_units: position 6 exceeds cap of 5; plan with --max-units 6")


def linted(text: str, **changes: Any) -> LintResult:
    question = Question("where do I moor?", "berths")
    asking = Asking((question,), PlanOptions("2026-07-06"))
    made = LintOptions("2026-07-06", disk=False, asking=asking, **changes)
    return lint(ManifestBytes("k.yaml", text.encode()), made)


@pytest.mark.parametrize("rules", ["agent", "spec", "all"])
def test_questions_are_asked_whatever_the_rules_and_point_at_the_unit(rules: str):
    result = linted(HARBOUR, rules=rules)
    (found,) = [each for each in result.findings if each.rule == "KCP152"]
    assert (found.line, found.column, found.rule_set) == (7, 5, "agent")
    assert [answer.found for answer in result.answers] == [False]


def test_a_comment_in_the_manifest_has_no_say_but_settings_do():
    silenced = HARBOUR.replace("  - {id: berths", "  # kcp: ignore[KCP152]\n  - {id: berths")
    assert "KCP152" in [each.rule for each in linted(silenced).findings]
    result = linted(HARBOUR, ignore=frozenset({"KCP152"}))
    assert [by for by, each in result.suppressed if each.rule == "KCP152"] == ["configuration"]
    assert "KCP152" not in [each.rule for each in result.findings]
    assert [each.rule for each in linted(HARBOUR, select=frozenset({"KCP152"})).findings] == ["KCP152"]


def test_what_does_not_parse_is_not_asked():
    result = linted("a: b: c")
    assert (result.read, result.answers) == (False, ())


WITHOUT_SPENT = OPTIONS.map(
    lambda made: made if made.budget is None else made.replace(budget=made.budget.replace(spent=None))
)


@given(manifests(), TASKS, WITHOUT_SPENT, st.data())
def test_triggers_that_are_advised_let_the_question_find_the_unit(
    raw: Any, task: str, made: PlanOptions, data: st.DataObject
):
    estate: Manifest = read_raw(raw)
    assume(estate.units)
    place = data.draw(st.integers(0, len(estate.units) - 1))
    triggers = missing_triggers(estate, place, task, made)
    unit = estate.units[place]
    if triggers:
        better = unit.replace(triggers=(*unit.triggers, *triggers))
        units = (*estate.units[:place], better, *estate.units[place + 1 :])
        plan = make_plan(estate.replace(units=units), task, made)
        assert any(chosen.id == unit.id and chosen.load_eligible for chosen in plan.selected)


@given(manifests(), TASKS, WITHOUT_SPENT, st.sampled_from([None, *IDS]))
def test_a_finding_says_that_no_plan_loads_the_unit(
    raw: Any, task: str, made: PlanOptions, expected: str | None
):
    estate: Manifest = read_raw(raw)
    (answer,), findings = ask(estate, Asking((Question(task, expected),), made))
    chosen = make_plan(estate, task, made).selected
    assert answer.selected == tuple((unit.id, unit.load_eligible) for unit in chosen)
    assert answer.found == any(unit.load_eligible and expected in (None, unit.id) for unit in chosen)
    assert len(findings) == (not answer.found)


def test_advice_is_one_line():
    estate = read(HARBOUR)
    for place in range(len(estate.units)):
        assert "\n" not in advise(estate, place, "which way to the sea?", options())
