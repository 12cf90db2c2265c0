"""Typed results become the wire's JSON members: names, order and omission (planner contract §8–§10, §15).

Fields are written in the order their class declares them, under the names given here; a field whose value
is None is left out. This is the only place that knows how a Python field is spelled on the wire.
"""

from __future__ import annotations

from kcp.records import Record
from kcp.wire.jsontext import encode_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SCHEMA_VERSION = 1

# Everywhere else names are camelCase but for this one, echoed from the manifest.
_KEPT = frozenset({"action_scope"})
_KINDS = {"Plan": "plan", "Trace": "trace", "Node": "tree", "Explanation": "explanation"}
# Members that are never part of the wire form of their class.
_INTERNAL = {
    "Unit": frozenset({"malformed", "pointer"}),
    "Manifest": frozenset({"problems", "sha256"}),
    "PlanOptions": frozenset({"as_of", "env"}),
    "Finding": frozenset({"rule", "path"}),
    "Report": frozenset({"remarks", "read"}),
    "Check": frozenset({"moved"}),
    "ClaimVerdict": frozenset({"unreadable"}),
}

_members: dict[type, tuple[tuple[str, str], ...]] = {}


def to_wire(value: Any) -> Any:
    """A result as dictionaries, lists, text, numbers and booleans, members in wire order."""
    if isinstance(value, Record):
        cls = type(value)
        members = _members.get(cls) or _members.setdefault(cls, _name_members(cls))
        wire = {}
        for field, name in members:
            member = getattr(value, field)
            if member is not None:
                wire[name] = to_wire(member) if isinstance(member, (Record, tuple)) else member
        return wire
    if isinstance(value, tuple):
        return [to_wire(item) if isinstance(item, (Record, tuple)) else item for item in value]
    return value


def artifact(value: Record, correlation_id: str | None = None) -> dict[str, Any]:
    """A plan, trace or tree with its envelope (§9); an empty correlation id adds nothing."""
    wire: dict[str, Any] = to_wire(value)
    wire["schemaVersion"] = SCHEMA_VERSION
    wire["kind"] = _KINDS[type(value).__name__]
    if correlation_id:
        wire["correlationId"] = correlation_id
    return wire


def artifact_json(value: Record, correlation_id: str | None = None) -> str:
    """An artifact as JSON text without a final newline."""
    return encode_json(artifact(value, correlation_id))


def _name_members(cls: type[Record]) -> tuple[tuple[str, str], ...]:
    hidden = _INTERNAL.get(cls.__name__, frozenset())
    # Members of the manifest keep the protocol's snake_case wherever they are echoed.
    snake = cls.__module__ == "kcp.model"
    return tuple(
        (field, field if snake or field in _KEPT else _camel(field))
        for field in cls.__fields__
        if field not in hidden
    )


def _camel(field: str) -> str:
    first, *rest = field.split("_")
    return first + "".join([word.capitalize() for word in rest])  # `from_` has an empty last word
