"""Spend scope, deny scope and escalation (gates 7d–7f)."""

from __future__ import annotations

import pytest

from kcp.planning.actions import scope_denies
from kcp.planning.results import GrantRequest, ProhibitedAttempt, SpendBinding
from tests.support import MATCH, UNIT, manifest, unit, verdict

PLAYBOOK = f"{UNIT}, kind: playbook, load_eligible: true"
SPEND = "action_scope: {spend: {max_spend: 10, allowed_vendors: [acme, b], currency: USD}}"


def binding(step: str, maximum=None, vendors=None, currency=None) -> SpendBinding:
    return SpendBinding(maximum, vendors, currency, f"step '{step}' action_scope.spend")


@pytest.mark.parametrize(
    ("proposal", "detail"),
    [
        ({"amount": 10}, None),
        ({"amount": 10 + 1e-9}, None),
        ({"vendor": "acme"}, None),
        ({"amount": 3, "vendor": "b", "currency": "USD"}, None),
        ({"vendor": "zed"}, 'names vendor \'zed\', outside allowed_vendors ["acme","b"]'),
        ({"vendor": "zed", "amount": 99}, 'names vendor \'zed\', outside allowed_vendors ["acme","b"]'),
        ({"amount": 10.5}, "proposed spend 10.5 exceeds max_spend 10"),
        ({"amount": 10.5, "vendor": "acme"}, "proposed spend 10.5 exceeds max_spend 10"),
        (
            {"amount": 1, "currency": "EUR"},
            "proposed 1 EUR cannot be checked against a USD ceiling (currency mismatch)",
        ),
        ({"vendor": "acme", "currency": "EUR"}, None),
        ({"vendor": ""}, 'names vendor \'\', outside allowed_vendors ["acme","b"]'),
    ],
)
def test_gate_7d_spend_of_a_unit(proposal, detail):
    judged = verdict(f"{UNIT}, {SPEND}", spend=proposal)
    assert judged.spend == binding("u", 10, ("acme", "b"), "USD")
    assert judged.eligible is (detail is None)
    assert judged.reasons == MATCH + ([f"step 'u' {detail} — §4.3a.1"] if detail else [])


@pytest.mark.parametrize(
    ("scope", "proposal", "eligible"),
    [
        ("{max_spend: 0}", {"amount": 0}, True),
        ("{max_spend: 0}", {"amount": 0.1}, False),
        ("{allowed_vendors: []}", {"vendor": "zed", "amount": 1e9}, True),
        ("{allowed_vendors: acme}", {"vendor": "zed"}, False),
        ("{currency: USD}", {"amount": 5, "currency": "EUR"}, True),
        ("{max_spend: 5}", {"amount": 5, "currency": "EUR"}, True),
        ("{max_spend: 5, currency: USD}", {"amount": 5}, True),
        ("{max_spend: null}", {"amount": 6}, True),
    ],
)
def test_gate_7d_what_is_not_declared_does_not_bind(scope, proposal, eligible):
    judged = verdict(f"{UNIT}, action_scope: {{spend: {scope}}}", spend=proposal)
    assert judged.eligible is eligible
    assert judged.spend is not None
    if "[]" in scope:
        assert judged.spend.allowed_vendors is None


def test_gate_7d_records_nothing_without_a_scope_or_a_proposal():
    assert verdict(UNIT, spend={"amount": 1}).spend is None
    assert verdict(f"{UNIT}, action_scope: {{tools: [a]}}", spend={"amount": 1}).spend is None
    assert verdict(f"{UNIT}, {SPEND}").spend is None


STEPS = "steps: [{id: a}, {id: b, uses: t}, {id: c, uses: v}, {id: d, uses: missing}, {id: e, uses: ''}]"


def spending(own: str, t: str, v: str, proposal, **changes):
    def scope(limit: str) -> str:
        return f"action_scope: {{spend: {{{limit}}}}}" if limit else "scope: local"

    target = "kind: skill, load_eligible: true"
    of = manifest(
        f"{PLAYBOOK}, {STEPS}, {scope(own)}",
        f"id: t, {target}, {scope(t)}",
        f"id: v, {target}, {scope(v)}",
        "id: t, action_scope: {spend: {max_spend: 0}}",
    )
    return verdict(of, spend=proposal, **changes)


def test_gate_7d_a_playbook_is_bound_by_the_strictest_scope():
    low, high = "max_spend: 5", "max_spend: 9"
    assert spending(high, low, "", {"amount": 1}).spend == binding("b", 5)
    assert spending(low, high, "", {"amount": 1}).spend == binding("a", 5)
    assert spending(low, "", low, {"amount": 1}).spend == binding("a", 5)
    assert spending("currency: USD", high, low, {"amount": 1}).spend == binding("c", 5)
    assert spending("", "", "", {"amount": 1}).spend is None
    assert spending("currency: X", "currency: Y", "", {"amount": 1}).spend == binding("a", None, None, "X")


def test_gate_7d_the_first_violation_in_step_order_is_recorded():
    judged = spending("max_spend: 9", "max_spend: 5", "max_spend: 1", {"amount": 6})
    assert judged.spend == binding("b", 5)
    assert judged.reasons == [*MATCH, "step 'b' proposed spend 6 exceeds max_spend 5 — §4.3a.1"]


def test_gate_7d_an_own_scope_is_for_steps_without_uses():
    of = manifest(
        f"{PLAYBOOK}, steps: [{{id: b, uses: t}}], action_scope: {{spend: {{max_spend: 1}}}}",
        "id: t, load_eligible: true",
    )
    judged = verdict(of, spend={"amount": 5})
    assert judged.eligible
    assert judged.spend is None
    no_steps = verdict(f"{PLAYBOOK}, action_scope: {{spend: {{max_spend: 1}}}}", spend={"amount": 5})
    assert no_steps.spend == binding("u", 1)
    assert not no_steps.eligible


def test_gate_7d_says_nothing_of_what_is_closed_already():
    judged = verdict(f"{UNIT}, kind: skill, {SPEND}", spend={"amount": 99})
    assert judged.spend == binding("u", 10, ("acme", "b"), "USD")
    assert judged.reasons == [*MATCH, "kind: skill not invoke-eligible: no explicit eligibility grant"]


# Gate 7e

DENY = "action_scope: {deny: {tools: [rm], paths: ['etc/**'], capabilities: [net]}}"


def attempt(step: str, token: str, dimension: str, source: str) -> ProhibitedAttempt:
    return ProhibitedAttempt(
        step,
        dimension,
        token,
        source,
        f"prohibited attempt: '{token}' ({dimension}) matches {source} — refused finally, not grantable; a "
        "grant against this event records acknowledgement and does not enact (§4.3b, RFC-0030)",
    )


def refused(step: str, token: str, dimension: str, source: str) -> str:
    return (
        f"step '{step}' attempts '{token}' ({dimension}), denied by {source} — refused finally, not "
        "grantable (§4.3b, RFC-0030)"
    )


@pytest.mark.parametrize(
    ("action", "denied"),
    [
        ({"tool": "rm"}, ("rm", "tools")),
        ({"tool": "rmdir"}, None),
        ({"tool": "RM"}, None),
        ({"tool": "etc/passwd"}, None),
        ({"path": "etc/passwd"}, ("etc/passwd", "paths")),
        ({"path": "etc"}, None),
        ({"path": "rm"}, None),
        ({"capability": "net"}, ("net", "capabilities")),
        ({"capability": "network"}, None),
        ({"tool": "ls", "path": "etc/x", "capability": "net"}, ("etc/x", "paths")),
        ({"capability": "net", "tool": "rm"}, ("rm", "tools")),
        ({"tool": ""}, None),
    ],
)
@pytest.mark.parametrize("kind", ["knowledge", "skill"])
def test_gate_7e_deny_of_a_unit(action, denied, kind):
    judged = verdict(f"{UNIT}, kind: {kind}, load_eligible: true, {DENY}", action=action)
    source = "skill 'u' action_scope.deny"
    assert judged.eligible is (denied is None)
    if denied is None:
        assert (judged.prohibited, judged.reasons) == (None, MATCH)
    else:
        token, dimension = denied
        assert judged.prohibited == (attempt("u", token, dimension, source),)
        assert judged.reasons == [*MATCH, refused("u", token, dimension, source)]


def test_gate_7e_deny_overrides_allow():
    scope = "action_scope: {tools: [rm], paths: ['**'], deny: {tools: [rm], paths: ['secret/*']}}"
    assert not verdict(f"{UNIT}, {scope}", action={"tool": "rm"}).eligible
    assert not verdict(f"{UNIT}, {scope}", action={"path": "secret/x"}).eligible
    assert verdict(f"{UNIT}, {scope}", action={"path": "open/x"}).eligible


@pytest.mark.parametrize(
    ("own", "skill", "source"),
    [
        ("[rm]", "[]", "playbook action_scope.deny"),
        ("[]", "[rm]", "skill 't' action_scope.deny"),
        ("[rm]", "[rm]", "playbook action_scope.deny and skill 't' action_scope.deny"),
        ("[]", "[]", None),
    ],
)
def test_gate_7e_either_source_denies(own, skill, source):
    of = manifest(
        f"{PLAYBOOK}, steps: [{{id: s, uses: t}}], action_scope: {{tools: [rm], deny: {{tools: {own}}}}}",
        f"id: t, kind: skill, load_eligible: true, action_scope: {{tools: [rm], deny: {{tools: {skill}}}}}",
    )
    judged = verdict(of, action={"tool": "rm"})
    assert judged.prohibited == ((attempt("s", "rm", "tools", source),) if source else None)
    assert judged.eligible is (source is None)


def test_gate_7e_the_first_step_and_request_is_reported():
    of = manifest(
        f"{PLAYBOOK}, steps: [{{id: a, uses: x}}, {{id: b, uses: t}}, {{id: c}}]",
        "id: t, load_eligible: true, action_scope: {deny: {capabilities: [net], tools: [rm]}}",
        "id: t, action_scope: {deny: {paths: [p]}}",
    )
    judged = verdict(of, action={"tool": "rm", "path": "p", "capability": "net"})
    assert judged.prohibited == (attempt("b", "rm", "tools", "skill 't' action_scope.deny"),)


def test_gate_7e_a_playbooks_own_deny_applies_step_by_step():
    own = "action_scope: {deny: {tools: [rm]}}"
    action = {"tool": "rm"}
    assert verdict(f"{PLAYBOOK}, steps: [], {own}", action=action).eligible
    stepped = verdict(f"{PLAYBOOK}, steps: [{{id: s}}], {own}", action=action)
    assert stepped.prohibited == (attempt("s", "rm", "tools", "playbook action_scope.deny"),)
    without = verdict(f"{PLAYBOOK}, {own}", action=action)
    assert without.prohibited == (attempt("u", "rm", "tools", "skill 'u' action_scope.deny"),)


def test_gate_7e_is_reported_even_of_what_is_closed_already():
    judged = verdict(f"{UNIT}, kind: skill, {DENY}", action={"tool": "rm"})
    assert judged.prohibited is not None
    assert judged.reasons == [
        *MATCH,
        "kind: skill not invoke-eligible: no explicit eligibility grant",
        refused("u", "rm", "tools", "skill 'u' action_scope.deny"),
    ]


def test_what_a_scope_denies():
    scope = unit(f"{UNIT}, {DENY}").action_scope
    assert scope_denies(scope, "paths", "etc/a/b")
    assert not scope_denies(scope, "tools", "etc/a/b")
    assert not scope_denies(None, "tools", "rm")
    assert not scope_denies(unit(f"{UNIT}, action_scope: {{tools: [rm]}}").action_scope, "tools", "rm")


# Gate 7f


def owed(step: str, *triggers: str) -> GrantRequest:
    listed = ",".join(f'"{trigger}"' for trigger in triggers)
    note = (
        f"step '{step}' declares escalation [{listed}] — a grant is owed before enactment "
        "(not auto-approved) — §3.14"
    )
    return GrantRequest(step, triggers, note)


LEVEL = "insufficient_authority_level"


@pytest.mark.parametrize(
    ("steps", "ceiling", "expected"),
    [
        ("[{id: a}, {id: b, escalation: []}]", None, None),
        (
            "[{id: a, escalation: [x, y]}, {id: b, escalation: z}]",
            None,
            (owed("a", "x", "y"), owed("b", "z")),
        ),
        (f"[{{id: a, escalation: [{LEVEL}]}}]", "observe", None),
        (f"[{{id: a, escalation: [x, {LEVEL}, y]}}]", "observe", (owed("a", "x", "y"),)),
        (
            f"[{{id: a, escalation: {LEVEL}, authority_level: commit}}]",
            "observe",
            (owed("a", LEVEL),),
        ),
        (
            (
                f"[{{id: a, escalation: {LEVEL}, authority_level: commit}}, "
                f"{{id: b, escalation: [{LEVEL}, x], authority_level: commit}}]"
            ),
            "observe",
            (owed("a", LEVEL), owed("b", "x")),
        ),
        (f"[{{id: a, escalation: {LEVEL}, authority_level: commit}}]", None, None),
    ],
)
def test_gate_7f_escalations_that_fire(steps, ceiling, expected):
    judged = verdict(f"{PLAYBOOK}, steps: {steps}", grant_ceiling=ceiling)
    assert judged.grant_requests == expected


def test_gate_7f_leaves_eligibility_alone():
    judged = verdict(f"{PLAYBOOK}, steps: [{{id: a, escalation: x}}]")
    assert judged.eligible
    assert judged.grant_requests == (owed("a", "x"),)


def test_gate_7f_a_prohibited_step_is_owed_no_grant():
    steps = "steps: [{id: a, escalation: x}, {id: b, escalation: y}, {id: a, escalation: z}]"
    of = f"{PLAYBOOK}, {steps}, action_scope: {{deny: {{tools: [rm]}}}}"
    assert verdict(of, action={"tool": "rm"}).grant_requests == (owed("b", "y"),)
    assert verdict(of, action={"tool": "ls"}).grant_requests == (
        owed("a", "x"),
        owed("b", "y"),
        owed("a", "z"),
    )


@pytest.mark.parametrize("kind", ["skill", "knowledge"])
def test_gate_7f_is_for_playbooks(kind):
    judged = verdict(f"{UNIT}, kind: {kind}, load_eligible: true, steps: [{{id: a, escalation: x}}]")
    assert judged.grant_requests is None


def test_gate_7f_fires_for_ungranted_playbooks_too():
    steps = f"steps: [{{id: a, escalation: [x, {LEVEL}], authority_level: commit}}]"
    judged = verdict(f"{UNIT}, kind: playbook, {steps}", grant_ceiling="observe")
    assert judged.grant_requests == (owed("a", "x"),)
