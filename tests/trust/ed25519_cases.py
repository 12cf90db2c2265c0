"""Ed25519 signatures that a verifier must tell apart, in the classes that Wycheproof covers, made here.

The curve arithmetic is plain Python from RFC 8032's definitions, so that what is expected does not rest on
the library under test. Everything is deterministic.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from nacl.signing import SigningKey

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_MINUS_1 = pow(2, (P - 1) // 4, P)

# A point in extended coordinates: x = X/Z, y = Y/Z, T = XY/Z.
Point = tuple[int, int, int, int]
IDENTITY: Point = (0, 1, 1, 0)

VERIFIED, MISMATCH, UNSOUND, WRONG_SIZE = "verified", "mismatch", "unsound key", "wrong size"


class Case(NamedTuple):
    """One signature, and what must come of it."""

    name: str
    key: bytes
    message: bytes
    signature: bytes
    expected: str


def add(a: Point, b: Point) -> Point:
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g = 2 * a[3] * b[3] * D % P
    h = 2 * a[2] * b[2] % P
    x, z, u, y = f - e, h - g, h + g, f + e
    return x * z % P, u * y % P, z * u % P, x * y % P


def multiply(scalar: int, point: Point) -> Point:
    result = IDENTITY
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def same(a: Point, b: Point) -> bool:
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def affine(point: Point) -> tuple[int, int]:
    inverse = pow(point[2], -1, P)
    return point[0] * inverse % P, point[1] * inverse % P


def encode(point: Point) -> bytes:
    x, y = affine(point)
    return encode_number(y, x & 1)


def encode_number(y: int, sign: int) -> bytes:
    return (y | sign << 255).to_bytes(32, "little")


def decode(data: bytes, *, strict: bool = True) -> Point | None:
    """The point of 32 bytes; lenient decoding takes y modulo p and any sign for x = 0."""
    number = int.from_bytes(data, "little")
    y, sign = number & (2**255 - 1), number >> 255
    if strict and y >= P:
        return None
    y %= P
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * SQRT_MINUS_1 % P
    if (x * x - square) % P:
        return None
    if x == 0 and sign and strict:
        return None
    if x & 1 != sign:
        x = -x % P
    return x, y, 1, x * y % P


BASE = decode(encode_number(4 * pow(5, -1, P) % P, 0))


def base(scalar: int) -> Point:
    assert BASE is not None
    return multiply(scalar, BASE)


def is_small(point: Point) -> bool:
    return same(multiply(8, point), IDENTITY)


def is_sound(key: bytes) -> bool:
    """Whether a key is canonical, on the curve and of prime order."""
    point = decode(key)
    return point is not None and not is_small(point) and same(multiply(L, point), IDENTITY)


def challenge(r: bytes, key: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % L


def equation_holds(key: bytes, message: bytes, signature: bytes) -> bool:
    """[S]B = R + [h]A without a cofactor and without any check: what a careless verifier asks."""
    r, a = decode(signature[:32], strict=False), decode(key, strict=False)
    if r is None or a is None:
        return False
    s = int.from_bytes(signature[32:], "little")
    return same(base(s % L), add(r, multiply(challenge(signature[:32], key, message), a)))


def judge(key: bytes, message: bytes, signature: bytes) -> str:
    """The right verdict, by this arithmetic alone."""
    if len(signature) != 64:
        return WRONG_SIZE
    if not is_sound(key):
        return UNSOUND
    r = decode(signature[:32])
    if r is None or is_small(r) or int.from_bytes(signature[32:], "little") >= L:
        return MISMATCH
    return VERIFIED if equation_holds(key, message, signature) else MISMATCH


# --- material -----------------------------------------------------------------------------------------------


def seed(number: int) -> bytes:
    return hashlib.sha256(b"ed25519 case %d" % number).digest()


def secret_scalar(number: int) -> int:
    half = bytearray(hashlib.sha512(seed(number)).digest()[:32])
    half[0] &= 248
    half[31] = half[31] & 127 | 64
    return int.from_bytes(half, "little")


def public(number: int) -> bytes:
    return bytes(SigningKey(seed(number)).verify_key)


def signed(number: int, message: bytes) -> bytes:
    return bytes(SigningKey(seed(number)).sign(message).signature)


def scalar_bytes(s: int) -> bytes:
    return s.to_bytes(32, "little")


@cache
def torsion() -> tuple[Point, ...]:
    """The eight points of order 1, 2, 4 and 8."""
    for y in range(2, 100):
        point = decode(encode_number(y, 0))
        if point is not None:
            small = multiply(L, point)
            if not same(multiply(4, small), IDENTITY):
                return tuple([multiply(times, small) for times in range(8)])
    raise AssertionError("no point of order 8 among small y")


@cache
def small_order_encodings() -> tuple[bytes, ...]:
    """Every 32 bytes that a lenient decoder takes for one of the eight points."""
    found = {encode(point) for point in torsion()}
    for point in torsion():
        x, y = affine(point)
        for number in (y, y + P):
            if number < 2**255:
                found |= {encode_number(number, sign) for sign in ((0, 1) if x == 0 else (x & 1,))}
    return tuple(sorted(found))


MESSAGES = (b"", b"\n", b"project: p\n", b"r\xc3\xb8d: gr\xc3\xb8d\r\n", bytes(range(256)), b"long\n" * 300)


# --- the classes --------------------------------------------------------------------------------------------


def valid() -> Iterator[Case]:
    for number, message in enumerate(MESSAGES * 3):
        name = f"key {number}, {len(message)} bytes"
        yield Case(name, public(number), message, signed(number, message), VERIFIED)


def published() -> Iterator[Case]:
    """The first three test vectors of RFC 8032, section 7.1."""
    vectors = """
        d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a -
        e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555
        fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b

        3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c 72
        92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da0
        85ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00

        fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025 af82
        6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac1
        8ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
    """
    for number, vector in enumerate(vectors.split("\n\n"), 1):
        key, message, *halves = vector.split()
        signature = bytes.fromhex("".join(halves))
        message_bytes = bytes.fromhex(message.strip("-"))
        yield Case(f"RFC 8032 test {number}", bytes.fromhex(key), message_bytes, signature, VERIFIED)


def wrong_size() -> Iterator[Case]:
    message = MESSAGES[2]
    whole = signed(1, message)
    for size in (0, 1, 2, 31, 32, 33, 60, 62, 63):
        yield Case(f"truncated to {size}", public(1), message, whole[:size], WRONG_SIZE)
    for size in (65, 66, 68, 96, 128, 192):
        yield Case(f"extended to {size}", public(1), message, (whole * 3)[:size], WRONG_SIZE)
    yield Case("zero byte behind", public(1), message, whole + b"\0", WRONG_SIZE)
    yield Case("zero byte before", public(1), message, b"\0" + whole, WRONG_SIZE)


def wrong_key() -> Iterator[Case]:
    for number, message in enumerate(MESSAGES):
        yield Case(f"next key, {number}", public(number + 1), message, signed(number, message), MISMATCH)
        negated = bytearray(public(number))
        negated[31] ^= 0x80
        yield Case(f"negated key, {number}", bytes(negated), message, signed(number, message), MISMATCH)


def wrong_message() -> Iterator[Case]:
    for number, message in enumerate(MESSAGES[2:]):
        signature = signed(number, message)
        yield Case(f"one byte off, {number}", public(number), message[:-2] + b"~~", signature, MISMATCH)
        yield Case(f"cut, {number}", public(number), message[: len(message) // 2], signature, MISMATCH)
        yield Case(f"doubled, {number}", public(number), message * 2, signature, MISMATCH)


def malleable() -> Iterator[Case]:
    """The same signature with another number for S that is equal modulo L."""
    for number, message in enumerate(MESSAGES):
        signature = signed(number, message)
        s = int.from_bytes(signature[32:], "little")
        for times in (1, 2, 7, 14):
            other = signature[:32] + scalar_bytes(s + times * L)
            yield Case(f"S + {times}L, {number}", public(number), message, other, MISMATCH)


def large_s() -> Iterator[Case]:
    r = signed(1, b"large")[:32]
    for name, s in {
        "L": L,
        "L - 1": L - 1,
        "L + 1": L + 1,
        "2L": 2 * L,
        "2**252": 2**252,
        "2**253": 2**253,
        "2**255 - 1": 2**255 - 1,
        "2**256 - 1": 2**256 - 1,
        "0": 0,
    }.items():
        yield Case(f"S = {name}", public(1), b"large", r + scalar_bytes(s), MISMATCH)


def small_order_keys() -> Iterator[Case]:
    """For every encoding one forgery that the bare equation accepts, and one honest signature."""
    for key in small_order_encodings():
        yield Case(f"forged {key.hex()}", key, b"forged", forge(key, b"forged"), UNSOUND)
        yield Case(f"other's {key.hex()}", key, b"forged", signed(1, b"forged"), UNSOUND)


def forge(key: bytes, message: bytes) -> bytes:
    """A signature by nobody: R = [S]B verifies once h is a multiple of the order of A."""
    for s in range(1, 1000):
        signature = encode(base(s)) + scalar_bytes(s)
        if challenge(signature[:32], key, message) % 8 == 0:
            assert equation_holds(key, message, signature)
            return signature
    raise AssertionError("no forgery found")


def mixed_order_keys() -> Iterator[Case]:
    """A sound key plus a point of small order, so that verifiers disagree on its signatures."""
    for number in (1, 2, 3):
        for place, small in enumerate(torsion()[1:], 1):
            key = encode(add(base(secret_scalar(number)), small))
            yield Case(f"key {number} + T{place}", key, b"mixed", sign_as(number, key, b"mixed"), UNSOUND)


def sign_as(number: int, key: bytes, message: bytes) -> bytes:
    """A signature with a key's scalar but another public key, that the bare equation accepts."""
    for nonce in range(1, 1000):
        r = encode(base(nonce))
        h = challenge(r, key, message)
        if h % 8 == 0:
            signature = r + scalar_bytes((nonce + h * secret_scalar(number)) % L)
            assert equation_holds(key, message, signature)
            return signature
    raise AssertionError("no signature found")


def non_canonical_keys() -> Iterator[Case]:
    """y from p to 2**255 - 1, both signs; some are on the curve, some are not."""
    for excess in range(19):
        for sign in (0, 1):
            key = encode_number(P + excess, sign)
            yield Case(f"y = p + {excess}, sign {sign}", key, b"m", signed(1, b"m"), UNSOUND)


def keys_off_the_curve() -> Iterator[Case]:
    off = [y for y in range(2, 40) if decode(encode_number(y, 0)) is None]
    for y in off[:8]:
        yield Case(f"y = {y}", encode_number(y, y & 1), b"m", signed(1, b"m"), UNSOUND)


def swapped() -> Iterator[Case]:
    for number, message in enumerate(MESSAGES):
        signature = signed(number, message)
        yield Case(f"R and S, {number}", public(number), message, signature[32:] + signature[:32], MISMATCH)
        twice = signature[:32] * 2
        yield Case(f"R and R, {number}", public(number), message, twice, MISMATCH)
    for number, message in enumerate(MESSAGES[:3]):
        one, other = signed(number, message), signed(number, message + b"!")
        yield Case(f"another's S, {number}", public(number), message, one[:32] + other[32:], MISMATCH)


def special_r() -> Iterator[Case]:
    """R of small order with the S that fits it, in every encoding; and R plus a point of small order."""
    for r in small_order_encodings():
        h = challenge(r, public(1), b"r")
        signature = r + scalar_bytes(h * secret_scalar(1) % L)
        yield Case(f"R = {r.hex()}", public(1), b"r", signature, MISMATCH)
    for place, small in enumerate(torsion()[1:], 1):
        r = encode(add(base(12345), small))
        s = (12345 + challenge(r, public(1), b"r") * secret_scalar(1)) % L
        yield Case(f"R + T{place}", public(1), b"r", r + scalar_bytes(s), MISMATCH)
    yield Case("all zeros", public(1), b"r", bytes(64), MISMATCH)
    yield Case("all ones", public(1), b"r", b"\xff" * 64, MISMATCH)


def flipped_signature() -> Iterator[Case]:
    message = MESSAGES[2]
    whole = signed(1, message)
    for place in range(64):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << place % 8
        yield Case(f"bit {place % 8} of byte {place}", public(1), message, bytes(flipped), MISMATCH)


def flipped_key() -> Iterator[Case]:
    message = MESSAGES[2]
    for place in range(32):
        flipped = bytearray(public(1))
        flipped[place] ^= 1 << place % 8
        key = bytes(flipped)
        expected = MISMATCH if is_sound(key) else UNSOUND
        yield Case(f"bit {place % 8} of byte {place}", key, message, signed(1, message), expected)


CLASSES: dict[str, Callable[[], Iterator[Case]]] = {
    make.__name__: make
    for make in (
        valid,
        published,
        wrong_size,
        wrong_key,
        wrong_message,
        malleable,
        large_s,
        small_order_keys,
        mixed_order_keys,
        non_canonical_keys,
        keys_off_the_curve,
        swapped,
        special_r,
        flipped_signature,
        flipped_key,
    )
}
