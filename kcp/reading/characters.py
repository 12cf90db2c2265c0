"""Bytes become text that the YAML parser reads as this dialect means it (contract §3, decisions B8 and B20).

Control characters are refused. U+0085, U+2028 and U+2029 are content here but line breaks to a YAML 1.1
parser, which also drops a U+FEFF at the start of a line; the four are exchanged for private-use characters
that the text does not use, and restored in the values. An exchange is one character for one character, so
lines and columns stay right.
"""

from __future__ import annotations

from kcp.errors import ManifestError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BOM = b"\xef\xbb\xbf"
_OTHER_ENCODINGS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_CONTROLS = bytes(code for code in (*range(0x20), 0x7F) if code not in b"\t\n\r")
_NON_CHARACTERS = "\ufffe\uffff"
_EXCHANGED = "\x85\u2028\u2029\ufeff"


def decode(data: bytes) -> str:
    """The text of a manifest without its byte order mark. ManifestError for what no manifest may hold."""
    if data[:2] in _OTHER_ENCODINGS:
        raise ManifestError(f"manifest is not UTF-8: it starts as {_OTHER_ENCODINGS[data[:2]]} does")
    body = data[3:] if data.startswith(_BOM) else data
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        sound = body[: error.start].decode("utf-8")
        offset = error.start + len(data) - len(body)
        line, column = place(sound, len(sound))
        raise ManifestError(
            f"manifest is not UTF-8: byte 0x{body[error.start]:02x} at offset {offset}",
            line=line,
            column=column,
        ) from None
    if text.startswith("\ufeff"):
        raise ManifestError("a second byte order mark is not allowed", line=1, column=1)
    if _is_unprintable(body, text):
        index, character = next(_unprintables(text))
        line, column = place(text, index)
        if character == "\0":
            raise ManifestError("null byte is not allowed in input", line=line, column=column)
        raise ManifestError(
            "the stream contains non-printable characters",
            line=line,
            column=column,
            hint=f"remove the control character U+{ord(character):04X}",
        )
    return text


def _is_unprintable(body: bytes, text: str) -> bool:
    if len(body.translate(None, _CONTROLS)) != len(body):
        return True
    if text.isascii():
        return False
    # U+0080 to U+009F are the bytes C2 80 to C2 9F.
    if b"\xc2" in body and next(_unprintables(text), None) is not None:
        return True
    return any(character in text for character in _NON_CHARACTERS)


def _unprintables(text: str) -> Iterator[tuple[int, str]]:
    import re

    pattern = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]"
    return ((match.start(), match.group()) for match in re.finditer(pattern, text))


def place(text: str, index: int) -> tuple[int, int]:
    """The 1-based line and column of a character; LF, CR and CRLF end lines."""
    before = text[:index].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


class Exchange:
    """Content characters exchanged for private-use ones, as two tables for `str.translate`."""

    __slots__ = ("to_parser", "to_value")

    def __init__(self, text: str) -> None:
        found = [character for character in _EXCHANGED if character in text]
        substitutes = dict(zip(found, _unused(text, len(found)), strict=True))
        self.to_parser = str.maketrans(substitutes)
        self.to_value = str.maketrans({after: before for before, after in substitutes.items()})


def needs_exchange(text: str) -> bool:
    """Whether the text holds a character that a YAML 1.1 parser would take for something else."""
    return not text.isascii() and any(character in text for character in _EXCHANGED)


def _unused(text: str, count: int) -> list[str]:
    """Private-use characters that the text neither holds nor spells as an escape."""
    import re

    used = {ord(character) for character in re.findall("[\ue000-\uf8ff]", text)}
    for digits in re.findall(r"\\[uU]([0-9a-fA-F]{4,8})", text):
        used.update((int(digits[:4], 16), int(digits, 16)))
    free = [chr(code) for code in range(0xE000, 0xF900) if code not in used]
    if len(free) < count:
        raise ManifestError("manifest uses every private-use character; none is left to read it with")
    return free[:count]
