"""What changed between two plans (planner contract §15)."""

from __future__ import annotations

import json

import pytest

from kcp.planning.diff import (
    BudgetShift,
    Move,
    PlanDigest,
    PlanLabel,
    Presence,
    ReasonChange,
    ScoreChange,
    Side,
    diff_plans,
    digest,
)
from tests.support import UNIT, manifest, plan

LABEL = PlanLabel("p", "1", "t", "2026-07-06")
NO_FIGURES = (None,) * 6


def side(selected=(), skipped=(), figures=NO_FIGURES, warnings=()) -> PlanDigest:
    return PlanDigest(LABEL, tuple(selected), tuple(skipped), tuple(figures), tuple(warnings))


def test_equal_plans_are_identical():
    same = side([("a", 3)], [("b", "r")], (1, 2, 3, 4, 5, 6), ["w"])
    made = diff_plans(same, same)
    assert made.identical
    assert (made.moves, made.score_changes, made.presence) == ((), (), ())
    assert (made.budget_shifts, made.reason_changes) == ((), ())
    assert made.warning_changes.values() == ((), ())


@pytest.mark.parametrize(
    ("a", "b", "field", "expected"),
    [
        (
            side([("u", 3)]),
            side(skipped=[("u", "r")]),
            "moves",
            Move("u", "selected_to_skipped", Side(score=3), Side(reason="r")),
        ),
        (
            side(skipped=[("u", "r")]),
            side([("u", 3)]),
            "moves",
            Move("u", "skipped_to_selected", Side(reason="r"), Side(score=3)),
        ),
        (side([("u", 3)]), side([("u", 7)]), "score_changes", ScoreChange("u", 3, 7, 4)),
        (side([("u", 7)]), side([("u", 3)]), "score_changes", ScoreChange("u", 7, 3, -4)),
        (side([("u", 3)]), side(), "presence", Presence("u", "a_only")),
        (side(skipped=[("u", "r")]), side(), "presence", Presence("u", "a_only")),
        (side(), side([("u", 3)]), "presence", Presence("u", "b_only")),
        (side(), side(skipped=[("u", "r")]), "presence", Presence("u", "b_only")),
        (
            side(skipped=[("u", "r")]),
            side(skipped=[("u", "s")]),
            "reason_changes",
            ReasonChange("u", "r", "s"),
        ),
        (
            side(figures=(1, None, None, None, None, None)),
            side(),
            "budget_shifts",
            BudgetShift("budget.ceiling", 1, None),
        ),
    ],
)
def test_each_kind_of_change(a, b, field, expected):
    made = diff_plans(a, b)
    assert not made.identical
    assert getattr(made, field) == (expected,)
    others = {"moves", "score_changes", "presence", "reason_changes", "budget_shifts"} - {field}
    assert all(getattr(made, other) == () for other in others)


def test_figures_in_order():
    shifts = diff_plans(side(), side(figures=(1, 2, 3, 4, 5, 6))).budget_shifts
    assert [(each.field, each.after) for each in shifts] == [
        ("budget.ceiling", 1),
        ("budget.projectedSpend", 2),
        ("budget.remaining", 3),
        ("context.ceiling", 4),
        ("context.projectedTokens", 5),
        ("context.remaining", 6),
    ]


def test_warnings():
    made = diff_plans(side(warnings=["x", "y", "z"]), side(warnings=["w", "y", "v"]))
    assert made.warning_changes.added == ("w", "v")
    assert made.warning_changes.removed == ("x", "z")
    assert not made.identical
    assert not diff_plans(side(), side(warnings=["w"])).identical
    assert not diff_plans(side(warnings=["w"]), side()).identical


@pytest.mark.parametrize(("before", "after"), [(3, "x"), ("x", 3), (None, 3), (3, None)])
def test_scores_of_saved_plans_that_are_no_numbers_have_no_delta(before, after):
    (change,) = diff_plans(side([("u", before)]), side([("u", after)])).score_changes
    assert change == ScoreChange("u", before, after, None)


def test_a_repeated_id_counts_with_its_last_entry():
    made = diff_plans(side([("u", 3), ("u", 9)]), side([("u", 4), ("u", 9)]))
    assert made.identical


def test_an_id_in_both_lists_reads_as_a_move():
    """As in the reference, even between equal plans."""
    both = side([("u", 3)], [("u", "r")])
    (move,) = diff_plans(both, both).moves
    assert move == Move("u", "selected_to_skipped", Side(score=3), Side(reason="r"))
    (back,) = diff_plans(side(skipped=[("u", "r")]), both).moves
    assert back.direction == "skipped_to_selected"


def test_ids_in_the_order_they_are_first_seen():
    a = side([("d", 1), ("b", 1)], [("f", "r")])
    b = side([("c", 1)], [("a", "r"), ("b", "x")])
    made = diff_plans(a, b)
    assert [each.id for each in made.presence] == ["d", "f", "c", "a"]
    assert [each.id for each in made.moves] == ["b"]


def test_digest_takes_what_is_compared_from_a_plan():
    of = manifest(f"{UNIT}, size_tokens: 4", "id: w, deprecated: true")
    made = digest(plan(of, budget={"amount": 2}, context_budget=10))
    assert made == PlanDigest(
        PlanLabel("p", "1", "deploy", "2026-07-06"),
        (("u", 3),),
        (("w", "deprecated"),),
        (2, 0, 2, 10, 4, 6),
        (),
    )


def test_the_wire_form():
    a, b = digest(plan(UNIT)), digest(plan(UNIT, role="x", as_of="2026-07-07", context_budget=1))
    wire = json.loads(diff_plans(a, b).to_json())
    assert list(wire) == [
        "a",
        "b",
        "identical",
        "moves",
        "scoreChanges",
        "presence",
        "budgetShifts",
        "reasonChanges",
        "warningChanges",
    ]
    assert wire["a"] == {"project": "p", "version": "1", "task": "deploy", "asOf": "2026-07-06"}
    assert wire["budgetShifts"][0] == {"field": "context.ceiling", "after": 1}
    moved = diff_plans(a, digest(plan(f"{UNIT}, deprecated: true"))).to_json()
    assert json.loads(moved)["moves"] == [
        {"id": "u", "direction": "selected_to_skipped", "from": {"score": 3}, "to": {"reason": "deprecated"}}
    ]
