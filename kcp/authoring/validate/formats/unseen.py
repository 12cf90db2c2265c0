"""Characters that no report holds as they are: a terminal obeys them, and a reader does not see them."""

from __future__ import annotations

# Control characters, and what turns the direction of text.
_RANGES = ((0x7F, 0x9F), (0x61C, 0x61C), (0x200E, 0x200F), (0x2028, 0x202E), (0x2066, 0x2069))
UNSEEN = frozenset([chr(code) for first, last in _RANGES for code in range(first, last + 1)])


def escape_json(text: str) -> str:
    """JSON text that says the same with such characters as `\\uXXXX`; they stand in strings alone."""
    if text.isascii() and "\x7f" not in text:
        return text
    return text.translate({ord(char): f"\\u{ord(char):04x}" for char in UNSEEN})
