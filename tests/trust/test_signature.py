"""The verdict on a signature: the table of planner contract §12 row by row, and decision B13."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.model import Signing
from kcp.planning.results import SignatureResult
from kcp.trust.keys import public_pem
from kcp.trust.signature import PinnedKey, verifying_key
from tests.trust.support import MANIFEST, b64, envelope, pair, signature_b64, spki_b64, verify

VERIFIED = "ed25519 signature verified ({})"
MISMATCH = "ed25519 signature does not match manifest bytes"
NOT_64 = "signature is not 64 ed25519 signature bytes"
UNSOUND = "public key is not a valid ed25519 point of prime order"
UNSIGNED = "manifest declares no signature"
NO_LOCATION = "manifest declares a signing block but no signature location — treating as unverified"
IDENTITY = bytes([1, *[0] * 31])


def signing(**changes: str | None) -> Signing:
    """A sound block: everything inline, by key 1."""
    return Signing(
        scheme="ed25519", public_key=spki_b64(1), signature=signature_b64(1), key_id="of-manifest"
    ).replace(**changes)


def pinned(*numbers: int) -> tuple[PinnedKey, ...]:
    return tuple([PinnedKey(f"pinned key {number}", pair(number).public) for number in numbers])


# --- one row after the other --------------------------------------------------------------------------------


def test_row_1_no_signing_block():
    assert verify(None) == SignatureResult("unsigned", UNSIGNED)


@pytest.mark.parametrize("location", [None, ""])
def test_row_2_no_signature_location(location: str | None):
    result = verify(signing(signature=location))
    assert result == SignatureResult("unverifiable", NO_LOCATION, "of-manifest")


@pytest.mark.parametrize("scheme", ["rsa", "ed25519 ", "EdDSA-ph", "none", "ed448"])
def test_row_3_unsupported_scheme(scheme: str):
    result = verify(signing(scheme=scheme))
    assert result == SignatureResult("unverifiable", f"unsupported signing scheme '{scheme}'", "of-manifest")


@pytest.mark.parametrize("scheme", [None, "", "ed25519", "Ed25519", "EDDSA", "eddsa"])
def test_schemes_that_mean_ed25519(scheme: str | None):
    assert verify(signing(scheme=scheme)).status == "verified"


def test_row_4_signature_unreadable_names_no_key():
    result = verify(signing(signature="m.sig"))
    assert result == SignatureResult("unverifiable", "cannot load signature: no such file: m.sig")


@pytest.mark.parametrize("algorithm", ["RS256", "none", None, 7])
def test_row_5_unsupported_algorithm(algorithm: object):
    result = verify(signing(signature="m.sig"), {"m.sig": envelope(algorithm=algorithm)})
    name = "null" if algorithm is None else algorithm
    detail = f"unsupported signature algorithm '{name}'"
    assert result == SignatureResult("unverifiable", detail, "of-envelope")


@pytest.mark.parametrize("algorithm", [..., "", "EdDSA", "eddsa", "ED25519"])
def test_algorithms_that_mean_ed25519(algorithm: object):
    files = {"m.sig": envelope(algorithm=algorithm)}
    assert verify(signing(signature="m.sig"), files).status == "verified"


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "7", '"s"', "true", "{}", "garbage!", b64(bytes(63)), b64(bytes(65)), "{", "[" * 5000],
)
def test_row_6_not_64_bytes(text: str):
    result = verify(signing(signature="m.sig"), {"m.sig": text})
    assert result == SignatureResult("invalid", NOT_64, "of-manifest")


@pytest.mark.parametrize("value", [None, "", 7, True, [], {}, "not base64!", b64(bytes(32))])
def test_row_6_in_an_envelope(value: object):
    result = verify(signing(signature="m.sig"), {"m.sig": envelope(signature=value)})
    assert result == SignatureResult("invalid", NOT_64, "of-envelope")


def test_row_6_inline_key_where_the_signature_belongs():
    assert verify(signing(signature=spki_b64(1))).detail == NOT_64


@pytest.mark.parametrize("key", [None, ""])
@pytest.mark.parametrize("text", [signature_b64(1), envelope(public_key=...), envelope(public_key="")])
def test_row_7_no_key(key: str | None, text: str):
    result = verify(signing(signature="m.sig", public_key=key), {"m.sig": text})
    assert (result.status, result.detail) == ("unverifiable", "no public key available")


def test_row_8_key_unreadable():
    result = verify(signing(public_key="k.pem"))
    assert result == SignatureResult(
        "unverifiable", "cannot load public key: no such file: k.pem", "of-manifest"
    )


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("not a key!", "unrecognized public key encoding"),
        (b64(bytes(40)), "Invalid keyData"),
        (b64(bytes.fromhex("302a300506032b656e032100") + bytes(32)), "Invalid key type"),
    ],
)
def test_row_9_key_unusable(key: str, reason: str):
    result = verify(signing(public_key="k.pem"), {"k.pem": key})
    assert result == SignatureResult("unverifiable", f"cannot import public key: {reason}", "of-manifest")


def test_row_10_verified():
    result = verify(signing())
    assert result == SignatureResult("verified", VERIFIED.format("declared key"), "of-manifest")


def test_row_11_mismatch():
    result = verify(signing(), data=MANIFEST + b"#")
    assert result == SignatureResult("invalid", MISMATCH, "of-manifest")


def test_rows_in_order_of_precedence():
    """Everything wrong at once; one thing after another is put right, and the next row shows."""
    files = {"m.sig": envelope(2, algorithm="RS256", signature="x", public_key=...)}
    block = Signing(scheme="rsa", key_id="k")
    assert verify(block, files).detail == NO_LOCATION
    block = block.replace(signature="missing.sig")
    assert verify(block, files).detail == "unsupported signing scheme 'rsa'"
    block = block.replace(scheme=None)
    assert verify(block, files).detail == "cannot load signature: no such file: missing.sig"
    block = block.replace(signature="m.sig")
    assert verify(block, files).detail == "unsupported signature algorithm 'RS256'"
    files["m.sig"] = envelope(2, signature="x", public_key=...)
    assert verify(block, files).detail == NOT_64
    files["m.sig"] = envelope(2, public_key=...)
    assert verify(block, files).detail == "no public key available"
    block = block.replace(public_key="k.pem")
    assert verify(block, files).detail == "cannot load public key: no such file: k.pem"
    files["k.pem"] = b64(bytes(40))
    assert verify(block, files).detail == "cannot import public key: Invalid keyData"
    files["k.pem"] = b64(IDENTITY)
    assert verify(block, files).detail == UNSOUND
    files["k.pem"] = spki_b64(1)
    assert verify(block, files).detail == MISMATCH
    files["k.pem"] = spki_b64(2)
    assert verify(block, files).detail == VERIFIED.format("declared key")


# --- key ids ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "shown"), [("e", "e"), (..., "of-manifest"), (None, "null"), (7, "7"), ("", "")]
)
def test_the_envelope_overrides_the_key_id(given: object, shown: str):
    result = verify(signing(signature="m.sig"), {"m.sig": envelope(key_id=given)})
    assert (result.status, result.key_id) == ("verified", shown)


def test_without_any_key_id_there_is_none():
    assert verify(signing(key_id=None)).key_id is None
    assert verify(signing(key_id=None, signature="m.sig"), {"m.sig": envelope()}).key_id == "of-envelope"


@pytest.mark.parametrize("text", [signature_b64(1), "null"])
def test_a_bare_signature_leaves_the_key_id(text: str):
    assert verify(signing(signature="m.sig"), {"m.sig": text}).key_id == "of-manifest"


# --- which key ----------------------------------------------------------------------------------------------


def test_pinned_before_declared_before_envelope():
    files = {"m.sig": envelope(1, public_key=spki_b64(1))}
    with_declared, without = signing(signature="m.sig"), signing(signature="m.sig", public_key=None)
    assert verify(with_declared, files).detail == VERIFIED.format("declared key")
    assert verify(without, files).detail == VERIFIED.format("envelope key")
    assert verify(with_declared, files, pinned=pinned(1)).detail == VERIFIED.format("pinned key 1")
    assert verify(with_declared, files, pinned=pinned(2)) == SignatureResult(
        "invalid", MISMATCH, "of-envelope"
    )
    wrong = signing(signature="m.sig", public_key=spki_b64(2))
    assert verify(wrong, files).detail == MISMATCH


def test_any_pinned_key_counts_and_is_named():
    for number in (1, 2, 3):
        result = verify(signing(signature=signature_b64(number)), pinned=pinned(1, 2, 3))
        assert result.detail == VERIFIED.format(f"pinned key {number}")
    assert verify(signing(signature=signature_b64(4)), pinned=pinned(1, 2, 3)).detail == MISMATCH


def test_no_covering_pin_is_no_key_and_never_the_declared_one():
    result = verify(signing(), pinned=())
    assert result == SignatureResult("unverifiable", "no public key available", "of-manifest")


def test_an_unreachable_declared_key_is_never_replaced():
    """B13: the envelope verifies by its own key, and still does not count."""
    block = signing(signature="m.sig", public_key="k.pem")
    result = verify(block, {"m.sig": envelope()})
    assert result.status == "unverifiable"
    assert result.detail == "cannot load public key: no such file: k.pem"
    assert verify(block, {"m.sig": envelope(), "k.pem": "?"}).status == "unverifiable"


def test_keys_at_locations():
    text = public_pem(pair(1).public)
    assert verify(signing(public_key="k.pem"), {"k.pem": text}).status == "verified"
    files = {"m.sig": envelope(public_key="k.pem"), "k.pem": text}
    assert verify(signing(signature="m.sig", public_key=None), files).detail == VERIFIED.format(
        "envelope key"
    )


def test_an_unsound_key_among_sound_ones_is_passed_over():
    bad = PinnedKey("bad", IDENTITY)
    assert verify(signing(), pinned=(bad, *pinned(1))).detail == VERIFIED.format("pinned key 1")
    assert verify(signing(), pinned=(bad, *pinned(2))).detail == MISMATCH
    assert verify(signing(), pinned=(bad, bad)) == SignatureResult("invalid", UNSOUND, "of-manifest")


def test_forgery_with_the_identity_as_key():
    forged = b64(IDENTITY + bytes(32))
    result = verify(signing(public_key=b64(IDENTITY), signature=forged))
    assert result == SignatureResult("invalid", UNSOUND, "of-manifest")


def test_a_given_text_takes_the_place_of_the_location():
    given = envelope(1)
    assert verify(signing(signature="missing.sig"), given=given).status == "verified"
    assert verify(signing(signature=None), given=given).status == "verified"
    assert verify(signing(signature=None), given="").detail == NOT_64
    assert verify(signing(scheme="rsa"), given=given).status == "unverifiable"
    assert verify(Signing(), given=given).detail == VERIFIED.format("envelope key")


# --- the bytes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("signed", "found", "verified"),
    [
        (b"a: 1\n", b"a: 1\n", True),
        (b"a: 1\n", b"a: 1", True),
        (b"a: 1\n", b"a: 1\n\n\n", True),
        (b"a: 1", b"a: 1", True),
        (b"a: 1\n\n", b"a: 1\n\n", True),
        (b"a: 1", b"a: 1\n", False),
        (b"a: 1\n\n", b"a: 1\n", False),
        (b"a: 1\n", b"a: 1\r\n", False),
        (b"a: 1\r\n", b"a: 1\n", False),
        (b"a: 1\r\n", b"a: 1\r\n\n", True),
        (b"a: 1\r\n", b"a: 1\r\n", True),
        (b"a: 1\n", b"\na: 1\n", False),
        (b"a: 1\n", b"\xef\xbb\xbfa: 1\n", False),
        (b"", b"", True),
        (b"\n", b"", True),
        (b"\n", b"\n\n\n", True),
    ],
)
def test_one_final_newline_is_tolerated(signed: bytes, found: bytes, verified: bool):
    result = verify(signing(signature=signature_b64(1, signed)), data=found)
    assert (result.status == "verified") is verified


def test_bytes_that_are_not_utf8_are_signed_as_they_are():
    """B8: nothing is decoded first."""
    data = b"\xff\xfe\n"
    assert verify(signing(signature=signature_b64(1, data)), data=data).status == "verified"
    replaced = data.decode("utf-8", "replace").encode()
    assert verify(signing(signature=signature_b64(1, replaced)), data=data).status == "invalid"


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_only_the_signed_bytes_verify(signed: bytes, found: bytes):
    block = signing(signature=signature_b64(1, signed))
    expected = found == signed or found.rstrip(b"\n") + b"\n" == signed
    assert (verify(block, data=found).status == "verified") is expected


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["signature", "public_key", "key_id", "algorithm"]), _JSON) | _JSON)
def test_no_envelope_without_a_signature_verifies(value: object):
    result = verify(signing(signature="m.sig"), {"m.sig": json.dumps(value)})
    assert result.status in ("invalid", "unverifiable")


def test_the_verifying_key_is_the_one_in_the_detail():
    assert verifying_key(verify(signing())) == "declared key"
    odd = PinnedKey("pinned key a (b)", pair(1).public)
    assert verifying_key(verify(signing(), pinned=(odd,))) == "pinned key a (b)"
    assert verifying_key(verify(signing(), data=b"x")) is None
    assert verifying_key(verify(None)) is None
