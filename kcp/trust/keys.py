"""Ed25519 key pairs and signature envelopes as files hold them (render contract §5, §18)."""

from __future__ import annotations

from kcp.errors import KcpError
from kcp.records import Record
from kcp.trust.der import ALGORITHMS, ED25519, octet_string, private_key_info
from kcp.trust.material import decode_material, spki
from kcp.wire.jsontext import encode_json

_PKCS8_PREFIX = bytes.fromhex("302e020100300506032b657004220420")
_PEM_LINE = 64
_PRIVATE_KEY_BEGIN = "-----BEGIN PRIVATE KEY-----"
_LEGACY_TYPES = {"RSA PRIVATE KEY": "rsa", "EC PRIVATE KEY": "ec", "DSA PRIVATE KEY": "dsa"}
_OTHER_LABELS = {
    **dict.fromkeys(_LEGACY_TYPES, ""),
    "ENCRYPTED PRIVATE KEY": "the key is encrypted; decrypt it first (openssl pkcs8)",
    "OPENSSH PRIVATE KEY": "the key is in OpenSSH's format; PEM (PKCS#8) is needed",
    "PUBLIC KEY": "this is a public key; signing takes the private one",
}
MANDATORY_ALGORITHM = "the mandatory-to-implement algorithm is Ed25519 (RFC-0018 §4.2)"


class KeyPair(Record):
    """A private key's seed and its public key, 32 bytes each; its text shows the public part alone."""

    seed: bytes
    public: bytes

    def __repr__(self) -> str:
        return f"KeyPair({fingerprint(self.public)})"


def new_key_pair() -> KeyPair:
    """A key pair from the system's random source."""
    from nacl.signing import SigningKey

    key = SigningKey.generate()
    return KeyPair(bytes(key), bytes(key.verify_key))


def key_pair(seed: bytes) -> KeyPair:
    """The key pair of a 32-byte seed."""
    from nacl.signing import SigningKey

    return KeyPair(seed, bytes(SigningKey(seed).verify_key))


def read_private_key(text: str, name: str) -> KeyPair:
    """The key pair in a PEM PKCS#8 private key; KcpError, which never quotes the text, for anything else."""
    der = _pkcs8(text, name)
    info = None if der is None else private_key_info(der)
    if info is None:
        raise KcpError(f"{name}: the private key is damaged")
    if info.algorithm != ED25519:
        raise _wrong_type(name, ALGORITHMS.get(info.algorithm, "of an unknown type"))
    seed = octet_string(info.key)
    if seed is None or len(seed) != 32:
        raise KcpError(f"{name}: the private key is damaged")
    pair = key_pair(seed)
    if info.public not in (None, pair.public):
        raise KcpError(f"{name}: the public key within does not belong to the private key")
    return pair


def _pkcs8(text: str, name: str) -> bytes | None:
    """The DER of the PRIVATE KEY block, whatever stands around it."""
    before, begin, _ = text.partition(_PRIVATE_KEY_BEGIN)
    if begin:
        return decode_material(text[len(before) :])
    for label, problem in _OTHER_LABELS.items():
        if f"-----BEGIN {label}-----" in text:
            if label in _LEGACY_TYPES:
                raise _wrong_type(name, _LEGACY_TYPES[label])
            raise KcpError(f"{name}: {problem}")
    raise KcpError(f"{name} is not a private key in PEM (PKCS#8)")


def _wrong_type(name: str, kind: str) -> KcpError:
    return KcpError(f"{name}: signing key is {kind}; {MANDATORY_ALGORITHM}")


def private_pem(pair: KeyPair) -> str:
    """The private key as PEM (PKCS#8)."""
    return _pem("PRIVATE KEY", _PKCS8_PREFIX + pair.seed)


def public_pem(public: bytes) -> str:
    """The public key as PEM (SubjectPublicKeyInfo)."""
    return _pem("PUBLIC KEY", spki(public))


def _pem(label: str, der: bytes) -> str:
    body = _base64_text(der)
    lines = [body[start : start + _PEM_LINE] for start in range(0, len(body), _PEM_LINE)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""])


def _base64_text(data: bytes) -> str:
    from binascii import b2a_base64

    return b2a_base64(data, newline=False).decode("ascii")


def spki_text(public: bytes) -> str:
    """The public key as keyrings and envelopes hold it: base64 of its DER SubjectPublicKeyInfo."""
    return _base64_text(spki(public))


def fingerprint(public: bytes) -> str:
    """`sha256:` and the hexadecimal SHA-256 of the key's SubjectPublicKeyInfo."""
    from kcp.reading.source import sha256_hex

    return f"sha256:{sha256_hex(spki(public))}"


def keyring_entry(key_id: str, public: bytes) -> str:
    """A list item for the `keys` of a keyring file."""
    return (
        f"- key_id: {encode_json(key_id)}\n  method: jws\n  algorithm: EdDSA\n"
        f"  public_key: {spki_text(public)}\n"
    )


def sign(data: bytes, pair: KeyPair) -> bytes:
    """The 64-byte signature over the bytes."""
    from nacl.signing import SigningKey

    return bytes(SigningKey(pair.seed).sign(data).signature)


def envelope_text(key_id: str, pair: KeyPair, signature: bytes) -> str:
    """A detached signature file's text (render contract §5)."""
    members = {
        "key_id": key_id,
        "algorithm": "EdDSA",
        "public_key": spki_text(pair.public),
        "signature": _base64_text(signature),
    }
    return encode_json(members) + "\n"


def bare_text(signature: bytes) -> str:
    """A signature alone, in base64."""
    return _base64_text(signature) + "\n"
