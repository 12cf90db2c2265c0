"""Turn ICU's collation elements into the sections of kcp/text/tables_collation.py.

Weights become ranks, so that the tables know nothing of ICU's bytes. A primary is 0 (none), its rank among
the primaries that no ideograph has (from 1), or IDEOGRAPH + the code point of the ideograph that has it.
Secondaries and tertiaries are ranks from 1, or 0 for none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scripts.lib.icu_root import RootCollation

Element = tuple[int, int, int]
Section = tuple[str, str, bytes | int | tuple[int, ...]]

HANGUL = range(0xAC00, 0xD7A4)
INDEX_MARKER = 0xFDD1  # a non-character that starts contractions for index boundaries; left out
NONE, SEQUENCE, SINGLES, EXPANSIONS = range(4)


def collation_sections(
    root: RootCollation, ideograph_ranges: list[list[int]], decomposable: set[int]
) -> list[Section]:
    """(name, comment, value) of each constant, in order."""
    ideographs = [code for first, last in ideograph_ranges for code in range(first, last + 1)]
    reader = Mappings(root, set(ideographs) | decomposable | set(HANGUL))
    own = {code: _only(root.mapping(code)[0]) >> 32 for code in ideographs}
    ranks = Ranks(reader.all_elements(), own)
    writer = Writer((ranks.secondaries[0x0500], ranks.tertiaries[0x0500]))
    pages: dict[int, list[list[Element] | None]] = {}
    for code, elements in reader.single.items():
        page = pages.setdefault(code >> 8, [None] * 256)
        page[code & 255] = [ranks.element(ce) for ce in elements]
    single = bundle({number: writer.page(page) for number, page in pages.items()})
    suffixes = bundle(
        {
            start: b"".join(
                writer.suffix(suffix, [ranks.element(ce) for ce in elements])
                for suffix, elements in sorted(found.items())
            )
            for start, found in reader.contractions.items()
        }
    )
    ascii_ranks = {writer_rank for code in range(128) for writer_rank in _primary_ranks(reader, ranks, code)}
    classes = b"".join(varint(second) + varint(third) for second, third in writer.classes)
    return [
        ("IDEOGRAPH", "Primaries from here on stand for the ideograph primary - IDEOGRAPH.", ranks.ideograph),
        ("TOP", "Primaries from here to IDEOGRAPH sort after every character without one.", ranks.top),
        ("ASCII_PRIMARIES", "Primaries that ASCII characters have.", tuple(sorted(ascii_ranks))),
        ("CLASSES", "Pairs (secondary, tertiary).", classes),
        ("ELEMENTS", "Page (code point >> 8): runs of characters and their elements.", single),
        ("CONTRACTIONS", "First character: suffixes and the elements of the whole.", suffixes),
        ("IDEOGRAPHS", "Page (code point >> 8): bucket of each ideograph.", bundle(bucket_pages(own))),
    ]


class Mappings:
    """Elements of single code points and of contractions, without those that run time computes."""

    def __init__(self, root: RootCollation, computed: set[int]) -> None:
        self.single: dict[int, list[int]] = {}
        self.contractions: dict[int, dict[tuple[int, ...], list[int]]] = {}
        for code in range(0x110000):
            if code in computed:
                continue
            elements, suffixes = root.mapping(code)
            if elements is not None:
                self.single[code] = elements
            if suffixes and code != INDEX_MARKER:
                self.contractions[code] = suffixes
        # "this after that" is the contraction "that this" as long as "that" is one code point
        for code in range(0x110000):
            for prefix, elements in root.prefixes(code).items() if code not in computed else ():
                (before,) = prefix
                whole = self.single[before] + elements
                self.contractions.setdefault(before, {})[(code,)] = whole

    def all_elements(self) -> list[int]:
        found = [ce for elements in self.single.values() for ce in elements]
        for suffixes in self.contractions.values():
            found += [ce for elements in suffixes.values() for ce in elements]
        return found


class Ranks:
    """Ranks of all weights that occur."""

    def __init__(self, elements: list[int], ideographs: dict[int, int]) -> None:
        self.by_primary = {primary: code for code, primary in ideographs.items()}
        primaries = {ce >> 32 for ce in elements} - set(self.by_primary)
        self.primaries = _rank(primaries)
        self.secondaries = _rank({ce >> 16 & 0xFFFF for ce in elements})
        self.tertiaries = _rank({ce & 0x3F3F for ce in elements})
        self.ideograph = max(self.primaries.values()) + 1
        first = min(ideographs.values())
        self.top = self.primaries[min(primary for primary in primaries if primary > first)]

    def element(self, ce: int) -> Element:
        primary = ce >> 32
        code = self.by_primary.get(primary)
        weight = self.primaries.get(primary, 0) if code is None else self.ideograph + code
        return weight, self.secondaries.get(ce >> 16 & 0xFFFF, 0), self.tertiaries.get(ce & 0x3F3F, 0)


class Writer:
    """Elements as varints: how far the primary is from the one before, and the class of the other two."""

    def __init__(self, common: tuple[int, int]) -> None:
        self.classes = {common: 0}

    def page(self, mapped: list[list[Element] | None]) -> bytes:
        """Runs: varint (length * 4 + kind), then what each character of the run needs."""
        out, previous, start = b"", 0, 0
        while start < len(mapped):
            kind, end, body = self._kind(mapped[start], previous), start, b""
            while end < len(mapped) and self._kind(mapped[end], previous) == kind:
                elements = mapped[end] or []
                data, previous = self._elements(elements, previous)
                if kind == EXPANSIONS:
                    body += varint(len(elements))
                body += b"" if kind == SEQUENCE else data
                end += 1
            out += varint((end - start) << 2 | kind) + body
            start = end
        return out

    def suffix(self, suffix: tuple[int, ...], elements: list[Element]) -> bytes:
        codes = b"".join(map(varint, suffix))
        return varint(len(suffix)) + codes + varint(len(elements)) + self._elements(elements, 0)[0]

    def _elements(self, elements: list[Element], previous: int) -> tuple[bytes, int]:
        out = b""
        for primary, secondary, tertiary in elements:
            number = self.classes.setdefault((secondary, tertiary), len(self.classes))
            out += varint(zigzag(primary - previous)) + varint(number)
            previous = primary
        return out, previous

    def _kind(self, elements: list[Element] | None, previous: int) -> int:
        if elements is None:
            return NONE
        if len(elements) != 1:
            return EXPANSIONS
        primary, secondary, tertiary = elements[0]
        following = primary == previous + 1 and self.classes.get((secondary, tertiary)) == 0
        return SEQUENCE if following else SINGLES


def bucket_pages(primaries: dict[int, int]) -> dict[int, bytes]:
    """The bucket of each ideograph, 0 for what is none.

    Buckets are stretches of the order in which the position rises: about one a radical and stroke count, in
    which blocks come one after the other.
    """
    bucket, previous = 1, -1
    buckets: dict[int, int] = {}
    for code in sorted(primaries, key=primaries.__getitem__):
        bucket += position(code) < previous
        buckets[code], previous = bucket, position(code)
    pages = {}
    for number in sorted({code >> 8 for code in buckets}):
        last, body = 0, b""
        for code in range(number << 8, (number + 1) << 8):
            body += varint(zigzag(buckets.get(code, 0) - last))
            last = buckets.get(code, 0)
        pages[number] = body
    return pages


def position(code: int) -> int:
    """Order of ideographs in a bucket: the first block, then the compatibility block's, then the rest."""
    if 0x4E00 <= code <= 0x9FFF:
        return code - 0x4E00
    return code - 0x9900 if 0xF900 <= code <= 0xFAFF else code + 0x8000


def bundle(parts: dict[int, bytes]) -> bytes:
    """Count, then (key distance, length) of each part, then the parts."""
    out, last = varint(len(parts)), 0
    for key in sorted(parts):
        out += varint(key - last) + varint(len(parts[key]))
        last = key
    return out + b"".join(parts[key] for key in sorted(parts))


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value: int) -> int:
    return value << 1 if value >= 0 else (-value << 1) - 1


def _rank(weights: set[int]) -> dict[int, int]:
    return {weight: index for index, weight in enumerate(sorted(weights - {0}), 1)}


def _only(elements: list[int] | None) -> int:
    (element,) = elements or []
    if element & 0xFFFFFFFF != 0x05000500:
        raise ValueError(f"an ideograph has the unusual element {element:016x}")
    return element


def _primary_ranks(reader: Mappings, ranks: Ranks, code: int) -> Iterable[int]:
    return (ranks.primaries[ce >> 32] for ce in reader.single.get(code, ()) if ce >> 32)
