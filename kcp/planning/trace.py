"""The trace: every unit with its gate verdicts (planner contract §10), from the same run as the plan."""

from __future__ import annotations

from kcp.planning.cascade import CREDENTIALED_ACCESS, GATES, World
from kcp.planning.economics import DEFAULT_CURRENCY, shown
from kcp.planning.governance import GOVERNED_KINDS
from kcp.planning.planner import Run, plan_of
from kcp.planning.results import GateCount, GateResult, TokenEstimate, Trace, TraceCost, TraceUnit
from kcp.planning.scoring import score_reasons
from kcp.planning.selection import Admission, price_of, select, token_size
from kcp.wire.jsontext import compact
from kcp.wire.numbers import loc, money, num, tok

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.model import Manifest
    from kcp.options import PlanOptions
    from kcp.planning.cascade import Verdict

CLOSED = " (loadEligible=false)"


def make_trace(manifest: Manifest, task: str, options: PlanOptions) -> Trace:
    """The trace of a manifest for a task; its `plan` is the plan of the same run."""
    run = Run(manifest, task, options)
    plan = plan_of(run, task)
    selected_ids = {unit.id for unit in plan.selected}
    admissions = _admissions(run)
    units = tuple(
        [
            _unit(verdict, run.world, admissions.get(id(verdict)), verdict.unit.id in selected_ids)
            for verdict in run.verdicts
        ]
    )
    return Trace(
        task=task,
        task_terms=run.world.terms,
        as_of=options.as_of,
        capabilities=options.capabilities,
        plan=plan,
        units=units,
        gate_summary=_summary(units),
    )


def unit_gates(run: Run, place: int) -> tuple[GateResult, ...]:
    """The cascade of one unit of a run, by its place in the manifest, as the trace has it."""
    verdict = run.verdicts[place]
    return _cascade(verdict, run.world, _admissions(run).get(id(verdict)))


def _admissions(run: Run) -> dict[int, Admission]:
    """The admission of each survivor, by the identity of its verdict."""
    manifest, options = run.world.manifest, run.world.options
    selection = run.selection
    if options.context_budget is not None and len(run.world.first_by_id) < len(manifest.units):
        # Here each unit is measured by its own size, repeated ids included (§10).
        selection = select(run.survivors, options, token_size)
    return {id(admission.verdict): admission for admission in selection.admissions}


def _cascade(verdict: Verdict, world: World, admission: Admission | None) -> tuple[GateResult, ...]:
    gates = []
    for result in _gates(verdict, world, admission):
        gates.append(result)
        if not result.passed:
            break
    return tuple(gates)


def _unit(verdict: Verdict, world: World, admission: Admission | None, selected: bool) -> TraceUnit:
    gates = _cascade(verdict, world, admission)
    unit = verdict.unit
    tokens = TokenEstimate(*token_size(unit)) if selected else None
    return TraceUnit(
        id=unit.id,
        path=unit.path,
        intent=unit.intent,
        outcome="selected" if selected else "skipped",
        gates=gates,
        rejected_by=None if gates[-1].passed else gates[-1].gate,
        score=verdict.score or None,
        tokens=tokens,
        cost=_cost(verdict) if selected else None,
        action_scope=unit.action_scope if selected else None,
    )


def _cost(verdict: Verdict) -> TraceCost | None:
    if verdict.failed is not None and verdict.failed != "strict":
        return None
    payment = verdict.payment
    if payment.method == "free" or payment.price_per_request is None:
        return None
    return TraceCost(payment.price_per_request, payment.currency, payment.method)


def _gates(verdict: Verdict, world: World, admission: Admission | None) -> Iterator[GateResult]:
    """The verdict's gates in cascade order; the caller stops at the first failure."""
    for gate in GATES[:6]:
        failed = verdict.failed == gate
        yield GateResult(
            gate, not failed, verdict.reason if failed else _passing_detail(gate, verdict, world)
        )
    failure = verdict.governance_failure
    if failure is not None and world.options.strict:
        yield GateResult("skill_eligibility", False, failure)
    yield GateResult("skill_eligibility", True, _governance_detail(verdict))
    yield GateResult("attestation", True, _attestation_detail(verdict, world))
    yield GateResult("payment", True, _payment_detail(verdict))
    yield GateResult("access", True, _access_detail(verdict, world))
    yield _strict_gate(verdict, world)
    if admission is not None:
        yield from _admission_gates(admission, world.options)


def _passing_detail(gate: str, verdict: Verdict, world: World) -> str:
    """What the trace says of a passed gate among the first six."""
    unit = verdict.unit
    if gate == "audience":
        if not unit.audience:
            return "no audience restriction"
        return f"role '{world.capabilities.role}' in {compact(unit.audience)}"
    if gate == "not_for":
        if not unit.not_for:
            return "no not_for declarations"
        return f"task terms do not match {compact(unit.not_for)}"
    if gate == "temporal":
        return "no temporal constraint" if unit.temporal is None else f"active as-of {world.options.as_of}"
    if gate == "deprecated":
        return "not deprecated"
    if gate == "supersession":
        successor = unit.temporal.superseded_by if unit.temporal is not None else None
        return f"successor '{successor}' not active" if successor else "no supersession declared"
    return f"score {verdict.score}: {'; '.join(score_reasons(verdict.hits))}"


def _governance_detail(verdict: Verdict) -> str:
    if verdict.governance_failure is not None:
        return verdict.governance_failure + CLOSED
    if verdict.unit.kind in GOVERNED_KINDS:
        return f"kind: {verdict.unit.kind} with explicit eligibility grant"
    return "not a governed procedure"


def _attestation_detail(verdict: Verdict, world: World) -> str:
    if not verdict.requires_attestation:
        return "no attestation required"
    if world.agent_can_attest:
        return "agent can present required attestation"
    return "restricted: requires attestation the agent cannot present" + CLOSED


def _payment_detail(verdict: Verdict) -> str:
    payment = verdict.payment
    if not payment.affordable:
        return f"unaffordable: {payment.method}{CLOSED}"
    return "free" if payment.method == "free" else f"{payment.method}: {shown(payment.cost)}"


def _access_detail(verdict: Verdict, world: World) -> str:
    access = verdict.unit.access
    if not access:
        return "public access"
    if access not in CREDENTIALED_ACCESS or world.capabilities.credentials:
        return f"access '{access}' — agent has credentials"
    return f"access '{access}': agent holds no credentials{CLOSED if access == 'restricted' else ''}"


def _strict_gate(verdict: Verdict, world: World) -> GateResult:
    if not world.options.strict:
        return GateResult("strict", True, "non-strict mode")
    if verdict.eligible:
        return GateResult("strict", True, "load-eligible under strict mode")
    return GateResult("strict", False, "not load-eligible under strict mode")


def _admission_gates(admission: Admission, options: PlanOptions) -> Iterator[GateResult]:
    place = f"position {admission.accepted + 1}"
    if admission.failed == "max_units":
        yield GateResult("max_units", False, f"{place} exceeds cap of {num(options.max_units)}")
    yield GateResult("max_units", True, f"{place} within cap of {num(options.max_units)}")
    if admission.failed == "money_budget":
        yield GateResult("money_budget", False, admission.detail)
    yield GateResult("money_budget", True, _money_detail(admission, options))
    if admission.failed == "context_budget":
        yield GateResult("context_budget", False, admission.detail)
    yield GateResult("context_budget", True, _context_detail(admission, options))


def _money_detail(admission: Admission, options: PlanOptions) -> str:
    budget = options.budget
    if budget is None:
        return "no budget ceiling set"
    price = price_of(admission.verdict, options)
    if price is None:
        return "free unit"
    currency = DEFAULT_CURRENCY if budget.currency is None else budget.currency
    spent = num(money(admission.spend + price))
    return f"{num(price)} within budget ({spent} of {num(budget.amount)} {currency} spent)"


def _context_detail(admission: Admission, options: PlanOptions) -> str:
    if options.context_budget is None:
        return "no context budget set"
    if not admission.verdict.eligible:
        return "not load-eligible"
    if admission.size is None:
        return "unmeasured (admitted, projection is a lower bound)"
    used, ceiling = tok(admission.used + admission.size), loc(options.context_budget)
    return f"{tok(admission.size)} tokens ({used} of {ceiling} used)"


def _summary(units: tuple[TraceUnit, ...]) -> tuple[GateCount, ...]:
    passed = dict.fromkeys(GATES, 0)
    failed = dict.fromkeys(GATES, 0)
    for unit in units:
        for result in unit.gates:
            counts = passed if result.passed else failed
            counts[result.gate] += 1
    return tuple([GateCount(gate, passed[gate], failed[gate]) for gate in GATES])
