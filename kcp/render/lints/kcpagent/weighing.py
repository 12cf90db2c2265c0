"""Whether the words of a text weigh more on the side of orders than on that of descriptions.

The weights are whole numbers, learnt from corpora of texts by scripts/fit-lint. What a text weighs is the sum
over its places, and the bar grows with the root of their number. A text is over the bar as a whole, or one of
its sentences is over a bar of their own: an order does not get lighter by what stands around it.
"""

from __future__ import annotations

from math import isqrt

from kcp.render.lints.kcpagent.normalise import plain
from kcp.render.lints.kcpagent.sentences import sentences
from kcp.render.lints.kcpagent.table import (
    BAR_UNIT,
    NAMES,
    SENTENCE_BAR,
    TECHNIQUES,
    WEIGHTS,
    WHOLE_BAR,
)
from kcp.render.lints.kcpagent.words import places
from kcp.text.packing import unpack

# A byte a place; 128 is no weight.
_WEIGHTS = unpack(WEIGHTS)
_ZERO = 128
_work = [0]
_WORK_OF_A_TEXT = 40


def too_heavy(reading: str, written: str) -> set[int] | None:
    """The places of a text over the bar; `reading` is what `written` says in plain letters."""
    found = _places(reading, written)
    return found if _is_over(found, WHOLE_BAR) else None


def too_heavy_sentence(text: str) -> set[int] | None:
    """The places of the first sentence over the bar for sentences."""
    for sentence in sentences(text):
        found = _places(plain(sentence), sentence)
        if _is_over(found, SENTENCE_BAR):
            return found
    return None


def _places(reading: str, written: str) -> set[int]:
    count_work(reading)
    return places(reading, written)


def count_work(text: str) -> None:
    """Add what it takes to weigh a text."""
    _work[0] += _WORK_OF_A_TEXT + len(text) * (1 if text.isascii() else 3)


def work_done() -> int:
    """How much has been weighed since the program began: about bytes, with something for each text."""
    return _work[0]


def _is_over(found: set[int], bar: int) -> bool:
    total = sum(map(_WEIGHTS.__getitem__, found)) - _ZERO * len(found)
    return total * BAR_UNIT > isqrt(bar * bar * len(found))


_techniques: list[bytes] = []


def technique(found: set[int]) -> str:
    """What a text over the bar most resembles; a guess, where the verdict is a sum."""
    if not _techniques:
        _techniques.append(unpack(TECHNIQUES))
    votes = [0] * len(NAMES)
    for place in found:
        vote = _techniques[0][place]
        votes[vote >> 4] += vote & 15
    return NAMES[votes.index(max(votes))]
