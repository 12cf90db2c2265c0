"""What is granted to skills and playbooks, and what is denied."""

from __future__ import annotations

from kcp.authoring.validate.rule import Rule
from kcp.authoring.validate.spec.node import shown
from kcp.authoring.validate.spec.steps import is_inline, steps_of, target_of
from kcp.model import ActionScope, DenyScope
from kcp.planning.actions import scope_denies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.authoring.validate.findings import Finding, Level
    from kcp.authoring.validate.spec.node import Node, Spec, Unit

DIMENSIONS = ("tools", "paths", "capabilities")

GRANT_KIND = Rule(
    "KCP321", "grant-kind", "error", "§4.3c", "Only skills and playbooks are granted.",
    bad="load_eligible: true", good="kind: skill\naction_scope: {tools: [git]}\nload_eligible: true", tier=2,
    since="0.30", protected=True,
)  # fmt: skip
GRANT_UNBOUNDED = Rule(
    "KCP322", "grant-unbounded", "error", "§4.3c", "A skill is granted without an action scope.",
    bad="kind: skill\nload_eligible: true",
    good="kind: skill\naction_scope: {tools: [git]}\nload_eligible: true", tier=2, since="0.30",
    protected=True,
)  # fmt: skip
GRANT_COMPOSE = Rule(
    "KCP323", "grant-compose", "error", "§4.3c",
    "A step uses a unit that is not granted. A warning where the playbook is not granted either.",
    bad="units: [{id: s, path: s.md, intent: S, kind: skill, action_scope: {tools: [git]}}, {id: p, path: "
    "p.md, intent: P, kind: playbook, load_eligible: true, steps: [{id: a, uses: s}]}]",
    good="units: [{id: s, path: s.md, intent: S, kind: skill, action_scope: {tools: [git]}, load_eligible: "
    "true}, {id: p, path: p.md, intent: P, kind: playbook, load_eligible: true, steps: [{id: a, uses: s}]}]",
    part="root", tier=2, since="0.30", protected=True,
)  # fmt: skip
GRANT_INLINE = Rule(
    "KCP324", "grant-inline", "error", "§4.3c",
    "A playbook is granted although one of its steps has no unit.",
    bad="kind: playbook\nload_eligible: true\nsteps: [{id: a, action: ring}]",
    good="kind: playbook\nsteps: [{id: a, action: ring}]", tier=2, since="0.30", protected=True,
)  # fmt: skip
DENY_SHAPE = Rule(
    "KCP325", "deny-shape", "error", "§4.3b",
    "Prohibitions are lists of texts. On a skill, anything else is a warning.",
    bad="kind: playbook\naction_scope: {deny: {tools: rm}}\nsteps: [{id: a, action: ring}]",
    good="kind: playbook\naction_scope: {deny: {tools: [rm]}}\nsteps: [{id: a, action: ring}]", tier=2,
    since="0.31", protected=True,
)  # fmt: skip
DENY_EMPTY = Rule(
    "KCP326", "deny-lists-nothing", "warning", "§4.3a", "A deny block without entries prohibits nothing.",
    bad="kind: skill\naction_scope: {tools: [git], deny: {}}",
    good="kind: skill\naction_scope: {tools: [git], deny: {tools: [rm]}}", tier=2, since="0.31",
    protected=True,
)  # fmt: skip
DENY_NEUTRAL = Rule(
    "KCP327", "deny-neutral", "warning", "§4.3a",
    "The same entry is allowed and denied. A narrower pattern is fine.",
    bad="kind: skill\naction_scope: {tools: [rm], deny: {tools: [rm]}}",
    good="kind: skill\naction_scope: {paths: ['src/**'], deny: {paths: ['src/secrets/**']}}", tier=2,
    since="0.31", protected=True,
)  # fmt: skip
DENY_NULLIFIED = Rule(
    "KCP328", "deny-nullified", "warning", "§4.3b",
    "All that a step's unit allows in one dimension is denied.",
    bad="units: [{id: s, path: s.md, intent: S, kind: skill, action_scope: {tools: [git]}, load_eligible: "
    "true}, {id: p, path: p.md, intent: P, kind: playbook, action_scope: {deny: {tools: [git]}}, steps: "
    "[{id: a, uses: s}]}]",
    good="units: [{id: s, path: s.md, intent: S, kind: skill, action_scope: {tools: [git]}, load_eligible: "
    "true}, {id: p, path: p.md, intent: P, kind: playbook, action_scope: {deny: {tools: [rm]}}, steps: "
    "[{id: a, uses: s}]}]",
    part="root", tier=2, since="0.32", protected=True,
)  # fmt: skip
RULES = (
    GRANT_KIND, GRANT_UNBOUNDED, GRANT_COMPOSE, GRANT_INLINE, DENY_SHAPE, DENY_EMPTY, DENY_NEUTRAL,
    DENY_NULLIFIED,
)  # fmt: skip


def check_all(spec: Spec) -> Iterator[Finding]:
    """Every unit's grant, and the prohibitions of skills and playbooks."""
    for unit in spec.units:
        governed = unit.kind in ("skill", "playbook")
        if isinstance(unit.get("load_eligible"), bool) and not governed:
            message = f"is only read on a skill or playbook, not on kind {shown(unit.kind)}"
            yield unit.find(GRANT_KIND, "load_eligible", message)
        if unit.kind == "skill" and unit.is_granted and not unit.child("action_scope"):
            yield unit.find(GRANT_UNBOUNDED, "action_scope", "is missing, but the skill is granted")
        if governed:
            yield from _check_deny(unit)
        if unit.kind == "playbook":
            yield from _check_composition(spec, unit)
            yield from _check_nullified(spec, unit)


def _check_composition(spec: Spec, unit: Unit) -> Iterator[Finding]:
    level: Level = "error" if unit.is_granted else "warning"
    for step in steps_of(unit):
        target = target_of(spec, step)
        if is_inline(step):
            if unit.is_granted:
                yield step.find(GRANT_INLINE, "action", "has no unit, but the playbook is granted")
        elif target is not None and not target.is_granted:
            name = shown(step.get("uses"))
            yield step.find(GRANT_COMPOSE, "uses", f"names a unit that is not granted: '{name}'", level=level)


def _check_deny(unit: Unit) -> Iterator[Finding]:
    scope = unit.child("action_scope")
    if scope is None or scope.get("deny") is None:
        return
    level: Level = "error" if unit.kind == "playbook" else "warning"
    deny = scope.child("deny")
    if deny is None:
        yield scope.find(DENY_SHAPE, "deny", "is not a mapping", level=level)
        return
    for dimension in DIMENSIONS:
        entries = deny.get(dimension)
        if entries is not None and not _is_texts(entries):
            yield deny.find(DENY_SHAPE, dimension, "is not a list of texts", level=level)
    if not any(deny.get(dimension) for dimension in DIMENSIONS):
        yield scope.find(DENY_EMPTY, "deny", "lists nothing")
    for dimension in DIMENSIONS:
        allowed = set(scope.texts(dimension))
        for index, token in enumerate(deny.texts(dimension)):
            if token in allowed:
                message = f"entry '{shown(token)}' is allowed too; it stays denied"
                yield deny.find(DENY_NEUTRAL, dimension, message, index)


def _is_texts(value: object) -> bool:
    return type(value) is list and all(isinstance(item, str) for item in value)


def _check_nullified(spec: Spec, unit: Unit) -> Iterator[Finding]:
    own = _prohibitions(unit)
    for step in steps_of(unit):
        target = target_of(spec, step)
        scope = None if target is None else target.child("action_scope")
        if target is None or scope is None:
            continue
        theirs = _prohibitions(target)
        for dimension in DIMENSIONS:
            allowed = scope.texts(dimension)
            if allowed and all(
                scope_denies(own, dimension, token) or scope_denies(theirs, dimension, token)
                for token in allowed
            ):
                name = shown(step.get("uses"))
                message = f"names '{name}', all of whose {dimension} are denied"
                yield step.find(DENY_NULLIFIED, "uses", message)


def _prohibitions(unit: Node) -> ActionScope | None:
    """A unit's deny lists, as the planner's own check takes them."""
    scope = unit.child("action_scope")
    deny = None if scope is None else scope.child("deny")
    if deny is None:
        return None
    return ActionScope(deny=DenyScope(*[tuple(deny.texts(dimension)) for dimension in DIMENSIONS]))
