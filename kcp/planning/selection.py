"""Which survivors of the cascade are loaded: order, unit cap and the two budgets (planner contract §7)."""

from __future__ import annotations

from kcp.planning.economics import DEFAULT_CURRENCY, TOLERANCE, over_budget
from kcp.text.collation import collation_key
from kcp.wire.numbers import money, tok

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from kcp.model import Unit
    from kcp.options import PlanOptions
    from kcp.planning.cascade import Verdict

INFINITE = float("inf")
UNDECLARED_SIZE = "size undeclared — excluded under strict"


class Admission:
    """What the last three gates say of one survivor.

    `failed` names the gate that refused it, `detail` the refusal without its prefix; `accepted`, `spend` and
    `used` are what earlier survivors had taken when this one's turn came.
    """

    __slots__ = ("accepted", "detail", "failed", "size", "spend", "used", "verdict")

    def __init__(self, verdict: Verdict, accepted: int, spend: float, used: float) -> None:
        self.verdict = verdict
        self.accepted = accepted
        self.spend = spend
        self.used = used
        self.size: float | None = None
        self.failed: str | None = None
        self.detail = ""


class Selection:
    """All admissions in order, and the totals of the eligible accepted units."""

    __slots__ = ("admissions", "beyond", "unmeasured", "used")

    def __init__(self) -> None:
        self.admissions: list[Admission] = []
        self.used: float = 0
        self.beyond = 0
        self.unmeasured = 0

    @property
    def accepted(self) -> list[Verdict]:
        """The selected units, best first."""
        return [admission.verdict for admission in self.admissions if admission.failed is None]


def token_size(unit: Unit) -> tuple[float | None, str]:
    """A unit's tokens and their source; four bytes are estimated as one token.

    A negative size is none: counted, it would make room for others in the budget.
    """
    if unit.size_tokens is not None and unit.size_tokens >= 0:
        return unit.size_tokens, "declared"
    if unit.bytes is not None and unit.bytes >= 0:
        return unit.bytes if unit.bytes == INFINITE else -(-unit.bytes // 4), "estimated"
    return None, "unmeasured"


def in_order(survivors: list[Verdict]) -> list[Verdict]:
    """Best score first, equal scores by id under root collation, equal ids in manifest order."""
    return sorted(survivors, key=lambda verdict: (-verdict.score, collation_key(verdict.unit.id)))


def select(
    survivors: list[Verdict], options: PlanOptions, size_of: Callable[[Unit], tuple[float | None, str]]
) -> Selection:
    """Admit survivors greedily. `size_of` measures a unit as `token_size` does."""
    selection = Selection()
    accepted, spend = 0, 0.0
    for verdict in in_order(survivors):
        admission = Admission(verdict, accepted, spend, selection.used)
        selection.admissions.append(admission)
        if accepted >= options.max_units:
            admission.failed = "max_units"
            selection.beyond += 1
            continue
        if not _money_gate(admission, options):
            continue
        spend = admission.spend + (price_of(verdict, options) or 0)
        if _context_gate(admission, options, selection, size_of):
            accepted += 1
    return selection


def price_of(verdict: Verdict, options: PlanOptions) -> float | None:
    """The price the money budget applies to: of an eligible unit that costs something."""
    price = verdict.payment.price_per_request
    if options.budget is None or not verdict.eligible or price is None or not price > 0:
        return None
    return price


def _money_gate(admission: Admission, options: PlanOptions) -> bool:
    price, budget = price_of(admission.verdict, options), options.budget
    if price is None or budget is None:
        return True
    currency = DEFAULT_CURRENCY if budget.currency is None else budget.currency
    spent = budget.spent or 0
    payment = admission.verdict.payment
    if payment.currency != currency:
        admission.detail = f"costs {payment.cost}, budget is in {currency}"
    elif spent + admission.spend + price > budget.amount + TOLERANCE:
        remaining = money(budget.amount - spent - admission.spend)
        admission.detail = over_budget(price, remaining, budget.amount, currency)
    else:
        return True
    admission.failed = "money_budget"
    return False


def _context_gate(
    admission: Admission,
    options: PlanOptions,
    selection: Selection,
    size_of: Callable[[Unit], tuple[float | None, str]],
) -> bool:
    ceiling, verdict = options.context_budget, admission.verdict
    if ceiling is None or not verdict.eligible:
        return True
    size, _ = size_of(verdict.unit)
    admission.size = size
    if size is None:
        if options.strict:
            admission.failed, admission.detail = "context_budget", UNDECLARED_SIZE
            return False
        selection.unmeasured += 1
        return True
    if selection.used + size > ceiling + TOLERANCE:
        admission.failed = "context_budget"
        admission.detail = (
            f"{tok(size)} tokens would exceed remaining {tok(ceiling - selection.used)} of {tok(ceiling)}"
        )
        return False
    selection.used += size
    return True


def admission_reason(admission: Admission) -> str:
    """The skip reason of a survivor that a budget refused."""
    if admission.failed == "money_budget":
        return f"over budget: {admission.detail}"
    if admission.detail == UNDECLARED_SIZE:
        return f"{UNDECLARED_SIZE} (declare size_tokens or bytes)"
    return f"over context budget: {admission.detail}"
