"""Signed episodes: who recorded an entry, and that it is unchanged since (evidence contract §14)."""

from __future__ import annotations

from kcp.evidence.episodes import digest_of
from kcp.records import Record
from kcp.wire.canonical import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.evidence.episodes import Entry
    from kcp.trust.keys import KeyPair

ENTRY_VERSION = 2
ALGORITHM = "ed25519"
UNSIGNED, UNKNOWN_KEY, VERIFIED, BAD_SIGNATURE = "unsigned", "unknown-key", "verified", "bad-signature"
_ENTRY_TAG = "kcp-agent episode v2\n"
_REMOVAL_TAG = "kcp-agent episode removed v2\n"


class Integrity(Record):
    """What is known of an entry's author: one of the four states above; `digest` where it has a sound one."""

    state: str
    digest: str | None = None
    fault: str | None = None


class Removal(Record):
    """A statement, signed by a writer, that an episode of the chain was replaced or pruned."""

    digest: str
    prev: str | None


def entry_digest(entry: Entry) -> str:
    """The digest that is signed: of the canonical text of everything but `integrity`."""
    return digest_of(canonical({key: value for key, value in entry.items() if key != "integrity"}))


def sign_entry(entry: Entry, prev: str | None, pair: KeyPair) -> Entry:
    """The entry with its place in the chain and its signature; `prev` is the digest of the one before."""
    signed = {**entry, "entryVersion": ENTRY_VERSION}
    if prev is not None:
        signed["prev"] = prev
    digest = entry_digest(signed)
    signed["integrity"] = _integrity(digest, _ENTRY_TAG + digest, pair)
    return signed


def integrity_of(entry: Entry, trusted: tuple[bytes, ...]) -> Integrity:
    """The state of an entry under the reader's trusted keys; a key within an entry never counts."""
    if "integrity" not in entry:
        if "entryVersion" in entry or "prev" in entry:
            return Integrity(BAD_SIGNATURE, fault="its signature was taken off")
        return Integrity(UNSIGNED)
    block = entry["integrity"]
    digest = block.get("digest") if isinstance(block, dict) else None
    if digest != entry_digest(entry) or entry.get("entryVersion") != ENTRY_VERSION:
        return Integrity(BAD_SIGNATURE, fault="its digest is not that of its members")
    if not isinstance(entry.get("prev", ""), str):
        return Integrity(BAD_SIGNATURE, fault="its place in the chain is not a digest")
    state = _signature_state(block, _ENTRY_TAG + digest, trusted)
    return Integrity(state, digest, "its signature does not verify" if state == BAD_SIGNATURE else None)


def removal_record(digest: str, prev: str | None, pair: KeyPair) -> dict[str, Any]:
    """The statement that an episode is gone for a reason, ready to be kept as a line of JSON."""
    block = _integrity(digest, _removal_text(digest, prev), pair)
    return {**block, "prev": prev} if prev is not None else block


def read_removal(record: object, trusted: tuple[bytes, ...]) -> Removal | None:
    """The statement in a JSON value, or None where it is none that a trusted key signed."""
    if not isinstance(record, dict):
        return None
    digest, prev = record.get("digest"), record.get("prev")
    if not isinstance(digest, str) or not isinstance(prev, str | None):
        return None
    text = _removal_text(digest, prev)
    return Removal(digest, prev) if _signature_state(record, text, trusted) == VERIFIED else None


def _removal_text(digest: str, prev: str | None) -> str:
    return f"{_REMOVAL_TAG}{digest}\n{prev or '-'}"


def _integrity(digest: str, text: str, pair: KeyPair) -> dict[str, Any]:
    from binascii import b2a_base64

    from kcp.trust.keys import fingerprint, sign

    signature = b2a_base64(sign(text.encode(), pair), newline=False).decode("ascii")
    return {"alg": ALGORITHM, "keyId": fingerprint(pair.public), "digest": digest, "signature": signature}


def _signature_state(block: dict[str, Any], text: str, trusted: tuple[bytes, ...]) -> str:
    from kcp.trust.ed25519 import verifies
    from kcp.trust.keys import fingerprint
    from kcp.trust.material import decode_material

    encoded, key_id = block.get("signature"), block.get("keyId")
    signature = decode_material(encoded) if isinstance(encoded, str) else None
    sound = block.get("alg") == ALGORITHM and signature is not None and len(signature) == 64
    if not sound or not isinstance(key_id, str):
        return BAD_SIGNATURE
    assert signature is not None
    if any(verifies(key, text.encode(), signature) for key in trusted):
        return VERIFIED
    return BAD_SIGNATURE if any(fingerprint(key) == key_id for key in trusted) else UNKNOWN_KEY
