"""Texts within texts: base64, hexadecimal, percent signs, entities, escapes, Morse, ROT13 and backwards."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,4096}={0,2}")
_HEX = re.compile(r"(?:(?:0x|\\x|%)?[0-9A-Fa-f]{2}[ ,:]?){8,2048}")
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})")
_ENTITY = re.compile(r"&#(?:x([0-9a-fA-F]{2,6})|([0-9]{2,7}));")
_ESCAPE = re.compile(r"\\(?:u\{?([0-9a-fA-F]{4,6})\}?|x([0-9a-fA-F]{2}))")
_DIGITS = re.compile(r"[0-9%\\]|[-.·−–] ")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")
_BINARY = re.compile(r"(?:[01]{8}[ ,]?){5,512}")
_MORSE = re.compile(r"(?:[.\-·−–]{1,5}[ /|]+){6,600}[.\-·−–]{1,5}")
_MORSE_CODES = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.--"
    " --.."
)
_MORSE_LETTERS = dict(zip(_MORSE_CODES.split(), "abcdefghijklmnopqrstuvwxyz", strict=True))
_SIGNALS = str.maketrans("·−–", ".--")
_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ROT13 = str.maketrans(
    _UPPER + _UPPER.lower(), _UPPER[13:] + _UPPER[:13] + (_UPPER[13:] + _UPPER[:13]).lower()
)
_KEYS = (
    "ignore instruct previous prompt password secret token system delete approve reveal execut agent assist"
    " without user send rules"
)
_TURNED_KEYS = tuple([form for key in _KEYS.split() for form in (key[::-1], key.translate(_ROT13))])
_SHORTEST = 12
_COMMON = frozenset("the and you to your this of for all user it is".split())


def hidden_texts(text: str) -> Iterator[str]:
    """What runs of the text decode to, where that is readable; nothing is decoded twice."""
    if len(text) < _SHORTEST:
        return
    for match in _BASE64.finditer(text):
        yield from _readable(_from_base64(match.group()))
    if _DIGITS.search(text) is None:
        return
    for match in _HEX.finditer(text):
        digits = re.sub(r"0x|\\x|[% ,:]", "", match.group())
        yield from _readable(bytes.fromhex(digits[: len(digits) // 2 * 2]))
    for match in _BINARY.finditer(text):
        yield from _readable(bytes([int(octet, 2) for octet in re.findall("[01]{8}", match.group())]))
    if _PERCENT.search(text) is not None:
        yield _PERCENT.sub(lambda match: chr(int(match.group()[1:], 16)), text)
    if _ENTITY.search(text) is not None:
        yield _ENTITY.sub(lambda match: _char(int(match[1], 16) if match[1] else int(match[2])), text)
    if _ESCAPE.search(text) is not None:
        yield _ESCAPE.sub(lambda match: _char(int(match[1] or match[2], 16)), text)
    for match in _MORSE.finditer(text):
        words = re.split(r"\s*[/|]\s*|\s{2,}", match.group().translate(_SIGNALS))
        yield " ".join(["".join([_MORSE_LETTERS.get(code, "") for code in word.split()]) for word in words])


def turned_texts(text: str) -> Iterator[str]:
    """The text as ROT13 and backwards, where that has more everyday words than the text itself."""
    low = text.lower()
    if len(text) < _SHORTEST or not any(form in low for form in _TURNED_KEYS):
        return
    common = _common(text)
    for turned in (text.translate(_ROT13), text[::-1]):
        if _common(turned) > common or common == 0:
            yield turned
    for part in text.split(": ")[1:]:
        yield part.translate(_ROT13)
        yield part[::-1]


def _common(text: str) -> int:
    return sum(word in _COMMON for word in re.findall("[a-z]+", text.lower()))


def _from_base64(run: str) -> bytes:
    from binascii import Error, a2b_base64

    plain = run.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return a2b_base64(plain + "=" * (-len(plain) % 4))
    except Error:
        return b""


def _readable(data: bytes) -> Iterator[str]:
    """The bytes as text if nearly all of it could be one."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return
    if len(text) >= 6 and _CONTROL.search(text) is None:
        yield text


def _char(code: int) -> str:
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else ""
