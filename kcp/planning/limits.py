"""What would let in a unit that competes for room: a higher unit cap, larger budgets, another currency."""

from __future__ import annotations

from kcp.planning.economics import DEFAULT_CURRENCY, TOLERANCE
from kcp.planning.requests import Change, Request, dropping, giving
from kcp.planning.selection import Admission, in_order, price_of, select
from kcp.records import Record
from kcp.wire.numbers import money, num

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kcp.options import Budget, PlanOptions
    from kcp.planning.cascade import Verdict
    from kcp.planning.planner import Run
    from kcp.planning.requests import Candidate

MAX_RAISES = 12  # times a ceiling is raised step by step before it is raised to what suffices in any case
_MILLIONTH = 1e-6


class Ranking:
    """A run of the cascade as it concerns one survivor: that one, and what ranks better, best first."""

    __slots__ = ("better", "own", "run")

    def __init__(self, run: Run, own: Verdict) -> None:
        self.run = run
        self.own = own
        ranked = in_order(run.survivors)
        self.better = ranked[: next(place for place, verdict in enumerate(ranked) if verdict is own)]

    def admission(self, options: PlanOptions) -> Admission:
        """What the last three gates say of the survivor; what ranks below it has no say in that."""
        return select([*self.better, self.own], options, self.run.size_of).admissions[-1]


class Contest(Record):
    """A request, and the admission of a unit that one of the last three gates refused."""

    request: Request
    admission: Admission
    ranking: Ranking


def for_max_units(contest: Contest) -> Iterator[Candidate]:
    """Room for one more unit than are accepted before this one where none is cut off."""
    options = contest.request.options
    needed = contest.ranking.admission(options.replace(max_units=float("inf"))).accepted + 1
    yield more_units(contest.request, needed)


def more_units(request: Request, needed: int) -> Candidate:
    """The request with room for more units."""
    change = giving("max units", num(request.options.max_units), num(needed), "--max-units")
    return change, request.bring(max_units=needed)


def for_money_budget(contest: Contest) -> Iterator[Candidate]:
    """The unit's currency, or an amount that covers what is accepted before it and itself."""
    budget = contest.request.options.budget
    payment = contest.admission.verdict.payment
    assert budget is not None
    held = budget.currency or DEFAULT_CURRENCY
    if payment.currency != held:
        if payment.currency:
            yield _budget(contest.request, budget, budget.replace(currency=payment.currency))
        change = dropping("budget", _shown(budget), "--budget")
        yield change, contest.request.bring(budget=None)
        return
    needed = _needed_money(contest, budget)
    if needed > budget.amount:
        yield _budget(contest.request, budget, budget.replace(amount=needed))


def _budget(request: Request, held: Budget, budget: Budget) -> Candidate:
    """The request with another amount or currency; both count as one thing, and are given together."""
    arguments: tuple[str, ...] = ("--budget", num(budget.amount))
    if budget.currency is not None:
        arguments += ("--currency", budget.currency)
    return Change("budget", _shown(held), _shown(budget), arguments), request.bring(budget=budget)


def _shown(budget: Budget) -> str:
    return f"{num(budget.amount)} {budget.currency or DEFAULT_CURRENCY}"


def for_context_budget(contest: Contest) -> Iterator[Candidate]:
    """A token ceiling that covers what is accepted before the unit and itself."""
    ceiling = contest.request.options.context_budget
    assert ceiling is not None
    if contest.admission.size is None:
        yield (
            dropping("context budget", num(ceiling), "--context-budget"),
            contest.request.bring(context_budget=None),
        )
        return
    needed = _needed_tokens(contest, ceiling)
    if needed > ceiling:
        change = giving("context budget", num(ceiling), num(needed), "--context-budget")
        yield change, contest.request.bring(context_budget=needed)


SELECTION_REMEDIES: dict[str, Callable[[Contest], Iterator[Candidate]]] = {
    "max_units": for_max_units,
    "money_budget": for_money_budget,
    "context_budget": for_context_budget,
}


def _needed_money(contest: Contest, budget: Budget) -> float:
    """The least amount under which the money gate does not refuse the unit.

    Each raise lets in more of what ranks better, never less in sum, so raising from below finds the least.
    """
    options = contest.request.options
    amount, admission = budget.amount, contest.admission
    for _ in range(MAX_RAISES):
        price = price_of(admission.verdict, options)
        if admission.failed != "money_budget" or price is None:
            return amount
        raised = _covering((budget.spent or 0) + admission.spend + price)
        if raised <= amount:
            return amount
        amount = raised
        admission = contest.ranking.admission(options.replace(budget=budget.replace(amount=amount)))
    prices = [price_of(other, options) or 0 for other in contest.ranking.better]
    return _covering((budget.spent or 0) + sum(prices) + (price_of(admission.verdict, options) or 0))


def _covering(sum_of_prices: float) -> float:
    """The least amount in millionths that a sum of prices does not exceed."""
    amount = money(sum_of_prices)
    return amount if sum_of_prices <= amount + TOLERANCE else money(amount + _MILLIONTH)


def _needed_tokens(contest: Contest, ceiling: float) -> float:
    """The least ceiling under which the context gate does not refuse the unit; found as for money."""
    options = contest.request.options
    admission = contest.admission
    for _ in range(MAX_RAISES):
        if admission.failed != "context_budget" or admission.size is None:
            return ceiling
        raised = admission.used + admission.size
        if raised <= ceiling:
            return ceiling
        ceiling = raised
        admission = contest.ranking.admission(options.replace(context_budget=ceiling))
    size_of = contest.ranking.run.size_of
    return sum([size_of(verdict.unit)[0] or 0 for verdict in [*contest.ranking.better, contest.ranking.own]])
