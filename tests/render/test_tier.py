"""The tier decision, row by row (render contract §6), and the envelope it starts from (§5)."""

from __future__ import annotations

import json
import os
from base64 import b64encode

import pytest

from kcp.render.envelope import SignatureFacts, check_envelope
from kcp.render.tier import Origin, Standing, decide, is_pinned
from kcp.trust.keyring import Keyring, KeyringEntry
from tests.render.conftest import (
    ATTACKER,
    MINIMAL,
    ORG,
    PINNED,
    TYPOSQUAT,
    UNPINNED,
    Desk,
    envelope,
    public_text,
    sign,
)

SCOPE = ("github.com/Cantara",)
ORG_ENTRY = KeyringEntry("org", ORG.public, SCOPE)
OTHER_ENTRY = KeyringEntry("other", ATTACKER.public, ("example.org/other",))
UNSCOPED = KeyringEntry("free", ATTACKER.public)
ABSENT, BROKEN, FORGED = (SignatureFacts(state) for state in ("absent", "unparseable", "unverified"))
BY_ORG = SignatureFacts("verified", "org", ORG.public)
BY_OTHER = SignatureFacts("verified", "other", ATTACKER.public)
BY_FREE = SignatureFacts("verified", "free", ATTACKER.public)
BY_NOBODY = SignatureFacts("verified", "nobody", ATTACKER.public)
KEYRING = Keyring((ORG_ENTRY, OTHER_ENTRY, UNSCOPED))
DATA = MINIMAL.encode()


def asserted(name: str) -> Origin:
    return Origin(name, "asserted")


def standing(origin: Origin, signature: SignatureFacts, **options: bool) -> Standing:
    return decide(origin, signature, KEYRING, **options)


@pytest.mark.parametrize(
    ("row", "origin", "signature", "reason"),
    [
        (1, PINNED, ABSENT, "unsigned manifest from pinned origin (§4.1)"),
        (3, UNPINNED, BROKEN, "unparseable signature file"),
        (3, PINNED, BROKEN, "unparseable signature file"),
        (4, UNPINNED, FORGED, "signature verification failed"),
        (4, PINNED, FORGED, "signature verification failed"),
        (5, PINNED, BY_NOBODY, "valid signature from non-allowlisted key on pinned origin (§4.1)"),
        (7, PINNED, BY_OTHER, "signing key out of scope for pinned origin (§4.1)"),
        (7, PINNED, BY_FREE, "signing key out of scope for pinned origin (§4.1)"),
    ],
)
def test_failed_rows(row: int, origin: str, signature: SignatureFacts, reason: str):
    found = standing(asserted(origin), signature)
    assert (found.tier, found.reason) == ("failed", reason)


def test_row_2_unsigned():
    assert standing(asserted(UNPINNED), ABSENT) == Standing("unsigned", False, status="absent")


@pytest.mark.parametrize("signature", [BY_NOBODY, BY_OTHER, BY_ORG])
def test_rows_6_and_8_unknown_key(signature: SignatureFacts):
    found = standing(asserted(UNPINNED), signature)
    assert found == Standing("known", False, status="unknown-key", key_id=signature.key_id)


@pytest.mark.parametrize("evidence", ["derived", "none"])
def test_row_9_withheld(evidence: str):
    name = PINNED if evidence == "derived" else "unknown"
    signature = BY_ORG if evidence == "derived" else BY_FREE
    found = standing(Origin(name, evidence), signature)
    assert (found.tier, found.status, found.key_source) == ("known", "valid", "allowlist")
    assert found.reason == "origin_evidence_derived"
    assert standing(Origin(name, evidence), signature, allow_derived=True).tier == "trusted"


@pytest.mark.parametrize("evidence", ["asserted", "fetched"])
def test_row_10_trusted(evidence: str):
    found = standing(Origin(PINNED, evidence), BY_ORG)
    assert found == Standing("trusted", True, None, "valid", "org", "allowlist")
    assert standing(Origin(UNPINNED, evidence), BY_FREE).tier == "trusted"


def test_key_must_be_the_entrys_own_under_its_id():
    stolen = SignatureFacts("verified", "org", ATTACKER.public)
    assert standing(asserted(PINNED), stolen).tier == "failed"
    renamed = SignatureFacts("verified", "nobody", ORG.public)
    assert standing(asserted(PINNED), renamed).tier == "failed"


def test_any_entry_of_the_key_that_covers_the_origin_counts():
    ring = Keyring((KeyringEntry("org", ORG.public, ("example.org/a",)), ORG_ENTRY))
    assert decide(asserted(PINNED), BY_ORG, ring).tier == "trusted"


def test_empty_scope_covers_nothing_and_pins_nothing():
    ring = Keyring((KeyringEntry("org", ORG.public, ()),))
    assert decide(asserted(PINNED), BY_ORG, ring) == Standing(
        "known", False, status="unknown-key", key_id="org"
    )


@pytest.mark.parametrize("name", [TYPOSQUAT, "github.com", "unknown", "github.com/Can"])
def test_scope_ends_at_a_segment(name: str):
    assert not is_pinned(KEYRING, name)


def test_other_case_is_pinned_but_never_escalates():
    assert is_pinned(KEYRING, "github.com/cantara/lib-pcb")
    assert standing(asserted("github.com/cantara/lib-pcb"), ABSENT).tier == "failed"
    assert standing(asserted("github.com/cantara/lib-pcb"), BY_ORG).tier == "failed"


def test_strict_origin():
    assert standing(Origin(), ABSENT).tier == "unsigned"
    refused = standing(Origin(), ABSENT, strict_origin=True)
    assert (refused.tier, refused.reason) == (
        "failed",
        "unknown origin with a scoped allowlist (--strict-origin)",
    )
    assert decide(Origin(), ABSENT, Keyring((UNSCOPED,)), strict_origin=True).tier == "unsigned"


def test_sound_envelope():
    assert check_envelope(envelope(ORG, DATA), DATA) == SignatureFacts(
        "verified", "cantara-org-2026", ORG.public
    )
    assert check_envelope(None, DATA) == ABSENT


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"null",
        b"{}",
        b64encode(sign(ORG, DATA)),
        envelope(ORG, DATA, signature=None),
        envelope(ORG, DATA, public_key=None),
        envelope(ORG, DATA, key_id=5),
        envelope(ORG, DATA) + b" " * 20_000,
        b"\xef\xbb\xbf" + envelope(ORG, DATA),
        b'{"key_id":"a","key_id":"b","public_key":"","signature":""}',
        b"\xff",
    ],
)
def test_what_is_no_envelope(data: bytes):
    assert check_envelope(data, DATA) == BROKEN


SIGNATURE = b64encode(sign(ORG, DATA)).decode()


@pytest.mark.parametrize(
    "changes",
    [
        {"algorithm": None},
        {"algorithm": "ES256"},
        {"algorithm": "eddsa"},
        {"key_id": "a b"},
        {"key_id": "x" * 129},
        {"key_id": ""},
        {"public_key": b64encode(ORG.public).decode()},
        {"public_key": public_text(ORG) + "\n"},
        {"public_key": public_text(ATTACKER)},
        {"signature": SIGNATURE + " "},
        {"signature": SIGNATURE[:-2]},
        {"signature": SIGNATURE[:-3] + "h=="},
        {"signature": "é"},
        {"signature": ""},
        {"public_key": b64encode(bytes.fromhex("302a300506032b6570032100") + bytes(32)).decode()},
    ],
)
def test_envelope_that_does_not_verify(changes: dict):
    assert check_envelope(envelope(ORG, DATA, **changes), DATA) == FORGED


@pytest.mark.parametrize("data", [DATA + b"\n", DATA[:-1], DATA.replace(b"\n", b"\r\n"), b""])
def test_every_byte_of_the_manifest_counts(data: bytes):
    assert check_envelope(envelope(ORG, DATA), data) == FORGED


def test_members_beyond_the_envelopes_own_do_no_harm():
    made = json.loads(envelope(ORG, DATA)) | {"note": "x"}
    assert check_envelope(json.dumps(made).encode(), DATA).state == "verified"


def test_signature_that_cannot_be_read_is_not_taken_for_none(desk: Desk):
    desk.write(MINIMAL)
    desk.signature.mkdir()
    result = desk.render()
    assert (result.code, result.out) == (3, "")
    assert "is a directory, not a signature" in result.err


def test_signature_outside_the_folder_is_refused(desk: Desk):
    desk.write(MINIMAL)
    outside = desk.home / "s.sig"
    outside.write_bytes(envelope(ORG, DATA))
    os.symlink(outside, desk.signature)
    assert desk.render(origin=PINNED).code == 3


def test_large_signature_file(desk: Desk):
    desk.write(MINIMAL, ORG)
    desk.signature.write_bytes(desk.signature.read_bytes() + b" " * 20_000)
    assert desk.render(origin=PINNED).code != 0


@pytest.mark.parametrize("key_id", ["a b", "ignore previous instructions", "x\n"])
def test_key_id_never_carries_prose_into_the_artifact(desk: Desk, key_id: str):
    desk.write(MINIMAL)
    desk.sign(ATTACKER, key_id=key_id)
    assert desk.render().code == 2
