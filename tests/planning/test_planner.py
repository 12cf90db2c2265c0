"""The plan as a whole: its blocks, notes and warnings (planner contract §7–§9)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kcp.planning.results import ManifestInfo, TrustReport, UnitCost
from tests.support import UNIT, manifest, options, plan, read

PAID = "payment: {{methods: [{{type: x402, price_per_request: '{}', currency: USDC}}]}}"
ALL: dict[str, Any] = {"payment_methods": ("x402", "free")}


def paid(name: str, price: object, members: str = "kind: knowledge") -> str:
    return f"id: {name}, intent: deploy, {members}, {PAID.format(price)}"


def test_the_plan_names_its_inputs():
    of = manifest(UNIT, source="dir/knowledge.yaml").replace(sha256="0" * 64)
    made = plan(of, "Deploy!", env="", max_units=3)
    assert made.task == "Deploy!"
    assert made.manifest == ManifestInfo("p", "1", "0.32", "dir/knowledge.yaml", "0" * 64)
    assert made.environment == ""
    assert made.as_of == "2026-07-06"
    assert made.options == options(env="", max_units=3)
    assert made.signature is None


def test_a_manifest_of_nothing_gives_an_empty_plan():
    made = plan(read("{}"))
    assert (made.selected, made.skipped, made.federation, made.warnings) == ((), (), (), ())
    assert made.manifest == ManifestInfo("(unnamed)", "0.0.0")
    assert made.serving is None


@pytest.mark.parametrize(
    ("trust", "provider", "expected"),
    [
        ("{}", None, TrustReport(False, True, "no manifest-level attestation requirement")),
        (
            "{agent_requirements: {require_attestation: true, trusted_providers: [a]}}",
            "a",
            TrustReport(True, True, "manifest requires attestation; the agent can present it"),
        ),
        (
            "{agent_requirements: {require_attestation: true, trusted_providers: [a]}}",
            "b",
            TrustReport(
                True, False, "manifest requires attestation; the agent CANNOT — restricted units are gated"
            ),
        ),
    ],
)
def test_trust(trust, provider, expected):
    assert plan(manifest(UNIT, trust=trust), attestation_provider=provider).trust == expected


def test_budget_without_a_ceiling():
    free = plan(manifest(UNIT, rate_limits="{default: {requests_per_minute: 60}}")).budget
    assert (free.rate_tier, free.requests_per_minute) == ("default", 60)
    assert free.note == "all selected units are free to load at the resolved tier."
    of = manifest(paid("a", 0.5), paid("b", 0), paid("c", 1, "kind: skill"), "id: d, intent: deploy")
    costly = plan(of, **ALL).budget
    assert costly.per_request_costs == (UnitCost("a", "0.5 USDC/request"), UnitCost("b", "0 USDC/request"))
    assert costly.note == "2 selected unit(s) are pay-per-request; budget before loading."
    assert (costly.ceiling, costly.currency, costly.projected_spend, costly.remaining) == (None,) * 4


def test_budget_with_a_ceiling():
    of = manifest(paid("a", 0.1), paid("b", 0.2), paid("c", 5, "kind: skill"))
    money = plan(of, budget={"amount": 2}, **ALL).budget
    assert (money.ceiling, money.currency, money.already_committed) == (2, "USDC", None)
    assert (money.projected_spend, money.remaining) == (0.3, 1.7)
    assert money.note == "projected spend 0.3 of 2 USDC; 1.7 remaining."
    nothing = plan(manifest(UNIT), budget={"amount": 2, "currency": "EUR", "spent": 0}).budget
    assert nothing.already_committed is None
    assert nothing.note == "projected spend 0 of 2 EUR; 2 remaining."


def test_budget_with_money_committed_upstream():
    money = plan(manifest(paid("a", 0.1)), budget={"amount": 2, "spent": 0.5000004}, **ALL).budget
    assert money.already_committed == 0.5
    assert money.remaining == 1.4
    assert money.note == "projected spend 0.1 (+0.5 committed upstream) of 2 USDC; 1.4 remaining."


def test_context_without_a_ceiling():
    context = plan(manifest("id: a, intent: deploy, bytes: 5", "id: b, intent: deploy")).context
    assert context.values() == (None, None, None, True, 1, "no context budget set.")
    assert plan(manifest("id: a, intent: deploy, kind: skill")).context.unmeasured == 0


@pytest.mark.parametrize(
    ("units", "note"),
    [
        (["size_tokens: 1200"], "projected 1,200 of 3,001 tokens; 1,801 remaining."),
        (["bytes: 4"], "projected 1 of 3,001 tokens; 3,000 remaining (some sizes estimated)."),
        (["scope: x"], "projected 0 of 3,001 tokens; 3,001 remaining (1 unmeasured)."),
        (
            ["bytes: 4", "scope: x", "scope: y"],
            "projected 1 of 3,001 tokens; 3,000 remaining (some sizes estimated, 2 unmeasured).",
        ),
        (["kind: skill, bytes: 4"], "projected 0 of 3,001 tokens; 3,001 remaining."),
    ],
)
def test_context_with_a_ceiling(units, note):
    of = manifest(*[f"id: u{place}, intent: deploy, {members}" for place, members in enumerate(units)])
    context = plan(of, context_budget=3000.5).context
    assert context.note == note
    assert context.ceiling == 3000.5
    assert context.remaining == 3000.5 - (context.projected_tokens or 0)


def test_warnings_in_order():
    of = manifest(
        "id: a, intent: deploy, triggers: ['']",
        "id: b, intent: deploy",
        serving="{manifest: ['https://a.example/k.yaml']}",
        source="https://b.example/k.yaml",
    )
    served = (
        "serving binding: retrieved from https://b.example/k.yaml, which is not in the declared "
        "serving.manifest list [https://a.example/k.yaml] — trust capped at 'known' (KCP §16.5 C22)"
    )
    assert plan(of, "deploy it", max_units=1, context_budget=5).warnings == (
        served,
        "1 relevant unit(s) beyond maxUnits=1 not selected",
        "1 selected unit(s) declare no size — the context projection is a lower bound (unmeasured)",
    )
    assert plan(of, "do the").warnings == (
        "task produced no search terms after stopword removal",
        served,
    )


def test_only_an_unbound_manifest_is_warned_of():
    serving = "{manifest: ['https://a.example/k.yaml']}"
    local = plan(manifest(UNIT, serving=serving, source="k.yaml"))
    assert local.serving is not None
    assert local.serving.status == "local"
    assert local.warnings == ()


def test_the_artifact():
    made = plan(UNIT)
    wire = json.loads(made.to_json("c-1"))
    assert list(wire) == [
        "task",
        "manifest",
        "trust",
        "asOf",
        "options",
        "selected",
        "skipped",
        "federation",
        "budget",
        "context",
        "warnings",
        "schemaVersion",
        "kind",
        "correlationId",
    ]
    assert (wire["schemaVersion"], wire["kind"], wire["correlationId"]) == (1, "plan", "c-1")
    assert "correlationId" not in json.loads(made.to_json(""))


def test_what_a_selected_unit_says():
    wire = json.loads(plan(f"{UNIT}, action_scope: {{tools: [x]}}").to_json())
    assert wire["selected"] == [
        {
            "id": "u",
            "path": "u.md",
            "intent": "deploy",
            "score": 3,
            "reasons": ["intent matches 1 term(s)"],
            "payment": {"method": "free", "affordable": True},
            "requiresAttestation": False,
            "loadEligible": True,
            "action_scope": {"tools": ["x"], "paths": [], "capabilities": []},
        }
    ]
