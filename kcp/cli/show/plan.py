"""A plan for people (surfaces contract §3)."""

from __future__ import annotations

from kcp.cli.show.escape import prose
from kcp.cli.show.page import BAD, COST, DIM, GOOD, ID, TITLE, WARN
from kcp.wire.numbers import num, tok

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.show.page import Page
    from kcp.model import ActionScope
    from kcp.planning.results import (
        BudgetReport,
        ContextReport,
        FederationEntry,
        Plan,
        SelectedUnit,
        SkippedUnit,
        SpendBinding,
    )

_MARKS = {
    "verified": ("✓", GOOD),
    "bound": ("✓", GOOD),
    "invalid": ("✗", BAD),
    "unverifiable": ("⚠", WARN),
    "unbound": ("⚠", WARN),
}
_NEUTRAL = ("·", DIM)


def add_plan(page: Page, plan: Plan) -> None:
    """The whole plan: trust, the load list, what it costs, the federation, what was skipped, warnings."""
    _add_header(page, plan)
    _add_trust(page, plan)
    page.add()
    count = len(plan.selected)
    page.add((f"Load plan ({count} {'unit' if count == 1 else 'units'}):", TITLE))
    for rank, unit in enumerate(plan.selected, 1):
        _add_selected(page, rank, unit)
    page.add()
    _add_budget(page, plan.budget)
    _add_context(page, plan.context)
    if plan.federation:
        page.add(("Federation:", TITLE))
        for entry in plan.federation:
            _add_reference(page, entry)
    if plan.skipped:
        page.add((f"Skipped ({len(plan.skipped)}):", TITLE))
        for skipped in plan.skipped:
            page.add(("  · ", DIM), (skipped.id, ID), f": {skipped.reason}")
            _add_governance(page, skipped)
    for warning in plan.warnings:
        page.add(("⚠ ", WARN), warning)


def _add_header(page: Page, plan: Plan) -> None:
    manifest = plan.manifest
    about = [f"{manifest.project} v{manifest.version}"]
    if manifest.kcp_version:
        about.append(f"kcp {manifest.kcp_version}")
    if plan.environment:
        about.append(f"env {plan.environment}")
    about.append(f"as of {plan.as_of}")
    page.add(("Plan for: ", TITLE), f'"{plan.task}"')
    page.add("  ", (" · ".join(about), DIM))
    page.add()


def _add_trust(page: Page, plan: Plan) -> None:
    trust = plan.trust
    if not trust.requires_attestation:
        mark = _NEUTRAL
    else:
        mark = ("✓", GOOD) if trust.agent_can_attest else ("✗", BAD)
    page.add(("Trust: ", TITLE), mark, f" {trust.note}")
    signature, serving, render = plan.signature, plan.serving, plan.render
    if render is not None:
        mark = ("✓", GOOD) if render.tier == "trusted" else ("⚠", WARN)
        withheld = f"{len(render.withheld)} withheld entr{'y' if len(render.withheld) == 1 else 'ies'}"
        page.add(("Rendered: ", TITLE), mark, f" tier {render.tier} · origin {render.origin} · {withheld}")
    if signature is not None:
        key = f" · key {signature.key_id}" if signature.key_id else ""
        mark = _MARKS.get(signature.status, _NEUTRAL)
        page.add(("Signature: ", TITLE), mark, f" {signature.detail}{key}")
    if serving is not None:
        page.add(("Serving: ", TITLE), _MARKS.get(serving.status, _NEUTRAL), f" {serving.detail}")


def _add_selected(page: Page, rank: int, unit: SelectedUnit) -> None:
    mark = ("●", GOOD) if unit.load_eligible else ("○", WARN)
    payment = unit.payment
    page.add(
        "  ",
        mark,
        f" {rank}. ",
        (unit.id, ID),
        f" (score {num(unit.score)})  {unit.path}  ",
        (payment.cost or payment.method, COST),
    )
    if unit.intent:
        page.add(f"      {prose(unit.intent)}")
    page.add((f"      why: {'; '.join(unit.reasons)}", DIM))
    if not unit.load_eligible:
        page.add("      ", ("not load-eligible", WARN))
    if unit.action_scope is not None:
        page.add((f"      may touch: {_scope_text(unit.action_scope)}", DIM))
    _add_governance(page, unit)


def _add_governance(page: Page, unit: SelectedUnit | SkippedUnit) -> None:
    if unit.authority is not None:
        authority = unit.authority
        page.add((f"      authority: {authority.ceiling} (bound by {authority.binding_source})", DIM))
    if unit.spend is not None:
        page.add((f"      spend: {_spend_text(unit.spend)} (bound by {unit.spend.binding_source})", DIM))
    for request in unit.grant_requests or ():
        page.add("      ", ("grant owed: ", WARN), request.note)
    for attempt in unit.prohibited_attempts or ():
        page.add("      ", ("refused: ", BAD), attempt.note)


def _scope_text(scope: ActionScope) -> str:
    parts = []
    for prefix, block in (("", scope), ("deny ", scope.deny)):
        for dimension in ("tools", "paths", "capabilities"):
            entries = getattr(block, dimension, ())
            if entries:
                parts.append(f"{prefix}{dimension} {', '.join(entries)}")
    return "; ".join(parts) or "nothing"


def _spend_text(spend: SpendBinding) -> str:
    ceiling = "no ceiling" if spend.max_spend is None else f"at most {num(spend.max_spend)}"
    currency = f" {spend.currency}" if spend.currency else ""
    vendors = f", vendors {', '.join(spend.allowed_vendors)}" if spend.allowed_vendors else ""
    return f"{ceiling}{currency}{vendors}"


def _add_budget(page: Page, budget: BudgetReport) -> None:
    parts = [f"tier {budget.rate_tier}"]
    limit = budget.requests_per_minute
    if limit is not None:
        parts.append(f"{limit if isinstance(limit, str) else num(limit)} req/min")
    if budget.ceiling is not None and budget.projected_spend is not None:
        spend = f"{num(budget.projected_spend)}/{num(budget.ceiling)} {budget.currency}"
        upstream = f", {num(budget.already_committed)} committed upstream" if budget.already_committed else ""
        parts.append(f"{spend} ({num(budget.remaining or 0)} remaining{upstream})")
    page.add(("Budget: ", TITLE), " · ".join(parts))
    for cost in budget.per_request_costs:
        page.add("  pay-per-request: ", (cost.unit, ID), " → ", (cost.cost, COST))


def _add_context(page: Page, context: ContextReport) -> None:
    if context.ceiling is None:
        return
    used, remaining = tok(context.projected_tokens or 0), tok(context.remaining or 0)
    notes = ["some sizes estimated"] if context.approximate else []
    if context.unmeasured:
        notes.append(f"{context.unmeasured} unmeasured")
    flags = "".join([f" · {note}" for note in notes])
    page.add(("Context: ", TITLE), f"{used}/{tok(context.ceiling)} tokens ({remaining} remaining){flags}")


def _add_reference(page: Page, entry: FederationEntry) -> None:
    mark = ("→", GOOD) if entry.selected else _NEUTRAL
    acquire = f" [acquire {entry.credential_needed}]" if entry.credential_needed else ""
    page.add("  ", mark, " ", (entry.id, ID), f" {entry.reason}", (acquire, WARN))
    if entry.selected:
        mirror = f" · mirror {entry.local_mirror}" if entry.local_mirror else ""
        docs = f" · docs {entry.docs_url}" if entry.docs_url else ""
        page.add((f"      {entry.url}{mirror}{docs}", DIM))
