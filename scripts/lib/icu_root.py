"""Read the root collation (``ucadata.icu``) that a program linked with ICU carries inside.

The layout is ICU's collation data format 5 (collationdatareader.h, collation.h, utrie2.h, ucharstrie.h):
a trie from code point to "CE32", arrays the CE32s point into, and one small trie of suffixes per
contraction. A collation element (CE) is 64 bits: primary (32), secondary (16), case and tertiary (16).
"""

from __future__ import annotations

import struct

MAGIC = b"UCol\x05\x00\x00\x00"
COMMON = 0x05000500


class RootCollation:
    """The collation elements of CLDR's root collation, by code point and by contraction."""

    def __init__(self, image: bytes) -> None:
        start, header, sections = _find(image)
        body = image[start + header : start + header + sections[19]]

        def section(index: int, code: str) -> tuple[int, ...]:
            part = body[sections[index] : sections[index + 1]]
            count = len(part) // struct.calcsize("<" + code)
            return struct.unpack_from(f"<{count}{code}", part)

        self._elements = section(9, "Q")
        self._compact = section(11, "I")
        self._contexts = section(13, "H")
        trie = body[sections[7] : sections[8]]
        signature, _, index_length, data_length, _, _, high = struct.unpack_from("<IHHHHHH", trie)
        if signature != 0x54726932:
            raise ValueError("the collation data holds no UTrie2")
        self._index: tuple[int, ...] = struct.unpack_from(f"<{index_length}H", trie, 16)
        self._data: tuple[int, ...] = struct.unpack_from(f"<{data_length << 2}I", trie, 16 + 2 * index_length)
        self._high: int = high << 11

    def mapping(self, code: int) -> tuple[list[int] | None, dict[tuple[int, ...], list[int]]]:
        """CEs of the code point alone (``None``: implicit weight) and of each contraction it starts."""
        value = self._lookup(code)
        if value & 0xCF == 0xC9:
            default, suffixes = self._suffixes(value >> 13)
            return self._expand(default, code), {
                key: self._expand(found, code) or [] for key, found in suffixes.items()
            }
        if value & 0xCF == 0xC8:
            return self._expand(self._suffixes(value >> 13)[0], code), {}
        return self._expand(value, code), {}

    def prefixes(self, code: int) -> dict[tuple[int, ...], list[int]]:
        """CEs of the code point after the given code points (nearest first)."""
        value = self._lookup(code)
        if value & 0xCF != 0xC8:
            return {}
        return {key: self._expand(found, code) or [] for key, found in self._suffixes(value >> 13)[1].items()}

    def _lookup(self, code: int) -> int:
        if code >= self._high:
            return self._data[-4]
        if code >= 0x10000:
            block = self._index[0x820 + (code >> 11)] + (code >> 5 & 63)
        elif 0xD800 <= code < 0xDC00:
            block = 0x800 + (code - 0xD800 >> 5)
        else:
            block = code >> 5
        return self._data[(self._index[block] << 2) + (code & 31)]

    def _expand(self, value: int, code: int) -> list[int] | None:
        if value & 0xC0 != 0xC0:
            return [(value & 0xFFFF0000) << 32 | (value & 0xFF00) << 16 | (value & 0xFF) << 8]
        tag, index, count = value & 15, value >> 13, value >> 8 & 31
        if tag == 1:
            return [(value & 0xFFFFFF00) << 32 | COMMON]
        if tag == 2:
            return [value & 0xFFFFFF00]
        if tag == 4:
            first = (value & 0xFF000000) << 32 | 0x05000000 | (value & 0xFF0000) >> 8
            return [first, (value & 0xFF00) << 16 | 0x0500]
        if tag == 5:
            return [
                ce for item in self._compact[index : index + count] for ce in self._expand(item, code) or ()
            ]
        if tag == 6:
            return list(self._elements[index : index + count])
        if tag in (10, 11):
            return self._expand(self._compact[index if tag == 10 else 0], code)
        if tag == 14:
            return [_offset_primary(code, self._elements[index]) << 32 | COMMON]
        if tag in (12, 15):
            return None
        raise ValueError(f"U+{code:04X}: CE32 tag {tag} does not belong in a root collation")

    def _suffixes(self, index: int) -> tuple[int, dict[tuple[int, ...], int]]:
        """The default CE32 and the suffix trie behind it, as code point tuples."""
        default = self._contexts[index] << 16 | self._contexts[index + 1]
        return default, SuffixTrie(self._contexts, index + 2).found


class SuffixTrie:
    """All suffixes in a UCharsTrie, with their values."""

    def __init__(self, units: tuple[int, ...], start: int) -> None:
        self._units = units
        self.found: dict[tuple[int, ...], int] = {}
        self._walk(start, ())

    def _add(self, key: tuple[int, ...], value: int) -> None:
        self.found[_code_points(key)] = value

    def _walk(self, position: int, key: tuple[int, ...]) -> None:
        units = self._units
        node, position = units[position], position + 1
        if node & 0x8000:
            self._add(key, self._value(position, node & 0x7FFF)[0])
            return
        if node >= 0x7FC0:
            self._add(key, units[position] << 16 | units[position + 1])
            position += 2
        elif node >= 0x4040:
            self._add(key, (node & 0x7FC0) - 0x4040 << 10 | units[position])
            position += 1
        elif node >= 0x40:
            self._add(key, (node >> 6) - 1)
        node &= 0x3F
        if node >= 0x30:
            end = position + node - 0x2F
            self._walk(end, key + units[position:end])
        elif node:
            self._branch(position, node + 1, key)
        else:
            self._branch(position + 1, units[position] + 1, key)

    def _branch(self, position: int, count: int, key: tuple[int, ...]) -> None:
        units = self._units
        while count > 5:
            delta, position = units[position + 1], position + 2
            if delta >= 0xFC00:
                raise ValueError("a suffix trie this large does not belong in a root collation")
            self._branch(position + delta, count >> 1, key)
            count -= count >> 1
        for _ in range(count - 1):
            unit, node = units[position], units[position + 1]
            value, position = self._value(position + 2, node & 0x7FFF)
            if node & 0x8000:
                self._add((*key, unit), value)
            else:
                self._walk(position + value, (*key, unit))
        self._walk(position + 1, (*key, units[position]))

    def _value(self, position: int, lead: int) -> tuple[int, int]:
        """A value and where it ends."""
        units = self._units
        if lead < 0x4000:
            return lead, position
        if lead < 0x7FFF:
            return lead - 0x4000 << 16 | units[position], position + 1
        return units[position] << 16 | units[position + 1], position + 2


def _code_points(units: tuple[int, ...]) -> tuple[int, ...]:
    text = struct.pack(f"<{len(units)}H", *units).decode("utf-16-le", "surrogatepass")
    return tuple(map(ord, text))


def _offset_primary(code: int, element: int) -> int:
    """Primary of a code point in a range that shares one element: base primary plus steps (OFFSET_TAG)."""
    primary, low = element >> 32, element & 0xFFFFFFFF
    offset = (code - (low >> 8)) * (low & 0x7F) + (primary >> 8 & 0xFF) - 2
    result = offset % 254 + 2 << 8
    base, first = (251, 4) if low & 0x80 else (254, 2)
    offset = offset // 254 + (primary >> 16 & 0xFF) - first
    return (offset % base + first << 16 | result) + (primary & 0xFF000000) + (offset // base << 24)


def _find(image: bytes) -> tuple[int, int, tuple[int, ...]]:
    """Start, header length and section offsets of the one collation with root elements in the image."""
    results, position = [], image.find(MAGIC)
    while position >= 0:
        start = position - 12
        header = struct.unpack_from("<H", image, start)[0]
        sections = struct.unpack_from("<20i", image, start + header)
        if image[start + 2 : start + 4] == b"\xda\x27" and sections[0] == 20 and sections[12] < sections[13]:
            results.append((start, header, sections))
        position = image.find(MAGIC, position + 1)
    if len(results) != 1:
        raise ValueError(f"expected one root collation in the file, found {len(results)}")
    return results[0]
