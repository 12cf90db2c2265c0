"""Rules about a unit's own declaration (surfaces contract §4)."""

from __future__ import annotations

import pytest

from kcp.authoring.validate.findings import Finding
from kcp.authoring.validate.units import is_iso_date, path_fault
from tests.support import SOUND, findings, manifest

REST = "triggers: [rollout], audience: [agent]"


def error(message: str, where: str = "unit 'u'") -> Finding:
    return Finding("error", where, message)


def warning(message: str, where: str = "unit 'u'") -> Finding:
    return Finding("warning", where, message)


def test_an_empty_unit():
    where = "unit '(no id)'"
    assert findings("") == (
        error("missing 'id'", where),
        error("path is empty", where),
        error("missing 'intent' — intent is the primary navigation signal", where),
        warning("no 'triggers' — unit is only findable through its intent text", where),
        warning("no 'audience' — declare who this unit serves (e.g. [agent, human])", where),
    )


def test_repeated_ids():
    of = manifest(SOUND, SOUND.replace("id: u", "id: U"), SOUND, SOUND.replace("id: u", "id: ''"))
    assert findings(of) == (error("duplicate unit id"), error("missing 'id'", "unit '(no id)'"))


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("a/b.md", None),
        ("a..b/..c/d..", None),
        (".", None),
        ("./a", None),
        ("a:b/c", "path must be relative, not a URL"),
        ("1a:b", None),
        ("é:b", None),
        ("aé:b", None),
        (":a", None),
        ("a_b:c", None),
        ("a b:c", None),
        ("", "path is empty"),
        ("https://a.example/x", "path must be relative, not a URL"),
        ("c:\\x", "path must be relative, not a URL"),
        ("a+b-c.d:x", "path must be relative, not a URL"),
        ("//a.example/x", "path must be relative, not a URL"),
        ("/etc/passwd", "path must be relative, not absolute"),
        ("\\x", "path must be relative, not absolute"),
        ("..", "path must not traverse with '..'"),
        ("../a", "path must not traverse with '..'"),
        ("a/../b", "path must not traverse with '..'"),
        ("a/..", "path must not traverse with '..'"),
    ],
)
def test_paths(path, fault):
    assert path_fault(path) == fault
    of = manifest(f"id: u, path: '{path}', intent: deploy, {REST}")
    assert findings(of) == (() if fault is None else (error(fault),))


def test_paths_are_looked_up_when_safe():
    asked: list[str] = []

    def exists(path: str) -> bool:
        asked.append(path)
        return path == "there.md"

    of = manifest(
        *[f"id: '{path}', path: {path}, intent: i, {REST}" for path in ("there.md", "gone.md", "../x")]
    )
    assert findings(of, path_exists=exists) == (
        error("path 'gone.md' does not exist", "unit 'gone.md'"),
        error("path must not traverse with '..'", "unit '../x'"),
    )
    assert asked == ["there.md", "gone.md"]


@pytest.mark.parametrize("access", ["public", "authenticated", "restricted", "''", "~"])
def test_known_access(access):
    assert findings(f"{SOUND}, access: {access}") == ()


def test_unknown_access():
    message = "unknown access 'Public' (expected public/authenticated/restricted)"
    assert findings(f"{SOUND}, access: Public") == (warning(message),)


@pytest.mark.parametrize("kind", ["knowledge", "schema", "service", "policy", "executable", "playbook", "''"])
def test_known_kinds(kind):
    assert findings(f"{SOUND}, kind: {kind}") == ()


def test_unknown_kinds():
    assert findings(f"{SOUND}, kind: Skill") == (
        warning(
            "unknown kind 'Skill' — not a §4.3a kind (knowledge/schema/service/policy/executable/skill/"
            "playbook); parsers ignore it and the unit loads as plain knowledge. If 'skill' was meant, note "
            "action_scope/load_eligible/skill_eligibility will NOT apply as written"
        ),
    )


@pytest.mark.parametrize(
    ("value", "iso"),
    [
        ("2026-07-06", True),
        ("2026-07-06T10:00:00Z", True),
        ("2026-07-06 later", True),
        ("2026-07-06T", True),
        ("9999-99-99", True),
        ("2026-7-6", False),
        ("2026-07-06Z", False),
        ("2026-07-061", False),
        ("2026-07", False),
        ("26-07-0600", False),
        ("2026/07/06", False),
        ("2026-07/06", False),
        ("２０２６-07-06", False),
        ("2026-07-0a", False),
        ("2026-07-06t", False),
        ("July", False),
        ("", False),
    ],
)
def test_iso_dates(value, iso):
    assert is_iso_date(value) is iso


@pytest.mark.parametrize(
    ("temporal", "expected"),
    [
        ("{}", []),
        ("{valid_from: '', valid_until: ''}", []),
        ("{valid_from: '2026-01-01', valid_until: '2026-07-06'}", []),
        ("{valid_from: '2026-07-06', valid_until: '2026-07-06'}", []),
        (
            "{valid_from: x, valid_until: y}",
            [
                error("temporal.valid_from 'x' is not an ISO date"),
                error("temporal.valid_until 'y' is not an ISO date"),
            ],
        ),
        (
            "{valid_from: '2027-01-02', valid_until: '2027-01-01'}",
            [error("temporal window ends (2027-01-01) before it starts (2027-01-02)")],
        ),
        (
            "{valid_from: y, valid_until: x}",
            [
                error("temporal.valid_from 'y' is not an ISO date"),
                error("temporal.valid_until 'x' is not an ISO date"),
                error("temporal window ends (x) before it starts (y)"),
            ],
        ),
        (
            "{valid_until: '2026-07-05'}",
            [
                warning(
                    "expired 2026-07-05 with no 'superseded_by' — agents get a dead end instead of a "
                    "successor"
                )
            ],
        ),
        ("{valid_until: '2026-07-06T00:00:00Z'}", []),
        ("{valid_until: '2026-07-05', superseded_by: u}", []),
    ],
)
def test_dates(temporal, expected):
    assert findings(f"{SOUND}, temporal: {temporal}") == tuple(expected)


def test_an_empty_successor_is_a_dead_end():
    out = findings(f"{SOUND}, temporal: {{valid_until: '2026-07-05', superseded_by: ''}}")
    assert [each.level for each in out] == ["warning"]


def test_an_unknown_successor():
    of = manifest(
        f"{SOUND}, temporal: {{superseded_by: w}}",
        f"{SOUND.replace('id: u', 'id: v')}, kind: odd, temporal: {{superseded_by: u}}",
    )
    assert [(each.where, each.message) for each in findings(of)[1:]] == [
        ("unit 'u'", "temporal.superseded_by references unknown unit 'w'"),
    ]
    assert findings(of)[0].where == "unit 'v'"


def conflict(entry: str, words: str) -> Finding:
    return warning(
        f"not_for '{entry}' contains the unit's own vocabulary ({words}) — term matching will gate this unit "
        'against its most natural questions; name the excluded topic in its own words (e.g. "CCPA", '
        '"accounting"), never as a negation of this unit\'s topic ("non-X", "outside X")'
    )


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ("[billing]", []),
        ("[deploy]", [conflict("deploy", "deploy")]),
        ("[billing, 'Non-Deployment Rollouts']", [conflict("Non-Deployment Rollouts", "deploy, rollout")]),
        ("['service of rollout']", [conflict("service of rollout", "rollout, service")]),
        ("[the]", []),
        ("[dep]", []),
    ],
)
def test_not_for(entries, expected):
    assert findings(f"{SOUND}, not_for: {entries}") == tuple(expected)


@pytest.mark.parametrize(
    ("methods", "expected"),
    [
        ("[]", []),
        ("[{type: free}, {type: x402, price_per_request: 1, currency: USDC}]", []),
        ("[{}]", [error("payment method missing 'type'")]),
        (
            "[{type: x402, price_per_request: 1}]",
            [warning("x402 payment method should declare 'price_per_request' and 'currency'")],
        ),
        (
            "[{type: x402, price_per_request: 0, currency: ''}]",
            [warning("x402 payment method should declare 'price_per_request' and 'currency'")],
        ),
        ("[{type: subscription}]", []),
    ],
)
def test_payment(methods, expected):
    assert findings(f"{SOUND}, payment: {{methods: {methods}}}") == tuple(expected)


def test_the_manifests_own_methods_are_not_judged():
    assert findings(manifest(SOUND, payment="{methods: [{}]}")) == ()
