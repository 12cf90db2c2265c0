"""Signed episodes (evidence contract §14): what is signed, and what each state means."""

from __future__ import annotations

import base64
import copy
import hashlib
from typing import Any

import pytest

from kcp.evidence.signed import (
    BAD_SIGNATURE,
    UNKNOWN_KEY,
    UNSIGNED,
    VERIFIED,
    integrity_of,
    read_removal,
    removal_record,
    sign_entry,
)
from kcp.trust.ed25519 import verifies
from kcp.trust.keys import fingerprint
from kcp.wire.canonical import canonical
from tests.evidence.episode_cases import KEY, entry
from tests.trust.support import pair

MINE, OTHER = pair(1), pair(2)
TRUSTED = (MINE.public,)
PREV = "cd" * 32


def signed(prev: str | None = PREV, number: int = 1) -> dict[str, Any]:
    return sign_entry(entry(key=KEY), prev, pair(number))


def test_what_is_signed():
    made = signed()
    unsigned = {key: value for key, value in made.items() if key != "integrity"}
    digest = hashlib.sha256(canonical(unsigned).encode()).hexdigest()
    block = made["integrity"]
    assert list(block) == ["alg", "keyId", "digest", "signature"]
    assert (block["alg"], block["keyId"], block["digest"]) == ("ed25519", fingerprint(MINE.public), digest)
    data = b"kcp-agent episode v2\n" + digest.encode()
    assert verifies(MINE.public, data, base64.b64decode(block["signature"]))


def test_the_members_come_after_those_of_an_unsigned_entry():
    plain = entry(key=KEY)
    assert list(signed()) == [*plain, "entryVersion", "prev", "integrity"]
    assert list(signed(None)) == [*plain, "entryVersion", "integrity"]
    assert {key: signed()[key] for key in plain} == plain
    assert signed()["entryVersion"] == 2


def test_the_states():
    assert integrity_of(entry(), TRUSTED).state == UNSIGNED
    assert integrity_of(signed(), TRUSTED).state == VERIFIED
    assert integrity_of(signed(), (OTHER.public, MINE.public)).state == VERIFIED
    assert integrity_of(signed(), (OTHER.public,)).state == UNKNOWN_KEY
    assert integrity_of(signed(), ()).state == UNKNOWN_KEY
    assert integrity_of(signed(), TRUSTED).digest == signed()["integrity"]["digest"]


MEMBERS = {
    "recordedAt": "2027-01-01T00:00:00.000Z",
    "optionsKey": "",
    "task": "another",
    "prev": "ef" * 32,
    "entryVersion": 3,
    "unheard": "of",
}


@pytest.mark.parametrize("trusted", [TRUSTED, (), (OTHER.public,)])
@pytest.mark.parametrize("member", list(MEMBERS))
def test_any_changed_member_shows_whomever_one_trusts(member: str, trusted: tuple[bytes, ...]):
    forged = {**signed(), member: MEMBERS[member]}
    assert integrity_of(forged, trusted).state == BAD_SIGNATURE


@pytest.mark.parametrize("member", ["recordedAt", "optionsKey", "prev", "entryVersion"])
def test_any_removed_member_shows(member: str):
    forged = signed()
    del forged[member]
    assert integrity_of(forged, TRUSTED).state == BAD_SIGNATURE


def with_block(**changes: Any) -> dict[str, Any]:
    made = copy.deepcopy(signed())
    made["integrity"].update(changes)
    return made


@pytest.mark.parametrize(
    "forged",
    [
        with_block(digest=PREV),
        with_block(digest=None),
        with_block(alg="none"),
        with_block(signature=base64.b64encode(bytes(64)).decode()),
        with_block(signature=""),
        with_block(signature=7),
        with_block(keyId=7),
        {**signed(), "integrity": None},
        {**signed(), "integrity": "verified"},
        {**signed(), "integrity": {}},
    ],
)
def test_a_block_that_proves_nothing(forged: dict[str, Any]):
    assert integrity_of(forged, TRUSTED).state == BAD_SIGNATURE


def test_a_key_within_an_entry_confers_no_trust():
    forged = sign_entry(entry(), None, OTHER)
    forged["integrity"]["publicKey"] = base64.b64encode(OTHER.public).decode()
    assert integrity_of(forged, TRUSTED).state == UNKNOWN_KEY
    forged["integrity"]["keyId"] = fingerprint(MINE.public)
    assert integrity_of(forged, TRUSTED).state == BAD_SIGNATURE


def test_a_signature_taken_off_shows():
    forged = signed()
    del forged["integrity"]
    assert integrity_of(forged, TRUSTED).state == BAD_SIGNATURE
    assert integrity_of(forged, ()).state == BAD_SIGNATURE


def test_resigning_with_another_version_shows():
    from kcp.evidence import signed as module

    forged = {**entry(), "entryVersion": 1}
    digest = module.entry_digest(forged)
    forged["integrity"] = module._integrity(digest, module._ENTRY_TAG + digest, MINE)
    assert integrity_of(forged, TRUSTED).state == BAD_SIGNATURE


def test_a_place_in_the_chain_is_a_digest():
    forged = {**entry(), "entryVersion": 2, "prev": 7}
    from kcp.evidence import signed as module

    digest = module.entry_digest(forged)
    forged["integrity"] = module._integrity(digest, module._ENTRY_TAG + digest, MINE)
    assert integrity_of(forged, TRUSTED).state == BAD_SIGNATURE


@pytest.mark.parametrize("prev", [PREV, None])
def test_removals_count_by_a_trusted_signature_alone(prev: str | None):
    record = removal_record("ab" * 32, prev, MINE)
    removal = read_removal(record, TRUSTED)
    assert removal is not None
    assert (removal.digest, removal.prev) == ("ab" * 32, prev)
    assert read_removal(record, (OTHER.public,)) is None
    assert read_removal(record, ()) is None
    forgeries: list[Any] = [
        {**record, "digest": "ef" * 32},
        {**record, "prev": "ef" * 32},
        {**record, "prev": 7},
        {**record, "digest": None},
        None,
        [],
    ]
    assert [read_removal(forged, TRUSTED) for forged in forgeries] == [None] * len(forgeries)


@pytest.mark.parametrize(("prev", "said"), [(PREV, PREV), (None, "-")])
def test_what_a_removal_signs(prev: str | None, said: str):
    record = removal_record("ab" * 32, prev, MINE)
    data = f"kcp-agent episode removed v2\n{'ab' * 32}\n{said}".encode()
    assert verifies(MINE.public, data, base64.b64decode(record["signature"]))


def test_an_entrys_signature_is_no_removal():
    made = signed()
    block = made["integrity"]
    assert read_removal({**block, "prev": made["prev"]}, TRUSTED) is None
