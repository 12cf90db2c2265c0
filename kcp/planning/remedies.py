"""What an agent could bring instead, gate by gate: the changes that `explain` tries for a unit's own gates.

Each function looks at one blocked verdict and yields changes of what its gate looks at, the most natural
first. None of them decides anything: the planner does, when the changed request is planned.
"""

from __future__ import annotations

from kcp.planning.calendar import day_after, day_before, is_date
from kcp.planning.cascade import temporal_refusal
from kcp.planning.economics import is_settleable
from kcp.planning.governed_remedies import for_skill_eligibility
from kcp.planning.requests import Change, giving
from kcp.planning.terms import task_terms
from kcp.text.casing import lower
from kcp.text.utf16 import utf16_less

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kcp.model import Temporal, Unit
    from kcp.planning.requests import Blocked, Candidate, Request

MAX_WORDS = 6  # words of a unit that are tried one by one
MAX_TOGETHER = 4  # words of its triggers that are tried together
MAX_ROLES = 6


def for_audience(blocked: Blocked) -> Iterator[Candidate]:
    """Another role: one that the unit serves."""
    yield from _as_roles(blocked, blocked.verdict.unit.audience)


def _as_roles(blocked: Blocked, roles: Iterable[str]) -> Iterator[Candidate]:
    before = blocked.request.options.capabilities.role
    for role in [role for role in dict.fromkeys(roles) if role][:MAX_ROLES]:
        yield giving("role", before, role, "--role"), blocked.request.be(role=role)


def for_not_for(blocked: Blocked) -> Iterator[Candidate]:
    """The task without the words that the unit declares it does not serve."""
    unit, words = blocked.verdict.unit, blocked.request.task.split()
    kept = [word for word in words if not any(_is_excluded(term, unit) for term in task_terms(word))]
    if len(kept) == len(words):
        return
    if kept:
        yield reword(blocked.request, " ".join(kept))
    else:
        for added in added_words(unit, "", MAX_WORDS):
            yield reword(blocked.request, added)


def _is_excluded(term: str, unit: Unit) -> bool:
    return any(term in lower(entry) for entry in unit.not_for)


def reword(request: Request, task: str) -> Candidate:
    """The request with another task."""
    return giving("task", request.task, task, "--task"), request.replace(task=task)


def for_relevance(blocked: Blocked) -> Iterator[Candidate]:
    """The task with one of the unit's own words, or with several of its triggers'."""
    task = blocked.request.task
    for words in added_words(blocked.verdict.unit, task, MAX_WORDS):
        yield reword(blocked.request, f"{task} {words}".strip())


def added_words(unit: Unit, task: str, most: int) -> Iterator[str]:
    """Words of a unit that a task lacks, its publisher's triggers first; then several triggers at once."""
    known = task_terms(task)
    triggers = _words(unit.triggers, unit, known)
    words = dict.fromkeys([*triggers, *_words((unit.intent, unit.id, unit.path), unit, known)])
    yield from list(words)[:most]
    if len(triggers) > 1:
        yield " ".join(triggers[:MAX_TOGETHER])


def _words(texts: Iterable[str], unit: Unit, known: tuple[str, ...]) -> list[str]:
    terms = dict.fromkeys([term for text in texts for term in task_terms(text)])
    return [term for term in terms if term not in known and not _is_excluded(term, unit)]


def for_temporal(blocked: Blocked) -> Iterator[Candidate]:
    """A date inside the unit's validity: the nearest first, or the nearest of its other end."""
    temporal = blocked.verdict.unit.temporal
    assert temporal is not None
    start, end = temporal.valid_from, temporal.valid_until
    ends = [[start[:10], day_after(start)] if start else [], [end[:10], day_before(end)] if end else []]
    if not (start and utf16_less(blocked.request.options.as_of, start)):
        ends.reverse()
    yield from _on_dates(blocked, [_first_active(dates, temporal) for dates in ends])


def _first_active(dates: list[str | None], temporal: Temporal) -> str | None:
    active = [date for date in dates if date and is_date(date) and temporal_refusal(temporal, date) is None]
    return active[0] if active else None


def for_supersession(blocked: Blocked) -> Iterator[Candidate]:
    """A date or a role for which the successor is not active."""
    temporal = blocked.verdict.unit.temporal
    successor = blocked.world.first_by_id[(temporal.superseded_by if temporal else None) or ""]
    window = successor.temporal
    if window is not None:
        dates = [day_before(window.valid_from)] if window.valid_from else []
        dates += [day_after(window.valid_until)] if window.valid_until else []
        yield from _on_dates(blocked, dates)
    if successor.audience:
        units = blocked.world.manifest.units
        known = blocked.verdict.unit.audience or [role for unit in units for role in unit.audience]
        yield from _as_roles(blocked, [role for role in known if role not in successor.audience])


def _on_dates(blocked: Blocked, dates: list[str | None]) -> Iterator[Candidate]:
    before = blocked.request.options.as_of
    for date in dates:
        if date is not None and date != before:
            yield giving("date", before, date, "--as-of"), blocked.request.bring(as_of=date)


def for_attestation(blocked: Blocked) -> Iterator[Candidate]:
    """Attestation by a provider that the manifest trusts."""
    trust = blocked.world.manifest.trust
    requirements = trust.agent_requirements if trust is not None else None
    before = blocked.request.options.capabilities.attestation_provider
    for provider in requirements.trusted_providers if requirements is not None else ():
        if provider:
            change = giving("attestation", before, provider, "--attest")
            yield change, blocked.request.be(attestation_provider=provider)


def for_payment(blocked: Blocked) -> Iterator[Candidate]:
    """A payment method that the unit takes, besides those the agent settles."""
    unit = blocked.verdict.unit
    block = blocked.world.manifest.payment if unit.payment is None else unit.payment
    held = blocked.request.options.capabilities.payment_methods
    for method in (block.methods if block is not None else None) or ():
        if _is_listable(method.type) and is_settleable(method):
            methods = (*held, method.type)
            change = giving("payment methods", ",".join(held), ",".join(methods), "--methods")
            yield change, blocked.request.be(payment_methods=methods)


def _is_listable(entry: str) -> bool:
    """Whether a comma-separated flag can hold an entry."""
    return bool(entry) and "," not in entry and entry == entry.strip()


def for_access(blocked: Blocked) -> Iterator[Candidate]:
    """A credential, named by the unit where it names one; the gate blocks only agents that hold none."""
    scope = blocked.verdict.unit.auth_scope
    name = scope if scope and _is_listable(scope) else "credential"
    change: Change = giving("credentials", None, name, "--credentials")
    yield change, blocked.request.be(credentials=(name,))


UNIT_REMEDIES: dict[str, Callable[[Blocked], Iterator[Candidate]]] = {
    "audience": for_audience,
    "not_for": for_not_for,
    "temporal": for_temporal,
    "supersession": for_supersession,
    "relevance": for_relevance,
    "skill_eligibility": for_skill_eligibility,
    "attestation": for_attestation,
    "payment": for_payment,
    "access": for_access,
}
