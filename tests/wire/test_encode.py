"""Typed results as the wire's members (planner contract §8–§10)."""

from __future__ import annotations

import json

import pytest

from kcp.model import ActionScope, DenyScope, SpendScope, Unit
from kcp.options import Action, Budget, Capabilities, PlanOptions, SpendProposal
from kcp.planning.diff import Move, Side
from kcp.planning.results import FederationEntry, PaymentChoice, SpendBinding
from kcp.wire.encode import artifact, artifact_json, to_wire
from tests.support import UNIT, manifest, plan, trace


def test_members_come_in_field_order_and_absent_ones_are_left_out():
    made = to_wire(FederationEntry("r", "u", False, "why", docs_url="d", local_mirror=""))
    assert list(made.items()) == [
        ("id", "r"),
        ("url", "u"),
        ("selected", False),
        ("reason", "why"),
        ("docsUrl", "d"),
        ("localMirror", ""),
    ]


@pytest.mark.parametrize("value", [0, 0.0, False, "", ()])
def test_only_absence_is_left_out(value):
    made = to_wire(FederationEntry("r", "u", False, "why", credential_needed=value))
    assert made["credentialNeeded"] == ([] if value == () else value)


def test_names_are_camel_case():
    made = to_wire(PaymentChoice("x402", "c", 1, "USDC", False))
    assert list(made) == ["method", "cost", "pricePerRequest", "currency", "affordable"]
    assert list(to_wire(SpendBinding(1, ("v",), "USD", "s"))) == [
        "maxSpend",
        "allowedVendors",
        "currency",
        "bindingSource",
    ]
    assert list(to_wire(Move("u", "d", Side(1), Side(None, "r")))) == ["id", "direction", "from", "to"]


def test_members_of_the_manifest_keep_their_names():
    scope = ActionScope(("t",), (), (), SpendScope(5, (), "USD"), DenyScope(paths=("p",)))
    assert to_wire(scope) == {
        "tools": ["t"],
        "paths": [],
        "capabilities": [],
        "spend": {"max_spend": 5, "allowed_vendors": [], "currency": "USD"},
        "deny": {"tools": [], "paths": ["p"], "capabilities": []},
    }
    assert list(to_wire(Unit(id="u", load_eligible=True, size_tokens=1)))[-2:] == [
        "load_eligible",
        "size_tokens",
    ]


def test_what_is_internal_is_not_written():
    assert "malformed" not in to_wire(Unit(malformed=("steps",)))
    made = to_wire(manifest("load_eligible: yes", source="s").replace(sha256="0"))
    assert made["source"] == "s"
    assert not {"problems", "sha256"} & set(made)


def test_options_leave_out_date_and_environment():
    options = PlanOptions(
        "2026-07-06",
        "prod",
        Capabilities("r", ("x",), ("c",), "a"),
        3,
        True,
        Budget(1, "USD", 0.5),
        10.5,
        "observe",
        SpendProposal(1, "v", "USD"),
        Action("t", "p", "c"),
    )
    assert json.dumps(to_wire(options)) == json.dumps(
        {
            "capabilities": {
                "role": "r",
                "paymentMethods": ["x"],
                "credentials": ["c"],
                "attestationProvider": "a",
            },
            "maxUnits": 3,
            "strict": True,
            "budget": {"amount": 1, "currency": "USD", "spent": 0.5},
            "contextBudget": 10.5,
            "grantCeiling": "observe",
            "spend": {"amount": 1, "vendor": "v", "currency": "USD"},
            "action": {"tool": "t", "path": "p", "capability": "c"},
        }
    )
    assert list(to_wire(PlanOptions("2026-07-06"))) == ["capabilities", "maxUnits", "strict"]


def test_plain_values_stay_and_tuples_become_lists():
    assert to_wire(("a", 1, None, (Side(1),), True)) == ["a", 1, None, [{"score": 1}], True]
    assert to_wire("a") == "a"
    assert to_wire(None) is None


def test_the_envelope_comes_last():
    of = plan(UNIT)
    assert list(artifact(of, "c").items())[-3:] == [
        ("schemaVersion", 1),
        ("kind", "plan"),
        ("correlationId", "c"),
    ]
    assert artifact(trace(UNIT))["kind"] == "trace"
    for nothing in (None, ""):
        assert list(artifact(of, nothing))[-1] == "kind"


def test_the_text_has_two_blanks_of_indent_and_no_final_newline():
    text = artifact_json(plan(UNIT))
    assert text.startswith('{\n  "task": "deploy",\n  "manifest": {\n    "project": "p",')
    assert text.endswith('"kind": "plan"\n}')
    assert json.loads(text) == artifact(plan(UNIT))


def test_each_scope_of_a_manifest_is_echoed_where_it_belongs():
    members = f"{UNIT}, action_scope: {{tools: [x], spend: {{max_spend: 1}}}}"
    wire = artifact(plan(members, spend={"amount": 1}))
    assert wire["selected"][0]["action_scope"]["spend"] == {"max_spend": 1, "allowed_vendors": []}
    assert wire["selected"][0]["spend"] == {"maxSpend": 1, "bindingSource": "step 'u' action_scope.spend"}
    assert wire["options"]["spend"] == {"amount": 1}
