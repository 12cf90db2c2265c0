"""Rules that are regular expressions, each behind signs: compiling takes longer than most texts need."""

from __future__ import annotations

import re

from kcp.render.lints import Hit

# What a rule finds, signs in lower case of which a text that matches has one, and the pattern.
PatternRule = tuple[Hit, tuple[str, ...], str]


class Patterns:
    """Rules in order; a pattern is compiled with the first text that has one of its signs."""

    def __init__(self, rules: tuple[PatternRule, ...], flags: re.RegexFlag) -> None:
        self._rules = rules
        self._flags = flags
        signs = {sign for _, some, _ in rules for sign in some}
        self._characters = frozenset([sign for sign in signs if len(sign) == 1])
        self._words = sorted([sign for sign in signs if self._characters.isdisjoint(sign)])

    def first_hit(self, text: str) -> Hit | None:
        """What the first rule that matches finds."""
        low = text.lower()
        if self._characters.isdisjoint(low) and not any(word in low for word in self._words):
            return None
        for hit, signs, pattern in self._rules:
            if any(sign in low for sign in signs) and re.search(pattern, text, self._flags) is not None:
                return hit
        return None
