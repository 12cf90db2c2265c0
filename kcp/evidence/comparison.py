"""A saved plan compared with today's, member by member (evidence contract §2)."""

from __future__ import annotations

from kcp.errors import ArtifactError
from kcp.evidence.artifacts import plan_digest
from kcp.evidence.saved import text_at
from kcp.planning.diff import diff_plans, digest
from kcp.records import Record
from kcp.text.utf16 import utf16_key
from kcp.wire.encode import to_wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.planning.diff import Diff
    from kcp.planning.results import Plan

ENVELOPE = ("schemaVersion", "kind", "correlationId")
UNPINNED = "saved artifact pins no manifest bytes"


class Check(Record):
    """The verdict on one saved plan; `fields` names the members that differ. `changes` is for people."""

    source: str
    project: str
    status: str
    detail: str
    fields: tuple[str, ...] | None = None
    changes: Diff | None = None


def check(saved: dict[str, Any], status: str, detail: str) -> Check:
    """A verdict on a saved plan."""
    source = text_at(saved, "manifest", "source") or "(none)"
    return Check(source, text_at(saved, "manifest", "project") or "(unknown)", status, detail)


def compare_plans(saved: dict[str, Any], today: Plan, *, verified: bool, pinned: bool) -> Check:
    """The verdict on a saved plan of the same bytes; without a pinned digest it is never `identical`."""
    before, after = _comparable(saved, verified), _comparable(to_wire(today), verified)
    fields = [key for key in {**before, **after} if not same(before.get(key), after.get(key))]
    if fields:
        return drift(check(saved, "drifted", ""), fields, "plan").replace(changes=_changes(saved, today))
    if not pinned:
        return check(saved, "unpinned", UNPINNED)
    count = f"{len(today.selected)} selected, {len(today.skipped)} skipped"
    return check(saved, "identical", f"{count} — plan reproduced byte-identically, manifest sha256 matches")


def drift(verdict: Check, fields: list[str], noun: str) -> Check:
    """The verdict, drifted in some fields; unchanged where there are none."""
    if not fields:
        return verdict
    named = tuple(sorted(fields, key=utf16_key))
    detail = f"{noun} differs in: {', '.join(named)}"
    return verdict.replace(status="drifted", detail=detail, fields=named)


def _comparable(plan: dict[str, Any], verified: bool) -> dict[str, Any]:
    """A plan without its envelope and digest, and without its signature where that is not verified again."""
    left_out = ENVELOPE if verified else (*ENVELOPE, "signature")
    kept = {key: value for key, value in plan.items() if key not in left_out}
    if isinstance(kept.get("manifest"), dict):
        kept["manifest"] = {key: value for key, value in kept["manifest"].items() if key != "sha256"}
    return kept


def same(a: Any, b: Any) -> bool:
    """Whether two JSON values are equal; the order of members does not count, and true is not 1."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(value, b[key]) for key, value in a.items())
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return isinstance(a, bool) == isinstance(b, bool) and a == b


def _changes(saved: dict[str, Any], today: Plan) -> Diff | None:
    try:
        return diff_plans(plan_digest(saved, "saved plan"), digest(today))
    except ArtifactError:
        return None
