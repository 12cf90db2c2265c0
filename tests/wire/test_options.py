"""Planner options read back from their wire form (planner contract §5, §9)."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.errors import ArtifactError
from kcp.options import Action, Budget, Capabilities, PlanOptions, SpendProposal
from kcp.planning.planner import make_plan
from kcp.wire.decode import decode_json
from kcp.wire.encode import to_wire
from kcp.wire.jsontext import encode_json
from kcp.wire.options import read_options
from tests.support import manifest

DAY = {"asOf": "2026-07-06"}


def test_defaults():
    assert read_options(DAY, "x") == PlanOptions("2026-07-06")


def test_everything():
    wire = {
        "env": "prod",
        "capabilities": {
            "role": "r",
            "paymentMethods": ["x402"],
            "credentials": ["k"],
            "attestationProvider": "a",
        },
        "maxUnits": 3,
        "strict": True,
        "budget": {"currency": "USD", "amount": 1.5, "spent": 0.5},
        "contextBudget": 10.5,
        "grantCeiling": "observe",
        "spend": {"amount": 1, "vendor": "v", "currency": "USD"},
        "action": {"tool": "t", "path": "p", "capability": "c"},
    }
    assert read_options(DAY | wire, "x") == PlanOptions(
        as_of="2026-07-06",
        env="prod",
        capabilities=Capabilities("r", ("x402",), ("k",), "a"),
        max_units=3,
        strict=True,
        budget=Budget(1.5, "USD", 0.5),
        context_budget=10.5,
        grant_ceiling="observe",
        spend=SpendProposal(1, "v", "USD"),
        action=Action("t", "p", "c"),
    )


@pytest.mark.parametrize(
    ("wire", "message"),
    [
        ([], "x: options must be an object"),
        (None, "x: options must be an object"),
        ({}, "x: options lacks 'as_of'"),
        ({"asOf": 5}, "x: options.asOf must be text"),
        (DAY | {"role": "r"}, "x: options has the unknown member 'role'"),
        (DAY | {"as_of": "d"}, "x: options has the unknown member 'as_of'"),
        (DAY | {"maxUnits": "5"}, "x: options.maxUnits must be a number, or null for no limit"),
        (DAY | {"maxUnits": True}, "x: options.maxUnits must be a number, or null for no limit"),
        (DAY | {"strict": 1}, "x: options.strict must be true or false"),
        (DAY | {"env": None}, "x: options.env must be text"),
        (DAY | {"contextBudget": "1"}, "x: options.contextBudget must be a number"),
        (DAY | {"contextBudget": False}, "x: options.contextBudget must be a number"),
        (DAY | {"capabilities": []}, "x: options.capabilities must be an object"),
        (
            DAY | {"capabilities": {"credentials": "k"}},
            "x: options.capabilities.credentials must be a list of text",
        ),
        (
            DAY | {"capabilities": {"paymentMethods": ["free", 1]}},
            "x: options.capabilities.paymentMethods must be a list of text",
        ),
        (
            DAY | {"capabilities": {"payment_methods": []}},
            "x: options.capabilities has the unknown member 'payment_methods'",
        ),
        (DAY | {"budget": {}}, "x: options.budget lacks 'amount'"),
        (DAY | {"budget": {"amount": "1"}}, "x: options.budget.amount must be a number"),
        (DAY | {"budget": 5}, "x: options.budget must be an object"),
        (DAY | {"spend": {"amount": True}}, "x: options.spend.amount must be a number"),
        (DAY | {"action": {"tools": "t"}}, "x: options.action has the unknown member 'tools'"),
    ],
)
def test_anything_else_is_refused(wire, message):
    with pytest.raises(ArtifactError) as raised:
        read_options(wire, "x")
    assert raised.value.message == message


def test_a_cap_of_null_is_no_cap():
    options = read_options(DAY | {"maxUnits": None}, "x")
    assert math.isnan(options.max_units)
    assert '"maxUnits": null' in encode_json(to_wire(options))
    made = make_plan(manifest(*[f"id: u{n}, intent: deploy" for n in range(9)]), "deploy", options)
    assert len(made.selected) == 9
    assert made.warnings == ()


TEXTS = st.text(max_size=5)
OPTIONAL = st.none() | TEXTS
# What JSON text carries exactly; integral floats come back as integers, which compare equal.
NUMBERS = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
LISTS = st.lists(TEXTS, max_size=3).map(tuple)
OPTIONS = st.builds(
    PlanOptions,
    as_of=TEXTS,
    env=OPTIONAL,
    capabilities=st.builds(Capabilities, TEXTS, LISTS, LISTS, OPTIONAL),
    max_units=NUMBERS,
    strict=st.booleans(),
    budget=st.none() | st.builds(Budget, NUMBERS, OPTIONAL, st.none() | NUMBERS),
    context_budget=st.none() | NUMBERS,
    grant_ceiling=OPTIONAL,
    spend=st.none() | st.builds(SpendProposal, st.none() | NUMBERS, OPTIONAL, OPTIONAL),
    action=st.none() | st.builds(Action, OPTIONAL, OPTIONAL, OPTIONAL),
)


@given(OPTIONS)
def test_options_come_back_as_they_were(options):
    rest = {"asOf": options.as_of} | ({} if options.env is None else {"env": options.env})
    assert read_options(to_wire(options) | rest, "x") == options


@given(OPTIONS)
def test_options_come_back_from_their_text(options):
    wire: Any = decode_json(encode_json(to_wire(options)).encode(), "x")
    rest = {"asOf": options.as_of} | ({} if options.env is None else {"env": options.env})
    assert read_options(wire | rest, "x") == options
