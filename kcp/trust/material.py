"""Keys and signatures as text: PEM, hex, base64, or the signature envelope (planner contract §12)."""

from __future__ import annotations

from kcp.errors import KcpError
from kcp.records import Record

_HEX = frozenset("0123456789abcdefABCDEF")
_BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
_INLINE_SIZES = (32, 44, 64)  # raw key, SPKI key, signature
_SPKI_PREFIX = bytes.fromhex("302a300506032b6570032100")
PEM_BEGIN = "-----BEGIN"


class KeyImportError(KcpError):
    """Key material that is no Ed25519 public key; the message is the contract's."""


class Envelope(Record):
    """A signature file: the signature's text and what comes with it. `signature` is None for other JSON."""

    signature: str | None
    public_key: str | None = None
    key_id: str | None = None
    algorithm: str | None = None


def decode_material(text: str) -> bytes | None:
    """The bytes a text spells, or None where it is none of the encodings."""
    if PEM_BEGIN in text:
        body = _pem_body(text)
        return None if body is None else _base64(body.translate(str.maketrans("-_", "+/")))
    compact = _without_blanks(text)
    if len(compact) >= 64 and len(compact) % 2 == 0 and _HEX.issuperset(compact):
        return bytes.fromhex(compact)
    return _base64(compact) if compact and _BASE64.issuperset(compact) else None


def _pem_body(text: str) -> str | None:
    _, _, rest = text.partition(PEM_BEGIN)
    _, dashes, rest = rest.partition("-----")
    body, end, _ = rest.partition("-----END")
    return _without_blanks(body) if dashes and end else None


def _without_blanks(text: str) -> str:
    # The contract's white space includes the byte order mark that some editors put first.
    return "".join(text.replace("\ufeff", " ").split())


def _base64(text: str) -> bytes | None:
    from binascii import Error, a2b_base64

    text = text.partition("=")[0]
    if not _BASE64.issuperset(text):
        return None
    text = text[: len(text) - 1] if len(text) % 4 == 1 else text
    try:
        return a2b_base64(text + "=" * (-len(text) % 4))
    except Error:
        return None


def is_inline(value: str) -> bool:
    """Whether a declared value is the material itself and not where to find it."""
    if value.startswith(("http://", "https://")):
        return False
    if PEM_BEGIN in value:
        return True
    decoded = decode_material(value)
    return decoded is not None and len(decoded) in _INLINE_SIZES


def read_envelope(text: str) -> Envelope:
    """The envelope in a loaded signature text; text that is not JSON is a bare signature."""
    from json import loads

    try:
        value = loads(text, parse_int=float, parse_constant=_refuse)
        if value is None:
            return Envelope(text)
        if not isinstance(value, dict):
            return Envelope(None)
        signature = value.get("signature")
        return Envelope(
            signature="" if signature is None else _member(signature),
            public_key=_optional(value, "public_key"),
            key_id=_optional(value, "key_id"),
            algorithm=_optional(value, "algorithm"),
        )
    except (ValueError, RecursionError):
        return Envelope(text)


def _refuse(constant: str) -> object:
    """`NaN` and `Infinity`, which Python's decoder takes, are not JSON."""
    raise ValueError(constant)


def _optional(value: dict[str, object], key: str) -> str | None:
    return _member(value[key]) if key in value else None


def _member(value: object) -> str:
    from kcp.reading.coerce import text

    return text(value)


def import_key(text: str) -> bytes:
    """The 32 bytes of an Ed25519 public key, from raw or SPKI material; KeyImportError otherwise."""
    data = decode_material(text)
    if data is None:
        raise KeyImportError("unrecognized public key encoding")
    if len(data) == 32:
        return data
    if data.startswith(_SPKI_PREFIX) and len(data) == len(_SPKI_PREFIX) + 32:
        return data[len(_SPKI_PREFIX) :]
    from kcp.trust.der import ED25519, spki_algorithm

    algorithm = spki_algorithm(data)
    is_of_another = algorithm is not None and algorithm != ED25519
    raise KeyImportError("Invalid key type" if is_of_another else "Invalid keyData")


def spki(key: bytes) -> bytes:
    """The DER SubjectPublicKeyInfo of a raw Ed25519 public key."""
    return _SPKI_PREFIX + key
