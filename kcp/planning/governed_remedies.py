"""What an agent could bring instead for a governed procedure: grant ceiling, proposed spend, proposed action.

Grants are the manifest's to give, so a unit that is malformed or not granted has no remedy here.
"""

from __future__ import annotations

from kcp.planning.governance import Ceiling, missing_grant
from kcp.planning.requests import dropping, giving
from kcp.wire.numbers import num

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.options import SpendProposal
    from kcp.planning.requests import Blocked, Candidate
    from kcp.planning.results import SpendBinding

_ACTION_FIELDS = {"tools": "tool", "paths": "path", "capabilities": "capability"}


def for_skill_eligibility(blocked: Blocked) -> Iterator[Candidate]:
    """Another grant ceiling, proposed spend or proposed action."""
    unit, options = blocked.verdict.unit, blocked.request.options
    if unit.malformed or missing_grant(unit) is not None:
        return
    if options.grant_ceiling is not None and unit.steps:
        yield from _other_ceilings(blocked, options.grant_ceiling)
    if options.spend is not None and blocked.verdict.spend is not None:
        yield from _other_spends(blocked, options.spend, blocked.verdict.spend)
    for attempt in blocked.verdict.prohibited or ():
        field = _ACTION_FIELDS[attempt.dimension]
        change = dropping(f"proposed {field}", attempt.token, f"--action-{field}")
        if options.action is not None:
            yield change, blocked.request.bring(action=options.action.replace(**{field: None}))


def _other_ceilings(blocked: Blocked, held: str) -> Iterator[Candidate]:
    """The lowest ceiling that permits every step; none at all where the scale has no such level."""
    unit, scale = blocked.verdict.unit, blocked.world.manifest.authority_level_scale
    steps = unit.steps or ()
    bound = Ceiling(unit, held, scale)
    if bound.violation(steps) is None:
        return
    for level in bound.scale:
        if level and Ceiling(unit, level, scale).violation(steps) is None:
            yield (
                giving("grant ceiling", held, level, "--grant-ceiling"),
                blocked.request.bring(grant_ceiling=level),
            )
            return
    if Ceiling(unit, None, scale).violation(steps) is None:
        yield dropping("grant ceiling", held, "--grant-ceiling"), blocked.request.bring(grant_ceiling=None)


def _other_spends(blocked: Blocked, spend: SpendProposal, scope: SpendBinding) -> Iterator[Candidate]:
    """A vendor, a currency, an amount within the scope that was violated; last, no proposal at all."""
    request = blocked.request
    if spend.vendor is not None and scope.allowed_vendors and spend.vendor not in scope.allowed_vendors:
        for vendor in [vendor for vendor in scope.allowed_vendors if vendor]:
            change = giving("proposed vendor", spend.vendor, vendor, "--spend-vendor")
            yield change, request.bring(spend=spend.replace(vendor=vendor))
    elif spend.amount is not None and scope.max_spend is not None:
        if scope.currency and spend.currency is not None and spend.currency != scope.currency:
            change = giving("proposed currency", spend.currency, scope.currency, "--spend-currency")
            yield change, request.bring(spend=spend.replace(currency=scope.currency))
        elif spend.amount > scope.max_spend >= 0:
            change = giving("proposed spend", num(spend.amount), num(scope.max_spend), "--spend")
            yield change, request.bring(spend=spend.replace(amount=scope.max_spend))
    flags = [
        flag
        for flag, value in zip(("--spend", "--spend-vendor", "--spend-currency"), spend.values(), strict=True)
        if value is not None
    ]
    yield dropping("proposed spend", _shown(spend), *flags), request.bring(spend=None)


def _shown(spend: SpendProposal) -> str:
    amount = None if spend.amount is None else num(spend.amount)
    return " ".join([part for part in (amount, spend.currency, spend.vendor) if part is not None])
