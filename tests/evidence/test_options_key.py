"""The options key (evidence contract §5): its text, and whether a plan agrees with it (row 9)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kcp.evidence.options_key import KeyFlags, disagreement, options_key
from tests.evidence.episode_cases import KEY, plan

CONTRACT = (
    '{"env":null,"asOf":"2026-07-06","maxUnits":null,"strict":false,"role":null,"methods":["free","x402"],'
    '"credentials":null,"attest":null,"budget":null,"currency":null,"contextBudget":null,"follow":false,'
    '"maxDepth":null,"maxNodes":null}'
)


def test_the_contracts_own_text():
    assert options_key(KeyFlags(as_of="2026-07-06", methods=("free", "x402"))) == CONTRACT


def test_every_flag_in_its_place():
    flags = KeyFlags(
        *(
            "2026-07-06",
            "prod",
            3,
            True,
            "auditor",
            ("free",),
            ("vault",),
            "acme",
            0.5,
            "EUR",
            9000,
            True,
            2,
            8,
        )
    )
    assert options_key(flags) == (
        '{"env":"prod","asOf":"2026-07-06","maxUnits":3,"strict":true,"role":"auditor","methods":["free"],'
        '"credentials":["vault"],"attest":"acme","budget":0.5,"currency":"EUR","contextBudget":9000,'
        '"follow":true,"maxDepth":2,"maxNodes":8}'
    )


def test_what_the_reference_has_not_is_appended_with_a_version():
    flags = KeyFlags(as_of="2026-07-06", more=(("grantCeiling", "suggest"), ("action", None)))
    assert options_key(flags) == KEY[:-1] + ',"keyVersion":2,"grantCeiling":"suggest"}'
    assert options_key(KeyFlags(as_of="2026-07-06", more=(("action", None),))) == KEY


# A change to the key, and the same change to the saved plan.
CHANGES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("env", {"env": "prod"}, {"environment": "prod"}),
    ("asOf", {"asOf": "2027-01-01"}, {"asOf": "2027-01-01"}),
    ("maxUnits", {"maxUnits": 3}, {"options.maxUnits": 3}),
    ("strict", {"strict": True}, {"options.strict": True}),
    ("role", {"role": "auditor"}, {"options.capabilities.role": "auditor"}),
    ("methods", {"methods": ["x402"]}, {"options.capabilities.paymentMethods": ["x402"]}),
    ("credentials", {"credentials": ["vault"]}, {"options.capabilities.credentials": ["vault"]}),
    ("attest", {"attest": "acme"}, {"options.capabilities.attestationProvider": "acme"}),
    ("budget", {"budget": 1}, {"options.budget": {"amount": 1}}),
    ("budget", {"budget": 1, "currency": "EUR"}, {"options.budget": {"amount": 1, "currency": "EUR"}}),
    ("contextBudget", {"contextBudget": 3000}, {"options.contextBudget": 3000}),
    ("grantCeiling", {"grantCeiling": "suggest"}, {"options.grantCeiling": "suggest"}),
    ("spend", {"spend": {"amount": 2}}, {"options.spend": {"amount": 2}}),
    ("action", {"action": {"tool": "git"}}, {"options.action": {"tool": "git"}}),
]


def changed_key(changes: dict[str, Any]) -> str:
    return json.dumps({**json.loads(KEY), **changes})


def changed_plan(changes: dict[str, Any]) -> dict[str, Any]:
    made = plan()
    for path, value in changes.items():
        *outer, last = path.split(".")
        block = made
        for step in outer:
            block = block[step]
        block[last] = value
    return made


@pytest.mark.parametrize(("name", "in_key", "in_plan"), CHANGES)
def test_key_and_plan_must_tell_the_same(name: str, in_key: dict[str, Any], in_plan: dict[str, Any]):
    other = f"optionsKey has another {name} than the saved plan"
    assert disagreement(changed_key(in_key), changed_plan(in_plan)) is None
    assert disagreement(changed_key(in_key), plan()) == other
    assert disagreement(KEY, changed_plan(in_plan)) == other


def test_defaults_are_what_a_plan_echoes():
    explicit = {"maxUnits": 5, "role": "agent", "methods": ["free"], "credentials": []}
    assert disagreement(changed_key(explicit), plan()) is None
    assert disagreement(KEY, plan()) is None


def test_flags_that_no_plan_echoes_may_be_anything():
    free = {"currency": "EUR", "follow": True, "maxDepth": 2, "maxNodes": 9, "noVerify": True, "model": "m"}
    assert disagreement(changed_key(free), plan()) is None


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("", "optionsKey is not JSON"),
        ("{", "optionsKey is not JSON"),
        ("[]", "optionsKey lacks options"),
        ("{}", "optionsKey lacks options"),
        ('{"env":null}', "optionsKey lacks options"),
    ],
)
def test_what_is_no_key(key: str, reason: str):
    assert disagreement(key, plan()) == reason


def test_true_is_not_one_and_a_broken_plan_agrees_with_nothing():
    assert disagreement(changed_key({"strict": 0}), plan()) is not None
    assert disagreement(KEY, {"task": "t", "options": 3}) is not None
    assert disagreement(KEY, {}) is not None


def test_many_keys_do_not_pile_up():
    from kcp.evidence import options_key as module

    for number in range(2 * module._MOST_ECHOES):
        assert disagreement(changed_key({"maxUnits": number + 10}), plan()) is not None
    assert len(module._echoes) <= module._MOST_ECHOES
