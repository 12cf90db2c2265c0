"""Decoding of keys and signatures (planner contract §12)."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.trust.material import (
    Envelope,
    KeyImportError,
    decode_material,
    import_key,
    is_inline,
    read_envelope,
    spki,
)
from tests.trust.support import b64, pair, spki_b64

KEY = pair(1).public
X25519_SPKI = bytes.fromhex("302a300506032b656e032100") + bytes(32)
# Contains what base64 writes as + and /.
AWKWARD = bytes.fromhex("fbefbefbffff") * 8


def pem(body: str, begin: str = "PUBLIC KEY", end: str = "PUBLIC KEY") -> str:
    return f"-----BEGIN {begin}-----\n{body}\n-----END {end}-----\n"


@given(st.binary(min_size=1, max_size=200))
def test_base64_round_trip(data: bytes):
    text = base64.b64encode(data).decode()
    if not (len(text) >= 64 and len(text) % 2 == 0 and set(text) <= set("0123456789abcdefABCDEF")):
        assert decode_material(text) == data
        assert decode_material(text.rstrip("=")) == data
        assert decode_material(f" \n{text}\r\n\t") == data


@given(st.binary(min_size=32, max_size=200))
def test_hexadecimal_round_trip(data: bytes):
    assert decode_material(data.hex()) == data
    assert decode_material(data.hex().upper()) == data
    assert decode_material(" ".join([data.hex()[:10], data.hex()[10:]]) + "\n") == data


@given(st.binary(min_size=1, max_size=200))
def test_pem_round_trip_in_either_alphabet(data: bytes):
    assert decode_material(pem(base64.b64encode(data).decode())) == data
    assert decode_material(pem(base64.urlsafe_b64encode(data).decode())) == data


@given(st.text(max_size=200))
def test_any_text_decodes_or_does_not(text: str):
    for variant in (text, f"-----BEGIN {text}", pem(text)):
        decoded = decode_material(variant)
        assert decoded is None or isinstance(decoded, bytes)
        assert isinstance(is_inline(variant), bool)
        assert isinstance(read_envelope(variant), Envelope)


@pytest.mark.parametrize(
    "text", ["", " ", "\n", "!", "ab-d", "ab_d", "ä" * 44, "a.b", "knowledge.yaml.sig", "{}"]
)
def test_undecodable(text: str):
    assert decode_material(text) is None


def test_base64url_only_within_pem():
    url_safe = base64.urlsafe_b64encode(AWKWARD).decode()
    assert {"-", "_"} & set(url_safe)
    assert decode_material(url_safe) is None
    assert decode_material(pem(url_safe)) == AWKWARD


def test_labels_need_not_agree_and_text_around_does_not_matter():
    assert decode_material(pem(b64(KEY), "A", "B")) == KEY
    assert decode_material(f"note\n{pem(b64(KEY), '', 'PUBLIC KEY')}more") == KEY


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN",
        "-----BEGIN PUBLIC KEY-----",
        f"-----BEGIN PUBLIC KEY-----\n{b64(KEY)}",
        f"-----BEGIN PUBLIC KEY\n{b64(KEY)}\n-----END PUBLIC KEY",
        pem("n0t b@se64"),
    ],
)
def test_broken_pem(text: str):
    assert decode_material(text) is None


def test_only_the_first_pem_block_counts():
    assert decode_material(pem(b64(KEY)) + pem(b64(bytes(32)))) == KEY


def test_hexadecimal_starts_at_64_digits_and_needs_an_even_count():
    assert decode_material("ab" * 32) == b"\xab" * 32
    assert decode_material("ab" * 31) == base64.b64decode("ab" * 31 + "==")
    assert decode_material("ab" * 32 + "c") == base64.b64decode("ab" * 32)


def test_a_stray_last_character_is_dropped_and_padding_ends_it():
    assert decode_material("QUJDR") == b"ABC"
    assert decode_material("QUJD=") == b"ABC"
    assert decode_material("QUI=QUJD") == b"AB"
    assert decode_material("QUJ") == b"AB"
    assert decode_material("A") == b""
    assert decode_material("====") == b""


def test_a_byte_order_mark_is_white_space():
    assert decode_material("\ufeff" + b64(KEY)) == KEY


@pytest.mark.parametrize(
    ("text", "inline"),
    [
        (b64(bytes(32)), True),
        (b64(bytes(44)), True),
        (b64(bytes(64)), True),
        (bytes(32).hex(), True),
        (b64(bytes(31)), False),
        (b64(bytes(33)), False),
        (b64(bytes(63)), False),
        (b64(bytes(65)), False),
        ("-----BEGIN nonsense", True),
        ("keys/publisher.pem", False),
        ("", False),
        ("https://a.example/" + "a" * 42, False),
        ("http://-----BEGIN", False),
        ("HTTPS://-----BEGIN", True),
    ],
)
def test_inline(text: str, inline: bool):
    assert is_inline(text) is inline


# --- envelopes ----------------------------------------------------------------------------------------------


def test_envelope_members():
    text = json.dumps({"key_id": "k", "algorithm": "EdDSA", "public_key": "p", "signature": "s", "more": 1})
    assert read_envelope(text) == Envelope("s", "p", "k", "EdDSA")
    assert read_envelope('{"signature": "s"}') == Envelope("s", None, None, None)


@pytest.mark.parametrize(
    "text", ["", "raw", " QUJD\n", "null", " null\n", "{", '{"signature": }', "\ufeff{}"]
)
def test_what_is_no_json_and_null_is_a_bare_signature(text: str):
    assert read_envelope(text) == Envelope(text)


@pytest.mark.parametrize("text", ["[]", '["s"]', "7", "-1.5e3", '"s"', "true", "false"])
def test_other_json_has_no_signature(text: str):
    assert read_envelope(text) == Envelope(None)


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_python_constants_are_no_json(constant: str):
    for text in (constant, f'{{"signature": "s", "x": {constant}}}'):
        assert read_envelope(text) == Envelope(text)


@pytest.mark.parametrize("text", ["{}", '{"signature": null}', '{"signature": ""}'])
def test_a_missing_signature_is_empty(text: str):
    assert read_envelope(text).signature == ""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("null", "null"),
        ("true", "true"),
        ("7", "7"),
        ("7.0", "7"),
        ("1e21", "1e+21"),
        ("12345678901234567890", "12345678901234567000"),
        ("1e999", "Infinity"),
        ("1" * 5000, "Infinity"),
        ('["a", null, ["b"]]', "a,,b"),
        ("{}", "[object Object]"),
        ('"\\ud800"', "\ud800"),
    ],
)
def test_members_read_as_javascript_text(value: str, text: str):
    read = read_envelope(
        f'{{"signature": "s", "key_id": {value}, "public_key": {value}, "algorithm": {value}}}'
    )
    assert read == Envelope("s", text, text, text)


def test_the_last_of_two_equal_members_counts():
    assert read_envelope('{"signature": "a", "signature": "b"}').signature == "b"


@pytest.mark.parametrize("depth", [100, 400, 900, 3000, 30_000])
@pytest.mark.parametrize("member", ["signature", "key_id", "other"])
def test_deep_nesting_is_survived(depth: int, member: str):
    text = f'{{"{member}": {"[" * depth}{"]" * depth}}}'
    assert isinstance(read_envelope(text), Envelope)
    assert isinstance(read_envelope("[" * depth), Envelope)


# --- keys ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", [b64(KEY), KEY.hex(), b64(spki(KEY)), spki(KEY).hex(), pem(b64(KEY)), pem(b64(spki(KEY)))]
)
def test_import(text: str):
    assert import_key(text) == KEY


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "unrecognized public key encoding"),
        ("not base64!", "unrecognized public key encoding"),
        (b64(bytes(31)), "Invalid keyData"),
        (b64(bytes(33)), "Invalid keyData"),
        (b64(bytes(44)), "Invalid keyData"),
        (b64(spki(KEY) + b"\0"), "Invalid keyData"),
        (b64(spki(KEY)[:-1]), "Invalid keyData"),
        (b64(b"\x31" + spki(KEY)[1:]), "Invalid keyData"),
        (b64(X25519_SPKI), "Invalid key type"),
        (b64(X25519_SPKI[:-1]), "Invalid keyData"),
        (b64(X25519_SPKI + b"\0"), "Invalid keyData"),
        (b64(b"\x30\x81" + X25519_SPKI[1:]), "Invalid keyData"),
        (b64(bytes.fromhex("302e020100300506032b657004220420") + bytes(32)), "Invalid keyData"),
        (b64(bytes.fromhex("300a300506032b65700301")), "Invalid keyData"),
        (b64(bytes.fromhex("3080")), "Invalid keyData"),
    ],
)
def test_unusable_keys(text: str, message: str):
    with pytest.raises(KeyImportError) as caught:
        import_key(text)
    assert caught.value.message == message


@given(st.binary(max_size=120))
def test_any_key_data_imports_or_does_not(data: bytes):
    outcome: int | str
    for variant in (data, spki(KEY)[:20] + data, X25519_SPKI[:14] + data):
        try:
            outcome = len(import_key(variant.hex() if len(variant) >= 32 else b64(variant)))
        except KeyImportError as error:
            outcome = error.message
        assert outcome in (32, "Invalid keyData", "Invalid key type", "unrecognized public key encoding")


def test_spki_of_the_support():
    assert base64.b64decode(spki_b64(1))[12:] == KEY
