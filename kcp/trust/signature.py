"""The verdict on a manifest's signature (planner contract §12, decisions B8 and B13)."""

from __future__ import annotations

from kcp.errors import KcpError
from kcp.planning.results import SignatureResult
from kcp.records import Record
from kcp.trust.ed25519 import is_sound_key, verifies
from kcp.trust.material import (
    Envelope,
    KeyImportError,
    decode_material,
    import_key,
    is_inline,
    read_envelope,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from kcp.model import Signing

    LoadText = Callable[[str], str]

_SCHEMES = ("ed25519", "eddsa")
_VERIFIED = "ed25519 signature verified"
MISMATCH = "ed25519 signature does not match manifest bytes"
UNSOUND_KEY = "public key is not a valid ed25519 point of prime order"


class PinnedKey(Record):
    """A key the operator pinned; `name` is how a verdict calls it."""

    name: str
    key: bytes


class _SettledError(Exception):
    """Ends verification early; never leaves this module."""

    def __init__(self, status: str, detail: str, *, names_key: bool = True) -> None:
        self.status = status
        self.detail = detail
        self.names_key = names_key


def verify_signature(
    signing: Signing | None,
    data: bytes,
    load_text: LoadText,
    pinned: tuple[PinnedKey, ...] | None = None,
    signature_text: str | None = None,
) -> SignatureResult:
    """The verdict on the raw bytes of a manifest.

    `load_text` reads a declared location beside the manifest and raises KcpError where it cannot. `pinned`
    keys, when given, are the only ones that count; an empty tuple means none covers this manifest.
    `signature_text` is a signature file's text that takes the place of the declared location.
    """
    if signing is None:
        return SignatureResult("unsigned", "manifest declares no signature")
    key_id = signing.key_id
    try:
        envelope = _load_signature(signing, load_text, signature_text)
    except _SettledError as verdict:
        return SignatureResult(verdict.status, verdict.detail, key_id if verdict.names_key else None)
    key_id = key_id if envelope.key_id is None else envelope.key_id
    try:
        detail = _check(signing, envelope, data, load_text, pinned)
    except _SettledError as verdict:
        return SignatureResult(verdict.status, verdict.detail, key_id)
    return SignatureResult("verified", detail, key_id)


def verifying_key(result: SignatureResult) -> str | None:
    """The name of the key that a verified result is by."""
    return result.detail[len(_VERIFIED) + 2 : -1] if result.status == "verified" else None


def _load_signature(signing: Signing, load_text: LoadText, given: str | None) -> Envelope:
    if not signing.signature and given is None:
        raise _SettledError(
            "unverifiable",
            "manifest declares a signing block but no signature location — treating as unverified",
        )
    if signing.scheme and signing.scheme.lower() not in _SCHEMES:
        raise _SettledError("unverifiable", f"unsupported signing scheme '{signing.scheme}'")
    location = signing.signature or ""
    if given is None and is_inline(location):
        return Envelope(location)
    try:
        return read_envelope(load_text(location) if given is None else given)
    except KcpError as error:
        raise _SettledError("unverifiable", f"cannot load signature: {error}", names_key=False) from None


def _check(
    signing: Signing,
    envelope: Envelope,
    data: bytes,
    load_text: LoadText,
    pinned: tuple[PinnedKey, ...] | None,
) -> str:
    """The detail of a verified signature; raises the verdict otherwise."""
    if envelope.algorithm and envelope.algorithm.lower() not in _SCHEMES:
        raise _SettledError("unverifiable", f"unsupported signature algorithm '{envelope.algorithm}'")
    signature = None if envelope.signature is None else decode_material(envelope.signature)
    if signature is None or len(signature) != 64:
        raise _SettledError("invalid", "signature is not 64 ed25519 signature bytes")
    keys = _declared_key(signing, envelope, load_text) if pinned is None else pinned
    if not keys:
        raise _SettledError("unverifiable", "no public key available")
    sound = [pin for pin in keys if is_sound_key(pin.key)]
    for form in _signed_forms(data):
        for pin in sound:
            if verifies(pin.key, form, signature):
                return f"{_VERIFIED} ({pin.name})"
    raise _SettledError(
        "invalid", "ed25519 signature does not match manifest bytes" if sound else UNSOUND_KEY
    )


def _signed_forms(data: bytes) -> list[bytes]:
    """The bytes, and where it differs their form that ends in exactly one newline (§12).

    Editors and checkouts add and drop final newlines.
    """
    one_newline = data.rstrip(b"\n") + b"\n"
    return [data] if one_newline == data else [data, one_newline]


def _declared_key(signing: Signing, envelope: Envelope, load_text: LoadText) -> tuple[PinnedKey, ...]:
    """The manifest's declared key, else the envelope's own; a declared key that fails is never replaced."""
    if signing.public_key:
        name, text = "declared key", signing.public_key
    elif envelope.public_key:
        name, text = "envelope key", envelope.public_key
    else:
        return ()
    if not is_inline(text):
        try:
            text = load_text(text)
        except KcpError as error:
            raise _SettledError("unverifiable", f"cannot load public key: {error}") from None
    try:
        return (PinnedKey(name, import_key(text)),)
    except KeyImportError as error:
        raise _SettledError("unverifiable", f"cannot import public key: {error}") from None
