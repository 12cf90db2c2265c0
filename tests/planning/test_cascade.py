"""The gates one by one (planner contract §6): an example that passes and one that fails each."""

from __future__ import annotations

from typing import Any

import pytest

from kcp.planning.cascade import GATES
from tests.support import MATCH, UNIT, manifest, options, plan, selected, skipped, verdict


def refusal(members: str, task: str = "deploy", **changes):
    """The gate that stopped the unit and the reason, or None."""
    judged = verdict(f"{UNIT}, {members}" if members else UNIT, task, **changes)
    return (judged.failed, judged.reason) if judged.failed else None


def test_there_are_fourteen_gates_in_order():
    assert " ".join(GATES) == (
        "audience not_for temporal deprecated supersession relevance skill_eligibility attestation payment "
        "access strict max_units money_budget context_budget"
    )


@pytest.mark.parametrize(
    ("members", "role", "expected"),
    [
        ("", "agent", None),
        ("audience: []", "agent", None),
        ("audience: [human, agent]", "agent", None),
        ("audience: [human]", "human", None),
        ("audience: [human]", "agent", ("audience", "audience [\"human\"] excludes role 'agent'")),
        ("audience: [Agent, b]", "agent", ("audience", 'audience ["Agent","b"] excludes role \'agent\'')),
        ("audience: [agents]", "agent", ("audience", "audience [\"agents\"] excludes role 'agent'")),
    ],
)
def test_gate_1_audience(members, role, expected):
    assert refusal(members, role=role) == expected


@pytest.mark.parametrize(
    ("members", "task", "expected"),
    [
        ("not_for: []", "deploy", None),
        ("not_for: [billing]", "deploy", None),
        ("not_for: [dep]", "deploy", None),
        ("not_for: [x, 'Mass Deployment', deploy]", "deploy", "Mass Deployment"),
        ("not_for: ['']", "deploy", None),
        ("not_for: [deploy]", "the", None),
        ("not_for: [billing]", "deploy billing", "billing"),
    ],
)
def test_gate_2_not_for(members, task, expected):
    reason = f"not_for declares it does not serve '{expected}'"
    relevance = ("relevance", "no task-relevance match") if task == "the" else None
    assert refusal(members, task) == (("not_for", reason) if expected else relevance)


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ("{}", None),
        ("{valid_from: '2026-07-06', valid_until: '2026-07-06'}", None),
        ("{valid_from: '', valid_until: ''}", None),
        ("{valid_from: '2026-07-07'}", "not active until 2026-07-07"),
        ("{valid_from: '2026-07-06T00:00:00Z'}", "not active until 2026-07-06T00:00:00Z"),
        ("{valid_until: '2026-07-05'}", "expired 2026-07-05"),
        ("{valid_until: '2026-07-05', superseded_by: w}", "expired 2026-07-05 (superseded by w)"),
        ("{valid_until: '2026-07-05', superseded_by: ''}", "expired 2026-07-05"),
        ("{valid_from: '2027', valid_until: '2020'}", "not active until 2027"),
        ("{valid_from: soon}", "not active until soon"),
    ],
)
def test_gate_3_temporal(members, expected):
    assert refusal(f"temporal: {members}") == (("temporal", expected) if expected else None)


def test_dates_compare_by_utf16_units():
    later_in_utf16, earlier = "\uffee", "\U0001f600"
    window = f'temporal: {{valid_from: "{later_in_utf16}"}}'
    assert refusal(window, as_of=earlier) == ("temporal", f"not active until {later_in_utf16}")


@pytest.mark.parametrize(
    ("value", "deprecated"),
    [
        ("true", True),
        ("'no'", True),
        ("[]", True),
        ("1", True),
        ("false", False),
        ("0", False),
        ("''", False),
    ],
)
def test_gate_4_deprecated(value, deprecated):
    assert refusal(f"deprecated: {value}") == (("deprecated", "deprecated") if deprecated else None)


@pytest.mark.parametrize(
    ("successor", "active"),
    [
        ("id: w", True),
        ("id: w, audience: [agent]", True),
        ("id: w, deprecated: false", True),
        ("id: w, temporal: {valid_until: '2026-07-06'}", True),
        ("id: w, deprecated: true", False),
        ("id: w, audience: [human]", False),
        ("id: w, temporal: {valid_until: '2026-07-05'}", False),
        ("id: w, temporal: {valid_from: '2026-07-07'}", False),
        ("id: W", False),
    ],
)
def test_gate_5_supersession(successor, active):
    of = manifest(f"{UNIT}, temporal: {{superseded_by: w}}", successor)
    judged = verdict(of)
    assert (judged.failed == "supersession") is active
    if active:
        assert judged.reason == "superseded by w (successor active)"
    else:
        assert judged.failed is None


def test_only_the_first_unit_with_the_successors_id_counts():
    of = manifest(f"{UNIT}, temporal: {{superseded_by: w}}", "id: w, deprecated: true", "id: w")
    assert verdict(of).failed is None


def test_a_unit_that_supersedes_itself_is_skipped():
    assert refusal("temporal: {superseded_by: u}") == ("supersession", "superseded by u (successor active)")


def test_an_empty_successor_names_nobody():
    of = manifest(f"{UNIT}, temporal: {{superseded_by: ''}}", "id: ''")
    assert verdict(of).failed is None


def test_gate_6_relevance():
    assert refusal("", "billing") == ("relevance", "no task-relevance match")
    assert refusal("") is None
    judged = verdict("id: deploy, intent: deploy, triggers: [deploy]", unit_id="deploy")
    assert judged.score == 9
    assert judged.reasons == [
        "intent matches 1 term(s)",
        "triggers match 1 term(s)",
        "id/path matches 1 term(s)",
    ]


def test_the_first_failing_gate_gives_the_reason():
    members = [
        "audience: [human]",
        "not_for: [deploy]",
        "temporal: {valid_from: '2027', superseded_by: u}",
        "deprecated: true",
    ]
    stopped = []
    while members:
        stopped.append(refusal(", ".join(members), task="deploy")[0])
        members.pop(0)
    assert stopped == ["audience", "not_for", "temporal", "deprecated"]
    assert refusal("deprecated: true, temporal: {superseded_by: u}")[0] == "deprecated"
    assert refusal("temporal: {superseded_by: u}", "billing")[0] == "supersession"


ATTESTING = "{agent_requirements: {require_attestation: true, trusted_providers: [acme, other]}}"


@pytest.mark.parametrize(
    ("trust", "access", "provider", "required", "eligible"),
    [
        (ATTESTING, "restricted", None, True, False),
        (ATTESTING, "restricted", "", True, False),
        (ATTESTING, "restricted", "acm", True, False),
        (ATTESTING, "restricted", "other", True, True),
        (ATTESTING, "authenticated", None, False, True),
        (ATTESTING, "public", None, False, True),
        (ATTESTING.replace("true", "false"), "restricted", None, False, True),
        ("{agent_requirements: {trusted_providers: [acme]}}", "restricted", None, False, True),
        ("{agent_requirements: {require_attestation: true}}", "restricted", "acme", True, False),
        (ATTESTING.replace("[acme, other]", "['']"), "restricted", "", True, False),
        ("{}", "restricted", None, False, True),
    ],
)
def test_gate_8_attestation(trust, access, provider, required, eligible):
    of = manifest(f"{UNIT}, access: {access}", trust=trust)
    judged = verdict(of, attestation_provider=provider, credentials=("key",))
    assert (judged.requires_attestation, judged.eligible) == (required, eligible)
    reason = "restricted: requires attestation the agent cannot present"
    assert judged.reasons == MATCH + ([] if eligible else [reason])


def test_gate_9_payment():
    priced = f"{UNIT}, payment: {{methods: [{{type: subscription}}]}}"
    assert verdict(priced, payment_methods=("subscription",)).reasons == MATCH
    judged = verdict(priced)
    assert not judged.eligible
    assert judged.reasons == [*MATCH, "unaffordable: needs subscription"]


@pytest.mark.parametrize(
    ("access", "credentials", "reasons", "eligible"),
    [
        ("public", (), [], True),
        ("anything", (), [], True),
        ("authenticated", (), ["access 'authenticated': agent holds no credentials"], True),
        ("authenticated", ("k",), [], True),
        ("restricted", (), ["access 'restricted': agent holds no credentials"], False),
        ("restricted", ("k",), [], True),
    ],
)
def test_gate_10_access(access, credentials, reasons, eligible):
    judged = verdict(f"{UNIT}, access: {access}", credentials=credentials)
    assert judged.reasons == MATCH + reasons
    assert judged.eligible is eligible


@pytest.mark.parametrize("access", ["authenticated", "restricted", "public"])
def test_gate_10_hints_at_anonymous_payment(access):
    methods = "payment: {methods: [{type: x402, price_per_request: '1', currency: USDC}]}"
    hint = (
        f"hint: '{access}' + x402 — if this unit is anonymous-paid the manifest should mark it public "
        "(spec §4.11, v0.25.1)"
    )
    refused = f"access '{access}': agent holds no credentials"
    judged = verdict(f"{UNIT}, access: {access}, {methods}", payment_methods=("x402",))
    assert judged.reasons == MATCH + ([] if access == "public" else [refused, hint])
    unpaid = verdict(f"{UNIT}, access: {access}, {methods}")
    assert hint not in unpaid.reasons
    trusted = verdict(f"{UNIT}, access: {access}, {methods}", payment_methods=("x402",), credentials=("k",))
    assert trusted.reasons == MATCH


def test_gate_11_strict_skips_what_is_not_eligible_with_the_last_reason():
    closed = f"{UNIT}, kind: skill, access: restricted"
    assert selected(plan(closed)).load_eligible is False
    strict = plan(closed, strict=True)
    assert skipped(strict).reason == "access 'restricted': agent holds no credentials"
    assert strict.selected == ()
    assert verdict(closed, strict=True).failed == "strict"
    assert selected(plan(UNIT, strict=True)).load_eligible is True


def test_gate_11_keeps_units_that_are_only_short_of_an_optional_credential():
    assert selected(plan(f"{UNIT}, access: authenticated", strict=True)).load_eligible is True


def test_gate_11_reports_governance_details_of_what_it_skips():
    members = (
        f"{UNIT}, kind: playbook, load_eligible: true, authority_level: observe, "
        "action_scope: {spend: {max_spend: 1}, deny: {tools: [rm]}}, "
        "steps: [{id: s, authority_level: commit, escalation: [insufficient_authority_level]}, {id: t}]"
    )
    changes: dict[str, Any] = {"spend": {"amount": 2}, "action": {"tool": "rm"}}
    loose = selected(plan(members, **changes))
    strict = skipped(plan(members, strict=True, **changes))
    assert strict.authority == loose.authority is not None
    assert strict.spend == loose.spend is not None
    assert strict.prohibited_attempts == loose.prohibited_attempts is not None
    assert strict.reason == loose.reasons[-1]


def test_hard_gates_report_no_governance_details():
    out = skipped(
        plan(f"{UNIT}, deprecated: true, action_scope: {{spend: {{max_spend: 1}}}}", spend={"amount": 2})
    )
    assert out.values() == ("u", "deprecated", None, None, None, None)


def test_an_empty_proposal_is_no_proposal():
    world: dict[str, Any] = {"spend": {"currency": "USDC"}, "action": {}}
    judged = verdict(f"{UNIT}, action_scope: {{spend: {{max_spend: 1}}, deny: {{tools: ['']}}}}", **world)
    assert judged.spend is None
    assert judged.prohibited is None
    assert judged.eligible
    assert options(**world).spend is not None
