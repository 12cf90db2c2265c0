"""Repairs that change what a manifest says: likely what was meant, to be looked at before they are kept.

Nothing here ever makes a manifest permit more: a rename into a field that grants, limits, denies or is about
trust is left to its author.
"""

from __future__ import annotations

from kcp.authoring.validate.repairs import Repair
from kcp.authoring.validate.spec import known
from kcp.authoring.validate.spec.check import check_spec
from kcp.authoring.validate.spec.diagnostics import near_miss
from kcp.authoring.validate.spec.node import Spec
from kcp.reading.edits import EditableText, Replacement, value_at, with_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from kcp.reading.positions import Path
    from kcp.reading.yaml12 import Document

NEVER_RENAMED_TO = frozenset(
    "load_eligible action_scope scope access auth auth_scope authority authority_level sensitivity "
    "visibility delegation compliance trust signing serving grant_ceiling authority_level_scale agents "
    "task_types manifests content_hash deprecated not_for not_for_strict audience steps uses payment "
    "rate_limits temporal composition charter path id kind".split()
)
AUDIENCE = ["agent", "human"]
_ADDRESSES = frozenset({"KCP237", "KCP240", "KCP250", "KCP296"})
_LOCAL = ("http://localhost", "http://127.", "http://[::1]")


def unsafe_repairs(document: Document, today: str) -> list[Repair]:
    """Near-miss field names, a missing audience, http:// where https:// belongs."""
    editable = EditableText(document)
    repairs: list[Repair] = []
    for finding in check_spec(Spec(document.root, today, None)):
        if finding.rule == "KCP329":
            repairs += _renamed(editable, finding.path)
        elif finding.rule == "KCP210":
            repairs += _with_audience(editable, finding.path)
        elif finding.rule in _ADDRESSES:
            repairs += _secured(editable, finding.path)
    return repairs


def _renamed(editable: EditableText, path: Path) -> Iterator[Repair]:
    *parents, key = path
    owner = tuple(parents)
    names = _names_at(owner)
    meant = near_miss(str(key), names) if names is not None else None
    if meant is None or meant in NEVER_RENAMED_TO:
        return
    fields = value_at(editable.document.root, owner)
    start, end = editable.span(path, of_key=True)
    if meant not in fields and editable.text[start:end] == key:
        part = Replacement(start, end, meant)
        yield Repair(f"{key} renamed to {meant}", (part,), _renaming(owner, str(key), meant), safe=False)


def _names_at(owner: Path) -> frozenset[str] | None:
    """The fields known at a path, where a rename may be made at all."""
    if owner == ():
        return known.ROOT_KEYS
    if len(owner) == 2 and owner[0] == "units":
        return known.UNIT_KEYS
    return known.STEP_KEYS if len(owner) == 4 and owner[2] == "steps" else None


def _renaming(owner: Path, key: str, meant: str) -> Callable[[Any], Any]:
    def rename(tree: Any) -> Any:
        fields = dict(value_at(tree, owner))
        fields[meant] = fields.pop(key)
        return with_value(tree, owner, fields)

    return rename


def _with_audience(editable: EditableText, path: Path) -> Iterator[Repair]:
    """A unit without an audience gets one, in front of its second field."""
    owner = path[:-1]
    fields = value_at(editable.document.root, owner)
    if "audience" in fields or len(fields) < 2:
        return
    second = list(fields)[1]
    start, _ = editable.span((*owner, second), of_key=True)
    column = editable.document.key_position((*owner, second)).column
    opening, _ = editable.span(owner)
    text = editable.text
    member = f"audience: [{', '.join(AUDIENCE)}]"
    line_start = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    if text[opening : opening + 1] == "{":
        addition = f"{member}, "
    elif not text[line_start:start].strip():
        newline = "\r\n" if text[line_start - 2 : line_start] == "\r\n" else text[line_start - 1]
        addition = f"{member}{newline}{' ' * (column - 1)}"
    else:
        return
    part = Replacement(start, start, addition)
    yield Repair("audience added", (part,), _setting((*owner, "audience"), AUDIENCE), safe=False)


def _setting(path: Path, value: Any) -> Callable[[Any], Any]:
    return lambda tree: with_value(tree, path, value)


def _secured(editable: EditableText, path: Path) -> Iterator[Repair]:
    value = value_at(editable.document.root, path)
    if not isinstance(value, str) or not value.startswith("http://") or value.startswith(_LOCAL):
        return
    start, end = editable.span(path)
    at = editable.text.find("http://", start, end)
    if at in (start, start + 1):
        part = Replacement(at, at + len("http"), "https")
        new = "https" + value.removeprefix("http")
        yield Repair(f"{value} made https", (part,), _setting(path, new), safe=False)
