"""Rules about skills and playbooks (surfaces contract §4)."""

from __future__ import annotations

import pytest

from kcp.authoring.validate.findings import Finding
from tests.support import SOUND, findings, manifest

SCOPED = "action_scope: {{tools: [t], {}}}"
GRANTED_WITHOUT_SCOPE = Finding(
    "error",
    "unit 'u'",
    "kind: skill is load_eligible but declares no action_scope — a governed skill authorizes nothing until "
    "it lists the tools/paths/capabilities it may touch (fail-closed, #100)",
)
WITHOUT_SCOPE = Finding(
    "warning",
    "unit 'u'",
    "kind: skill declares no action_scope — it authorizes nothing and can never be invoked until it declares "
    "one (fail-closed, #100)",
)


def empty_deny(section: str) -> Finding:
    message = f"action_scope.deny is declared but empty — it prohibits nothing ({section})"
    return Finding("warning", "unit 'u'", message)


def neutralized(dimension: str, token: str, section: str) -> Finding:
    return Finding(
        "warning",
        "unit 'u'",
        f"action_scope.{dimension} allows '{token}' while deny.{dimension} denies it — the allow entry is "
        f"neutralized; deny overrides allow, fail-closed ({section})",
    )


def nullified(step: str, dimension: str, uses: str) -> Finding:
    return Finding(
        "warning",
        "unit 'u'",
        f"step '{step}': every '{dimension}' entry '{uses}' allows is denied by the effective deny "
        f"(playbook ∪ skill) — the step is self-nullified on '{dimension}' (§4.3b, RFC-0030)",
    )


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ("load_eligible: true", [GRANTED_WITHOUT_SCOPE]),
        ("load_eligible: true, action_scope: {}", [GRANTED_WITHOUT_SCOPE]),
        ("load_eligible: true, action_scope: {spend: {max_spend: 1}}", [GRANTED_WITHOUT_SCOPE]),
        ("load_eligible: true, action_scope: {tools: [a]}", []),
        ("load_eligible: true, action_scope: {paths: [a]}", []),
        ("load_eligible: true, action_scope: {capabilities: [a]}", []),
        ("load_eligible: false", [WITHOUT_SCOPE]),
        ("scope: x", [WITHOUT_SCOPE]),
    ],
)
def test_skills_need_a_scope(members, expected):
    assert findings(f"{SOUND}, kind: skill, {members}") == tuple(expected)


@pytest.mark.parametrize("kind", ["playbook", "knowledge"])
def test_other_kinds_need_none(kind):
    assert findings(f"{SOUND}, kind: {kind}, load_eligible: true") == ()


@pytest.mark.parametrize(("kind", "section"), [("skill", "§4.3a"), ("playbook", "§4.3b")])
def test_deny_scopes(kind, section):
    def of(deny: str):
        scope = "tools: [a, b], paths: [p, 'q/*'], capabilities: [c]"
        return findings(f"{SOUND}, kind: {kind}, action_scope: {{{scope}, deny: {deny}}}")

    assert of("{}") == (empty_deny(section),)
    assert of("{tools: [z], paths: ['**', 'q/x'], capabilities: [A]}") == ()
    assert of("{capabilities: [c], paths: [x, p], tools: [b, a]}") == (
        neutralized("tools", "b", section),
        neutralized("tools", "a", section),
        neutralized("paths", "p", section),
        neutralized("capabilities", "c", section),
    )


def test_deny_scopes_of_other_kinds_are_not_judged():
    assert findings(f"{SOUND}, kind: policy, action_scope: {{tools: [a], deny: {{tools: [a]}}}}") == ()
    assert findings(f"{SOUND}, kind: knowledge, action_scope: {{deny: {{}}}}") == ()


def stepped(own: str, skill: str, steps: str = "[{id: s, uses: w}]", kind: str = "playbook"):
    target = SOUND.replace("id: u", "id: w")
    return findings(
        manifest(
            f"{SOUND}, kind: {kind}, steps: {steps}, action_scope: {{deny: {own}}}",
            f"{target}, kind: policy, action_scope: {skill}",
        )
    )


@pytest.mark.parametrize(
    ("own", "skill", "dimensions"),
    [
        ("{tools: [a]}", "{tools: [a]}", ["tools"]),
        ("{tools: [a]}", "{tools: [a, b]}", []),
        ("{tools: [a]}", "{tools: [a, b], deny: {tools: [b]}}", ["tools"]),
        ("{tools: [a]}", "{tools: []}", []),
        ("{paths: ['x/**']}", "{paths: [x/a, 'x/*']}", ["paths"]),
        ("{paths: ['x/*']}", "{paths: [x/a/b]}", []),
        ("{tools: ['*']}", "{tools: [a]}", []),
        ("{capabilities: [c], tools: [a]}", "{capabilities: [c], tools: [a]}", ["tools", "capabilities"]),
    ],
)
def test_steps_that_deny_all_they_use(own, skill, dimensions):
    assert stepped(own, skill) == tuple(nullified("s", dimension, "w") for dimension in dimensions)


def test_steps_that_use_nothing_known():
    assert stepped("{tools: [a]}", "{tools: [a]}", "[{id: s}, {id: t, uses: ''}, {id: v, uses: x}]") == ()
    assert stepped("{tools: [a]}", "{tools: [a]}", "[{id: s}, {id: t, uses: w}]") == (
        nullified("t", "tools", "w"),
    )
    assert stepped("{tools: [z]}", "{}") == ()


def test_steps_are_judged_of_playbooks_only():
    assert stepped("{tools: [a]}", "{tools: [a]}", kind="skill") == (WITHOUT_SCOPE,)
