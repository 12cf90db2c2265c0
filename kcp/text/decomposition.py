"""Canonical decomposition (NFD) by Unicode 17, whatever the interpreter knows."""

from __future__ import annotations

from kcp.text import tables_decomposition as tables
from kcp.text.packing import unpack

HANGUL_FIRST, HANGUL_LAST = 0xAC00, 0xD7A3
LEADS, VOWELS, TRAILS = 0x1100, 0x1161, 0x11A7
VOWEL_COUNT, TRAIL_COUNT = 21, 28

_DECOMPOSITIONS = {ord(line[0]): line[1:] for line in unpack(tables.DECOMPOSITIONS).decode().split("\n")}

# Combining classes as ranks: their order is all that canonical ordering needs.
_CLASSES = {
    ord(mark): rank
    for rank, marks in enumerate(unpack(tables.COMBINING_CLASSES).decode().split("\n"), 1)
    for mark in marks
}

combining_rank = _CLASSES.get
"""Rank of the code point's combining class from 1, or None for class 0."""


def decompose(text: str) -> list[int]:
    """Code points of the text in NFD."""
    codes: list[int] = []
    marks = False
    for char in text.translate(_DECOMPOSITIONS):
        code = ord(char)
        if HANGUL_FIRST <= code <= HANGUL_LAST:
            codes += _hangul(code)
        else:
            codes.append(code)
            marks = marks or code in _CLASSES
    if marks:
        _order_marks(codes)
    return codes


def _hangul(code: int) -> list[int]:
    lead_vowel, trail = divmod(code - HANGUL_FIRST, TRAIL_COUNT)
    lead, vowel = divmod(lead_vowel, VOWEL_COUNT)
    return [LEADS + lead, VOWELS + vowel, TRAILS + trail][: 3 if trail else 2]


def _order_marks(codes: list[int]) -> None:
    """Sort each run of marks by combining class, in place and stable."""
    start = None
    for at in range(len(codes) + 1):
        if at < len(codes) and codes[at] in _CLASSES:
            start = at if start is None else start
        elif start is not None:
            if at - start > 1:
                codes[start:at] = sorted(codes[start:at], key=_CLASSES.__getitem__)
            start = None
