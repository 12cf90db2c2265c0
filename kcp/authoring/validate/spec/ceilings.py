"""Authority levels: the scale, task types, agents, and the ceiling that bounds a grant."""

from __future__ import annotations

from kcp.authoring.validate.rule import Rule
from kcp.authoring.validate.spec.node import as_number, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.authoring.validate.findings import Finding
    from kcp.authoring.validate.spec.node import Node, Spec

REFS = ("unit_ref", "task_type_ref", "agent_ref")

LEVEL = Rule(
    "KCP298", "authority-level", "warning", "§3.13", "A level is not on the declared scale.",
    bad="authority_level_scale: [observe, explain]\nagents: [{id: a, authority_level: commit}]",
    good="authority_level_scale: [observe, explain]\nagents: [{id: a, authority_level: explain}]",
    part="root", tier=2, since="0.27",
)  # fmt: skip
CEILING_UNDECLARED = Rule(
    "KCP299", "authority-ceiling-undeclared", "warning", "§3.13",
    "A task type has no level, and there is no ceiling for grants.",
    bad="authority_level_scale: [observe, explain]\ntask_types: [{id: t}]",
    good="authority_level_scale: [observe, explain]\ntask_types: [{id: t, authority_level: observe}]",
    part="root", tier=2, since="0.27",
)  # fmt: skip
DECLARATION_ID = Rule(
    "KCP300", "task-type-agent-id", "error", "§3.13", "A task type or agent has an id of its own.",
    bad="agents: [{id: a}, {id: a}]", good="agents: [{id: a}, {id: b}]", part="root", tier=2, since="0.27",
    protected=True,
)  # fmt: skip
SOURCE_ID = Rule(
    "KCP301", "source-id", "error", "§3.13", "A source of the ceiling has an id of its own.",
    bad="grant_ceiling: {sources: [{authority_level: observe}]}",
    good="grant_ceiling: {sources: [{id: s, authority_level: observe}]}", part="root", tier=2, since="0.27",
    protected=True,
)  # fmt: skip
SOURCE_EXCLUSIVE = Rule(
    "KCP302", "source-exclusive", "error", "§3.13", "A source has either a level or one reference.",
    bad="grant_ceiling: {sources: [{id: s, authority_level: observe, unit_ref: guide}]}",
    good="grant_ceiling: {sources: [{id: s, unit_ref: guide}]}", part="root", tier=3, since="0.27",
    protected=True,
)  # fmt: skip
SOURCE_REF = Rule(
    "KCP303", "source-ref", "error", "§3.13", "A source refers to nothing that is declared.",
    bad="grant_ceiling: {sources: [{id: s, agent_ref: nobody}]}",
    good="agents: [{id: a}]\ngrant_ceiling: {sources: [{id: s, agent_ref: a}]}", part="root", tier=3,
    since="0.27", protected=True,
)  # fmt: skip
SOURCE_CYCLE = Rule(
    "KCP304", "source-cycle", "error", "§3.13",
    "References that lead back to themselves. No reference can do that today, so this rule never finds "
    "anything.",
    bad="grant_ceiling: {sources: [{id: s, unit_ref: guide}]}",
    good="grant_ceiling: {sources: [{id: s, authority_level: observe}]}", part="root", tier=3, since="0.27",
    protected=True,
)  # fmt: skip
SOURCE_MANDATORY = Rule(
    "KCP305", "source-mandatory", "error", "§3.13", "A mandatory source is missing.",
    bad="grant_ceiling: {sources: [{id: s, authority_level: observe}], mandatory_sources: [policy]}",
    good="grant_ceiling: {sources: [{id: policy, authority_level: observe}], mandatory_sources: [policy]}",
    part="root", tier=3, since="0.27", protected=True,
)  # fmt: skip
THRESHOLD = Rule(
    "KCP306", "confidence-threshold", "warning", "§3.13", "A threshold is a number from 0 to 1.",
    bad="task_types: [{id: t, confidence_threshold: 70}]",
    good="task_types: [{id: t, confidence_threshold: 0.7}]", part="root", tier=3, since="0.28",
)  # fmt: skip
RULES = (
    LEVEL, CEILING_UNDECLARED, DECLARATION_ID, SOURCE_ID, SOURCE_EXCLUSIVE, SOURCE_REF, SOURCE_CYCLE,
    SOURCE_MANDATORY, THRESHOLD,
)  # fmt: skip


def check_all(spec: Spec) -> Iterator[Finding]:
    """The scale and everything that has a place on it."""
    root = spec.root
    types, agents = root.children("task_types"), root.children("agents")
    for nodes in (types, agents):
        yield from _check_ids(nodes, DECLARATION_ID)
    for task_type in types:
        threshold = task_type.get("confidence_threshold")
        number = as_number(threshold)
        if threshold is not None and (number is None or not 0 <= number <= 1):
            message = f"'{shown(threshold)}' is not a number from 0 to 1"
            yield task_type.find(THRESHOLD, "confidence_threshold", message)
    ceiling = root.child("grant_ceiling")
    sources = [] if ceiling is None else ceiling.children("sources")
    yield from _check_scale(spec, types, [*types, *agents, *sources], has_ceiling=ceiling is not None)
    if ceiling is not None:
        yield from _check_ceiling(spec, ceiling, sources)


def _check_ids(nodes: list[Node], rule: Rule) -> Iterator[Finding]:
    seen = set()
    for node in nodes:
        name = node.text("id")
        if not name:
            yield node.find(rule, "id", "is missing")
        elif name in seen:
            yield node.find(rule, "id", f"'{shown(name)}' is used before")
        seen.add(name)


def _check_scale(
    spec: Spec, types: list[Node], others: list[Node], *, has_ceiling: bool
) -> Iterator[Finding]:
    scale = tuple(spec.root.texts("authority_level_scale"))
    if not scale:
        return
    steps = [step for unit in spec.units for step in unit.children("steps")]
    for node in (*spec.units, *steps, *others):
        yield from node.outside(LEVEL, "authority_level", scale)
    for task_type in types:
        if task_type.get("authority_level") is None and not has_ceiling:
            message = "is missing, and there is no grant_ceiling"
            yield task_type.find(CEILING_UNDECLARED, "authority_level", message)


def _check_ceiling(spec: Spec, ceiling: Node, sources: list[Node]) -> Iterator[Finding]:
    yield from _check_ids(sources, SOURCE_ID)
    declared: dict[str, set[str | None]] = {
        "unit_ref": {*spec.by_id},
        "task_type_ref": {node.text("id") for node in spec.root.children("task_types")},
        "agent_ref": {node.text("id") for node in spec.root.children("agents")},
    }
    for source in sources:
        given = [key for key in REFS if source.get(key) is not None]
        has_level = source.get("authority_level") is not None
        if has_level == bool(given) or len(given) > 1:
            yield source.say(
                SOURCE_EXCLUSIVE,
                f"{source.prefix.removesuffix('.')} needs either authority_level or one of {', '.join(REFS)}",
            )
        for key in given:
            if source.text(key) not in declared[key]:
                yield source.find(SOURCE_REF, key, f"'{shown(source.get(key))}' is not declared")
    ids = {source.text("id") for source in sources}
    for index, name in enumerate(ceiling.texts("mandatory_sources")):
        if name not in ids:
            yield ceiling.find(SOURCE_MANDATORY, "mandatory_sources", f"'{shown(name)}' is missing", index)
