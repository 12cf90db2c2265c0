"""(Manifest, task, options) → Plan (planner contract §5–§9). Pure: no clock, no files, no network."""

from __future__ import annotations

from kcp.planning.cascade import World, judge
from kcp.planning.economics import DEFAULT_CURRENCY, rate_tier
from kcp.planning.federation import consider
from kcp.planning.results import (
    BudgetReport,
    ContextReport,
    ManifestInfo,
    Plan,
    SelectedUnit,
    SkippedUnit,
    TrustReport,
    UnitCost,
)
from kcp.planning.selection import admission_reason, select, token_size
from kcp.trust.serving import check_serving
from kcp.wire.numbers import money, num, tok

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.model import Manifest, Unit
    from kcp.options import PlanOptions
    from kcp.planning.cascade import Verdict
    from kcp.planning.results import ServingBinding


class Run:
    """One run of the cascade over a manifest: verdicts in manifest order, then the selection."""

    __slots__ = ("last_by_id", "selection", "survivors", "verdicts", "world")

    def __init__(self, manifest: Manifest, task: str, options: PlanOptions) -> None:
        self.world = world = World(manifest, task, options)
        self.verdicts = [judge(unit, world) for unit in manifest.units]
        self.survivors = [verdict for verdict in self.verdicts if verdict.failed is None]
        self.last_by_id = {unit.id: unit for unit in manifest.units}
        self.selection = select(self.survivors, options, self.size_of)

    def size_of(self, unit: Unit) -> tuple[float | None, str]:
        """A unit's tokens and their source; a repeated id is measured by its last unit (§7)."""
        return token_size(self.last_by_id[unit.id])


def make_plan(manifest: Manifest, task: str, options: PlanOptions) -> Plan:
    """The load plan of a manifest for a task; the same arguments always give the same plan."""
    return plan_of(Run(manifest, task, options), task)


def plan_of(run: Run, task: str) -> Plan:
    """The plan that a run amounts to."""
    manifest, options, selection = run.world.manifest, run.world.options, run.selection
    accepted = selection.accepted
    serving = check_serving(manifest)
    skipped = [_skipped(verdict) for verdict in run.verdicts if verdict.failed is not None]
    skipped += [
        SkippedUnit(admission.verdict.unit.id, admission_reason(admission))
        for admission in selection.admissions
        if admission.failed in ("money_budget", "context_budget")
    ]
    return Plan(
        task=task,
        manifest=ManifestInfo(
            manifest.project, manifest.version, manifest.kcp_version, manifest.source, manifest.sha256
        ),
        trust=_trust(run.world),
        environment=options.env,
        as_of=options.as_of,
        options=options,
        selected=tuple([_selected(verdict) for verdict in accepted]),
        skipped=tuple(skipped),
        federation=tuple([consider(ref, options) for ref in manifest.manifests]),
        budget=_budget(manifest, options, [verdict for verdict in accepted if verdict.eligible]),
        context=_context(run, options.context_budget),
        warnings=_warnings(run, serving),
        serving=serving,
    )


def _selected(verdict: Verdict) -> SelectedUnit:
    unit: Unit = verdict.unit
    return SelectedUnit(
        id=unit.id,
        path=unit.path,
        intent=unit.intent,
        score=verdict.score,
        reasons=tuple(verdict.reasons),
        payment=verdict.payment,
        requires_attestation=verdict.requires_attestation,
        load_eligible=verdict.eligible,
        action_scope=unit.action_scope,
        authority=verdict.authority,
        spend=verdict.spend,
        grant_requests=verdict.grant_requests,
        prohibited_attempts=verdict.prohibited,
    )


def _skipped(verdict: Verdict) -> SkippedUnit:
    return SkippedUnit(
        id=verdict.unit.id,
        reason=verdict.reason,
        authority=verdict.authority,
        spend=verdict.spend,
        grant_requests=verdict.grant_requests,
        prohibited_attempts=verdict.prohibited,
    )


def _trust(world: World) -> TrustReport:
    if not world.attestation_required:
        note = "no manifest-level attestation requirement"
    elif world.agent_can_attest:
        note = "manifest requires attestation; the agent can present it"
    else:
        note = "manifest requires attestation; the agent CANNOT — restricted units are gated"
    return TrustReport(world.attestation_required, world.agent_can_attest, note)


def _budget(manifest: Manifest, options: PlanOptions, eligible: list[Verdict]) -> BudgetReport:
    name, tier = rate_tier(manifest, options.capabilities)
    costs = tuple(
        [
            UnitCost(verdict.unit.id, verdict.payment.cost or "")
            for verdict in eligible
            if verdict.payment.method == "x402"
        ]
    )
    ceiling = currency = committed = projected = remaining = None
    note = "all selected units are free to load at the resolved tier."
    if costs:
        note = f"{len(costs)} selected unit(s) are pay-per-request; budget before loading."
    if options.budget is not None:
        ceiling = options.budget.amount
        currency = DEFAULT_CURRENCY if options.budget.currency is None else options.budget.currency
        spent = options.budget.spent or 0
        committed = money(spent) if spent > 0 else None
        total: float = 0
        for verdict in eligible:
            total += verdict.payment.price_per_request or 0
        projected = money(total)
        remaining = money(ceiling - spent - projected)
        upstream = f" (+{num(committed)} committed upstream)" if committed else ""
        note = (
            f"projected spend {num(projected)}{upstream} of {num(ceiling)} {currency}; "
            f"{num(remaining)} remaining."
        )
    per_minute = None if tier is None else tier.requests_per_minute
    return BudgetReport(name, per_minute, costs, ceiling, currency, committed, projected, remaining, note)


def _context(run: Run, ceiling: float | None) -> ContextReport:
    sources = [run.size_of(verdict.unit)[1] for verdict in run.selection.accepted if verdict.eligible]
    approximate, unmeasured = "estimated" in sources, sources.count("unmeasured")
    if ceiling is None:
        return ContextReport(None, None, None, approximate, unmeasured, "no context budget set.")
    used = run.selection.used
    flags = ["some sizes estimated"] if approximate else []
    if unmeasured:
        flags.append(f"{unmeasured} unmeasured")
    shown_flags = f" ({', '.join(flags)})" if flags else ""
    note = f"projected {tok(used)} of {tok(ceiling)} tokens; {tok(ceiling - used)} remaining{shown_flags}."
    return ContextReport(ceiling, used, ceiling - used, approximate, unmeasured, note)


def _warnings(run: Run, serving: ServingBinding | None) -> tuple[str, ...]:
    selection, options = run.selection, run.world.options
    warnings = []
    if not run.world.terms:
        warnings.append("task produced no search terms after stopword removal")
    if serving is not None and serving.status == "unbound":
        warnings.append(f"serving binding: {serving.detail}")
    if selection.beyond:
        warnings.append(
            f"{selection.beyond} relevant unit(s) beyond maxUnits={num(options.max_units)} not selected"
        )
    if selection.unmeasured:
        warnings.append(
            f"{selection.unmeasured} selected unit(s) declare no size — the context projection is a lower "
            "bound (unmeasured)"
        )
    return tuple(warnings)
