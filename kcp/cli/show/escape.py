"""Text from manifests made safe for a terminal."""

from __future__ import annotations

# What moves the cursor, starts an escape sequence, turns the writing direction or hides text. Given in full
# because the interpreter's own classes change with its Unicode version.
_RANGES = (
    (0x00, 0x1F),
    (0x7F, 0x9F),
    (0x61C, 0x61C),
    (0x200E, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0xD800, 0xDFFF),
    (0xFEFF, 0xFEFF),
    (0xFFF9, 0xFFFB),
    (0xE0000, 0xE007F),
)
_SHORT = {9: "\\t", 10: "\\n", 13: "\\r"}


def escape(text: str) -> str:
    """The text on one line, with control and direction characters as visible escapes (`\\x1b`, `\\u202e`)."""
    if text.isprintable():
        return text
    return "".join([_escape_one(char) for char in text])


def prose(text: str) -> str:
    """As `escape`, for running text: line ends and blanks become single blanks."""
    return escape(" ".join(text.split()))


def _escape_one(char: str) -> str:
    code = ord(char)
    if not any(first <= code <= last for first, last in _RANGES):
        return char
    if code in _SHORT:
        return _SHORT[code]
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
