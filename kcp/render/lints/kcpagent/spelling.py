"""Misspelt key words: letters in another order, or one letter missing, added or changed."""

from __future__ import annotations

_WORDS = {
    "OVERRIDE": "ignore disregard forget override",
    "INSTR": "instructions instruction guidelines",
    "PRIOR": "previous earlier",
    "SECRET": "password passwords credentials",
    "CONFIG": "systemprompt",
    "DISCLOSE": "reveal disclose",
    "EXEC": "execute",
}
_SHUFFLED = {"".join(sorted(word)): (idea, word) for idea, words in _WORDS.items() for word in words.split()}
_LONG = 8


def _shortened(word: str) -> set[str]:
    return {word[:at] + word[at + 1 :] for at in range(len(word))}


_SHORTENED = {
    short: idea
    for idea, words in _WORDS.items()
    for word in words.split()
    if len(word) >= _LONG
    for short in _shortened(word) | {word}
}


def misspelt(word: str) -> tuple[str, ...]:
    """The ideas of the key word that an unknown word is, but for its spelling."""
    if not (5 <= len(word) <= 16 and word.isascii() and word.isalpha()):
        return ()
    shuffled = _SHUFFLED.get("".join(sorted(word)))
    if shuffled is not None and shuffled[1][0] == word[0]:
        return (shuffled[0],)
    if len(word) >= _LONG - 1:
        for short in (word, *sorted(_shortened(word))):
            if short in _SHORTENED:
                return (_SHORTENED[short],)
    return ()
