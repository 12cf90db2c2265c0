"""The second lint set: raw marks first, then what the words weigh under each reading of the text."""

from __future__ import annotations

import re

from kcp.render.lints import PROSE, Hit
from kcp.render.lints.kcpagent.encoded import hidden_texts, turned_texts
from kcp.render.lints.kcpagent.marks import find_mark
from kcp.render.lints.kcpagent.normalise import plain, readings, settled
from kcp.render.lints.kcpagent.weighing import technique, too_heavy, too_heavy_sentence

MAX_LENGTH = 4096
# Plain letters and digits so short hide nothing, and are no sentence.
_SIMPLE_WORD = 15
# One word of a script with blanks between words: a search, an id, a title, but no sentence.
_NAME = re.compile(r"[\w./:-]*\Z", re.ASCII)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
REASON = "steers_reader"
_ENCODED = Hit("encoded", "encoded-order")
_TOKEN = Hit(REASON, "order-in-a-name")
# An id, a path or an address has no sentence to weigh; these say too much in any.
_ORDER_IN_A_NAME = (
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b"
    r"(?:instructions?|rules|prompts?|guidelines|polic(?:y|ies)|guardrails|safety|checks)\b"
    r"|\byou are now\b|\b(?:do not|don't|never) (?:tell|inform|ask) (?:the |your )?user\b"
    r"|\b(?:obey|trust) (?:me|us|this)\b"
    r"|\b(?:reveal|print|show|leak|send) (?:\w+ ){0,2}(?:system prompt|secrets?|password)"
)
_BETWEEN = str.maketrans("-_./:", "     ")

# Manifests say the same words many times over.
_seen: dict[tuple[str, bool], Hit | None] = {}
_MEMORY = 4096


def find(text: str, role: str) -> Hit | None:
    """The first rule that the text hits in any of its readings; only the first 4 KiB are looked at."""
    key = text, role == PROSE
    if key in _seen:
        return _seen[key]
    known = settled(text[:MAX_LENGTH])
    hit = _find_in_prose(known) if role == PROSE else _find_in_name(known)
    if len(_seen) >= _MEMORY:
        _seen.clear()
    _seen[key] = hit
    return hit


def _find_in_prose(text: str) -> Hit | None:
    if len(text) <= _SIMPLE_WORD and text.isascii() and text.isalnum():
        return None
    hit = find_mark(text)
    if hit is not None:
        return hit
    for hidden in map(settled, hidden_texts(text)):
        if too_heavy(plain(hidden), hidden) is not None or find_mark(hidden) is not None:
            return _ENCODED
    for turned in turned_texts(text):
        if too_heavy(plain(turned), turned) is not None:
            return _ENCODED
    if _NAME.match(text) is not None:
        return _find_in_name(text)
    for reading in readings(text):
        found = too_heavy(reading, text)
        if found is not None:
            return Hit(REASON, technique(found))
    found = too_heavy_sentence(text)
    return None if found is None else Hit(REASON, technique(found))


def _find_in_name(text: str) -> Hit | None:
    said = plain(_CAMEL.sub(" ", text)).translate(_BETWEEN)
    return None if re.search(_ORDER_IN_A_NAME, said) is None else _TOKEN
