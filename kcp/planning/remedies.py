"""What an agent could bring instead, gate by gate: the candidates that `explain` tries.

Each function looks at one blocked verdict and yields changes of the request, smallest first. None of them
decides anything: the planner does, when the changed request is planned.
"""

from __future__ import annotations

from kcp.options import Budget
from kcp.planning.calendar import day_after, day_before
from kcp.planning.economics import DEFAULT_CURRENCY, is_settleable
from kcp.planning.governance import AUTHORITY_SCALE, missing_grant
from kcp.planning.selection import price_of, token_size
from kcp.planning.terms import task_terms
from kcp.records import Record
from kcp.text.casing import lower
from kcp.wire.numbers import money, num

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.model import Unit
    from kcp.options import PlanOptions, SpendProposal
    from kcp.planning.cascade import Verdict, World
    from kcp.planning.results import SpendBinding
    from kcp.planning.selection import Admission

MAX_WORDS = 4


class Request(Record):
    """What is planned: the task and what the agent brings."""

    task: str
    options: PlanOptions


class Blocked(Record):
    """A request, and the unit's verdict under it that a gate up to `strict` made."""

    request: Request
    verdict: Verdict
    world: World


class Change(Record):
    """One thing the agent would bring otherwise; `flag` is how the command line says it."""

    what: str
    before: str | None
    after: str | None
    flag: str


Candidate = tuple[Change, Request]


def _with(request: Request, change: Change, **options: object) -> Candidate:
    return change, request.replace(options=request.options.replace(**options))


def _able(request: Request, change: Change, **capabilities: object) -> Candidate:
    return _with(request, change, capabilities=request.options.capabilities.replace(**capabilities))


def for_audience(blocked: Blocked) -> Iterator[Candidate]:
    """Another role: one that the unit serves."""
    for role in blocked.verdict.unit.audience:
        before = blocked.request.options.capabilities.role
        yield _able(blocked.request, Change("role", before, role, f"--role {role}"), role=role)


def for_not_for(blocked: Blocked) -> Iterator[Candidate]:
    """The task without the words that the unit declares it does not serve."""
    excluded = [lower(entry) for entry in blocked.verdict.unit.not_for]
    kept = [
        word
        for word in blocked.request.task.split()
        if not any(term in entry for term in task_terms(word) for entry in excluded)
    ]
    if 0 < len(kept) < len(blocked.request.task.split()):
        yield _reworded(blocked.request, " ".join(kept))


def _reworded(request: Request, task: str) -> Candidate:
    return Change("task", request.task, task, f'"{task}"'), request.replace(task=task)


def for_relevance(blocked: Blocked) -> Iterator[Candidate]:
    """The task with one of the unit's own words."""
    unit = blocked.verdict.unit
    words = [term for text in (*unit.triggers, unit.intent, unit.id, unit.path) for term in task_terms(text)]
    for word in list(dict.fromkeys(words))[:MAX_WORDS]:
        yield _reworded(blocked.request, f"{blocked.request.task} {word}".strip())


def for_temporal(blocked: Blocked) -> Iterator[Candidate]:
    """A date inside the unit's validity."""
    temporal = blocked.verdict.unit.temporal
    if temporal is None:
        return
    dates = []
    if temporal.valid_from:
        dates += [temporal.valid_from[:10], day_after(temporal.valid_from)]
    if temporal.valid_until:
        dates += [temporal.valid_until[:10], day_before(temporal.valid_until)]
    yield from _dated(blocked.request, dates)


def for_supersession(blocked: Blocked) -> Iterator[Candidate]:
    """A date at which the successor is not active."""
    temporal = blocked.verdict.unit.temporal
    successor = blocked.world.first_by_id.get((temporal.superseded_by if temporal else None) or "")
    window = successor.temporal if successor is not None else None
    if window is not None:
        dates = [day_before(window.valid_from)] if window.valid_from else []
        dates += [day_after(window.valid_until)] if window.valid_until else []
        yield from _dated(blocked.request, dates)


def _dated(request: Request, dates: list[str | None]) -> Iterator[Candidate]:
    before = request.options.as_of
    for date in dates:
        if date is not None and date != before:
            yield _with(request, Change("date", before, date, f"--as-of {date}"), as_of=date)


def for_skill_eligibility(blocked: Blocked) -> Iterator[Candidate]:
    """Another grant ceiling, proposed spend or proposed action; grants are the manifest's to give."""
    options = blocked.request.options
    unit = blocked.verdict.unit
    if unit.malformed or missing_grant(unit) is not None:
        return
    if options.grant_ceiling is not None and blocked.verdict.authority is not None:
        scale = blocked.world.manifest.authority_level_scale or AUTHORITY_SCALE
        rank = scale.index(options.grant_ceiling) if options.grant_ceiling in scale else -1
        for level in scale[rank + 1 :]:
            change = Change("grant ceiling", options.grant_ceiling, level, f"--grant-ceiling {level}")
            yield _with(blocked.request, change, grant_ceiling=level)
    if options.spend is not None and blocked.verdict.spend is not None:
        yield from _other_spends(blocked.request, options.spend, blocked.verdict.spend)
    for attempt in blocked.verdict.prohibited or ():
        field = {"tools": "tool", "paths": "path", "capabilities": "capability"}[attempt.dimension]
        change = Change(f"proposed {field}", attempt.token, None, f"without --action-{field}")
        if options.action is not None:
            yield _with(blocked.request, change, action=options.action.replace(**{field: None}))


def _other_spends(request: Request, spend: SpendProposal, scope: SpendBinding) -> Iterator[Candidate]:
    if spend.vendor is not None and scope.allowed_vendors and spend.vendor not in scope.allowed_vendors:
        for vendor in scope.allowed_vendors:
            change = Change("proposed vendor", spend.vendor, vendor, f"--spend-vendor {vendor}")
            yield _with(request, change, spend=spend.replace(vendor=vendor))
    if scope.currency is not None and spend.currency is not None and spend.currency != scope.currency:
        change = Change(
            "proposed currency", spend.currency, scope.currency, f"--spend-currency {scope.currency}"
        )
        yield _with(request, change, spend=spend.replace(currency=scope.currency))
    if spend.amount is not None and scope.max_spend is not None and spend.amount > scope.max_spend >= 0:
        lower_amount = num(scope.max_spend)
        change = Change("proposed spend", num(spend.amount), lower_amount, f"--spend {lower_amount}")
        yield _with(request, change, spend=spend.replace(amount=scope.max_spend))
    if spend.amount is not None:
        change = Change("proposed spend", num(spend.amount), None, "without --spend")
        yield _with(request, change, spend=None)


def for_attestation(blocked: Blocked) -> Iterator[Candidate]:
    """Attestation by a provider that the manifest trusts."""
    trust = blocked.world.manifest.trust
    requirements = trust.agent_requirements if trust is not None else None
    before = blocked.request.options.capabilities.attestation_provider
    for provider in requirements.trusted_providers if requirements is not None else ():
        change = Change("attestation", before, provider, f"--attest {provider}")
        yield _able(blocked.request, change, attestation_provider=provider)


def for_payment(blocked: Blocked) -> Iterator[Candidate]:
    """A payment method that the unit takes."""
    unit: Unit = blocked.verdict.unit
    block = blocked.world.manifest.payment if unit.payment is None else unit.payment
    held = blocked.request.options.capabilities.payment_methods
    for method in (block.methods if block is not None else None) or ():
        if method.type and method.type not in held and is_settleable(method):
            methods = (*held, method.type)
            change = Change(
                "payment methods", ",".join(held), ",".join(methods), f"--methods {','.join(methods)}"
            )
            yield _able(blocked.request, change, payment_methods=methods)


def for_access(blocked: Blocked) -> Iterator[Candidate]:
    """A credential, named by the unit where it names one."""
    name = blocked.verdict.unit.auth_scope or "credential"
    change = Change("credentials", None, name, f"--credentials {name}")
    yield _able(blocked.request, change, credentials=(name,))


def for_max_units(request: Request, admission: Admission) -> Iterator[Candidate]:
    """Room for one more unit than were accepted before this one."""
    needed = admission.accepted + 1
    change = Change("max units", num(request.options.max_units), num(needed), f"--max-units {needed}")
    yield _with(request, change, max_units=needed)


def for_money_budget(request: Request, admission: Admission) -> Iterator[Candidate]:
    """The unit's currency, or an amount that covers what was accepted before it and itself."""
    budget, price = request.options.budget, price_of(admission.verdict, request.options)
    if budget is None or price is None:
        return
    held, asked = budget.currency or DEFAULT_CURRENCY, admission.verdict.payment.currency
    if asked != held:
        if asked:
            change = Change("budget currency", held, asked, f"--currency {asked}")
            yield _with(request, change, budget=budget.replace(currency=asked))
        return
    needed = money((budget.spent or 0) + admission.spend + price)
    change = Change("budget", num(budget.amount), num(needed), f"--budget {num(needed)}")
    yield _with(request, change, budget=Budget(needed, budget.currency, budget.spent))


def for_context_budget(request: Request, admission: Admission) -> Iterator[Candidate]:
    """A token ceiling that covers what was accepted before the unit and itself."""
    ceiling = request.options.context_budget
    size = admission.size if admission.size is not None else token_size(admission.verdict.unit)[0]
    if ceiling is None or size is None:
        return
    needed = admission.used + size
    change = Change("context budget", num(ceiling), num(needed), f"--context-budget {num(needed)}")
    yield _with(request, change, context_budget=needed)
