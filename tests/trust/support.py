"""Keys and signatures for the trust tests; everything follows from small numbers."""

from __future__ import annotations

import base64
import json

from kcp.errors import ManifestError
from kcp.model import Signing
from kcp.planning.results import SignatureResult
from kcp.reading.locate import shown
from kcp.trust.keys import KeyPair, key_pair, sign
from kcp.trust.material import spki
from kcp.trust.signature import PinnedKey, verify_signature

MANIFEST = b"project: p\nversion: '1'\n"


def pair(number: int) -> KeyPair:
    return key_pair(bytes([number]) * 32)


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def spki_b64(number: int) -> str:
    return b64(spki(pair(number).public))


def signature_b64(number: int, data: bytes = MANIFEST) -> str:
    return b64(sign(data, pair(number)))


def envelope(number: int = 1, data: bytes = MANIFEST, **changes: object) -> str:
    """A signature file's JSON; a member given as `...` is left out."""
    members: dict[str, object] = {
        "key_id": "of-envelope",
        "algorithm": "EdDSA",
        "public_key": spki_b64(number),
        "signature": signature_b64(number, data),
    }
    members |= changes
    return json.dumps({key: value for key, value in members.items() if value is not ...})


def verify(
    signing: Signing | None,
    files: dict[str, str] | None = None,
    *,
    data: bytes = MANIFEST,
    pinned: tuple[PinnedKey, ...] | None = None,
    given: str | None = None,
) -> SignatureResult:
    """The verdict where the locations are the names of `files`."""

    def load_text(name: str) -> str:
        try:
            return (files or {})[name]
        except KeyError:
            raise ManifestError(f"no such file: {shown(name)}") from None

    return verify_signature(signing, data, load_text, pinned, given)
