"""The steps of a playbook: what they use and in which order they come."""

from __future__ import annotations

from kcp.authoring.validate.rule import Rule
from kcp.authoring.validate.spec.fields import KINDS
from kcp.authoring.validate.spec.node import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.authoring.validate.findings import Finding
    from kcp.authoring.validate.spec.node import Node, Spec, Unit

STEPS_EMPTY = Rule(
    "KCP307", "steps-empty", "error", "§4.3b", "A playbook consists of steps.", bad="kind: playbook",
    good="kind: playbook\nsteps: [{id: a, action: ring the bell}]", tier=2, since="0.29",
)  # fmt: skip
STEPS_MISPLACED = Rule(
    "KCP308", "steps-misplaced", "warning", "§4.3b", "Only playbooks have steps.",
    bad="steps: [{id: a, action: ring the bell}]",
    good="kind: playbook\nsteps: [{id: a, action: ring the bell}]", tier=2, since="0.29",
)  # fmt: skip
STEP_ID = Rule(
    "KCP309", "step-id", "error", "§4.3b", "Two steps of a playbook share an id.",
    bad="kind: playbook\nsteps: [{id: a, action: ring}, {id: a, action: wait}]",
    good="kind: playbook\nsteps: [{id: a, action: ring}, {id: b, action: wait}]", tier=2, since="0.29",
)  # fmt: skip
STEP_TARGET = Rule(
    "KCP310", "step-target", "error", "§4.3b", "A step uses a unit or describes an action.",
    bad="kind: playbook\nsteps: [{id: a}]", good="kind: playbook\nsteps: [{id: a, action: ring}]", tier=2,
    since="0.29",
)  # fmt: skip
STEP_UNKNOWN = Rule(
    "KCP311", "step-uses-unknown", "error", "§4.3b", "A step uses no unit of the manifest.",
    bad="kind: playbook\nsteps: [{id: a, uses: nothing}]",
    good="units: [{id: s, path: s.md, intent: S, kind: skill, action_scope: {tools: [git]}, load_eligible: "
    "true}, {id: p, path: p.md, intent: P, kind: playbook, steps: [{id: a, uses: s}]}]",
    tier=2, since="0.29",
)  # fmt: skip
STEP_NESTING = Rule(
    "KCP312", "step-nesting", "error", "§4.3b", "A step must not use a playbook.",
    bad="units: [{id: q, path: q.md, intent: Q, kind: playbook, steps: [{id: a, action: wait}]}, {id: p, "
    "path: p.md, intent: P, kind: playbook, steps: [{id: a, uses: q}]}]",
    good="units: [{id: s, path: s.md, intent: S, kind: skill, action_scope: {tools: [git]}, load_eligible: "
    "true}, {id: p, path: p.md, intent: P, kind: playbook, steps: [{id: a, uses: s}]}]",
    part="root", tier=2, since="0.29",
)  # fmt: skip
STEP_NEVER = Rule(
    "KCP313", "step-never-eligible", "error", "§4.3c", "A step uses a kind that is never eligible.",
    bad="units: [{id: s, path: s.md, intent: S, kind: service}, {id: p, path: p.md, intent: P, kind: "
    "playbook, steps: [{id: a, uses: s}]}]",
    good="units: [{id: s, path: s.md, intent: S, kind: skill, action_scope: {tools: [git]}, load_eligible: "
    "true}, {id: p, path: p.md, intent: P, kind: playbook, steps: [{id: a, uses: s}]}]",
    part="root", tier=2, since="0.30",
)  # fmt: skip
STEP_NOT_SKILL = Rule(
    "KCP314", "step-not-skill", "warning", "§4.3b", "A step should use a skill.",
    bad="units: [{id: s, path: s.md, intent: S}, {id: p, path: p.md, intent: P, kind: playbook, steps: "
    "[{id: a, uses: s}]}]",
    good="units: [{id: s, path: s.md, intent: S, kind: skill, action_scope: {tools: [git]}, load_eligible: "
    "true}, {id: p, path: p.md, intent: P, kind: playbook, steps: [{id: a, uses: s}]}]",
    part="root", tier=2, since="0.29",
)  # fmt: skip
STEP_FAILURE = Rule(
    "KCP315", "step-on-failure", "error", "§4.3b", "A failed step aborts, continues or escalates.",
    bad="kind: playbook\nsteps: [{id: a, action: ring, on_failure: retry}]",
    good="kind: playbook\nsteps: [{id: a, action: ring, on_failure: abort}]", tier=2, since="0.29",
)  # fmt: skip
STEP_DEPENDS = Rule(
    "KCP316", "step-depends", "error", "§4.3b", "A step depends on no step of its playbook.",
    bad="kind: playbook\nsteps: [{id: a, action: ring, depends_on: [z]}]",
    good="kind: playbook\nsteps: [{id: a, action: ring}, {id: b, action: wait, depends_on: [a]}]", tier=2,
    since="0.29",
)  # fmt: skip
STEP_CYCLE = Rule(
    "KCP317", "step-cycle", "error", "§4.3b", "Steps that depend on each other in a circle.",
    bad="kind: playbook\nsteps: [{id: a, action: ring, depends_on: [b]}, {id: b, action: wait, depends_on: "
    "[a]}]",
    good="kind: playbook\nsteps: [{id: a, action: ring}, {id: b, action: wait, depends_on: [a]}]", tier=2,
    since="0.29",
)  # fmt: skip
STEPS_INLINE = Rule(
    "KCP318", "steps-inline", "warning", "§4.3b", "Steps without a unit have no action scope of their own.",
    bad="kind: playbook\nsteps: [{id: a, action: ring}]",
    good="units: [{id: s, path: s.md, intent: S, kind: skill, action_scope: {tools: [git]}, load_eligible: "
    "true}, {id: p, path: p.md, intent: P, kind: playbook, steps: [{id: a, uses: s}]}]",
    tier=2, since="0.29",
)  # fmt: skip
SCOPE_UNVERIFIED = Rule(
    "KCP319", "scope-unverified", "warning", "§4.3b",
    "The scope of the playbook cannot be checked against all steps.",
    bad="kind: playbook\naction_scope: {tools: [git]}\nsteps: [{id: a, action: ring}]",
    good="units: [{id: s, path: s.md, intent: S, kind: skill, action_scope: {tools: [git]}, load_eligible: "
    "true}, {id: p, path: p.md, intent: P, kind: playbook, action_scope: {tools: [git]}, steps: [{id: a, "
    "uses: s}]}]",
    tier=2, since="0.29",
)  # fmt: skip
STEP_CEILING = Rule(
    "KCP320", "step-ceiling", "warning", "§4.3b",
    "A step that touches paths or spends has no authority level.",
    bad="units: [{id: s, path: s.md, intent: S, kind: skill, action_scope: {paths: ['src/**']}}, {id: p, "
    "path: p.md, intent: P, kind: playbook, steps: [{id: a, uses: s}]}]",
    good="units: [{id: s, path: s.md, intent: S, kind: skill, action_scope: {paths: ['src/**']}}, {id: p, "
    "path: p.md, intent: P, kind: playbook, steps: [{id: a, uses: s, authority_level: prepare}]}]",
    part="root", tier=2, since="0.29",
)  # fmt: skip
RULES = (
    STEPS_EMPTY, STEPS_MISPLACED, STEP_ID, STEP_TARGET, STEP_UNKNOWN, STEP_NESTING, STEP_NEVER,
    STEP_NOT_SKILL, STEP_FAILURE, STEP_DEPENDS, STEP_CYCLE, STEPS_INLINE, SCOPE_UNVERIFIED, STEP_CEILING,
)  # fmt: skip


def check_all(spec: Spec) -> Iterator[Finding]:
    """The steps of every playbook, and steps where none belong."""
    for unit in spec.units:
        if unit.kind == "playbook":
            yield from _check_playbook(spec, unit)
        elif unit.get("steps") is not None:
            yield unit.find(STEPS_MISPLACED, "steps", f"do not belong to kind {shown(unit.kind)}")


def steps_of(unit: Unit) -> list[Node]:
    """The steps of a playbook; those without an id are discarded."""
    return [step for step in unit.children("steps") if step.text("id")]


def target_of(spec: Spec, step: Node) -> Unit | None:
    """The unit that a step uses, where it is there."""
    return spec.by_id.get(step.text("uses") or "")


def is_inline(step: Node) -> bool:
    """Whether a step describes an action and uses no unit."""
    return not step.text("uses")


def _check_playbook(spec: Spec, unit: Unit) -> Iterator[Finding]:
    steps = steps_of(unit)
    if not steps:
        yield unit.find(STEPS_EMPTY, "steps", "are missing or empty")
        return
    seen: set[str] = set()
    for step in steps:
        name = step.text("id") or ""
        if name in seen:
            yield step.find(STEP_ID, "id", f"'{shown(name)}' is used before")
        seen.add(name)
        yield from _check_target(spec, step)
        yield from step.outside(STEP_FAILURE, "on_failure", ("abort", "continue", "escalate"))
    ids = {step.text("id") for step in steps}
    for step in steps:
        for name in step.texts("depends_on"):
            if name not in ids:
                yield step.find(STEP_DEPENDS, "depends_on", f"names no step: '{shown(name)}'")
    circle = _circle(steps)
    if circle:
        yield unit.find(STEP_CYCLE, "steps", f"depend on each other in a circle: {', '.join(circle)}")
    yield from _check_bounds(spec, unit, steps)


def _check_target(spec: Spec, step: Node) -> Iterator[Finding]:
    if is_inline(step):
        if not step.text("action"):
            yield step.find(STEP_TARGET, "uses", "is missing, and so is action")
        return
    target, name = target_of(spec, step), shown(step.get("uses"))
    if target is None:
        yield step.find(STEP_UNKNOWN, "uses", f"names no unit: '{name}'")
    elif target.kind == "playbook":
        yield step.find(STEP_NESTING, "uses", f"names a playbook: '{name}'")
    elif target.kind in ("service", "executable") or target.kind not in KINDS:
        message = f"names kind {shown(target.kind)}, which is never eligible: '{name}'"
        yield step.find(STEP_NEVER, "uses", message)
    elif target.kind != "skill":
        yield step.find(STEP_NOT_SKILL, "uses", f"names kind {target.kind}, not a skill: '{name}'")


def _check_bounds(spec: Spec, unit: Unit, steps: list[Node]) -> Iterator[Finding]:
    inline = sum(is_inline(step) for step in steps)
    if inline:
        yield unit.find(STEPS_INLINE, "steps", f"{inline} of {len(steps)} use no unit")
    scopes = [None if target is None else target.child("action_scope") for target in _targets(spec, steps)]
    if unit.child("action_scope") is not None and any(scope is None for scope in scopes):
        yield unit.find(SCOPE_UNVERIFIED, "action_scope", "cannot be checked: not every step has one")
    for step, scope in zip(steps, scopes, strict=True):
        reaches = scope is not None and (scope.get("paths") or scope.get("spend"))
        if reaches and step.get("authority_level") is None:
            message = f"is missing, but '{shown(step.get('uses'))}' declares paths or spend"
            yield step.find(STEP_CEILING, "authority_level", message)


def _targets(spec: Spec, steps: list[Node]) -> list[Unit | None]:
    return [target_of(spec, step) for step in steps]


def _circle(steps: list[Node]) -> list[str]:
    """Sorted ids of steps that can never start because of their explicit dependencies."""
    waiting: dict[str, set[str]] = {}
    for step in steps:
        waiting.setdefault(step.text("id") or "", set()).update(step.texts("depends_on"))
    dependents: dict[str, list[str]] = {}
    for name, needs in waiting.items():
        needs.intersection_update(waiting)
        for need in needs:
            dependents.setdefault(need, []).append(name)
    ready = [name for name, needs in waiting.items() if not needs]
    while ready:
        done = ready.pop()
        for name in dependents.get(done, ()):
            waiting[name].discard(done)
            if not waiting[name]:
                ready.append(name)
    return sorted(name for name, needs in waiting.items() if needs)
