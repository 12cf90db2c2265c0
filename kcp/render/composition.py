"""Composition: included units, what the composing file changes in them, the merged list (§9, C15, C17)."""

from __future__ import annotations

from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.render.units import Entry

VERIFIED, UNVERIFIED, FAILED = "verified", "unverified", "failed"
UNREACHABLE, NOT_FETCHED = "source unreachable", "not fetched"
HASH_MISMATCH, SIGNER_NOT_SATISFIED = "manifest_hash mismatch", "expected_signer not satisfied"
_POINTERS = "its units render as pointers at every tier (RFC-0022 C17)"


class Verdict(Record):
    """What an include's integrity comes to. `field`, `expected` and `observed` say how a pin failed."""

    status: str
    reason: str | None = None
    field: str = "source"
    expected: str = ""
    observed: str = ""


class Included(Record):
    """One include as it was resolved: its units, already under its name, and the digest of its bytes."""

    source: str
    verdict: Verdict
    entries: tuple[Entry, ...] = ()
    sha256: str = ""
    inner: tuple[Included, ...] = ()


def include_warnings(included: Included, *, trusted: bool) -> list[str]:
    """The contract's warnings about an include and those within it."""
    source, verdict = included.source, included.verdict
    warnings = []
    if verdict.status == FAILED:
        reason = "" if verdict.reason is None else f" ({verdict.reason})"
        detail = f"[field={verdict.field} expected={verdict.expected} observed={verdict.observed}]"
        warnings.append(f"composition include '{source}' failed integrity{reason}; {_POINTERS} {detail}")
    elif verdict.status == UNVERIFIED and trusted:
        warnings.append(
            f"composition include '{source}' is unverified (no integrity pin); its units are pointer-only at "
            "trusted tier — add integrity.manifest_hash or expected_signer (RFC-0022 C17)"
        )
    inner = [include_warnings(each, trusted=trusted) for each in included.inner]
    return [*warnings, *[warning for found in inner for warning in found]]


def merge(
    block: dict[str, Any], included: tuple[Included, ...], local: tuple[Entry, ...]
) -> tuple[tuple[Entry, ...], list[str]]:
    """The merged list of units, and the warnings of overrides and excludes that name nothing.

    Later includes replace earlier ones in place; local units come last and win every collision.
    """
    entries: dict[object, Entry] = {}
    for include in included:
        for entry in include.entries:
            entries[_key(entry, len(entries))] = entry
    warnings = []
    for override in _listed(block, "overrides"):
        unit_id = override.get("id") if type(override) is dict else None
        if not isinstance(unit_id, str) or unit_id not in entries:
            warnings.append(_unknown("override", unit_id))
        else:
            entry = entries[unit_id]
            entries[unit_id] = entry.replace(raw=entry.raw | override)
    excluded = [(unit_id, _take(entries, unit_id)) for unit_id in _listed(block, "excludes")]
    warnings += [_unknown("exclude", unit_id) for unit_id, found in excluded if not found]
    for entry in local:
        entries.pop(_id_of(entry), None)
    return (*entries.values(), *local), warnings


def named(entry: Entry, name: str | None, *, authentic: bool) -> Entry:
    """An included unit under its include's name; it is authentic only where every source above it is."""
    raw = entry.raw
    unit_id = _id_of(entry)
    if name is not None and unit_id is not None:
        raw = raw | {"id": f"{name}:{unit_id}"}
    return entry.replace(raw=raw, authentic=entry.authentic and authentic)


def _take(entries: dict[object, Entry], unit_id: object) -> bool:
    return isinstance(unit_id, str) and entries.pop(unit_id, None) is not None


def _listed(block: dict[str, Any], key: str) -> list[Any]:
    value = block.get(key)
    return value if type(value) is list else []


def _id_of(entry: Entry) -> str | None:
    unit_id = entry.raw.get("id") if type(entry.raw) is dict else None
    return unit_id if isinstance(unit_id, str) else None


def _key(entry: Entry, place: int) -> object:
    """What an entry collides by: its id, or nothing at all."""
    unit_id = _id_of(entry)
    return (place, "no id") if unit_id is None else unit_id


def _unknown(what: str, unit_id: object) -> str:
    name = unit_id if isinstance(unit_id, str) else "?"
    return f"composition {what} references unknown unit id '{name}' (§3.11)"
