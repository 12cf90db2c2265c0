"""Raw units become `Unit` values (planner contract §4, decisions B1–B5)."""

from __future__ import annotations

from kcp.model import Temporal, Unit
from kcp.planning.governance import malformed_text
from kcp.reading.coerce import optional_bool, optional_number, optional_text, text, text_list
from kcp.reading.commerce import parse_payment, parse_rate_limits
from kcp.reading.governed import parse_action_scope, parse_steps
from kcp.reading.scalars import DateText

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.reading.notes import Notes, Path


def parse_unit(raw: dict[str, Any], index: int, notes: Notes) -> Unit:
    """One unit; `index` is its place in the published list."""
    get = raw.get
    path: Path = ("units", index)
    first_note = len(notes.collected)
    malformed: list[str] = []
    unit = Unit(
        id=optional_text(get("id")) or "",
        path=optional_text(get("path")) or "",
        intent=optional_text(get("intent")) or "",
        scope=optional_text(get("scope")),
        access=optional_text(get("access")),
        auth_scope=optional_text(get("auth_scope")),
        kind=optional_text(get("kind")),
        authority_level=optional_text(get("authority_level")),
        audience=_listed(raw, "audience", path, notes),
        not_for=_listed(raw, "not_for", path, notes),
        triggers=_listed(raw, "triggers", path, notes),
        deprecated=optional_bool(raw, "deprecated"),
        load_eligible=_parse_grant(raw, path, notes),
        size_tokens=optional_number(get("size_tokens")),
        bytes=optional_number(get("bytes")),
        action_scope=parse_action_scope(get("action_scope"), (*path, "action_scope"), notes, malformed),
        steps=parse_steps(get("steps"), (*path, "steps"), notes, malformed),
        payment=parse_payment(get("payment"), (*path, "payment"), notes),
        rate_limits=parse_rate_limits(get("rate_limits")),
        temporal=_parse_temporal(get("temporal"), (*path, "temporal"), notes),
        malformed=tuple(malformed),
    )
    for block in malformed:
        where = ("steps",) if block == "escalation" else block.split(".")
        notes.add("B4", (*path, *where), malformed_text(block))
    if len(notes.collected) > first_note:
        notes.collected[first_note:] = sorted(notes.collected[first_note:], key=_decision_order)
    return unit


def _decision_order(note: Any) -> str:
    return str(note.rule)


def _listed(raw: dict[str, Any], field: str, path: Path, notes: Notes) -> tuple[str, ...]:
    value = raw.get(field)
    return text_list(value) if type(value) is list else notes.listed(value, (*path, field), field)


def _parse_grant(raw: dict[str, Any], path: Path, notes: Notes) -> bool | None:
    value = raw.get("load_eligible")
    if value is None:
        return False if "load_eligible" in raw else None
    if isinstance(value, bool):
        return value
    message = f"load_eligible '{text(value)}' is not a boolean — no grant is read"
    notes.add("B2", (*path, "load_eligible"), message)
    return None


def _parse_temporal(raw: Any, path: Path, notes: Notes) -> Temporal | None:
    if type(raw) is not dict:
        return None
    for field in ("valid_from", "valid_until"):
        if isinstance(raw.get(field), DateText):
            notes.add("B1", (*path, field), f"temporal.{field} is an unquoted date — quote it")
    return Temporal(
        valid_from=optional_text(raw.get("valid_from")),
        valid_until=optional_text(raw.get("valid_until")),
        superseded_by=optional_text(raw.get("superseded_by")),
    )
