"""Reading of packed tables: compressed text, numbers of variable length, and parts read one by one."""

from __future__ import annotations

from binascii import a2b_base64
from zlib import decompress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def unpack(packed: bytes) -> bytes:
    """The bytes behind a literal: zlib in base64, line breaks ignored."""
    return decompress(a2b_base64(packed))


def numbers(data: bytes) -> Iterator[int]:
    """Unsigned numbers, seven bits a byte, lowest first; the eighth bit says that more follow."""
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        if byte > 127:
            shift += 7
        else:
            yield value
            value = shift = 0


def signed(number: int) -> int:
    """0, 1, 2, 3, 4 … stand for 0, -1, 1, -2, 2 …"""
    return -(number + 1 >> 1) if number & 1 else number >> 1


class Bundle:
    """Parts under integer keys, each read when it is asked for.

    The bytes are: count; key distance and length of each part; the parts.
    """

    __slots__ = ("_data", "_spans")

    def __init__(self, packed: bytes) -> None:
        self._data = unpack(packed)
        reader = numbers(self._data)
        sizes: list[tuple[int, int]] = []
        key = 0
        for _ in range(next(reader)):
            key += next(reader)
            sizes.append((key, next(reader)))
        start = len(self._data) - sum(size for _, size in sizes)
        self._spans: dict[int, tuple[int, int]] = {}
        for key, size in sizes:
            self._spans[key] = start, start + size
            start += size

    def __contains__(self, key: int) -> bool:
        return key in self._spans

    def read(self, key: int) -> Iterator[int]:
        """The numbers of one part; none if there is no such part."""
        start, end = self._spans.get(key, (0, 0))
        return numbers(self._data[start:end])
