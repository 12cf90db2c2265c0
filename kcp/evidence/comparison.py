"""A saved plan compared with today's, member by member (evidence contract §2)."""

from __future__ import annotations

from kcp.evidence.saved import ENVELOPE, text_at
from kcp.records import Record
from kcp.text.utf16 import utf16_key
from kcp.wire.encode import to_wire
from kcp.wire.numbers import json_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.planning.results import Plan

IDENTICAL, DRIFTED, UNPINNED, ERROR = "identical", "drifted", "unpinned", "error"
_BY_PINNED_KEY = "ed25519 signature verified (pinned key"
NO_SHA256 = "saved artifact pins no manifest bytes"


class Check(Record):
    """The verdict on one saved plan; `fields` names the members that differ.

    `status` is `identical`, `drifted`, `unpinned` or `error`. `moved` are the two plans where they differ,
    for whoever wants to see how; it is no part of the wire form.
    """

    source: str
    project: str
    status: str
    detail: str
    fields: tuple[str, ...] | None = None
    moved: tuple[dict[str, Any], dict[str, Any]] | None = None


def check(saved: dict[str, Any], status: str, detail: str) -> Check:
    """A verdict on a saved plan."""
    source = text_at(saved, "manifest", "source") or "(none)"
    return Check(source, text_at(saved, "manifest", "project") or "(unknown)", status, detail)


def compare_plans(saved: dict[str, Any], today: Plan, *, verified: bool, pinned: bool) -> Check:
    """The verdict on a saved plan of the same bytes; without a pinned digest it is never `identical`.

    Signatures count where they were `verified` again.
    """
    before, after = _comparable(saved, verified), _comparable(to_wire(today), verified)
    settle_key_name(before, after)
    fields = differing(before, after)
    if fields:
        return drift(check(saved, DRIFTED, ""), fields, "plan").replace(moved=(before, after))
    if not pinned:
        return check(saved, UNPINNED, NO_SHA256)
    count = f"{len(today.selected)} selected, {len(today.skipped)} skipped"
    return check(saved, IDENTICAL, f"{count} — plan reproduced byte-identically, manifest sha256 matches")


def drift(verdict: Check, fields: list[str], noun: str) -> Check:
    """The verdict, drifted in some fields; unchanged where there are none."""
    if not fields:
        return verdict
    named = tuple(sorted(fields, key=utf16_key))
    detail = f"{noun} differs in: {', '.join(named)}"
    return verdict.replace(status=DRIFTED, detail=detail, fields=named)


def _comparable(plan: dict[str, Any], verified: bool) -> dict[str, Any]:
    """A plan without its envelope and digest, and without its signature where that is not verified again."""
    left_out = ENVELOPE if verified else (*ENVELOPE, "signature")
    kept = {key: value for key, value in plan.items() if key not in left_out}
    if isinstance(kept.get("manifest"), dict):
        kept["manifest"] = {key: value for key, value in kept["manifest"].items() if key != "sha256"}
    return kept


def settle_key_name(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Let a signature that is still verified by a pinned key tell of it as before.

    What a verdict calls the key depends on how many keys the command line gave, and under which paths.
    """
    details = [text_at(members, "signature", "detail") or "" for members in (before, after)]
    if all(detail.startswith(_BY_PINNED_KEY) and detail.endswith(")") for detail in details):
        after["signature"] = {**after["signature"], "detail": details[0]}


def differing(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The members that two objects do not have in common; absent is not null."""
    return [
        key
        for key in {**before, **after}
        if key not in before or key not in after or not same(before[key], after[key])
    ]


def same(a: Any, b: Any) -> bool:
    """Whether two JSON values are written alike, but for the order of members."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(value, b[key]) for key, value in a.items())
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if a == b:
        return isinstance(a, bool) == isinstance(b, bool)
    return _is_number(a) and _is_number(b) and _written(a) == _written(b)


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def _written(value: float | None) -> str:
    """A number's text in JSON, `null` where JSON has none for it."""
    return "null" if value is None else json_number(value)
