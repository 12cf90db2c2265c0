"""Words and phrases of many languages under the idea that they express.

Notation of a word list: blanks separate, `_` is a blank within a phrase, a final `*` stands for any ending.
Words of Latin, Cyrillic and Greek script are found as whole words; those of other scripts, which do not
separate or which glue their words, as parts of the text. What follows `¦` are forms that
other languages than English use for orders; they yield the idea and `IDEA~`.
"""

from __future__ import annotations

import re

from kcp.render.lints.kcpagent.normalise import fold
from kcp.render.lints.kcpagent.spelling import misspelt

_WORD = re.compile(r"[^\W_]+")
_LAST_SPACED = "\u052f"
_BETWEEN = str.maketrans("-'./", "____")
MEMORY = 8192
_MIN_STEM, _MAX_STEM = 2, 18


class Lexicon:
    """Finds ideas in plain text, in time linear in its length."""

    def __init__(self, ideas: dict[str, str]) -> None:
        self._words: dict[str, set[str]] = {}
        self._stems: dict[str, set[str]] = {}
        self._phrases: dict[str, list[tuple[list[str], str]]] = {}
        self._pairs: dict[tuple[str, str], list[tuple[list[str], str]]] = {}
        self._parts: dict[str, set[str]] = {}
        self._lengths: dict[str, list[int]] = {}
        self._known: dict[str, frozenset[str]] = {}
        for idea, written in ideas.items():
            english, _, foreign = fold(written).translate(_BETWEEN).partition("¦")
            own = set(english.split())
            for entry in own:
                self._add(idea, entry)
            order = idea + "~"
            for entry in foreign.split():
                self._add(idea, entry)
                if entry not in own:
                    self._add(order, entry)
        for part in self._parts:
            lengths = self._lengths.setdefault(part[0], [])
            if len(part) not in lengths:
                lengths.append(len(part))

    def _add(self, idea: str, entry: str) -> None:
        if entry[0] > _LAST_SPACED:
            self._parts.setdefault(entry.replace("_", " "), set()).add(idea)
        elif "_" in entry:
            first, second, *rest = [word for word in entry.split("_") if word]
            if second[-1] == "*":
                self._phrases.setdefault(first, []).append(([second, *rest], idea))
            else:
                self._pairs.setdefault((first, second), []).append((rest, idea))
        elif entry[-1] == "*":
            self._stems.setdefault(entry[:-1], set()).add(idea)
        else:
            self._words.setdefault(entry, set()).add(idea)

    def find(self, text: str) -> list[tuple[int, str]]:
        """Places and ideas in a plain text, in order of place."""
        found = []
        words = [(match.start(), match.group()) for match in _WORD.finditer(text)]
        last = len(words) - 1
        for index, (at, word) in enumerate(words):
            known = self._known.get(word)
            if known is None:
                known = self._learn(word)
            if known:
                found += [(at, idea) for idea in known]
            if index < last:
                for rest, idea in self._pairs.get((word, words[index + 1][1]), ()):
                    if _follows(words, index + 2, rest):
                        found.append((at, idea))
            for rest, idea in self._phrases.get(word, ()):
                if _follows(words, index + 1, rest):
                    found.append((at, idea))
        if not text.isascii() and self._parts:
            found += self._find_parts(text)
            found.sort()
        return found

    def _learn(self, word: str) -> frozenset[str]:
        ideas = set(self._words.get(word, ()))
        for length in range(_MIN_STEM, min(len(word), _MAX_STEM) + 1):
            ideas |= self._stems.get(word[:length], set())
        known = frozenset(ideas or misspelt(word))
        if len(self._known) < MEMORY:
            self._known[word] = known
        return known

    def _find_parts(self, text: str) -> list[tuple[int, str]]:
        found = []
        for at, char in enumerate(text):
            for length in self._lengths.get(char, ()):
                ideas = self._parts.get(text[at : at + length])
                if ideas:
                    found += [(at, idea) for idea in ideas]
        return found


def _follows(words: list[tuple[int, str]], index: int, rest: list[str]) -> bool:
    if index + len(rest) > len(words):
        return False
    for offset, wanted in enumerate(rest):
        word = words[index + offset][1]
        if word != wanted and not (wanted[-1] == "*" and word.startswith(wanted[:-1])):
            return False
    return True
