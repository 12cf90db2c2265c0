"""Characters that are not seen, or change how others are seen; fixed, so that no interpreter decides."""

from __future__ import annotations

from bisect import bisect_right

# Controls, soft hyphen, fillers, blanks beyond ASCII, zero-width and direction marks, variation selectors,
# surrogates, private use, specials, musical controls, tags. First and last of each range.
_RANGES = (
    *((0x00, 0x1F), (0x7F, 0xA0), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160)),
    *((0x1680, 0x1680), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2000, 0x200F), (0x2028, 0x202F)),
    *((0x205F, 0x206F), (0x3000, 0x3000), (0x3164, 0x3164), (0xD800, 0xF8FF), (0xFDD0, 0xFDEF)),
    *((0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFC), (0xFFFE, 0xFFFF)),
    *((0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0x10FFFF)),
)
_BOUNDS = [bound for first, last in _RANGES for bound in (first, last + 1)]


def is_hidden(char: str) -> bool:
    """Whether a character is one of those; a blank of ASCII is not."""
    return bisect_right(_BOUNDS, ord(char)) % 2 == 1


class _Escapes(dict[int, str]):
    """A table for `str.translate` that escapes hidden characters as YAML and JSON both read them."""

    def __init__(self, *, wide: bool) -> None:
        super().__init__()
        self._wide = wide

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if not is_hidden(char):
            text = char
        elif code <= 0xFFFF:
            text = f"\\u{code:04x}"
        elif self._wide:
            text = f"\\U{code:08x}"
        else:
            offset = code - 0x10000
            text = f"\\u{0xD800 + (offset >> 10):04x}\\u{0xDC00 + (offset & 0x3FF):04x}"
        if len(self) < 8192:
            self[code] = text
        return text


_FOR_YAML, _FOR_JSON = _Escapes(wide=True), _Escapes(wide=False)


def escape_for_yaml(text: str) -> str:
    """The inside of a double-quoted YAML scalar with every hidden character escaped."""
    return text.translate(_FOR_YAML)


def escape_json(text: str) -> str:
    """A JSON text, line ends aside, with every hidden character escaped; only strings can hold them."""
    if text.isascii() and "\x7f" not in text:
        return text
    return "\n".join([line.translate(_FOR_JSON) for line in text.split("\n")])
