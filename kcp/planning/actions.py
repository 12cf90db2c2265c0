"""Rules about a proposed action: spend scope, deny scope and escalation (gates 7d–7f)."""

from __future__ import annotations

from kcp.planning.economics import TOLERANCE
from kcp.planning.globs import path_matches
from kcp.planning.results import GrantRequest, ProhibitedAttempt, SpendBinding
from kcp.wire.jsontext import compact
from kcp.wire.numbers import num

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from kcp.model import ActionScope, SpendScope, Step, Unit
    from kcp.options import Action, SpendProposal

INFINITE = float("inf")
AUTHORITY_TRIGGER = "insufficient_authority_level"


def check_spend(
    unit: Unit, proposal: SpendProposal, first_by_id: Mapping[str, Unit]
) -> tuple[SpendBinding | None, str | None]:
    """Gate 7d: the spend scope that binds a proposed spend, and the first violation's reason."""
    scopes = _spend_scopes(unit, first_by_id)
    if not scopes:
        return None, None
    for step, scope in scopes:
        detail = _spend_violation(scope, proposal)
        if detail is not None:
            return _spend_binding(step, scope), f"step '{step}' {detail} — §4.3a.1"
    step, scope = min(scopes, key=lambda item: _ceiling(item[1]))
    return _spend_binding(step, scope), None


def _ceiling(scope: SpendScope) -> float:
    return INFINITE if scope.max_spend is None else scope.max_spend


def _spend_scopes(unit: Unit, first_by_id: Mapping[str, Unit]) -> list[tuple[str, SpendScope]]:
    own = _spend_of(unit)
    if not is_stepped(unit):
        return [] if own is None else [(unit.id, own)]
    scopes = [
        (step.id, _spend_of(first_by_id.get(step.uses)) if step.uses else own) for step in unit.steps or ()
    ]
    return [(step, scope) for step, scope in scopes if scope is not None]


def _spend_of(unit: Unit | None) -> SpendScope | None:
    return unit.action_scope.spend if unit is not None and unit.action_scope is not None else None


def is_stepped(unit: Unit) -> bool:
    """Whether a unit's rules apply step by step: a playbook that declares steps, possibly none."""
    return unit.kind == "playbook" and unit.steps is not None


def _spend_violation(scope: SpendScope, proposal: SpendProposal) -> str | None:
    vendor, amount, currency = proposal.vendor, proposal.amount, proposal.currency
    if vendor is not None and scope.allowed_vendors and vendor not in scope.allowed_vendors:
        return f"names vendor '{vendor}', outside allowed_vendors {compact(scope.allowed_vendors)}"
    if amount is None or scope.max_spend is None:
        return None
    if currency is not None and scope.currency is not None and currency != scope.currency:
        return (
            f"proposed {num(amount)} {currency} cannot be checked against a {scope.currency} ceiling "
            "(currency mismatch)"
        )
    if amount > scope.max_spend + TOLERANCE:
        return f"proposed spend {num(amount)} exceeds max_spend {num(scope.max_spend)}"
    return None


def _spend_binding(step: str, scope: SpendScope) -> SpendBinding:
    return SpendBinding(
        max_spend=scope.max_spend,
        allowed_vendors=scope.allowed_vendors or None,
        currency=scope.currency,
        binding_source=f"step '{step}' action_scope.spend",
    )


def check_deny(unit: Unit, action: Action, first_by_id: Mapping[str, Unit]) -> ProhibitedAttempt | None:
    """Gate 7e: the first (step, request) that a deny scope refuses."""
    requests = [
        (dimension, token)
        for dimension, token in (
            ("tools", action.tool),
            ("paths", action.path),
            ("capabilities", action.capability),
        )
        if token is not None
    ]
    for step, sources in _deny_sources(unit, first_by_id):
        for dimension, token in requests:
            denying = [name for name, scope in sources if scope_denies(scope, dimension, token)]
            if denying:
                return _prohibited(step, dimension, token, " and ".join(denying))
    return None


def _deny_sources(
    unit: Unit, first_by_id: Mapping[str, Unit]
) -> list[tuple[str, list[tuple[str, ActionScope | None]]]]:
    if not is_stepped(unit):
        return [(unit.id, [(f"skill '{unit.id}' action_scope.deny", unit.action_scope)])]
    sources = []
    for step in unit.steps or ():
        target = first_by_id.get(step.uses) if step.uses else None
        by_playbook = ("playbook action_scope.deny", unit.action_scope)
        by_skill = (f"skill '{step.uses}' action_scope.deny", None if target is None else target.action_scope)
        sources.append((step.id, [by_playbook, by_skill]))
    return sources


def scope_denies(scope: ActionScope | None, dimension: str, token: str) -> bool:
    """Whether a scope's deny block refuses a token: paths by glob, the rest exactly."""
    if scope is None or scope.deny is None:
        return False
    if dimension == "paths":
        return any(path_matches(pattern, token) for pattern in scope.deny.paths)
    denied: tuple[str, ...] = getattr(scope.deny, dimension)
    return token in denied


def _prohibited(step: str, dimension: str, token: str, source: str) -> ProhibitedAttempt:
    note = (
        f"prohibited attempt: '{token}' ({dimension}) matches {source} — refused finally, not grantable; a "
        "grant against this event records acknowledgement and does not enact (§4.3b, RFC-0030)"
    )
    return ProhibitedAttempt(step, dimension, token, source, note)


def deny_reason(attempt: ProhibitedAttempt) -> str:
    """Why a prohibited attempt closes its unit."""
    return (
        f"step '{attempt.step}' attempts '{attempt.token}' ({attempt.dimension}), denied by "
        f"{attempt.binding_source} — refused finally, not grantable (§4.3b, RFC-0030)"
    )


def escalations(
    steps: tuple[Step, ...], violator: Step | None, prohibited: ProhibitedAttempt | None
) -> tuple[GrantRequest, ...] | None:
    """Gate 7f: the grants owed for steps whose declared escalation fires; absent when there are none."""
    owed = []
    for step in steps:
        fired = tuple(
            [trigger for trigger in step.escalation or () if trigger != AUTHORITY_TRIGGER or step is violator]
        )
        if fired and (prohibited is None or step.id != prohibited.step):
            note = (
                f"step '{step.id}' declares escalation {compact(fired)} — a grant is owed before enactment "
                "(not auto-approved) — §3.14"
            )
            owed.append(GrantRequest(step.id, fired, note))
    return tuple(owed) or None
