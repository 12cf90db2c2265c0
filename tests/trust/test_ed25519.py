"""Ed25519 verdicts through `verify_signature` (planner contract §12, decision B13)."""

from __future__ import annotations

import base64

import pytest

from kcp.model import Signing
from kcp.trust.ed25519 import is_sound_key, verifies
from kcp.trust.signature import PinnedKey, verify_signature
from tests.trust import ed25519_cases as cases

VERDICTS = {
    cases.VERIFIED: ("verified", "ed25519 signature verified (pinned key)"),
    cases.MISMATCH: ("invalid", "ed25519 signature does not match manifest bytes"),
    cases.UNSOUND: ("invalid", "public key is not a valid ed25519 point of prime order"),
    cases.WRONG_SIZE: ("invalid", "signature is not 64 ed25519 signature bytes"),
}


def verdict(case: cases.Case) -> tuple[str, str]:
    text = base64.b64encode(case.signature).decode()
    pins = (PinnedKey("pinned key", case.key),)
    result = verify_signature(Signing(signature="m.sig"), case.message, lambda _name: text, pins)
    return result.status, result.detail


@pytest.mark.parametrize("name", cases.CLASSES)
def test_verdicts(name: str):
    wrong = {
        case.name: (verdict(case), case.expected)
        for case in cases.CLASSES[name]()
        if verdict(case) != VERDICTS[case.expected]
    }
    assert wrong == {}


@pytest.mark.parametrize("name", cases.CLASSES)
def test_expectations_follow_from_the_definitions(name: str):
    wrong = {
        case.name: case.expected
        for case in cases.CLASSES[name]()
        if cases.judge(case.key, case.message, case.signature) != case.expected
    }
    assert wrong == {}


def test_there_are_enough_cases_and_no_two_the_same():
    everything = [case for make in cases.CLASSES.values() for case in make()]
    assert len(everything) >= 150
    assert len({case[1:4] for case in everything}) == len(everything)
    assert {case.expected for case in everything} == set(VERDICTS)


def test_the_small_order_encodings_are_all_there():
    encodings = cases.small_order_encodings()
    assert len(encodings) == 14
    assert bytes([1, *[0] * 31]) in encodings
    assert len({cases.encode(point) for point in cases.torsion()}) == 8


def test_forgeries_pass_the_bare_equation():
    """Otherwise the refusals above would prove nothing."""
    for name in ("small_order_keys", "mixed_order_keys"):
        for case in cases.CLASSES[name]():
            if not case.name.startswith("other's"):
                assert cases.equation_holds(case.key, case.message, case.signature), case.name
    for case in cases.malleable():
        assert cases.equation_holds(case.key, case.message, case.signature), case.name


def test_soundness_of_keys():
    assert all(is_sound_key(cases.public(number)) for number in range(20))
    assert not any(is_sound_key(key) for key in cases.small_order_encodings())


def test_a_signature_is_over_the_bytes():
    assert verifies(cases.public(1), b"m", cases.signed(1, b"m"))
    assert not verifies(cases.public(1), b"n", cases.signed(1, b"m"))
