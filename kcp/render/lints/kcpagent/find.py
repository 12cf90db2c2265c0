"""The second lint set: raw marks first, then what the words weigh under each reading of the text."""

from __future__ import annotations

import re

from kcp.render.lints import PROSE, Hit
from kcp.render.lints.kcpagent.encoded import hidden_texts, turned_texts
from kcp.render.lints.kcpagent.marks import find_mark
from kcp.render.lints.kcpagent.normalise import composed, plain, readings, settled
from kcp.render.lints.kcpagent.phrases import find_phrase
from kcp.render.lints.kcpagent.weighing import count_work, technique, too_heavy, too_heavy_sentence

MAX_LENGTH = 4096
_SHORT = 320
# Plain letters and digits so short hide nothing, and are no sentence.
_SIMPLE_WORD = 15
# One word, or a few without blanks: a search, an id, a title, but no sentence.
_NAME = re.compile(r"[^\W_]*(?:[._/:+-]+[^\W_]+){0,5}[._/:+-]*\Z")
_FIRST_UNSPACED = "\u0e00"
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
REASON = "steers_reader"
_ENCODED = Hit("encoded", "encoded-order")
_TOKEN = Hit(REASON, "order-in-a-name")
# An id, a path or an address has no sentence to weigh; these say too much in any.
_ORDER_IN_A_NAME = (
    r"\b(?:ignore|disregard|forget|override|bypass) (?:\w+ ){0,3}"
    r"(?:all|any|previous|prior|earlier|above|your|system|safety) (?:\w+ ){0,3}"
    r"(?:instructions?|rules|prompts?|guidelines|polic(?:y|ies)|guardrails|checks)\b"
    r"|\byou are now\b|\b(?:do not|don'?t|never) (?:tell|inform|ask) (?:the |your )?user\b"
    r"|\b(?:obey|trust) (?:me|us|this)\b"
    r"|\b(?:reveal|print|leak|send) (?:\w+ ){0,2}(?:system prompt|secrets)\b"
)
_BETWEEN = re.compile(r"[\s_./:+-]+|%20")


def find(text: str, role: str) -> Hit | None:
    """The first rule that the text hits in any of its readings; only the first 4 KiB are looked at."""
    known = composed(settled(text[:MAX_LENGTH]))
    return _find_in_prose(known) if role == PROSE else _find_in_name(known)


def _find_in_prose(text: str) -> Hit | None:
    if len(text) <= _SIMPLE_WORD and text.isascii() and text.isalnum():
        return None
    hit = find_mark(text)
    if hit is not None:
        return hit
    for hidden in map(composed, map(settled, hidden_texts(text))):
        if _is_order(hidden) or find_mark(hidden) is not None:
            return _ENCODED
    for turned in turned_texts(text):
        if _is_order(turned):
            return _ENCODED
    if " " not in text and _NAME.match(text) is not None and max(text, default="") < _FIRST_UNSPACED:
        return _find_in_name(text)
    first, *others = readings(text)
    hit = _find_order(first, text) or _find_in_sentences(text)
    for other in others:
        # Undoing a disguise takes as long as weighing what is behind it.
        count_work(other)
        hit = hit or _find_order(other, text)
        # A long text would be split once more for every reading.
        if hit is None and len(text) <= _SHORT:
            hit = _find_in_sentences(other)
    return hit


def _find_order(reading: str, written: str) -> Hit | None:
    """A classic, or words that are too heavy in all."""
    hit = find_phrase(reading)
    if hit is not None:
        return hit
    found = too_heavy(reading, written)
    return None if found is None else Hit(REASON, technique(found))


def _find_in_sentences(text: str) -> Hit | None:
    found = too_heavy_sentence(text)
    return None if found is None else Hit(REASON, technique(found))


def _is_order(text: str) -> bool:
    return _find_order(plain(text), text) is not None or _find_in_sentences(text) is not None


def _find_in_name(text: str) -> Hit | None:
    for reading in readings(_BETWEEN.sub(" ", _CAMEL.sub(" ", text))):
        if re.search(_ORDER_IN_A_NAME, reading) is not None:
            return _TOKEN
    return None
