"""What the agent brings to a plan: who it is, what it holds, what it may spend (planner contract §5)."""

from __future__ import annotations

from kcp.records import Record


class Capabilities(Record):
    """The agent's role, the payment methods it can settle, and the credentials it holds."""

    role: str = "agent"
    payment_methods: tuple[str, ...] = ("free",)
    credentials: tuple[str, ...] = ()
    attestation_provider: str | None = None


class Budget(Record):
    """A money ceiling; `currency` defaults to USDC without being echoed, `spent` is committed upstream."""

    amount: float
    currency: str | None = None
    spent: float | None = None


class SpendProposal(Record):
    """A spend the agent intends, checked against governed units (§6 gate 7d)."""

    amount: float | None = None
    vendor: str | None = None
    currency: str | None = None


class Action(Record):
    """An action the agent intends, checked against deny scopes (§6 gate 7e)."""

    tool: str | None = None
    path: str | None = None
    capability: str | None = None


class PlanOptions(Record):
    """Everything besides manifest and task that a plan depends on.

    `as_of` is a date as text (`YYYY-MM-DD`) and has no default: the core has no clock. `max_units` and the
    budgets are counts of units, money in the budget's currency, and tokens.
    """

    as_of: str
    env: str | None = None
    capabilities: Capabilities = Capabilities()
    max_units: float = 5
    strict: bool = False
    budget: Budget | None = None
    context_budget: float | None = None
    grant_ceiling: str | None = None
    spend: SpendProposal | None = None
    action: Action | None = None
