"""Length and order of strings in UTF-16 code units, as in JavaScript (planner contract §1, "Text").

An unpaired surrogate is one unit; a high and a low one side by side are the pair they would be there.
"""

from __future__ import annotations


def utf16_length(text: str) -> int:
    """JavaScript's `text.length`."""
    return len(text) if text.isascii() else len(utf16_key(text)) // 2


def utf16_key(text: str) -> bytes:
    """Sort key for JavaScript's `<` on strings."""
    return text.encode("utf-16-be", "surrogatepass")


def utf16_less(first: str, second: str) -> bool:
    """JavaScript's `first < second`."""
    # Code points and code units disagree only between two characters that are both beyond ASCII.
    if first.isascii() or second.isascii():
        return first < second
    return utf16_key(first) < utf16_key(second)
