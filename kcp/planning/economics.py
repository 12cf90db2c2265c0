"""What a unit costs: payment methods, prices and rate tiers (planner contract §6 gate 9, §8; decision B5)."""

from __future__ import annotations

from kcp.planning.results import PaymentChoice
from kcp.wire.numbers import num, parse_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.model import Manifest, Payment, PaymentMethod, Tier, Unit
    from kcp.options import Capabilities

FREE = PaymentChoice("free")
DEFAULT_CURRENCY = "USDC"
TOLERANCE = 1e-9  # sums of decimal prices in binary may exceed a ceiling they meet exactly


def is_settleable(method: PaymentMethod) -> bool:
    """Whether a price can be paid: an `x402` method needs a finite, non-negative one (B5)."""
    if method.type != "x402":
        return True
    if method.price_per_request is None:
        return False
    return 0 <= parse_number(method.price_per_request) < float("inf")


def shown(part: str | None) -> str:
    """A part of a cost text; the wire contract spells an absent one `undefined`."""
    return "undefined" if part is None else part


def choose_payment(unit: Unit, manifest: Manifest, accepted: tuple[str, ...]) -> PaymentChoice:
    """The first listed method that the agent settles, or the reason none is (gate 9)."""
    block: Payment | None = manifest.payment if unit.payment is None else unit.payment
    if block is None or not block.methods:
        return FREE
    for method in block.methods:
        if method.type in accepted and is_settleable(method):
            return _settle(method)
    needed = " or ".join([method.type for method in block.methods if method.type != "free"])
    return PaymentChoice(f"needs {needed}", affordable=False)


def _settle(method: PaymentMethod) -> PaymentChoice:
    if method.type == "free":
        return FREE
    if method.type != "x402":
        return PaymentChoice(method.type)
    price = method.price_per_request or ""
    return PaymentChoice(
        method="x402",
        cost=f"{price} {shown(method.currency)}/request",
        price_per_request=parse_number(price),
        currency=method.currency,
    )


def rate_tier(manifest: Manifest, capabilities: Capabilities) -> tuple[str, Tier | None]:
    """The rate tier the agent is in, and its limits where the manifest declares them (§8)."""
    limits = manifest.rate_limits
    if limits is None:
        return "default", None
    if "subscription" in capabilities.payment_methods and limits.premium is not None:
        return "premium", limits.premium
    if capabilities.credentials and limits.authenticated is not None:
        return "authenticated", limits.authenticated
    return "default", limits.default


def over_budget(price: float, remaining: float, amount: float, currency: str) -> str:
    """Why a price does not fit what is left of the money budget."""
    return f"{num(price)} would exceed remaining {num(remaining)} of {num(amount)} {currency}"
