"""Rules about governed procedures: what skills and playbooks allow and deny."""

from __future__ import annotations

from kcp.authoring.validate.unit_rules import (
    DENY_EMPTY,
    DENY_NEUTRALISES,
    GRANT_WITHOUT_SCOPE,
    SKILL_WITHOUT_SCOPE,
    STEP_NULLIFIED,
)
from kcp.authoring.validate.units import unit_where
from kcp.planning.actions import scope_denies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kcp.authoring.validate.findings import Finding
    from kcp.model import ActionScope, Unit

DIMENSIONS = ("tools", "paths", "capabilities")
SECTIONS = {"skill": "§4.3a", "playbook": "§4.3b"}


def check_procedure(unit: Unit, index: int, first_by_id: Mapping[str, Unit]) -> Iterator[Finding]:
    """A skill or playbook; other kinds have nothing to check here."""
    section = SECTIONS.get(unit.kind or "")
    if section is None:
        return
    scope = unit.action_scope
    if unit.kind == "skill" and (scope is None or not (scope.tools or scope.paths or scope.capabilities)):
        yield _unscoped_skill(unit, index)
    if scope is not None:
        yield from _check_deny(unit, index, scope, section)
    if unit.kind == "playbook":
        yield from _check_steps(unit, index, first_by_id)


def _unscoped_skill(unit: Unit, index: int) -> Finding:
    path = ("units", index, "action_scope")
    if unit.load_eligible:
        return GRANT_WITHOUT_SCOPE.at(
            unit_where(unit),
            path,
            "kind: skill is load_eligible but declares no action_scope — a governed skill authorizes nothing "
            "until it lists the tools/paths/capabilities it may touch (fail-closed, #100)",
        )
    return SKILL_WITHOUT_SCOPE.at(
        unit_where(unit),
        path,
        "kind: skill declares no action_scope — it authorizes nothing and can never be invoked until it "
        "declares one (fail-closed, #100)",
    )


def _check_deny(unit: Unit, index: int, scope: ActionScope, section: str) -> Iterator[Finding]:
    deny = scope.deny
    if deny is None:
        return
    path = ("units", index, "action_scope", "deny")
    if not (deny.tools or deny.paths or deny.capabilities):
        yield DENY_EMPTY.at(
            unit_where(unit),
            path,
            f"action_scope.deny is declared but empty — it prohibits nothing ({section})",
        )
    for dimension in DIMENSIONS:
        allowed = getattr(scope, dimension)
        for number, token in enumerate(getattr(deny, dimension)):
            if token in allowed:
                yield DENY_NEUTRALISES.at(
                    unit_where(unit),
                    (*path, dimension, number),
                    f"action_scope.{dimension} allows '{token}' while deny.{dimension} denies it — the allow "
                    f"entry is neutralized; deny overrides allow, fail-closed ({section})",
                )


def _check_steps(unit: Unit, index: int, first_by_id: Mapping[str, Unit]) -> Iterator[Finding]:
    for number, step in enumerate(unit.steps or ()):
        target = first_by_id.get(step.uses) if step.uses else None
        skill = None if target is None else target.action_scope
        for dimension in DIMENSIONS:
            allowed = () if skill is None else getattr(skill, dimension)
            if allowed and all(
                scope_denies(unit.action_scope, dimension, token) or scope_denies(skill, dimension, token)
                for token in allowed
            ):
                yield STEP_NULLIFIED.at(
                    unit_where(unit),
                    ("units", index, "steps", number, "uses"),
                    f"step '{step.id}': every '{dimension}' entry '{step.uses}' allows is denied by the "
                    f"effective deny (playbook ∪ skill) — the step is self-nullified on '{dimension}' "
                    "(§4.3b, RFC-0030)",
                )
