"""The keyring file (render contract §3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.errors import KcpError
from kcp.trust.keyring import MAX_KEYRING_BYTES, Keyring, KeyringEntry, is_key_id, read_keyring
from kcp.trust.keys import keyring_entry
from kcp.trust.origins import UNKNOWN
from kcp.trust.signature import PinnedKey
from tests.trust.support import pair, spki_b64

SOUND = {"key_id": "k", "method": "jws", "algorithm": "EdDSA", "public_key": spki_b64(1)}


def text(*entries: str) -> bytes:
    return ("version: 1\nkeys:\n" + "".join([f"- {{{entry}}}\n" for entry in entries])).encode()


def entry(**changes: str | None) -> str:
    members = SOUND | changes
    return ", ".join([f"{name}: {value}" for name, value in members.items() if value is not None])


def read(*entries: str) -> Keyring:
    return read_keyring(text(*entries), "ring.yaml")


def refusal(data: bytes) -> str:
    with pytest.raises(KcpError) as caught:
        read_keyring(data, "ring.yaml")
    assert caught.value.exit_code == 3
    assert "\n" not in caught.value.message
    assert caught.value.message.startswith("keyring ring.yaml")
    return caught.value.message


def test_entries_in_order():
    keyring = read(
        entry(), entry(key_id="b", public_key=spki_b64(2), scope="{domains: [a.example]}", added="2026-01-01")
    )
    assert keyring.entries == (
        KeyringEntry("k", pair(1).public, None),
        KeyringEntry("b", pair(2).public, ("a.example",)),
    )


def test_an_empty_keyring_trusts_nobody():
    keyring = read_keyring(b"version: 1\nkeys: []\n", "ring.yaml")
    assert keyring.pins_for("a.example") == keyring.pins_for(UNKNOWN) == ()


def test_method_and_algorithm_may_be_left_out():
    assert read(entry(method=None, algorithm=None)).entries[0].key == pair(1).public


def test_what_keygen_prints_is_an_entry():
    data = ("version: 1\nkeys:\n" + keyring_entry("ops@x:1", pair(3).public)).encode()
    assert read_keyring(data, "r").entries == (KeyringEntry("ops@x:1", pair(3).public),)


@pytest.mark.parametrize(
    ("domains", "origin", "covered"),
    [
        ("[github.com/Acme]", "github.com/Acme/lib", True),
        ("[github.com/Acme]", "github.com/AcmeEvil", False),
        ("[x.example, github.com/Acme]", "github.com/Acme", True),
        ("['https://GitHub.com/Acme.git/']", "github.com/Acme", True),
        ("['git@github.com:Acme']", "github.com/Acme", True),
        ("[github.com/Acme]", UNKNOWN, False),
        ("[unknown]", UNKNOWN, False),
        ("[]", "github.com/Acme", False),
        ("[]", UNKNOWN, False),
    ],
)
def test_scopes(domains: str, origin: str, covered: bool):
    keyring = read(entry(scope=f"{{domains: {domains}}}"))
    expected = (PinnedKey("keyring key k", pair(1).public),) if covered else ()
    assert keyring.pins_for(origin) == expected


@pytest.mark.parametrize("scope", [None, "null"])
def test_a_key_without_scope_covers_everything(scope: str | None):
    keyring = read(entry(scope=scope))
    assert keyring.pins_for("a.example/x") == keyring.pins_for(UNKNOWN) != ()


def test_every_covering_entry_counts_also_with_one_id():
    keyring = read(
        entry(scope="{domains: [a.example]}"),
        entry(scope="{domains: [b.example]}"),
        entry(public_key=spki_b64(2)),
    )
    assert [pin.key for pin in keyring.pins_for("b.example")] == [pair(1).public, pair(2).public]


@pytest.mark.parametrize(
    "scope",
    [
        "{}",
        "{domains: null}",
        "{domains: a.example}",
        "{domain: [a.example]}",
        "[a.example]",
        "x",
        "{domains: {}}",
    ],
)
def test_a_scope_without_a_list_is_refused(scope: str):
    """A misspelt scope must not trust every origin."""
    message = refusal(text(entry(scope=scope)))
    assert message == "keyring ring.yaml: key #1 (k): scope must be a mapping with a list 'domains'"


@pytest.mark.parametrize(
    ("domain", "named"),
    [
        ("'..'", "'..'"),
        ("'a b'", "'a b'"),
        ("''", "''"),
        ("7", "#1"),
        ("null", "#1"),
        ("{toString: x}", "#1"),
        ('"x\\ny"', "'x\\ny'"),
    ],
)
def test_a_domain_that_is_no_origin_is_refused(domain: str, named: str):
    assert "scope.domains: " in refusal(text(entry(scope=f"{{domains: [{domain}]}}")))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"keys: []\n",
        b"version: 1\n",
        b"version: 2\nkeys: []\n",
        b"version: true\nkeys: []\n",
        b"version: '1'\nkeys: []\n",
        b"version: 1\nkeys: {}\n",
        b"version: 1\nkeys: null\n",
        b"- version: 1\n",
    ],
)
def test_what_is_no_keyring(data: bytes):
    assert refusal(data) == "keyring ring.yaml: expected 'version: 1' and a list 'keys'"


@pytest.mark.parametrize(
    ("data", "place"),
    [(b"version: 1\nkeys: [\n", ":"), (b"\xff", ":1:1"), (b"version: 1\nversion: 1\n", ":2:1")],
)
def test_broken_yaml_is_told_with_its_place(data: bytes, place: str):
    assert refusal(data).startswith(f"keyring ring.yaml{place}")


def test_a_huge_keyring_is_refused():
    refusal(b"#" * (MAX_KEYRING_BYTES + 1))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"key_id": None}, "key #1: key_id must be"),
        ({"key_id": "''"}, "key #1: key_id must be"),
        ({"key_id": "7"}, "key #1: key_id must be"),
        ({"key_id": "'a/b'"}, "key #1: key_id must be"),
        ({"key_id": "a" * 129}, "key #1: key_id must be"),
        ({"method": "pgp"}, "key #1 (k): only method jws"),
        ({"algorithm": "RS256"}, "key #1 (k): only method jws"),
        ({"algorithm": "null"}, "key #1 (k): only method jws"),
        ({"public_key": None}, "key #1 (k): public_key must be text"),
        ({"public_key": "7"}, "key #1 (k): public_key must be text"),
        ({"public_key": "{toString: x}"}, "key #1 (k): public_key must be text"),
        ({"public_key": "nonsense!"}, "key #1 (k): public_key: unrecognized public key encoding"),
        ({"public_key": "AAAA"}, "key #1 (k): public_key: Invalid keyData"),
    ],
)
def test_bad_entries(changes: dict[str, str | None], message: str):
    assert refusal(text(entry(**changes))).startswith(f"keyring ring.yaml: {message}")


def test_an_entry_that_is_no_mapping():
    assert refusal(b"version: 1\nkeys: [{}, x]\n").startswith("keyring ring.yaml: key #1: key_id")
    good = text(entry())
    assert refusal(good + b"- x\n") == "keyring ring.yaml: key #2 is not a mapping"


@pytest.mark.parametrize(
    ("value", "valid"),
    [
        ("a", True),
        ("A.z_0:9@-", True),
        ("a" * 128, True),
        ("", False),
        ("a" * 129, False),
        ("a b", False),
        ("é", False),
    ],
)
def test_key_ids(value: str, valid: bool):
    assert is_key_id(value) is valid


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_a_keyring_or_refused_in_one_line(data: bytes):
    for variant in (
        data,
        b"version: 1\nkeys:\n- " + data,
        b"version: 1\nkeys: [{key_id: k, scope: " + data + b"}]",
    ):
        try:
            message = str(read_keyring(variant, "ring.yaml"))
        except KcpError as error:
            message = error.message
        assert "\n" not in message
