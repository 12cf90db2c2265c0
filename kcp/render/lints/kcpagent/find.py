"""The second lint set: raw marks first, then what the text says under each of its readings."""

from __future__ import annotations

from kcp.records import Record
from kcp.render.lints import PROSE, Hit
from kcp.render.lints.kcpagent.encoded import hidden_texts, turned_texts
from kcp.render.lints.kcpagent.marks import find_mark
from kcp.render.lints.kcpagent.normalise import plain, readings
from kcp.render.lints.kcpagent.rules import ENOUGH, RULES, WEIGHTS, Row
from kcp.render.lints.kcpagent.sentences import LEXICON, Sentence, sentences

MAX_LENGTH = 4096


class _Row(Record):
    hit: Hit
    groups: tuple[frozenset[str], ...]
    unless: frozenset[str]
    reach: int
    even: bool


def _row(row: Row) -> _Row:
    rule, reason, groups, reach, even = row
    wanted = tuple([frozenset(group.split("|")) for group in groups if group[0] != "-"])
    unless = frozenset([idea for group in groups if group[0] == "-" for idea in group[1:].split("|")])
    return _Row(Hit(reason, rule), wanted, unless, reach, even)


_ROWS = tuple([_row(row) for row in RULES])
_WEIGHED = Hit("agent_addressed", "weight-of-signs")
_ENCODED = Hit("encoded", "encoded-order")
_BETWEEN = str.maketrans("-_./:", "     ")
# The rules that an id, a path or an address may hit: those need no sentence.
_WITHOUT_SENTENCE = frozenset(
    "set-aside-guidance set-aside-guidance-order change-of-role obey-this concealment trust-elevation".split()
)


# Manifests say the same words many times over.
_seen: dict[tuple[str, bool], Hit | None] = {}
_MEMORY = 4096


def find(text: str, role: str) -> Hit | None:
    """The first rule that the text hits in any of its readings; only the first 4 KiB are looked at."""
    key = text, role == PROSE
    if key in _seen:
        return _seen[key]
    hit = _find_in_prose(text[:MAX_LENGTH]) if role == PROSE else _find_in_token(text[:MAX_LENGTH])
    if len(_seen) < _MEMORY:
        _seen[key] = hit
    return hit


def _find_in_prose(text: str) -> Hit | None:
    hit = find_mark(text)
    if hit is not None:
        return hit
    for reading in readings(text):
        hit = _find_in(reading)
        if hit is not None:
            return hit
    for hidden in hidden_texts(text):
        if _find_in(plain(hidden)) is not None or find_mark(hidden) is not None:
            return _ENCODED
    for turned in turned_texts(text):
        if _find_in(plain(turned)) is not None:
            return _ENCODED
    return None


def _find_in_token(text: str) -> Hit | None:
    if text.isascii() and text.isalnum():
        return None
    words = plain(text).translate(_BETWEEN)
    for sentence in sentences(words):
        hit = _find_in_sentence(sentence)
        if hit is not None and hit.rule in _WITHOUT_SENTENCE:
            return hit
    return None


def _find_in(text: str) -> Hit | None:
    for sentence in sentences(text):
        hit = _find_in_sentence(sentence)
        if hit is not None:
            return hit
    return None


def _find_in_sentence(sentence: Sentence) -> Hit | None:
    ideas = sentence.ideas
    present = {idea for _, idea in ideas}
    if not present or (sentence.describes and "READ_THIS" not in present):
        return None
    for row in _ROWS:
        if sentence.describes and not row.even:
            continue
        for group in row.groups:
            if group.isdisjoint(present):
                break
        else:
            if row.unless.isdisjoint(present) and (
                len(row.groups) == 1 or _within(ideas, row.groups, row.reach)
            ):
                return row.hit
    if not sentence.describes and sum([WEIGHTS.get(idea, 0) for idea in present]) >= ENOUGH:
        return _WEIGHED
    return None


def _within(ideas: tuple[tuple[int, str], ...], groups: tuple[frozenset[str], ...], reach: int) -> bool:
    """Whether one idea of each group lies within the reach, in one pass; place -1 is everywhere."""
    last: list[int | None] = [None] * len(groups)
    for at, idea in ideas:
        for index, group in enumerate(groups):
            if idea in group:
                last[index] = at
        if at >= 0 and None not in last:
            first = min([place for place in last if place is not None and place >= 0], default=at)
            if at - first <= reach:
                return True
    return False


__all__ = ["LEXICON", "find"]
