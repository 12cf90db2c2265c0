"""What units cost."""

from __future__ import annotations

from kcp.authoring.validate.rule import Rule
from kcp.authoring.validate.spec.node import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.authoring.validate.findings import Finding
    from kcp.authoring.validate.spec.node import Node, Spec, Unit

TYPES = ("free", "x402", "meter", "subscription")

TYPE = Rule(
    "KCP289", "payment-type", "warning", "§4.14", "A payment method outside the list cannot be settled.",
    bad="payment: {methods: [{type: barter}]}", good="payment: {methods: [{type: free}]}", tier=2,
    since="0.25",
)  # fmt: skip
X402 = Rule(
    "KCP290", "payment-x402", "warning", "§4.14",
    "An x402 method names a currency and a price, a decimal number as text.",
    bad="payment: {methods: [{type: x402, price_per_request: 0.05, currency: USDC}]}",
    good='payment: {methods: [{type: x402, price_per_request: "0.05", currency: USDC}]}', tier=2,
    since="0.25",
)  # fmt: skip
TIER = Rule(
    "KCP291", "payment-tier", "warning", "§4.14",
    "The default tier costs something, but every method is free.",
    bad="payment: {default_tier: metered, methods: [{type: free}]}",
    good="payment: {default_tier: free, methods: [{type: free}]}", tier=2, since="0.25",
)  # fmt: skip
SPEND = Rule(
    "KCP297", "spend-shape", "warning", "§4.3a.1",
    "A spending limit is a number of zero or more, with a currency.",
    bad="kind: skill\naction_scope: {spend: {max_spend: 25}}",
    good="kind: skill\naction_scope: {spend: {max_spend: 25, currency: USD}}", tier=2, since="0.28",
    protected=True,
)  # fmt: skip
RULES = (
    TYPE, X402, TIER, SPEND,
)  # fmt: skip


def check_unit(_spec: Spec, unit: Unit) -> Iterator[Finding]:
    """A unit's price, and what it may spend."""
    yield from _check_payment(unit)
    scope = unit.child("action_scope")
    spend = None if scope is None else scope.child("spend")
    if spend is None or spend.get("max_spend") is None:
        return
    most = spend.number("max_spend")
    if most is None or most < 0:
        message = f"'{shown(spend.get('max_spend'))}' is not a number of zero or more"
        yield spend.find(SPEND, "max_spend", message)
    if not spend.text("currency"):
        yield spend.find(SPEND, "currency", "is missing")


def check_root(spec: Spec) -> Iterator[Finding]:
    """The price of units that name none."""
    yield from _check_payment(spec.root)


def _check_payment(node: Node) -> Iterator[Finding]:
    payment = node.child("payment")
    if payment is None:
        return
    methods = payment.children("methods")
    for method in methods:
        kind = method.get("type")
        if kind not in TYPES:
            yield method.find(TYPE, "type", f"'{shown(kind)}' is not one of {', '.join(TYPES)}")
        elif kind == "x402":
            yield from _check_x402(method)
    tier = payment.get("default_tier")
    if tier in ("metered", "subscription") and methods and all(m.get("type") == "free" for m in methods):
        yield payment.find(TIER, "default_tier", f"is {tier}, but every method is free")


def _check_x402(method: Node) -> Iterator[Finding]:
    price = method.get("price_per_request")
    if not method.text("currency"):
        yield method.find(X402, "currency", "is missing")
    if price is None:
        yield method.find(X402, "price_per_request", "is missing")
    elif not isinstance(price, str) or not _is_decimal(price):
        yield method.find(X402, "price_per_request", f"'{shown(price)}' is not a decimal number as text")


def _is_decimal(text: str) -> bool:
    whole, point, fraction = text.partition(".")
    return all(part.isascii() and part.isdigit() for part in ((whole, fraction) if point else (whole,)))
