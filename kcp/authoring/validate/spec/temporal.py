"""When units and federated manifests are valid, and what takes their place."""

from __future__ import annotations

from kcp.authoring.validate.rule import Rule
from kcp.authoring.validate.spec.node import Node, cycles, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any

    from kcp.authoring.validate.findings import Finding
    from kcp.authoring.validate.spec.node import Spec

WINDOW_EMPTY = Rule(
    "KCP280", "window-ends-first", "warning", "§4.22",
    "The unit ends before it starts. A bare date covers its whole day.",
    bad='temporal: {valid_from: "2099-07-02", valid_until: "2099-07-01"}',
    good='temporal: {valid_from: "2026-07-01", valid_until: "2099-07-01"}', since="0.21",
)  # fmt: skip
WINDOW_STALE = Rule(
    "KCP281", "window-stale", "warning", "§4.22", "The unit has expired and names no successor.",
    bad='temporal: {valid_until: "2020-12-31"}', good='temporal: {valid_until: "2099-12-31"}', since="0.19",
)  # fmt: skip
SUPERSEDED_UNKNOWN = Rule(
    "KCP282", "superseded-unknown", "warning", "§4.22", "The successor is no unit of the manifest.",
    bad="temporal: {superseded_by: nobody}", good='temporal: {superseded_by: "platform:guide"}', since="0.19",
)  # fmt: skip
SUPERSEDED_CYCLE = Rule(
    "KCP283", "superseded-cycle", "error", "§4.22",
    "Units that take each other's place in a circle: none of them is the current one.",
    bad="temporal: {superseded_by: guide}", good='temporal: {superseded_by: "platform:guide"}', since="0.19",
)  # fmt: skip
SOURCE_TEMPORAL = Rule(
    "KCP284", "source-temporal", "warning", "§3.6",
    "The dates or the successor of a federated manifest do not hold.",
    bad='manifests: [{id: a, url: "https://a.example/k.yaml", temporal: {valid_until: "2020-12-31"}}]',
    good='manifests: [{id: a, url: "https://a.example/k.yaml", temporal: {valid_until: "2099-12-31"}}]',
    part="root", since="0.21",
)  # fmt: skip
SOURCE_CYCLE = Rule(
    "KCP285", "source-superseded-cycle", "error", "§3.6",
    "Federated manifests that take each other's place in a circle.",
    bad='manifests: [{id: a, url: "https://a.example/k.yaml", temporal: {superseded_by: a}}]',
    good='manifests: [{id: a, url: "https://a.example/k.yaml", temporal: {superseded_by: b}}, {id: b, url: '
    '"https://b.example/k.yaml"}]',
    part="root", since="0.21",
)  # fmt: skip
RULES = (
    WINDOW_EMPTY, WINDOW_STALE, SUPERSEDED_UNKNOWN, SUPERSEDED_CYCLE, SOURCE_TEMPORAL, SOURCE_CYCLE,
)  # fmt: skip

_JUDGED = ("valid_from", "valid_until", "superseded_by")


def check_all(spec: Spec) -> Iterator[Finding]:
    """Units, where the root's temporal block gives defaults field by field, then federated manifests."""
    defaults = spec.root.child("temporal")
    if defaults is not None:
        yield from _check_window(defaults, spec.today, (WINDOW_EMPTY, WINDOW_STALE))
        yield from _check_successor(defaults, spec.by_id, SUPERSEDED_UNKNOWN)
    successors: dict[str, str] = {}
    for unit in spec.units:
        own = unit.child("temporal")
        block = _effective(defaults, own, unit.id)
        if own is not None and any(own.get(key) is not None for key in _JUDGED):
            merged = Node(block, own.path, own.where, own.prefix)
            yield from _check_window(merged, spec.today, (WINDOW_EMPTY, WINDOW_STALE))
            yield from _check_successor(own, spec.by_id, SUPERSEDED_UNKNOWN)
        successor = block.get("superseded_by")
        if unit.id and isinstance(successor, str) and unit is spec.by_id[unit.id]:
            successors[unit.id] = successor
    for ids in cycles(successors):
        unit = spec.by_id[ids[0]]
        path = (*unit.path, "temporal", "superseded_by")
        yield SUPERSEDED_CYCLE.at(unit.where, path, f"superseded_by leads in a circle: {', '.join(ids)}")
    yield from _check_sources(spec)


def _check_sources(spec: Spec) -> Iterator[Finding]:
    successors: dict[str, str] = {}
    by_id: dict[str, Node] = {}
    for ref in spec.refs:
        temporal, name = ref.child("temporal"), ref.text("id")
        if temporal is None:
            continue
        yield from _check_window(temporal, spec.today, (SOURCE_TEMPORAL, SOURCE_TEMPORAL))
        yield from _check_successor(temporal, spec.ref_ids, SOURCE_TEMPORAL)
        successor = temporal.text("superseded_by")
        if name and successor and name not in by_id:
            by_id[name] = ref
            successors[name] = successor
    for ids in cycles(successors):
        ref = by_id[ids[0]]
        path = (*ref.path, "temporal", "superseded_by")
        yield SOURCE_CYCLE.at(ref.where, path, f"superseded_by leads in a circle: {', '.join(ids)}")


def _effective(defaults: Node | None, own: Node | None, unit_id: str) -> dict[str, Any]:
    """A unit's temporal fields, with the root's where it has none."""
    fields = {} if defaults is None else dict(defaults.raw)
    if fields.get("superseded_by") == unit_id:
        # The default's own target does not supersede itself.
        del fields["superseded_by"]
    if own is not None:
        fields.update({key: value for key, value in own.raw.items() if value is not None})
    return fields


def _check_window(block: Node, today: str, rules: tuple[Rule, Rule]) -> Iterator[Finding]:
    empty, stale = rules
    start, end = _moment(block.text("valid_from")), _moment(block.text("valid_until"), end_of_day=True)
    if end is None:
        return
    if start is not None and end < start:
        yield block.find(empty, "valid_until", f"{shown(block.get('valid_until'))} is before valid_from")
    if end < _moment(today) and not block.text("superseded_by"):
        yield block.find(
            stale, "valid_until", f"{shown(block.get('valid_until'))} is past, and there is no superseded_by"
        )


def _check_successor(block: Node, ids: Collection[str], rule: Rule) -> Iterator[Finding]:
    name = block.text("superseded_by")
    if name and ":" not in name and name not in ids:
        yield block.find(rule, "superseded_by", f"names nothing here: '{shown(name)}'")


def _moment(text: str | None, *, end_of_day: bool = False) -> Any:
    """A date or date and time as a moment of UTC; None where the text is none."""
    import datetime

    if not text:
        return None
    try:
        moment = datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    if len(text) == 10 and end_of_day:
        moment = moment.replace(hour=23, minute=59, second=59, microsecond=999999)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.UTC)
    try:
        return moment.astimezone(datetime.UTC)
    except OverflowError:
        return None
