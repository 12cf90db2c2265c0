"""Units as they are rendered: whitelisted fields, and what an agent may do with them (§10–§12)."""

from __future__ import annotations

from kcp.records import Record
from kcp.render.fields import CONSUMED, NOT_IN_SCHEMA, OMITTED, WRONG_TYPE, Fields
from kcp.render.schema import CONTENT_STRUCTURE, KINDS, UNIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Kinds whose units are knowledge; all others are pointers at every tier (C4).
_LOADABLE = (None, "knowledge", "schema", "policy")
_OPEN_ACCESS = (None, "public", "authenticated")


class Content(Record):
    """What came of a unit's declared content hash: `verified`, `absent` or `mismatch`.

    `reason` and `detail` are those of the drop entry; no reason where nothing was declared. `fault` is why
    nothing could be hashed.
    """

    verdict: str = "absent"
    reason: str | None = None
    detail: tuple[tuple[str, str], ...] = ()
    fault: str | None = None

    @property
    def shown(self) -> bool | str:
        """The artifact's `content_verified`."""
        return True if self.verdict == "verified" else self.verdict


UNDECLARED = Content()


class Entry(Record):
    """One entry of the merged list of units: as read, its content, whether its source may be trusted.

    The path of an included unit leads from another manifest, so its content is not looked at.
    """

    raw: Any
    content: Content = UNDECLARED
    authentic: bool = True
    is_local: bool = True


class Terms(Record):
    """What decides eligibility besides the unit itself: the tier, and whether a hash is required (C14)."""

    trusted: bool
    hash_required: bool
    attestation: bool = False


def render_units(fields: Fields, listed: Any, entries: tuple[Entry, ...], terms: Terms) -> list[Any]:
    """The units of the artifact; `listed` is the merged list as it was read, or what stands in its place."""
    found = fields.mappings("units", listed)
    if found is OMITTED:
        return []
    return [_unit(fields, f"units[{index}]", entries[index], terms) for index, _ in found]


def _unit(fields: Fields, path: str, entry: Entry, terms: Terms) -> dict[str, Any]:
    raw = entry.raw
    unknown_kind = "kind" in raw and raw["kind"] not in KINDS
    if unknown_kind:
        reason = "unknown_kind" if isinstance(raw["kind"], str) else WRONG_TYPE
        fields.ledger.drop(f"{path}.kind", raw["kind"], reason)
    unit = {}
    for key, value in raw.items():
        if key in ("content_structure", "content_hash") or (key == "kind" and unknown_kind):
            continue
        where = fields.ledger.below(path, key)
        if key not in UNIT:
            fields.ledger.drop(where, value, CONSUMED if key == "load_eligible" else NOT_IN_SCHEMA)
        elif (kept := fields.check(where, value, UNIT[key])) is not OMITTED:
            unit[key] = kept
    if "content_structure" in raw:
        kept = fields.check(f"{path}.content_structure", raw["content_structure"], CONTENT_STRUCTURE)
        if kept is not OMITTED:
            unit["content_structure"] = kept
    if "content_hash" in raw:
        content = entry.content
        fields.ledger.drop(
            f"{path}.content_hash", raw["content_hash"], content.reason or CONSUMED, **dict(content.detail)
        )
    is_loadable = not unknown_kind and raw.get("kind") in _LOADABLE
    unit["load_eligible"] = is_loadable and "path" in unit and "id" in unit and _is_eligible(entry, terms)
    if not is_loadable:
        unit["invocation"] = "explicit"
    unit["content_verified"] = entry.content.shown
    if terms.attestation and raw.get("access") not in _OPEN_ACCESS:
        unit["requires_attestation"] = True
    return unit


def _is_eligible(entry: Entry, terms: Terms) -> bool:
    if not terms.trusted or not entry.authentic or entry.content.verdict == "mismatch":
        return False
    return entry.content.verdict == "verified" or not terms.hash_required
