"""Case and word boundaries beyond ASCII. `kcp.text.casing` is the door; this loads the tables."""

from __future__ import annotations

from bisect import bisect_right

from kcp.text import tables_letters as tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# How many code points a table remembers beyond its own: more than any script in ordinary use has.
MEMORY = 8192


class CodePoints:
    """A set of code points, from tokens `first-last` in hexadecimal."""

    __slots__ = ("_bounds",)

    def __init__(self, tokens: str) -> None:
        self._bounds: list[int] = []
        for token in tokens.split():
            first, _, last = token.partition("-")
            self._bounds += int(first, 16), int(last or first, 16) + 1

    def __contains__(self, code: int) -> bool:
        return bisect_right(self._bounds, code) % 2 == 1


class Translation(dict[int, int | str]):
    """A table for `str.translate` that works out what it does not hold, and remembers some of it."""

    __slots__ = ("_work_out",)

    def __init__(self, known: dict[int, int | str], work_out: Callable[[int], int | str]) -> None:
        super().__init__(known)
        self._work_out = work_out

    def __missing__(self, code: int) -> int | str:
        target = self._work_out(code)
        if len(self) < MEMORY:
            self[code] = target
        return target


def _lower_mappings(tokens: str) -> dict[int, int | str]:
    """`code:delta`, `first-last/step:delta` and `code=target.target` as a table for `str.translate`."""
    mappings: dict[int, int | str] = {}
    for token in tokens.split():
        code, whole, targets = token.partition("=")
        if whole:
            mappings[int(code, 16)] = "".join(chr(int(target, 16)) for target in targets.split("."))
            continue
        span, _, delta = token.partition(":")
        ends, _, step = span.partition("/")
        first, _, last = ends.partition("-")
        for upper in range(int(first, 16), int(last or first, 16) + 1, int(step or 1)):
            mappings[upper] = upper + int(delta)
    return mappings


_WORD = CodePoints(tables.WORD)
_WORDS = Translation({}, lambda code: code if code in _WORD else " ")
_LOWER = Translation(_lower_mappings(tables.LOWER), lambda code: code)
_CASED = CodePoints(tables.CASED)
_CASE_IGNORABLE = CodePoints(tables.CASE_IGNORABLE)


def is_word_code(code: int) -> bool:
    """Whether the code point is a letter or a number."""
    return code in _WORD


def words_beyond_ascii(text: str) -> list[str]:
    """`kcp.text.casing.words` for any text."""
    return text.translate(_WORDS).split()


def lower_beyond_ascii(text: str) -> str:
    """`kcp.text.casing.lower` for any text."""
    if "Σ" in text:
        text = _with_final_sigmas(text)
    return text.translate(_LOWER)


def _with_final_sigmas(text: str) -> str:
    """The text with each Σ that ends a word written ς (Unicode's SpecialCasing, Final_Sigma)."""
    before = _follows_cased(text)
    after = _follows_cased(text[::-1])[::-1]
    return "".join(
        ["ς" if char == "Σ" and before[at] and not after[at] else char for at, char in enumerate(text)]
    )


def _follows_cased(text: str) -> list[bool]:
    """For each character, whether the nearest one before it that is not case-ignorable is cased."""
    cased = False
    result = []
    for char in text:
        result.append(cased)
        code = ord(char)
        if code not in _CASE_IGNORABLE:
            cased = code in _CASED
    return result
