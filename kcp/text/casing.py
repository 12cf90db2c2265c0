"""Lower case and words, by Unicode 17 whatever the interpreter knows (planner contract §5, "Tokenizer").

ASCII needs no tables; they are loaded with the first text that goes beyond it.
"""

from __future__ import annotations

_ASCII_WORDS = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))


def lower(text: str) -> str:
    """The full lower-case mapping of JavaScript's `toLowerCase`: context-free but for the final sigma."""
    if text.isascii():
        return text.lower()
    from kcp.text.letters import lower_beyond_ascii

    return lower_beyond_ascii(text)


def words(text: str) -> list[str]:
    """Runs of letters and numbers (general categories L* and N*), in order; everything else separates."""
    if text.isascii():
        return text.translate(_ASCII_WORDS).split()
    from kcp.text.letters import words_beyond_ascii

    return words_beyond_ascii(text)


def is_word(char: str) -> bool:
    """Whether the one character is a letter or a number."""
    if char.isascii():
        return char.isalnum()
    from kcp.text.letters import is_word_code

    return is_word_code(ord(char))
