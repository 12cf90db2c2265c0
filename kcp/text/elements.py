"""Collation elements beyond ASCII. `kcp.text.collation` is the door; this loads the tables.

A primary weight in a key is, for a primary that ASCII characters have, its even lead; for another, the odd
lead of the gap it lies in and its rank; for an ideograph, a lead, its bucket and its position in the bucket;
for a code point without weights (unassigned, private use, unpaired surrogate), a lead and the code point;
for the few that sort after those, a lead and the rank.
"""

from __future__ import annotations

from bisect import bisect_left

from kcp.text import tables_collation as tables
from kcp.text.decomposition import combining_rank, decompose
from kcp.text.packing import Bundle, numbers, signed, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    # Primaries, secondaries and tertiaries of a piece of text, as they go into the key.
    Weights = tuple[str, str, str]

SEQUENCE, SINGLES, EXPANSIONS = 1, 2, 3
COMMON_SECONDARY = chr(1)
GAPS = len(tables.ASCII_PRIMARIES)
IDEOGRAPH_LEAD, UNASSIGNED_LEAD, TOP_LEAD = (chr(2 * GAPS + extra) for extra in (2, 3, 4))
MARKS_WITHIN = 32

_ELEMENTS = Bundle(tables.ELEMENTS)
_CONTRACTIONS = Bundle(tables.CONTRACTIONS)
_IDEOGRAPHS = Bundle(tables.IDEOGRAPHS)
_flat = [chr(number) if number else "" for number in numbers(unpack(tables.CLASSES))]
_CLASSES = list(zip(_flat[::2], _flat[1::2], strict=True))

# What has been read so far; both are bounded by the tables.
_weights: dict[int, Weights] = {}
_suffixes: dict[int, dict[tuple[int, ...], Weights]] = {}
_buckets: dict[int, list[int]] = {}
_pages_read: set[int] = set()


def key_beyond_ascii(text: str) -> str:
    """`kcp.text.collation.collation_key` for any text."""
    stack = decompose(text)
    stack.reverse()
    pieces = []
    while stack:
        code = stack.pop()
        pieces.append(_contracted(code, stack) if code in _CONTRACTIONS else _single(code))
    primaries = "".join([piece[0] for piece in pieces])
    secondaries = "".join([piece[1] for piece in pieces]).rstrip(COMMON_SECONDARY)
    tertiaries = "".join([piece[2] for piece in pieces])
    return f"{primaries}\0{secondaries}\0{tertiaries}"


def _contracted(code: int, stack: list[int]) -> Weights:
    """Weights of the code point with what it contracts with, which is taken off the stack (UCA, S2.1)."""
    found = _suffixes.get(code)
    if found is None:
        found = _suffixes[code] = _read_suffixes(code)
    suffix: tuple[int, ...] = ()
    for length in range(min(max(map(len, found)), len(stack)), 0, -1):
        candidate = tuple(stack[: -length - 1 : -1])
        if candidate in found:
            suffix = candidate
            del stack[-length:]
            break
    suffix = _with_later_marks(suffix, found, stack)
    return found[suffix] if suffix else _single(code)


def _with_later_marks(
    suffix: tuple[int, ...], found: dict[tuple[int, ...], Weights], stack: list[int]
) -> tuple[int, ...]:
    """The suffix with each following mark that extends it and that no mark between them blocks."""
    taken = []
    last = 0
    for at in range(len(stack) - 1, max(len(stack) - 1 - MARKS_WITHIN, -1), -1):
        rank = combining_rank(stack[at])
        if rank is None:
            break
        if rank > last and (*suffix, stack[at]) in found:
            suffix = (*suffix, stack[at])
            taken.append(at)
        else:
            last = rank
    for at in taken:
        del stack[at]
    return suffix


def _single(code: int) -> Weights:
    weights = _weights.get(code)
    if weights is not None:
        return weights
    page = code >> 8
    if page in _ELEMENTS and page not in _pages_read:
        _pages_read.add(page)
        _read_page(page)
        return _single(code)
    primary = _ideograph(code) or UNASSIGNED_LEAD + chr(code)
    return primary, *_CLASSES[0]


def _ideograph(code: int) -> str:
    """Primary weight of an ideograph, empty for any other code point."""
    page = code >> 8
    if page not in _IDEOGRAPHS:
        return ""
    buckets = _buckets.get(page)
    if buckets is None:
        bucket = 0
        buckets = _buckets[page] = []
        for step in _IDEOGRAPHS.read(page):
            bucket += signed(step)
            buckets.append(bucket)
    bucket = buckets[code & 255]
    return IDEOGRAPH_LEAD + chr(bucket) + chr(_position(code)) if bucket else ""


def _position(code: int) -> int:
    """Order within a bucket: the first block of ideographs, then the compatibility block's, then the rest."""
    if 0x4E00 <= code <= 0x9FFF:
        return code - 0x4E00
    return code - 0x9900 if 0xF900 <= code <= 0xFAFF else code + 0x8000


def _primary(rank: int) -> str:
    if not rank:
        return ""
    if rank >= tables.IDEOGRAPH:
        return _ideograph(rank - tables.IDEOGRAPH)
    if rank >= tables.TOP:
        return TOP_LEAD + chr(rank)
    gap = bisect_left(tables.ASCII_PRIMARIES, rank)
    if gap < GAPS and tables.ASCII_PRIMARIES[gap] == rank:
        return chr(2 * gap + 2)
    return chr(2 * gap + 1) + chr(rank)


def _read_page(page: int) -> None:
    """Runs: length * 4 + kind, then what each character of the run needs (none: it has no weights here)."""
    reader = _ELEMENTS.read(page)
    code, rank = page << 8, 0
    for run in reader:
        kind = run & 3
        for at in range(code, code + (run >> 2)):
            if kind == SEQUENCE:
                rank += 1
                _weights[at] = _primary(rank), *_CLASSES[0]
            elif kind:
                count = next(reader) if kind == EXPANSIONS else 1
                rank, _weights[at] = _read_elements(reader, count, rank)
        code += run >> 2


def _read_suffixes(code: int) -> dict[tuple[int, ...], Weights]:
    reader = _CONTRACTIONS.read(code)
    found = {}
    for length in reader:
        suffix = tuple([next(reader) for _ in range(length)])
        _, found[suffix] = _read_elements(reader, next(reader), 0)
    return found


def _read_elements(reader: Iterator[int], count: int, rank: int) -> tuple[int, Weights]:
    """The last primary, and the weights; each element is a step of the primary and a class."""
    primaries = secondaries = tertiaries = ""
    for _ in range(count):
        rank += signed(next(reader))
        secondary, tertiary = _CLASSES[next(reader)]
        primaries += _primary(rank)
        secondaries += secondary
        tertiaries += tertiary
    return rank, (primaries, secondaries, tertiaries)
