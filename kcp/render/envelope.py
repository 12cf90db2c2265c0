"""The signature file beside a manifest: what it says, and whether it holds (render contract §5).

Nothing is forgiven here: exact bytes, a JSON object, strict base64, Ed25519 and nothing else.
"""

from __future__ import annotations

from kcp.errors import ArtifactError
from kcp.records import Record
from kcp.trust.keyring import is_key_id
from kcp.trust.material import spki

MAX_ENVELOPE_BYTES = 16 * 1024
ABSENT, UNPARSEABLE, UNVERIFIED, VERIFIED = "absent", "unparseable", "unverified", "verified"
_MEMBERS = ("key_id", "public_key", "signature")


class SignatureFacts(Record):
    """What a signature file comes to, whoever's key it is; `key` are the 32 bytes of an Ed25519 key."""

    state: str
    key_id: str | None = None
    key: bytes | None = None


def check_envelope(envelope: bytes | None, data: bytes) -> SignatureFacts:
    """The facts of a signature file's bytes (None: there is none) over the exact bytes of a manifest."""
    if envelope is None:
        return SignatureFacts(ABSENT)
    members = _members(envelope)
    if members is None:
        return SignatureFacts(UNPARSEABLE)
    key_id, public_key, signature = [members[name] for name in _MEMBERS]
    der, signed = _base64(public_key), _base64(signature)
    if members.get("algorithm") != "EdDSA" or der is None or signed is None or not is_key_id(key_id):
        return SignatureFacts(UNVERIFIED)
    key = der[-32:]
    if len(der) != 44 or der != spki(key) or len(signed) != 64:
        return SignatureFacts(UNVERIFIED)
    from kcp.trust.ed25519 import is_sound_key, verifies

    if not is_sound_key(key) or not verifies(key, data, signed):
        return SignatureFacts(UNVERIFIED)
    return SignatureFacts(VERIFIED, key_id, key)


def _members(envelope: bytes) -> dict[str, str] | None:
    """The members of an object that has the three texts; None for anything else."""
    from kcp.wire.decode import decode_json

    try:
        value = decode_json(envelope, "signature", max_bytes=MAX_ENVELOPE_BYTES)
    except ArtifactError:
        return None
    if not isinstance(value, dict) or any(type(value.get(name)) is not str for name in _MEMBERS):
        return None
    return value


def _base64(text: str) -> bytes | None:
    from binascii import Error, a2b_base64, b2a_base64

    try:
        data = a2b_base64(text, strict_mode=True)
    except (Error, ValueError):
        return None
    # Two texts for the same bytes would be one too many.
    return data if b2a_base64(data, newline=False) == text.encode("ascii") else None
