"""The trace: details of passing and failing gates (planner contract §10)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kcp.planning.cascade import GATES
from kcp.planning.results import TokenEstimate, TraceCost
from tests.support import UNIT, gate, manifest, plan, trace

SKILL = f"{UNIT}, kind: skill, load_eligible: true"
X402 = "payment: {methods: [{type: x402, price_per_request: '0.5', currency: USDC}]}"


def only(of):
    (unit,) = of.units
    return unit


def test_a_unit_that_passes_everything():
    made = trace(UNIT)
    assert [(each.gate, each.passed, each.detail) for each in only(made).gates] == [
        ("audience", True, "no audience restriction"),
        ("not_for", True, "no not_for declarations"),
        ("temporal", True, "no temporal constraint"),
        ("deprecated", True, "not deprecated"),
        ("supersession", True, "no supersession declared"),
        ("relevance", True, "score 3: intent matches 1 term(s)"),
        ("skill_eligibility", True, "not a governed procedure"),
        ("attestation", True, "no attestation required"),
        ("payment", True, "free"),
        ("access", True, "public access"),
        ("strict", True, "non-strict mode"),
        ("max_units", True, "position 1 within cap of 5"),
        ("money_budget", True, "no budget ceiling set"),
        ("context_budget", True, "no context budget set"),
    ]
    assert only(made).outcome == "selected"
    assert only(made).rejected_by is None


@pytest.mark.parametrize(
    ("members", "name", "detail"),
    [
        ("audience: [agent, x]", "audience", 'role \'agent\' in ["agent","x"]'),
        ("not_for: [a, b]", "not_for", 'task terms do not match ["a","b"]'),
        ("temporal: {}", "temporal", "active as-of 2026-07-06"),
        ("temporal: {superseded_by: w}", "supersession", "successor 'w' not active"),
        ("triggers: [deploy]", "relevance", "score 7: intent matches 1 term(s); triggers match 1 term(s)"),
        ("kind: knowledge", "skill_eligibility", "not a governed procedure"),
        (
            "kind: skill, load_eligible: true",
            "skill_eligibility",
            "kind: skill with explicit eligibility grant",
        ),
        (
            "kind: playbook, load_eligible: true, steps: []",
            "skill_eligibility",
            "kind: playbook with explicit eligibility grant",
        ),
        ("payment: {methods: [{type: sub}]}", "payment", "sub: undefined"),
        ("payment: {methods: [{type: no}]}", "payment", "unaffordable: needs no (loadEligible=false)"),
        (X402, "payment", "x402: 0.5 USDC/request"),
        ("access: public", "access", "access 'public' — agent has credentials"),
        ("access: ''", "access", "public access"),
        ("access: authenticated", "access", "access 'authenticated': agent holds no credentials"),
        (
            "access: restricted",
            "access",
            "access 'restricted': agent holds no credentials (loadEligible=false)",
        ),
    ],
)
def test_details_of_passing_gates(members, name, detail):
    made = trace(f"{UNIT}, {members}", payment_methods=("sub", "x402"))
    assert gate(made, name) == (True, detail)


def test_access_with_credentials():
    made = trace(f"{UNIT}, access: restricted", credentials=("k",))
    assert gate(made, "access") == (True, "access 'restricted' — agent has credentials")


@pytest.mark.parametrize(
    ("members", "name", "detail"),
    [
        ("audience: [x]", "audience", "audience [\"x\"] excludes role 'agent'"),
        ("not_for: [deploy]", "not_for", "not_for declares it does not serve 'deploy'"),
        ("temporal: {valid_from: '2027'}", "temporal", "not active until 2027"),
        ("temporal: {valid_until: '2025', superseded_by: w}", "temporal", "expired 2025 (superseded by w)"),
        ("deprecated: true", "deprecated", "deprecated"),
        ("temporal: {superseded_by: u}", "supersession", "superseded by u (successor active)"),
    ],
)
def test_details_of_hard_gates_equal_the_plans_reasons(members, name, detail):
    made = trace(f"{UNIT}, {members}")
    unit = only(made)
    assert (unit.outcome, unit.rejected_by) == ("skipped", name)
    assert [each.gate for each in unit.gates] == list(GATES[: GATES.index(name) + 1])
    assert unit.gates[-1].detail == detail == made.plan.skipped[0].reason
    assert unit.score is None


def test_relevance_fails_with_the_plans_reason():
    unit = only(trace(UNIT, "billing"))
    assert (unit.rejected_by, unit.gates[-1].detail) == ("relevance", "no task-relevance match")
    assert unit.score is None


GAP = (
    "step 's' uses 't', which is not invoke-eligible — a grant on a playbook does not compose to the units "
    "its steps name (§4.3c)"
)
ABOVE = (
    "step 's' requires 'commit' authority, above the resolved ceiling 'observe' "
    "(bound by agent grant_ceiling) — §3.13"
)
REFUSED = (
    "step 'u' attempts 'rm' (tools), denied by skill 'u' action_scope.deny — refused finally, not "
    "grantable (§4.3b, RFC-0030)"
)
PLAYBOOK = "kind: playbook, load_eligible: true"
GOVERNED = [
    ("kind: skill", {}, "kind: skill not invoke-eligible: no explicit eligibility grant"),
    (f"{PLAYBOOK}, steps: [{{id: s, uses: t}}]", {}, GAP),
    (f"{PLAYBOOK}, steps: [{{id: s, authority_level: commit}}]", {"grant_ceiling": "observe"}, ABOVE),
    (
        "action_scope: {spend: {max_spend: 1}, deny: {tools: [rm]}}",
        {"spend": {"amount": 2}, "action": {"tool": "rm"}},
        "step 'u' proposed spend 2 exceeds max_spend 1 — §4.3a.1",
    ),
    (
        "kind: skill, load_eligible: true, action_scope: {deny: {tools: [rm]}}",
        {"action": {"tool": "rm"}},
        REFUSED,
    ),
]


@pytest.mark.parametrize(("members", "changes", "text"), GOVERNED)
def test_skill_eligibility_shows_the_first_governance_failure(members, changes, text):
    of = manifest(f"{UNIT}, {members}", "id: t")
    assert gate(trace(of, **changes), "skill_eligibility") == (True, f"{text} (loadEligible=false)")
    strict = trace(of, strict=True, **changes)
    assert gate(strict, "skill_eligibility") == (False, text)
    assert strict.units[0].rejected_by == "skill_eligibility"
    assert strict.units[0].gates[-1].gate == "skill_eligibility"


def test_attestation():
    root = {"trust": "{agent_requirements: {require_attestation: true, trusted_providers: [a]}}"}
    of = manifest(f"{UNIT}, access: restricted", **root)
    held: dict[str, Any] = {"credentials": ("k",)}
    cannot = "restricted: requires attestation the agent cannot present (loadEligible=false)"
    assert gate(trace(of, **held), "attestation") == (True, cannot)
    can = trace(of, attestation_provider="a", **held)
    assert gate(can, "attestation") == (True, "agent can present required attestation")


def test_strict():
    assert gate(trace(SKILL, strict=True), "strict") == (True, "load-eligible under strict mode")
    closed = only(trace(f"{UNIT}, access: restricted", strict=True))
    assert (closed.rejected_by, closed.gates[-1].detail) == ("strict", "not load-eligible under strict mode")
    assert closed.score == 3


def test_the_unit_cap():
    of = manifest("id: a, intent: deploy", "id: b, intent: deploy", "id: c, intent: deploy")
    made = trace(of, max_units=2)
    assert gate(made, "max_units", "b") == (True, "position 2 within cap of 2")
    assert gate(made, "max_units", "c") == (False, "position 3 exceeds cap of 2")
    assert [each.outcome for each in made.units] == ["selected", "selected", "skipped"]
    assert made.units[2].rejected_by == "max_units"


def test_the_money_budget():
    of = manifest(
        f"id: a, intent: deploy, {X402}",
        f"id: b, intent: deploy, {X402}",
        f"id: c, intent: deploy, {X402}",
        f"id: d, intent: deploy, kind: skill, {X402}",
        "id: e, intent: deploy",
    )
    made = trace(of, payment_methods=("x402",), budget={"amount": 1.25, "spent": 0.25})
    assert gate(made, "money_budget", "a") == (True, "0.5 within budget (0.5 of 1.25 USDC spent)")
    assert gate(made, "money_budget", "b") == (True, "0.5 within budget (1 of 1.25 USDC spent)")
    assert gate(made, "money_budget", "c") == (False, "0.5 would exceed remaining 0 of 1.25 USDC")
    assert gate(made, "money_budget", "d") == (True, "free unit")
    assert gate(made, "money_budget", "e") == (True, "free unit")
    assert gate(made, "max_units", "d") == (True, "position 3 within cap of 5")
    other = trace(of, payment_methods=("x402",), budget={"amount": 5, "currency": "EUR"})
    assert gate(other, "money_budget", "a") == (False, "costs 0.5 USDC/request, budget is in EUR")


def test_the_context_budget():
    of = manifest(
        "id: a, intent: deploy, size_tokens: 1500",
        "id: b, intent: deploy, bytes: 40",
        "id: c, intent: deploy",
        "id: d, intent: deploy, kind: skill",
        "id: e, intent: deploy, bytes: 9999",
    )
    made = trace(of, context_budget=3000.5)
    assert gate(made, "context_budget", "a") == (True, "1,500 tokens (1,500 of 3,000.5 used)")
    assert gate(made, "context_budget", "b") == (True, "10 tokens (1,510 of 3,000.5 used)")
    assert gate(made, "context_budget", "c") == (True, "unmeasured (admitted, projection is a lower bound)")
    assert gate(made, "context_budget", "d") == (True, "not load-eligible")
    assert gate(made, "context_budget", "e") == (
        False,
        "2,500 tokens would exceed remaining 1,491 of 3,001",
    )
    strict = trace(of, context_budget=3000.5, strict=True)
    assert gate(strict, "context_budget", "c") == (False, "size undeclared — excluded under strict")


def test_size_cost_and_scope_are_shown_of_selected_units():
    members = f"size_tokens: 7, action_scope: {{tools: [x]}}, {X402}"
    unit = only(trace(f"{UNIT}, {members}", payment_methods=("x402",)))
    assert unit.tokens == TokenEstimate(7, "declared")
    assert unit.cost == TraceCost(0.5, "USDC", "x402")
    assert unit.action_scope.tools == ("x",)
    assert only(trace(f"{UNIT}, bytes: 9")).tokens == TokenEstimate(3, "estimated")
    assert only(trace(UNIT)).tokens == TokenEstimate(None, "unmeasured")
    assert only(trace(UNIT)).cost is None
    assert (
        only(trace(f"{UNIT}, payment: {{methods: [{{type: sub}}]}}", payment_methods=("sub",))).cost is None
    )
    out = only(trace(f"{UNIT}, deprecated: true, {members}"))
    assert (out.tokens, out.cost, out.action_scope) == (None, None, None)


def test_a_repeated_id_has_one_outcome():
    of = manifest(UNIT, f"{UNIT}, deprecated: true")
    first, second = trace(of).units
    assert (first.outcome, second.outcome) == ("selected", "selected")
    assert second.rejected_by == "deprecated"
    assert second.tokens == TokenEstimate(None, "unmeasured")


def test_the_summary_counts_units_that_reached_a_gate():
    of = manifest(UNIT, "id: a, audience: [x]", "id: b, intent: deploy, kind: skill", "id: c")
    made = trace(of, strict=True)
    counts = {each.gate: (each.passed, each.failed) for each in made.gate_summary}
    assert list(counts) == list(GATES)
    assert counts["audience"] == (3, 1)
    assert counts["relevance"] == (2, 1)
    assert counts["skill_eligibility"] == (1, 1)
    assert counts["context_budget"] == (1, 0)


def test_the_trace_holds_the_plan_and_its_inputs():
    of = manifest(UNIT)
    made = trace(of, "Deploy it now", role="x")
    assert made.plan == plan(of, "Deploy it now", role="x")
    assert made.task_terms == ("deploy", "now")
    assert (made.task, made.as_of, made.capabilities.role) == ("Deploy it now", "2026-07-06", "x")
    wire = json.loads(made.to_json())
    assert list(wire) == [
        "task",
        "taskTerms",
        "asOf",
        "capabilities",
        "plan",
        "units",
        "gateSummary",
        "schemaVersion",
        "kind",
    ]
    assert wire["kind"] == "trace"
    assert "kind" not in wire["plan"]
    assert list(wire["units"][0]) == ["id", "path", "intent", "outcome", "gates", "score", "tokens"]
