"""Payment methods, prices and rate tiers (gate 9, §8, decision B5)."""

from __future__ import annotations

import pytest

from kcp.model import PaymentMethod
from kcp.options import Capabilities
from kcp.planning.economics import choose_payment, is_settleable, over_budget, rate_tier
from kcp.planning.results import PaymentChoice
from tests.support import MATCH, UNIT, gate, manifest, plan, selected, trace

FREE = PaymentChoice("free")


def choice(methods: str, *accepted: str, **root: str) -> PaymentChoice:
    of = manifest(f"{UNIT}, payment: {methods}" if methods else UNIT, **root)
    return choose_payment(of.units[0], of, accepted)


def test_without_methods_a_unit_is_free():
    for methods in ("", "{}", "{methods: []}", "{methods: null}", "{methods: no}", "{default_tier: gold}"):
        assert choice(methods) == FREE


def test_the_units_block_replaces_the_manifests_even_when_empty():
    root = {"payment": "{methods: [{type: subscription}]}"}
    assert choice("", "subscription", **root) == PaymentChoice("subscription")
    assert choice("", "free", **root) == PaymentChoice("needs subscription", affordable=False)
    assert choice("{}", "free", **root) == FREE
    assert choice("{methods: [{type: voucher}]}", "voucher", **root) == PaymentChoice("voucher")


def test_the_first_listed_method_that_is_accepted_wins():
    listed = "{methods: [{type: voucher}, {type: free}, {type: x402, price_per_request: 1, currency: USDC}]}"
    assert choice(listed, "x402", "free", "voucher") == PaymentChoice("voucher")
    assert choice(listed, "x402", "free") == FREE
    paid = choice(listed, "x402")
    assert paid == PaymentChoice("x402", "1 USDC/request", 1, "USDC")


@pytest.mark.parametrize(
    ("methods", "needed"),
    [
        ("[{type: a}, {type: free}, {type: b}]", "needs a or b"),
        ("[{type: a}, {type: a}]", "needs a or a"),
        ("[{type: free}]", "needs "),
        ("[{}]", "needs "),
        ("[5]", "needs "),
    ],
)
def test_what_is_needed_when_nothing_is_accepted(methods, needed):
    assert choice(f"{{methods: {methods}}}", "z") == PaymentChoice(needed, affordable=False)


@pytest.mark.parametrize(
    ("price", "cost", "number"),
    [
        ("0.10", "0.1 USDC/request", 0.1),
        ("'0.10'", "0.10 USDC/request", 0.1),
        ("'0x10'", "0x10 USDC/request", 16),
        ("''", " USDC/request", 0),
        ("' 5 '", " 5  USDC/request", 5),
        ("0", "0 USDC/request", 0),
        ("1e-7", "1e-7 USDC/request", 1e-7),
    ],
)
def test_prices_keep_their_text(price, cost, number):
    methods = f"{{methods: [{{type: x402, price_per_request: {price}, currency: USDC}}]}}"
    assert choice(methods, "x402") == PaymentChoice("x402", cost, number, "USDC")


def test_an_absent_currency_reads_undefined():
    methods = "{methods: [{type: x402, price_per_request: 1}]}"
    assert choice(methods, "x402") == PaymentChoice("x402", "1 undefined/request", 1)


BAD_PRICES = [
    "-1",
    "'-0.01'",
    "5 USDC",
    "'1,000'",
    ".nan",
    ".inf",
    "-.inf",
    "1e400",
    "abc",
    "[1, 2]",
    "{}",
    "null",
]


@pytest.mark.parametrize("price", BAD_PRICES)
def test_a_bad_price_is_not_settleable_and_the_next_method_is_tried(price):
    bad = f"{{type: x402, price_per_request: {price}, currency: USDC}}"
    good = "{type: x402, price_per_request: 2, currency: USDC}"
    assert choice(f"{{methods: [{bad}, {good}]}}", "x402").price_per_request == 2
    assert choice(f"{{methods: [{bad}, {{type: free}}]}}", "x402", "free") == FREE
    assert choice(f"{{methods: [{bad}]}}", "x402") == PaymentChoice("needs x402", affordable=False)


def test_a_bad_price_closes_the_unit():
    of = f"{UNIT}, payment: {{methods: [{{type: x402, price_per_request: -1, currency: USDC}}]}}"
    out = selected(plan(of, payment_methods=("x402",), budget={"amount": 0}))
    assert not out.load_eligible
    assert list(out.reasons) == [*MATCH, "unaffordable: needs x402"]
    assert gate(trace(of, payment_methods=("x402",)), "payment") == (
        True,
        "unaffordable: needs x402 (loadEligible=false)",
    )


@pytest.mark.parametrize(
    ("method", "settleable"),
    [
        (PaymentMethod("x402"), False),
        (PaymentMethod("x402", price_per_request="-0"), True),
        (PaymentMethod("x402", price_per_request="0"), True),
        (PaymentMethod("x402", price_per_request="-1"), False),
        (PaymentMethod("x402", price_per_request="Infinity"), False),
        (PaymentMethod("x402", price_per_request="x"), False),
        (PaymentMethod("X402"), True),
        (PaymentMethod("subscription", price_per_request="x"), True),
        (PaymentMethod("free"), True),
    ],
)
def test_only_x402_needs_a_price(method, settleable):
    assert is_settleable(method) is settleable


LIMITS = (
    "{default: {requests_per_minute: 1}, authenticated: {requests_per_minute: 2}, "
    "premium: {requests_per_minute: unlimited}}"
)


@pytest.mark.parametrize(
    ("limits", "methods", "credentials", "expected"),
    [
        (None, ("subscription",), ("k",), ("default", None)),
        (LIMITS, ("free",), (), ("default", 1)),
        (LIMITS, ("free",), ("k",), ("authenticated", 2)),
        (LIMITS, ("free", "subscription"), ("k",), ("premium", "unlimited")),
        (LIMITS, ("subscription",), (), ("premium", "unlimited")),
        ("{default: {}, authenticated: {}}", ("subscription",), ("k",), ("authenticated", None)),
        ("{default: {}}", ("subscription",), ("k",), ("default", None)),
        ("{premium: {}}", (), (), ("default", None)),
    ],
)
def test_rate_tiers(limits, methods, credentials, expected):
    of = manifest(UNIT, **({} if limits is None else {"rate_limits": limits}))
    name, tier = rate_tier(of, Capabilities(payment_methods=methods, credentials=credentials))
    assert (name, tier and tier.requests_per_minute) == expected


def test_the_text_of_an_overrun():
    assert over_budget(0.1, 1e-7, 1000, "USDC") == "0.1 would exceed remaining 1e-7 of 1000 USDC"
