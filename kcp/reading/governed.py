"""What makes a unit a governed procedure: its action scope and its steps (planner contract §4, B3, B4).

A block of the wrong type is named in `malformed` and read as absent; the planner then keeps the unit closed.
"""

from __future__ import annotations

from kcp.model import ActionScope, DenyScope, SpendScope, Step
from kcp.reading.coerce import optional_number, optional_text, text, text_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.reading.notes import Notes, Path

_DIMENSIONS = ("tools", "paths", "capabilities")


def parse_action_scope(raw: Any, path: Path, notes: Notes, malformed: list[str]) -> ActionScope | None:
    """An action scope, absent unless a mapping."""
    if type(raw) is not dict:
        return None
    tools, paths, capabilities = [text_list(raw.get(dimension)) for dimension in _DIMENSIONS]
    return ActionScope(
        tools=tools,
        paths=paths,
        capabilities=capabilities,
        spend=_parse_spend(raw.get("spend"), (*path, "spend"), notes, malformed),
        deny=_parse_deny(raw.get("deny"), (*path, "deny"), notes, malformed),
    )


def _parse_spend(raw: Any, path: Path, notes: Notes, malformed: list[str]) -> SpendScope | None:
    if raw is None:
        return None
    if type(raw) is not dict or type(raw.get("allowed_vendors")) is dict:
        malformed.append("action_scope.spend")
        return None
    max_spend = optional_number(raw.get("max_spend"))
    if max_spend is None and raw.get("max_spend") is not None:
        # A ceiling that is no number would read as no ceiling at all.
        malformed.append("action_scope.spend")
    return SpendScope(
        max_spend=max_spend,
        allowed_vendors=notes.listed(
            raw.get("allowed_vendors"), (*path, "allowed_vendors"), "allowed_vendors"
        ),
        currency=optional_text(raw.get("currency")),
    )


def _parse_deny(raw: Any, path: Path, notes: Notes, malformed: list[str]) -> DenyScope | None:
    if raw is None:
        return None
    if type(raw) is not dict or any(type(raw.get(dimension)) is dict for dimension in _DIMENSIONS):
        malformed.append("action_scope.deny")
        return None
    return DenyScope(
        *[
            notes.listed(raw.get(dimension), (*path, dimension), f"deny.{dimension}")
            for dimension in _DIMENSIONS
        ]
    )


def parse_steps(raw: Any, path: Path, notes: Notes, malformed: list[str]) -> tuple[Step, ...] | None:
    """A playbook's steps; items that are no mapping or have no `id` are dropped."""
    if raw is None:
        return None
    if type(raw) is not list:
        malformed.append("steps")
        return None
    steps = []
    for index, item in enumerate(raw):
        if type(item) is dict and "id" in item:
            steps.append(_parse_step(item, (*path, index), notes, malformed))
        else:
            notes.add("dropped", (*path, index), f"step #{index + 1} has no 'id' — ignored")
    return tuple(steps)


def _parse_step(raw: dict[str, Any], path: Path, notes: Notes, malformed: list[str]) -> Step:
    get = raw.get
    escalation = get("escalation")
    if not isinstance(escalation, (str, list, type(None))) and "escalation" not in malformed:
        malformed.append("escalation")
    return Step(
        id=text(raw["id"]),
        uses=optional_text(get("uses")),
        action=optional_text(get("action")),
        authority_level=optional_text(get("authority_level")),
        success_condition=optional_text(get("success_condition")),
        on_failure=optional_text(get("on_failure")),
        timeout=optional_text(get("timeout")),
        depends_on=notes.listed(get("depends_on"), (*path, "depends_on"), "depends_on"),
        escalation=_triggers(escalation),
    )


def _triggers(raw: Any) -> tuple[str, ...] | None:
    if raw is None:
        return None
    return (text(raw),) if isinstance(raw, str) else text_list(raw)
