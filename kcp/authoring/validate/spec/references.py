"""What units say of one another: dependencies, relationships, summaries, chunks, aliases."""

from __future__ import annotations

from kcp.authoring.validate.rule import Rule
from kcp.authoring.validate.spec.node import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.authoring.validate.findings import Finding
    from kcp.authoring.validate.spec.node import Node, Spec, Unit

RELATIONSHIPS = ("enables", "context", "supersedes", "contradicts", "depends_on", "governs")
MAX_ALIASES = 100
_ALIAS_START = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_ALIAS = _ALIAS_START | frozenset("._-")

DEPENDS_ON = Rule(
    "KCP218", "depends-on-unknown", "warning", "§4.7", "A dependency names no unit; aliases do not count.",
    bad="depends_on: [nothing]", good="depends_on: []", tier=2,
)  # fmt: skip
DEPENDS_ON_CYCLE = Rule(
    "KCP219", "depends-on-cycle", "warning", "§4.7",
    "Units that depend on each other in a circle. It is legal, so this rule never finds anything.",
    bad="units: [{id: a, path: a.md, intent: A, depends_on: [b]}, {id: b, path: b.md, intent: B, "
    "depends_on: [a]}]",
    good="units: [{id: a, path: a.md, intent: A, depends_on: [b]}, {id: b, path: b.md, intent: B}]",
    part="root", tier=2,
)  # fmt: skip
RELATIONSHIP_REF = Rule(
    "KCP220", "relationship-ref", "warning", "§5", "An end of a relationship names no unit.",
    bad="relationships: [{from: guide, to: nothing, type: enables}]",
    good="relationships: [{from: guide, to: guide, type: context}]", part="root", tier=3,
)  # fmt: skip
RELATIONSHIP_TYPE = Rule(
    "KCP221", "relationship-type", "warning", "§5", "A relationship type outside the list is ignored.",
    bad="relationships: [{from: guide, to: guide, type: destroys}]",
    good="relationships: [{from: guide, to: guide, type: context}]", part="root", tier=3,
)  # fmt: skip
SUMMARY_UNIT = Rule(
    "KCP226", "summary-unit", "warning", "§4.10", "A unit announces a summary that cannot be found.",
    bad="hints: {summary_available: true}", good="hints: {summary_available: false}", tier=2, since="0.4",
)  # fmt: skip
SUMMARY_OF = Rule(
    "KCP227", "summary-of", "warning", "§4.10", "A unit is the summary of one that announces none.",
    bad="units: [{id: a, path: a.md, intent: A}, {id: b, path: b.md, intent: B, hints: {summary_of: a}}]",
    good="units: [{id: a, path: a.md, intent: A, hints: {summary_available: true, summary_unit: b}}, {id: "
    "b, path: b.md, intent: B, hints: {summary_of: a}}]",
    part="root", tier=2, since="0.4",
)  # fmt: skip
CHUNKS = Rule(
    "KCP228", "chunks", "warning", "§4.10",
    "A chunk names a unit it is part of, and its number is within the total.",
    bad="hints: {chunk_index: 3, total_chunks: 2}",
    good="hints: {chunk_of: guide, chunk_index: 1, total_chunks: 2}", tier=3, since="0.4",
)  # fmt: skip
DEPRECATED = Rule(
    "KCP232", "deprecated", "warning", "§4.13", "A deprecated unit has nothing that takes its place.",
    bad="units: [{id: a, path: a.md, intent: A, deprecated: true}]",
    good="units: [{id: a, path: a.md, intent: A, deprecated: true}, {id: b, path: b.md, intent: B, "
    "supersedes: a}]",
    part="root", tier=2, since="0.5",
)  # fmt: skip
ALIAS_PATTERN = Rule(
    "KCP293", "alias-pattern", "warning", "§4.2a",
    "An alias starts with a letter or digit and is made of a–z, 0–9, dots, underscores and hyphens.",
    bad="aliases: [The Guide]", good="aliases: [the-guide]", since="0.26",
)  # fmt: skip
ALIAS_COLLISION = Rule(
    "KCP294", "alias-collision", "warning", "§4.2a",
    "An alias is taken; the id wins, then the alias declared first.", bad="aliases: [guide]",
    good="aliases: [the-guide]", since="0.26",
)  # fmt: skip
ALIAS_COUNT = Rule(
    "KCP295", "alias-count", "warning", "§4.2a", "A unit has more than 100 aliases.",
    bad="aliases: [" + ", ".join([f"a{number}" for number in range(101)]) + "]", good="aliases: [the-guide]",
    since="0.26",
)  # fmt: skip
RULES = (
    DEPENDS_ON, DEPENDS_ON_CYCLE, RELATIONSHIP_REF, RELATIONSHIP_TYPE, SUMMARY_UNIT, SUMMARY_OF, CHUNKS,
    DEPRECATED, ALIAS_PATTERN, ALIAS_COLLISION, ALIAS_COUNT,
)  # fmt: skip


def check_unit(spec: Spec, unit: Unit) -> Iterator[Finding]:
    """What a unit says of others."""
    for index, name in enumerate(unit.some("depends_on")):
        if name not in spec.by_id:
            yield unit.find(DEPENDS_ON, "depends_on", f"names no unit: '{shown(name)}'", index)
    hints = unit.child("hints")
    if hints is not None:
        yield from _check_summary(spec, hints)
        yield from _check_chunk(spec, hints)


def check_all(spec: Spec) -> Iterator[Finding]:
    """Relationships, successors of deprecated units, aliases."""
    for relationship in spec.root.children("relationships"):
        for key in ("from", "to"):
            name = relationship.text(key)
            if name not in spec.by_id:
                yield relationship.find(RELATIONSHIP_REF, key, f"names no unit: '{shown(name)}'")
        yield from relationship.outside(RELATIONSHIP_TYPE, "type", RELATIONSHIPS)
    replaced = _replaced(spec)
    for unit in spec.units:
        temporal = unit.child("temporal")
        has_successor = temporal is not None and temporal.text("superseded_by")
        if unit.is_true("deprecated") and unit.id not in replaced and not has_successor:
            yield unit.find(DEPRECATED, "deprecated", "is true, but no unit supersedes this one")
    yield from _check_aliases(spec)


def _replaced(spec: Spec) -> set[str | None]:
    replaced = {unit.text("supersedes") for unit in spec.units}
    for relationship in spec.root.children("relationships"):
        if relationship.get("type") == "supersedes":
            replaced.add(relationship.text("to"))
    return replaced


def _check_summary(spec: Spec, hints: Node) -> Iterator[Finding]:
    name = hints.text("summary_unit")
    if name is None:
        if hints.is_true("summary_available"):
            yield hints.find(SUMMARY_UNIT, "summary_available", "is true, but there is no summary_unit")
    elif name not in spec.by_id:
        yield hints.find(SUMMARY_UNIT, "summary_unit", f"names no unit: '{shown(name)}'")
    target = hints.text("summary_of")
    if target is not None:
        summarised = spec.by_id.get(target)
        other = None if summarised is None else summarised.child("hints")
        if other is None or not other.is_true("summary_available"):
            message = f"'{shown(target)}' does not declare summary_available"
            yield hints.find(SUMMARY_OF, "summary_of", message)


def _check_chunk(spec: Spec, hints: Node) -> Iterator[Finding]:
    whole, number, total = hints.text("chunk_of"), hints.get("chunk_index"), hints.number("total_chunks")
    if whole is not None and whole not in spec.by_id:
        yield hints.find(CHUNKS, "chunk_of", f"names no unit: '{shown(whole)}'")
    if number is None:
        return
    if whole is None:
        yield hints.find(CHUNKS, "chunk_index", "is given without chunk_of")
    index = hints.number("chunk_index")
    if index is not None and total is not None and index > total:
        yield hints.find(CHUNKS, "chunk_index", f"{shown(number)} is over total_chunks {shown(total)}")


def _check_aliases(spec: Spec) -> Iterator[Finding]:
    taken = set(spec.by_id)
    for unit in spec.units:
        aliases = unit.texts("aliases")
        if len(aliases) > MAX_ALIASES:
            yield unit.find(ALIAS_COUNT, "aliases", f"has {len(aliases)} entries, more than {MAX_ALIASES}")
        raw = unit.get("aliases")
        for index, alias in enumerate(raw if type(raw) is list else ()):
            if not isinstance(alias, str):
                continue
            if alias[:1] not in _ALIAS_START or not _ALIAS.issuperset(alias):
                message = f"entry '{shown(alias)}' has other than a–z, 0–9, dot, underscore and hyphen"
                yield unit.find(ALIAS_PATTERN, "aliases", message, index)
            if alias in taken:
                yield unit.find(ALIAS_COLLISION, "aliases", f"entry '{shown(alias)}' is taken", index)
            taken.add(alias)
