"""The few structures of DER that keys come in: SubjectPublicKeyInfo and PKCS#8 (RFC 5280, 5958, 8410)."""

from __future__ import annotations

from kcp.records import Record

ED25519 = bytes.fromhex("2b6570")
ALGORITHMS = {
    ED25519: "ed25519",
    bytes.fromhex("2b6571"): "ed448",
    bytes.fromhex("2b656e"): "x25519",
    bytes.fromhex("2b656f"): "x448",
    bytes.fromhex("2a864886f70d010101"): "rsa",
    bytes.fromhex("2a864886f70d01010a"): "rsa-pss",
    bytes.fromhex("2a8648ce3d0201"): "ec",
    bytes.fromhex("2a8648ce380401"): "dsa",
}  # object identifier → the name that people know
_INTEGER, _BITS, _OCTETS, _OID, _SEQUENCE = 0x02, 0x03, 0x04, 0x06, 0x30
_PUBLIC_KEY = 0x81  # [1] IMPLICIT BIT STRING of a PKCS#8 key of version 2
_MAX_LENGTH_BYTES = 3


class PrivateKeyInfo(Record):
    """A PKCS#8 key: its algorithm's object identifier, the key, and the public key where one is enclosed."""

    algorithm: bytes
    key: bytes
    public: bytes | None = None


def spki_algorithm(der: bytes) -> bytes | None:
    """The object identifier of the algorithm of a SubjectPublicKeyInfo; None where the bytes are none."""
    members = _members(_only(der, _SEQUENCE))
    if members is None or [tag for tag, _ in members] != [_SEQUENCE, _BITS]:
        return None
    return _identifier(members[0][1])


def private_key_info(der: bytes) -> PrivateKeyInfo | None:
    """The parts of a PKCS#8 key of either version; None where the bytes are none."""
    members = _members(_only(der, _SEQUENCE))
    if members is None or [tag for tag, _ in members[:3]] != [_INTEGER, _SEQUENCE, _OCTETS]:
        return None
    algorithm = _identifier(members[1][1])
    if algorithm is None:
        return None
    enclosed = [content[1:] for tag, content in members[3:] if tag == _PUBLIC_KEY]
    return PrivateKeyInfo(algorithm, members[2][1], enclosed[0] if enclosed else None)


def octet_string(der: bytes) -> bytes | None:
    """What an OCTET STRING holds; None where the bytes are none."""
    return _only(der, _OCTETS)


def _identifier(content: bytes) -> bytes | None:
    members = _members(content)
    return members[0][1] if members and members[0][0] == _OID else None


def _only(der: bytes, tag: int) -> bytes | None:
    """The content of an element of that tag that is all there is."""
    members = _members(der)
    return members[0][1] if members is not None and len(members) == 1 and members[0][0] == tag else None


def _members(der: bytes | None) -> list[tuple[int, bytes]] | None:
    """Tag and content of each element, one after another; None where a length leads nowhere."""
    if der is None:
        return None
    members = []
    position = 0
    while position < len(der):
        tag = der[position]
        length, position = _length(der, position + 1)
        if length < 0 or position + length > len(der):
            return None
        members.append((tag, der[position : position + length]))
        position += length
    return members


def _length(der: bytes, position: int) -> tuple[int, int]:
    """A length and the position behind it; -1 where there is none that DER allows."""
    if position >= len(der):
        return -1, position
    first = der[position]
    if first < 0x80:
        return first, position + 1
    end = position + 1 + (first & 0x7F)
    length = int.from_bytes(der[position + 1 : end], "big")
    is_minimal = length >= 0x80 and der[position + 1] != 0
    if not 0 < first & 0x7F <= _MAX_LENGTH_BYTES or end > len(der) or not is_minimal:
        return -1, position
    return length, end
