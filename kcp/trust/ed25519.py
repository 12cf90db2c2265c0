"""Ed25519 through libsodium, with the checks that decision B13 asks for."""

from __future__ import annotations


def is_sound_key(key: bytes) -> bool:
    """Whether 32 bytes are the canonical encoding of a curve point of prime order (B13)."""
    from nacl.bindings import crypto_core_ed25519_is_valid_point

    return bool(crypto_core_ed25519_is_valid_point(key))


def verifies(key: bytes, data: bytes, signature: bytes) -> bool:
    """Whether a 64-byte signature over `data` is by `key`."""
    from nacl.exceptions import BadSignatureError
    from nacl.signing import VerifyKey

    try:
        VerifyKey(key).verify(data, signature)
    except BadSignatureError:
        return False
    return True
