"""Flags of a planning command become the planner's options."""

from __future__ import annotations

from kcp.cli.parser import CommandLineError
from kcp.options import Action, Budget, Capabilities, PlanOptions, SpendProposal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments

_DEFAULTS = Capabilities()


def task_and_manifest(arguments: Arguments, words: list[str]) -> tuple[str, str]:
    """The task, from `--task` or the words of the command line, and the manifest's location."""
    task = arguments.text("--task") or " ".join(words)
    if not task:
        raise CommandLineError("Missing task.", usage=arguments.command)
    location = arguments.text("--manifest")
    if location is None:
        raise CommandLineError("Missing --manifest.", usage=arguments.command)
    return task, location


def plan_options(arguments: Arguments, today: str) -> PlanOptions:
    """The options a command line amounts to; `today` is the date where none was given."""
    text = arguments.text
    max_units = arguments.count("--max-units")
    amount = arguments.amount("--budget")
    methods = arguments.words("--methods")
    return PlanOptions(
        as_of=text("--as-of") or today,
        env=text("--env"),
        capabilities=Capabilities(
            role=text("--role") or _DEFAULTS.role,
            payment_methods=_DEFAULTS.payment_methods if methods is None else methods,
            credentials=arguments.words("--credentials") or (),
            attestation_provider=text("--attest"),
        ),
        max_units=5 if max_units is None else max_units,
        strict=arguments.switch("--strict"),
        budget=None if amount is None else Budget(amount, text("--currency")),
        context_budget=arguments.amount("--context-budget"),
        grant_ceiling=text("--grant-ceiling"),
        spend=_spend(arguments),
        action=_action(arguments),
    )


def _spend(arguments: Arguments) -> SpendProposal | None:
    amount, vendor = arguments.amount("--spend"), arguments.text("--spend-vendor")
    currency = arguments.text("--spend-currency")
    if amount is None and vendor is None and currency is None:
        return None
    return SpendProposal(amount, vendor, currency)


def _action(arguments: Arguments) -> Action | None:
    tool, path = arguments.text("--action-tool"), arguments.text("--action-path")
    capability = arguments.text("--action-capability")
    if tool is None and path is None and capability is None:
        return None
    return Action(tool, path, capability)
