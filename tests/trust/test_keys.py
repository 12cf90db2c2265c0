"""Key pairs, PEM and signature envelopes (render contract §5, §18)."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.errors import KcpError
from kcp.reading.source import sha256_hex
from kcp.trust.der import private_key_info, spki_algorithm
from kcp.trust.keys import (
    KeyPair,
    bare_text,
    envelope_text,
    fingerprint,
    key_pair,
    new_key_pair,
    private_pem,
    public_pem,
    read_private_key,
    sign,
    spki_text,
)
from kcp.trust.material import decode_material, import_key, spki
from tests.trust.support import MANIFEST, b64, pair

openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
MANDATORY = "the mandatory-to-implement algorithm is Ed25519 (RFC-0018 §4.2)"
PKCS8 = bytes.fromhex("302e020100300506032b657004220420")


def private(der: bytes, label: str = "PRIVATE KEY") -> str:
    return f"-----BEGIN {label}-----\n{b64(der)}\n-----END {label}-----\n"


def refusal(text: str) -> str:
    with pytest.raises(KcpError) as caught:
        read_private_key(text, "ops.key")
    message = caught.value.message
    assert caught.value.exit_code == 3
    assert message.startswith("ops.key")
    assert not any(len(line) > 20 and line in message for line in text.splitlines() if "-----" not in line)
    return message


def test_rfc_8032_key():
    known = key_pair(bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
    assert known.public.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert sign(b"", known).hex().startswith("e5564300c360ac729086e2cc806e828a")


def test_new_pairs_differ():
    assert new_key_pair() != new_key_pair()


@given(st.binary(min_size=32, max_size=32))
def test_private_pem_round_trip(seed: bytes):
    made = key_pair(seed)
    assert read_private_key(private_pem(made), "ops.key") == made
    assert import_key(public_pem(made.public)) == made.public


def test_the_text_of_a_pair_shows_nothing_private():
    shown = repr(pair(1)) + str(pair(1)) + f"{pair(1)}"
    assert pair(1).seed.hex() not in shown
    assert repr(pair(1).seed) not in shown
    assert "sha256:" in shown


def test_pem_shape():
    text = private_pem(pair(1))
    assert text.startswith("-----BEGIN PRIVATE KEY-----\n")
    assert text.endswith("\n-----END PRIVATE KEY-----\n")
    assert all(len(line) <= 64 for line in text.splitlines())
    assert public_pem(pair(1).public).splitlines()[0] == "-----BEGIN PUBLIC KEY-----"


def test_spki_and_fingerprint():
    der = base64.b64decode(spki_text(pair(1).public))
    assert len(der) == 44
    assert der.hex().startswith("302a300506032b6570032100")
    assert der[12:] == pair(1).public
    assert fingerprint(pair(1).public) == f"sha256:{sha256_hex(der)}"


def test_envelope_text():
    signature = sign(MANIFEST, pair(1))
    text = envelope_text("ops", pair(1), signature)
    assert text.endswith("\n}\n")
    assert text.startswith('{\n  "key_id": "ops",\n  "algorithm": "EdDSA",\n  "public_key": "')
    members = json.loads(text)
    assert list(members) == ["key_id", "algorithm", "public_key", "signature"]
    assert base64.b64decode(members["public_key"], validate=True) == spki(pair(1).public)
    assert base64.b64decode(members["signature"], validate=True) == signature
    assert bare_text(signature) == b64(signature) + "\n"


def test_other_blocks_around_do_not_matter():
    text = public_pem(pair(2).public) + "Bag Attributes\n" + private_pem(pair(1)) + "trailing\n"
    assert read_private_key(text, "ops.key") == pair(1)


def test_version_2_keys_carry_their_public_key():
    """As RFC 5958 has them and some tools write them."""

    def version_2(public: bytes) -> bytes:
        body = bytes.fromhex("020101300506032b657004220420") + pair(1).seed + b"\x81\x21\x00" + public
        return b"\x30" + bytes([len(body)]) + body

    assert read_private_key(private(version_2(pair(1).public)), "ops.key") == pair(1)
    assert "does not belong" in refusal(private(version_2(pair(2).public)))


def test_attributes_are_passed_over():
    body = PKCS8[2:] + pair(1).seed + b"\xa0\x02\x31\x00"
    assert read_private_key(private(b"\x30" + bytes([len(body)]) + body), "ops.key") == pair(1)


@pytest.mark.parametrize(
    "text", ["", "nonsense", "{}", pair(1).seed.hex(), b64(pair(1).seed), private(b"x", "CERTIFICATE")]
)
def test_what_is_no_private_key(text: str):
    assert refusal(text) == "ops.key is not a private key in PEM (PKCS#8)"


@pytest.mark.parametrize(
    "der",
    [
        b"",
        b"\x30",
        PKCS8,
        PKCS8 + bytes(31),
        PKCS8 + bytes(33),
        pair(1).seed,
        PKCS8 + bytes(32) + b"\0",
        spki(pair(1).public),
        bytes.fromhex("302e020100300506032b657004220320") + bytes(32),
        bytes.fromhex("302d020100300506032b657004210420") + bytes(31),
    ],
)
def test_damaged_keys(der: bytes):
    assert refusal(private(der)) == "ops.key: the private key is damaged"


@pytest.mark.parametrize(
    "oid", ["2b6571", "2b656e", "2b656f", "2a864886f70d010101", "2a8648ce3d0201", "2a03"]
)
def test_other_algorithms_are_named(oid: str):
    identifier = bytes.fromhex(oid)
    algorithm = b"\x06" + bytes([len(identifier)]) + identifier
    body = b"\x02\x01\x00\x30" + bytes([len(algorithm)]) + algorithm + b"\x04\x02\x04\x00"
    message = refusal(private(b"\x30" + bytes([len(body)]) + body))
    names = {"2b6571": "ed448", "2b656e": "x25519", "2b656f": "x448", "2a864886f70d010101": "rsa"}
    names |= {"2a8648ce3d0201": "ec", "2a03": "of an unknown type"}
    assert message == f"ops.key: signing key is {names[oid]}; {MANDATORY}"


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("RSA PRIVATE KEY", "signing key is rsa"),
        ("EC PRIVATE KEY", "signing key is ec"),
        ("DSA PRIVATE KEY", "signing key is dsa"),
        ("ENCRYPTED PRIVATE KEY", "encrypted"),
        ("OPENSSH PRIVATE KEY", "OpenSSH"),
        ("PUBLIC KEY", "public key"),
    ],
)
def test_other_files_are_told_apart(label: str, said: str):
    assert said in refusal(private(bytes(60), label))


@given(st.binary(max_size=100))
def test_any_der_is_survived(data: bytes):
    for der in (data, PKCS8 + data, b"\x30" + bytes([min(len(data), 127)]) + data):
        spki_algorithm(der)
        private_key_info(der)
        if len(data) != 32:
            refusal(private(der))


@pytest.mark.parametrize("der", ["30820000", "3081", "308100", "30810100", "308400000001ff", "30820100"])
def test_lengths_that_der_does_not_allow(der: str):
    assert spki_algorithm(bytes.fromhex(der)) is None


@openssl
def test_openssl_agrees(tmp_path: Path):
    """Keys and signatures go both ways."""
    key, pub, data, signature = [tmp_path / name for name in ("k.pem", "k.pub", "m.yaml", "m.sig")]
    data.write_bytes(MANIFEST)

    def call(*words: str | Path) -> bytes:
        return subprocess.run(
            ["openssl", *map(str, words)], check=True, capture_output=True, timeout=60
        ).stdout

    call("genpkey", "-algorithm", "ed25519", "-out", key)
    theirs = read_private_key(key.read_text(), "k.pem")
    assert call("pkey", "-in", key, "-pubout") == public_pem(theirs.public).encode()
    key.write_text(private_pem(pair(1)))
    pub.write_text(public_pem(pair(1).public))
    signature.write_bytes(sign(MANIFEST, pair(1)))
    call("pkeyutl", "-verify", "-pubin", "-inkey", pub, "-rawin", "-in", data, "-sigfile", signature)
    for words in (
        ("rsa", "-pkeyopt", "rsa_keygen_bits:1024"),
        ("x25519",),
        ("ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
    ):
        call("genpkey", "-algorithm", *words, "-out", key)
        assert refusal(key.read_text()) == f"ops.key: signing key is {words[0]}; {MANDATORY}"
        der = decode_material(call("pkey", "-in", key, "-pubout").decode())
        assert der is not None
        assert spki_algorithm(der) is not None


def test_pairs_compare_by_value():
    assert KeyPair(bytes(32), bytes(32)) == KeyPair(bytes(32), bytes(32))
