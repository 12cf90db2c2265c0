"""Options as the command line that asks for them."""

from __future__ import annotations

from kcp.options import PlanOptions


def words_of(task: str, asked: PlanOptions) -> dict[str, tuple[str, ...]]:
    """The command line that asks for a plan: flag → its words."""
    able = asked.capabilities
    given_: dict[str, str | None] = {
        "--task": task,
        "--env": asked.env,
        "--as-of": asked.as_of,
        "--max-units": str(asked.max_units),
        "--role": able.role,
        "--methods": ",".join(able.payment_methods),
        "--credentials": ",".join(able.credentials),
        "--attest": able.attestation_provider,
        "--context-budget": None if asked.context_budget is None else str(asked.context_budget),
        "--grant-ceiling": asked.grant_ceiling,
    }
    if asked.budget is not None:
        given_ |= {"--budget": str(asked.budget.amount), "--currency": asked.budget.currency}
    if asked.spend is not None:
        spend = asked.spend
        given_["--spend"] = None if spend.amount is None else str(spend.amount)
        given_ |= {"--spend-vendor": spend.vendor, "--spend-currency": spend.currency}
    if asked.action is not None:
        action = asked.action
        given_ |= {"--action-tool": action.tool, "--action-path": action.path}
        given_["--action-capability"] = action.capability
    words = {flag: (flag, value) for flag, value in given_.items() if value is not None}
    return words | ({"--strict": ("--strict",)} if asked.strict else {})
