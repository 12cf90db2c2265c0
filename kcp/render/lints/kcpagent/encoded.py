"""Texts within texts: base64, hexadecimal, percent signs, entities, escapes, Morse, ROT13 and backwards."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,4096}={0,2}")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:(?:0[xX]|\\x|%)?[0-9A-Fa-f]{2}[ ,:\n-]{0,2}){8,2048}")
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})")
_ENTITY = re.compile(r"&#(?:x([0-9a-fA-F]{2,6})|([0-9]{2,7}));")
_ESCAPE = re.compile(r"\\(?:u\{?([0-9a-fA-F]{4,6})\}?|x([0-9a-fA-F]{2}))")
_NAMED = re.compile(r"&[A-Za-z]{2,16};")
_DIGITS = re.compile(r"[0-9%\\]|[-.·−–•][ /|]")
_LINK = re.compile(r"[/_-]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")
_BINARY = re.compile(r"(?:[01]{8}[ ,]?){5,512}")
_MORSE = re.compile(r"(?:[.\-·•−–]{1,5}[ /|\n]+){6,600}[.\-·•−–]{1,5}")
_MORSE_CODES = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.--"
    " --.."
)
_MORSE_LETTERS = dict(zip(_MORSE_CODES.split(), "abcdefghijklmnopqrstuvwxyz", strict=True))
_SIGNALS = str.maketrans("·•−–", "..--")
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
_COMMON = frozenset("the and you to your this of for all user it is in on at with every that not".split())
_WORD = re.compile("[a-z]+")


def hidden_texts(text: str) -> Iterator[str]:
    """What runs of the text decode to, where that is readable; nothing is decoded twice."""
    if len(text) < _SHORTEST:
        return
    written_out = _written_out(text)
    if written_out != text:
        yield written_out
    for match in _BASE64.finditer(text):
        run = match.group()
        for part in dict.fromkeys((run, *_LINK.split(run))):
            yield from _readable(_from_base64(part))
    if _DIGITS.search(text) is None:
        return
    for match in _HEX.finditer(text):
        digits = re.sub(r"0[xX]|\\x|[^0-9A-Fa-f]", "", match.group())
        yield from _readable(bytes.fromhex(digits[: len(digits) // 2 * 2]))
    for match in _BINARY.finditer(text):
        yield from _readable(bytes([int(octet, 2) for octet in re.findall("[01]{8}", match.group())]))
    for match in _MORSE.finditer(text):
        signals = match.group().translate(_SIGNALS)
        # Without blanks the strokes stand between letters, and two of them between words.
        signals = (
            signals if " " in signals or "\n" in signals else signals.replace("//", "  ").replace("/", " ")
        )
        words = re.split(r"\s*[/|]\s*|\n|\s{2,}", signals)
        yield " ".join(["".join([_MORSE_LETTERS.get(code, "") for code in word.split()]) for word in words])


def _written_out(text: str) -> str:
    """The text with entities, percent signs and escapes as the characters that they stand for."""
    if _NAMED.search(text) is not None:
        from html import unescape

        text = unescape(text)
    if "%" in text:
        text = _PERCENT.sub(lambda match: chr(int(match.group()[1:], 16)), text)
    if "&#" in text:
        text = _ENTITY.sub(lambda match: _char(int(match[1], 16) if match[1] else int(match[2])), text)
    if "\\" in text:
        text = _ESCAPE.sub(lambda match: _char(int(match[1] or match[2], 16)), text)
    return text


def turned_texts(text: str) -> Iterator[str]:
    """The text as ROT13 and backwards, where that has more everyday words than the text itself."""
    if len(text) < _SHORTEST:
        return
    low = text.lower()
    telling = any(form in low for form in _TURNED_KEYS)
    if not telling and not text.isascii():
        return
    common = _common(text)
    for turned in (text.translate(_ROT13), text[::-1]):
        everyday = _common(turned)
        if (everyday > common and everyday > 1) or (telling and (everyday > common or common == 0)):
            yield turned
    if not telling:
        return
    for part in text.split(": ")[1:]:
        yield part.translate(_ROT13)
        yield part[::-1]


def _common(text: str) -> int:
    return sum(word in _COMMON for word in _WORD.findall(text.lower()))


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
