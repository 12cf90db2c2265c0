"""The gate cascade, once: what every unit meets, in order (planner contract §6).

`judge` gives a `Verdict` for a unit; the plan, the trace and the statistics are projections of verdicts. The
last three gates (`max_units`, `money_budget`, `context_budget`) depend on the order of the survivors and are
in `selection`.
"""

from __future__ import annotations

from kcp.planning.actions import check_deny, check_spend, deny_reason, escalations, is_stepped
from kcp.planning.economics import choose_payment
from kcp.planning.governance import Ceiling, composition_gap, malformed_text, missing_grant
from kcp.planning.scoring import count_hits, score, score_reasons
from kcp.planning.terms import task_terms
from kcp.text.casing import lower
from kcp.text.utf16 import utf16_less
from kcp.wire.jsontext import compact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from kcp.model import Manifest, Step, Temporal, Unit
    from kcp.options import PlanOptions
    from kcp.planning.results import (
        Authority,
        GrantRequest,
        PaymentChoice,
        ProhibitedAttempt,
        SpendBinding,
    )

GATES = (
    "audience",
    "not_for",
    "temporal",
    "deprecated",
    "supersession",
    "relevance",
    "skill_eligibility",
    "attestation",
    "payment",
    "access",
    "strict",
    "max_units",
    "money_budget",
    "context_budget",
)
CREDENTIALED_ACCESS = ("authenticated", "restricted")


class World:
    """What is the same for all units of one run."""

    __slots__ = (
        "action",
        "agent_can_attest",
        "attestation_required",
        "capabilities",
        "first_by_id",
        "manifest",
        "options",
        "spend",
        "terms",
    )

    def __init__(
        self,
        manifest: Manifest,
        task: str,
        options: PlanOptions,
        first_by_id: Mapping[str, Unit] | None = None,
    ) -> None:
        self.manifest = manifest
        self.options = options
        self.capabilities = options.capabilities
        self.terms = task_terms(task)
        self.first_by_id = index_units(manifest) if first_by_id is None else first_by_id
        requirements = manifest.trust.agent_requirements if manifest.trust is not None else None
        provider = options.capabilities.attestation_provider
        self.attestation_required = requirements is not None and requirements.require_attestation is True
        self.agent_can_attest = not self.attestation_required or bool(
            provider and requirements is not None and provider in requirements.trusted_providers
        )
        spend, action = options.spend, options.action
        self.spend = spend if spend and (spend.amount is not None or spend.vendor is not None) else None
        self.action = action if action and action.values() != (None, None, None) else None


def index_units(manifest: Manifest) -> dict[str, Unit]:
    """The first unit of each id."""
    first_by_id: dict[str, Unit] = {}
    for unit in manifest.units:
        first_by_id.setdefault(unit.id, unit)
    return first_by_id


class Verdict:
    """What the cascade says of one unit.

    `failed` names the hard gate (or `strict`) that stopped it, with `reason`; `None` means it survived.
    `governance_failure` is the first failure of the governance rules, as the trace names it.
    """

    __slots__ = (
        "authority",
        "eligible",
        "failed",
        "governance_failure",
        "grant_requests",
        "hits",
        "payment",
        "prohibited",
        "reason",
        "reasons",
        "requires_attestation",
        "score",
        "spend",
        "unit",
    )

    payment: PaymentChoice

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.failed: str | None = None
        self.reason = ""
        self.hits = (0, 0, 0)
        self.score = 0
        self.eligible = True
        self.reasons: list[str] = []
        self.requires_attestation = False
        self.governance_failure: str | None = None
        self.authority: Authority | None = None
        self.spend: SpendBinding | None = None
        self.grant_requests: tuple[GrantRequest, ...] | None = None
        self.prohibited: tuple[ProhibitedAttempt, ...] | None = None

    def close(self, reason: str) -> None:
        """Clear eligibility and say why."""
        self.eligible = False
        self.reasons.append(reason)


def judge(unit: Unit, world: World) -> Verdict:
    """Run one unit through gates 1–11."""
    verdict = Verdict(unit)
    refusal = _hard_gates(unit, world)
    if refusal is not None:
        verdict.failed, verdict.reason = refusal
        return verdict
    verdict.hits = count_hits(unit, world.terms)
    if verdict.hits == (0, 0, 0):
        verdict.failed, verdict.reason = "relevance", "no task-relevance match"
        return verdict
    verdict.score = score(verdict.hits)
    verdict.reasons = score_reasons(verdict.hits)
    _govern(verdict, world)
    _attestation_gate(verdict, world)
    verdict.payment = choose_payment(unit, world.manifest, world.capabilities.payment_methods)
    if not verdict.payment.affordable:
        verdict.close(f"unaffordable: {verdict.payment.method}")
    _access_gate(verdict, world)
    if world.options.strict and not verdict.eligible:
        verdict.failed, verdict.reason = "strict", verdict.reasons[-1]
    return verdict


def _hard_gates(unit: Unit, world: World) -> tuple[str, str] | None:
    """Gates 1–5: the first refusal, as gate and reason."""
    role = world.capabilities.role
    if unit.audience and role not in unit.audience:
        return "audience", f"audience {compact(unit.audience)} excludes role '{role}'"
    for entry in unit.not_for:
        folded = lower(entry)
        for term in world.terms:
            if term in folded:
                return "not_for", f"not_for declares it does not serve '{entry}'"
    if unit.temporal is not None:
        refusal = temporal_refusal(unit.temporal, world.options.as_of)
        if refusal is not None:
            return "temporal", refusal
    if unit.deprecated:
        return "deprecated", "deprecated"
    successor = active_successor(unit, world)
    return None if successor is None else ("supersession", f"superseded by {successor} (successor active)")


def temporal_refusal(temporal: Temporal, as_of: str) -> str | None:
    """Gate 3: why a unit is not active on a date; dates compare as text."""
    if temporal.valid_from and utf16_less(as_of, temporal.valid_from):
        return f"not active until {temporal.valid_from}"
    if temporal.valid_until and utf16_less(temporal.valid_until, as_of):
        successor = f" (superseded by {temporal.superseded_by})" if temporal.superseded_by else ""
        return f"expired {temporal.valid_until}{successor}"
    return None


def active_successor(unit: Unit, world: World) -> str | None:
    """Gate 5: the id of an active successor; its relevance is not considered (decisions A)."""
    if unit.temporal is None or not unit.temporal.superseded_by:
        return None
    successor = world.first_by_id.get(unit.temporal.superseded_by)
    if (
        successor is None
        or successor.deprecated
        or (successor.temporal is not None and temporal_refusal(successor.temporal, world.options.as_of))
        or (successor.audience and world.capabilities.role not in successor.audience)
    ):
        return None
    return unit.temporal.superseded_by


def _govern(verdict: Verdict, world: World) -> None:
    """Gates 7a–7f, after the malformed blocks of decision B4 and what a trusted render decided."""
    unit = verdict.unit
    for block in unit.malformed:
        _fail(verdict, malformed_text(block))
    if unit.pointer is not None:
        _fail(verdict, unit.pointer)
    stepped = is_stepped(unit)
    ungranted = missing_grant(unit)
    if ungranted is not None:
        _fail(verdict, ungranted)
    gap = composition_gap(unit, world.first_by_id) if stepped and verdict.eligible else None
    if gap is not None:
        _fail(verdict, gap)
    violator = _authority_gate(verdict, world) if stepped and verdict.eligible else None
    if world.spend is not None:
        verdict.spend, overspend = check_spend(unit, world.spend, world.first_by_id)
        if overspend is not None and verdict.eligible:
            _fail(verdict, overspend)
    attempt = None if world.action is None else check_deny(unit, world.action, world.first_by_id)
    if attempt is not None:
        _fail(verdict, deny_reason(attempt))
        verdict.prohibited = (attempt,)
    if stepped:
        verdict.grant_requests = escalations(unit.steps or (), violator, attempt)


def _fail(verdict: Verdict, reason: str) -> None:
    verdict.close(reason)
    verdict.governance_failure = verdict.governance_failure or reason


def _authority_gate(verdict: Verdict, world: World) -> Step | None:
    """Gate 7c: record the ceiling; returns the step that violates it."""
    unit = verdict.unit
    ceiling = Ceiling(unit, world.options.grant_ceiling, world.manifest.authority_level_scale)
    verdict.authority = ceiling.authority
    violator = ceiling.violation(unit.steps or ())
    if violator is not None:
        _fail(verdict, ceiling.reason(violator))
    return violator


def _attestation_gate(verdict: Verdict, world: World) -> None:
    if world.attestation_required and verdict.unit.access == "restricted":
        verdict.requires_attestation = True
        if not world.agent_can_attest:
            verdict.close("restricted: requires attestation the agent cannot present")


def _access_gate(verdict: Verdict, world: World) -> None:
    access = verdict.unit.access
    if access not in CREDENTIALED_ACCESS or world.capabilities.credentials:
        return
    reason = f"access '{access}': agent holds no credentials"
    if access == "restricted":
        verdict.close(reason)
    else:
        verdict.reasons.append(reason)
    if verdict.payment.method == "x402":
        verdict.reasons.append(
            f"hint: '{access}' + x402 — if this unit is anonymous-paid the manifest should mark it public "
            "(spec §4.11, v0.25.1)"
        )
