"""Order, the unit cap and the two budgets (planner contract §7)."""

from __future__ import annotations

from typing import Any

import pytest

from kcp.model import Unit
from kcp.planning.selection import token_size
from tests.support import UNIT, manifest, plan, read, skipped, trace

ALL: dict[str, Any] = {"max_units": 1000, "payment_methods": ("x402", "free")}


def sized(name: str, members: str = "") -> str:
    return f"id: {name}, intent: deploy" + (f", {members}" if members else "")


def priced(name: str, price: object, currency: str = "USDC", members: str = "") -> str:
    method = f"{{type: x402, price_per_request: '{price}', currency: {currency}}}"
    return sized(name, f"payment: {{methods: [{method}]}}" + (f", {members}" if members else ""))


def ids(of) -> list[str]:
    return [each.id for each in of.selected]


def reasons(of) -> dict[str, str]:
    return {each.id: each.reason for each in of.skipped}


def test_best_score_first_then_ids_by_collation_then_manifest_order():
    of = read(
        """
        units:
        - {id: b, intent: deploy, path: second}
        - {id: B, intent: deploy}
        - {id: a10, intent: deploy}
        - {id: é, intent: deploy}
        - {id: z, intent: deploy now, triggers: [deploy]}
        - {id: a2, intent: deploy}
        - {id: e, intent: deploy}
        - {id: f, intent: deploy}
        - {id: b, intent: deploy, path: first}
        """
    )
    made = plan(of, **ALL)
    assert ids(made) == ["z", "a10", "a2", "b", "b", "B", "e", "é", "f"]
    assert [each.path for each in made.selected if each.id == "b"] == ["second", "first"]


def test_units_beyond_the_cap_are_only_counted():
    of = manifest(*[sized(name) for name in "cab"])
    made = plan(of, max_units=2)
    assert ids(made) == ["a", "b"]
    assert made.skipped == ()
    assert made.warnings == ("1 relevant unit(s) beyond maxUnits=2 not selected",)
    assert plan(of, max_units=3).warnings == ()
    assert ids(plan(of, max_units=0)) == []
    assert plan(of, max_units=0).warnings == ("3 relevant unit(s) beyond maxUnits=0 not selected",)
    assert ids(plan(manifest(*[sized(str(n)) for n in range(9)]))) == list("01234")


def test_the_default_cap_is_five_and_refused_units_do_not_count():
    of = manifest(priced("a", 9), *[sized(name) for name in "bcdefg"])
    made = plan(of, payment_methods=("x402",), budget={"amount": 1})
    assert ids(made) == list("bcdef")
    assert list(reasons(made)) == ["a"]
    assert made.warnings == ("1 relevant unit(s) beyond maxUnits=5 not selected",)


@pytest.mark.parametrize(
    ("prices", "budget", "chosen"),
    [
        ([3, 3, 3], {"amount": 6}, "ab"),
        ([3, 3, 3], {"amount": 9}, "abc"),
        ([3, 4, 3], {"amount": 6}, "ac"),
        ([0.1, 0.2, 0], {"amount": 0.3}, "abc"),
        ([3, 3, 3], {"amount": 9, "spent": 3}, "ab"),
        ([3, 3, 3], {"amount": 9, "spent": 0}, "abc"),
        ([1, 0, 1], {"amount": 0}, "b"),
        ([0, 0, 1], {"amount": 1}, "abc"),
        ([1, 1, 1], {"amount": -1}, ""),
    ],
)
def test_money_is_spent_greedily(prices, budget, chosen):
    of = manifest(*[priced(name, price) for name, price in zip("abc", prices, strict=True)])
    assert ids(plan(of, budget=budget, **ALL)) == list(chosen)


def test_the_reason_shows_what_remains():
    of = manifest(priced("a", 3), priced("b", 4))
    made = plan(of, budget={"amount": 7.5, "spent": 1}, **ALL)
    assert reasons(made) == {"b": "over budget: 4 would exceed remaining 3.5 of 7.5 USDC"}
    assert skipped(made, "b").values() == ("b", reasons(made)["b"], None, None, None, None)


def test_the_remainder_is_rounded_to_millionths():
    of = manifest(priced("a", 0.1), priced("b", 0.2), priced("c", 0.3))
    made = plan(of, budget={"amount": 0.4}, **ALL)
    assert reasons(made) == {"c": "over budget: 0.3 would exceed remaining 0.1 of 0.4 USDC"}


@pytest.mark.parametrize(
    ("currency", "budget", "reason"),
    [
        ("USDC", {"amount": 5}, None),
        ("EUR", {"amount": 5}, "over budget: costs 1 EUR/request, budget is in USDC"),
        ("EUR", {"amount": 5, "currency": "EUR"}, None),
        ("USDC", {"amount": 5, "currency": ""}, "over budget: costs 1 USDC/request, budget is in "),
    ],
)
def test_another_currency_is_over_budget(currency, budget, reason):
    made = plan(manifest(priced("a", 1, currency)), budget=budget, **ALL)
    assert reasons(made).get("a") == reason


def test_money_is_not_asked_of_free_units_or_ineligible_ones():
    of = manifest(priced("a", 0, "EUR"), priced("b", 99, "EUR", "kind: skill"))
    assert ids(plan(of, budget={"amount": 1}, **ALL)) == ["a", "b"]
    assert ids(plan(of, **ALL)) == ["a", "b"]


@pytest.mark.parametrize(
    ("unit", "size"),
    [
        (Unit(size_tokens=7, bytes=400), (7, "declared")),
        (Unit(size_tokens=0, bytes=400), (0, "declared")),
        (Unit(bytes=400), (100, "estimated")),
        (Unit(bytes=401), (101, "estimated")),
        (Unit(bytes=5.5), (2, "estimated")),
        (Unit(bytes=0), (0, "estimated")),
        (Unit(), (None, "unmeasured")),
    ],
)
def test_sizes(unit, size):
    assert token_size(unit) == size


@pytest.mark.parametrize(
    ("ceiling", "chosen"), [(600, "abc"), (599, "ab"), (300, "ab"), (299, "a"), (100, "a"), (0, ""), (-5, "")]
)
def test_context_is_filled_greedily(ceiling, chosen):
    sizes = ["size_tokens: 100", "bytes: 800", "size_tokens: 300"]
    of = manifest(*[sized(name, size) for name, size in zip("abc", sizes, strict=True)])
    assert ids(plan(of, context_budget=ceiling, **ALL)) == list(chosen)


def test_a_smaller_unit_may_still_fit():
    of = manifest(
        sized("a", "size_tokens: 100"), sized("b", "size_tokens: 2000"), sized("c", "size_tokens: 5")
    )
    made = plan(of, context_budget=1500.5, **ALL)
    assert ids(made) == ["a", "c"]
    assert reasons(made) == {"b": "over context budget: 2,000 tokens would exceed remaining 1,401 of 1,501"}


def test_budgets_tolerate_a_billionth():
    tiny, more = manifest(sized("a", "size_tokens: 1e-9")), manifest(sized("a", "size_tokens: 2e-9"))
    assert ids(plan(tiny, context_budget=0, **ALL)) == ["a"]
    assert ids(plan(more, context_budget=0, **ALL)) == []
    assert ids(plan(manifest(priced("a", "1e-9")), budget={"amount": 0}, **ALL)) == ["a"]
    assert ids(plan(manifest(priced("a", "2e-9")), budget={"amount": 0}, **ALL)) == []


def test_the_cap_counts_what_the_context_budget_admits():
    sizes = {
        "a": "size_tokens: 99",
        "b": "size_tokens: 1",
        "c": "scope: x",
        "d": "kind: skill",
        "e": "bytes: 4",
    }
    of = manifest(*[sized(name, size) for name, size in sizes.items()])
    made = plan(of, max_units=3, context_budget=50)
    assert ids(made) == ["b", "c", "d"]
    assert list(reasons(made)) == ["a"]
    assert made.warnings[0] == "1 relevant unit(s) beyond maxUnits=3 not selected"
    strict = plan(of, max_units=1, context_budget=50, strict=True)
    assert ids(strict) == ["b"]
    late = manifest(sized("a"), sized("b", "size_tokens: 1"))
    assert ids(plan(late, max_units=1, context_budget=50, strict=True)) == ["b"]


def test_an_infinite_size_never_fits():
    of = manifest(sized("a", "size_tokens: .inf"), sized("b", "size_tokens: 5"))
    made = plan(of, context_budget=10, **ALL)
    assert ids(made) == ["b"]
    assert reasons(made) == {"a": "over context budget: ∞ tokens would exceed remaining 10 of 10"}


def test_an_infinite_number_of_bytes_never_fits():
    of = manifest(sized("a", "bytes: .inf"), sized("b", "size_tokens: 999"))
    made = plan(of, context_budget=10, **ALL)
    assert ids(made) == []
    assert reasons(made) == {
        "a": "over context budget: ∞ tokens would exceed remaining 10 of 10",
        "b": "over context budget: 999 tokens would exceed remaining 10 of 10",
    }


def test_a_negative_size_makes_no_room():
    of = manifest(sized("a", "size_tokens: -1000"), sized("b", "size_tokens: 500"), sized("c", "bytes: -8"))
    made = plan(of, context_budget=10, **ALL)
    assert ids(made) == ["a", "c"]
    assert reasons(made) == {"b": "over context budget: 500 tokens would exceed remaining 10 of 10"}
    assert made.context.unmeasured == 2


def test_an_unmeasured_unit_is_admitted_and_counted():
    of = manifest(sized("a"), sized("b", "kind: skill"))
    made = plan(of, context_budget=10, **ALL)
    assert ids(made) == ["a", "b"]
    assert made.warnings == (
        "1 selected unit(s) declare no size — the context projection is a lower bound (unmeasured)",
    )
    assert made.context.unmeasured == 1
    assert plan(of, **ALL).warnings == ()


def test_an_unmeasured_unit_is_excluded_under_strict():
    made = plan(manifest(sized("a")), context_budget=10, strict=True, **ALL)
    assert reasons(made) == {
        "a": "size undeclared — excluded under strict (declare size_tokens or bytes)",
    }
    assert made.warnings == ()
    assert ids(plan(manifest(sized("a")), strict=True, **ALL)) == ["a"]


def test_context_is_not_asked_of_ineligible_units():
    of = manifest(sized("a", "kind: skill, size_tokens: 999"), sized("b", "size_tokens: 10"))
    made = plan(of, context_budget=10, **ALL)
    assert ids(made) == ["a", "b"]
    assert made.context.projected_tokens == 10


def test_money_reserved_for_a_unit_stays_reserved_when_context_refuses_it():
    of = manifest(priced("a", 5, members="size_tokens: 99"), priced("b", 5, members="size_tokens: 1"))
    made = plan(of, budget={"amount": 9}, context_budget=10, **ALL)
    assert ids(made) == []
    assert list(reasons(made)) == ["a", "b"]
    assert reasons(made)["b"] == "over budget: 5 would exceed remaining 4 of 9 USDC"


def test_a_repeated_id_is_measured_by_its_last_unit_in_the_plan_but_by_its_own_in_the_trace():
    of = manifest(sized("a", "size_tokens: 1"), sized("a", "size_tokens: 50"))
    made = plan(of, context_budget=60, **ALL)
    assert ids(made) == ["a"]
    assert made.context.projected_tokens == 50
    details = [each.gates[-1].detail for each in trace(of, context_budget=60, **ALL).units]
    assert details == ["1 tokens (1 of 60 used)", "50 tokens (51 of 60 used)"]


def test_budget_skips_come_after_the_cascades():
    of = manifest(priced("a", 9), f"{UNIT}, deprecated: true", sized("b", "size_tokens: 99"), sized("c"))
    made = plan(of, budget={"amount": 1}, context_budget=5, **ALL)
    assert list(reasons(made)) == ["u", "a", "b"]
