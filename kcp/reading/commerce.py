"""Payment and rate-limit blocks (planner contract §4, decisions B3 and B5)."""

from __future__ import annotations

from kcp.model import Payment, PaymentMethod, RateLimits, Tier
from kcp.planning.economics import is_settleable, shown
from kcp.reading.coerce import optional_bool, optional_number, optional_text, optional_text_list, to_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.reading.notes import Notes, Path

_FREE_REQUESTS = "free_requests_per_day"


def parse_payment(raw: Any, path: Path, notes: Notes) -> Payment | None:
    """A payment block, absent unless a mapping; one mapping for `methods` is one method (B3)."""
    if type(raw) is not dict:
        return None
    methods = raw.get("methods")
    if type(methods) is dict:
        notes.add("B3", (*path, "methods"), "methods must be a list — read as one entry")
        methods = [methods]
    if type(methods) is not list:
        parsed = None
    else:
        parsed = tuple([_parse_method(item if type(item) is dict else {}) for item in methods])
        _note_bad_prices(parsed, (*path, "methods"), notes)
    return Payment(
        default_tier=optional_text(raw.get("default_tier")),
        billing_contact=optional_text(raw.get("billing_contact")),
        methods=parsed,
    )


def _parse_method(raw: dict[str, Any]) -> PaymentMethod:
    get = raw.get
    return PaymentMethod(
        type=optional_text(get("type")) or "",
        currency=optional_text(get("currency")),
        price_per_request=optional_text(get("price_per_request")),
        networks=optional_text_list(get("networks")),
        wallet=optional_text(get("wallet")),
        provider=optional_text(get("provider")),
        plans_url=optional_text(get("plans_url")),
        upgrade_url=optional_text(get("upgrade_url")),
        free_tier=optional_bool(raw, "free_tier"),
        free_requests_per_day=to_number(raw[_FREE_REQUESTS]) if _FREE_REQUESTS in raw else None,
    )


def _note_bad_prices(methods: tuple[PaymentMethod, ...], path: Path, notes: Notes) -> None:
    for index, method in enumerate(methods):
        if not is_settleable(method):
            price = shown(method.price_per_request)
            notes.add("B5", (*path, index), f"price_per_request '{price}' is not a non-negative number")


def parse_rate_limits(raw: Any) -> RateLimits | None:
    """A rate limit block, absent unless a mapping."""
    if type(raw) is not dict:
        return None
    return RateLimits(
        default=_parse_tier(raw.get("default")),
        authenticated=_parse_tier(raw.get("authenticated")),
        premium=_parse_tier(raw.get("premium")),
        backoff=optional_text(raw.get("backoff")),
    )


def _parse_tier(raw: Any) -> Tier | None:
    if type(raw) is not dict:
        return None
    limits = [
        "unlimited" if raw.get(key) == "unlimited" else optional_number(raw.get(key))
        for key in ("requests_per_minute", "requests_per_hour", "requests_per_day")
    ]
    return Tier(*limits)
