"""The readings of a text: as a reader takes it, whatever it does with letters to look like something else."""

from __future__ import annotations

import re

from kcp.render.lints.kcpagent.letters import LOOK_ALIKES, PLAIN
from kcp.text.casing import lower

_WORD = re.compile(r"[^\W\d_]+")
_LEET_WORD = re.compile(r"(?<![a-z0-9@$!])[a-z0-9@$!]+")
_LEET_SIGN = re.compile(r"[a-z][0-9@$!]|[0-9@$][a-z]")
_LEET = str.maketrans("013457@$!", "oieastasi")
_LEET_L = str.maketrans("013457@$!", "oleastasi")
_SPACED = re.compile(r"(?<![^\W\d_])[^\W\d_](?:[ .\-_*·|/+~]{1,4}[^\W\d_](?![^\W\d_])){3,}")
_INNER = re.compile(r"(?<=[^\W\d_])[-._*·|+~](?=[^\W\d_])")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def plain(text: str) -> str:
    """Lower case without marks, hidden characters and look-alikes."""
    if text.isascii():
        return text.lower()
    folded = fold(text)
    return folded if folded.isascii() else _WORD.sub(_latin_word, folded)


def fold(text: str) -> str:
    """Lower case without marks and hidden characters; letters of other scripts stay."""
    return lower(lower(text).translate(PLAIN))


def _latin_word(match: re.Match[str]) -> str:
    word = match.group()
    if word.isascii():
        return word
    latin = "".join([LOOK_ALIKES.get(char, char) for char in word])
    # Only a word that is Latin in part, and all of whose other letters look Latin, is read as Latin.
    return latin if latin.isascii() and any(char.isascii() for char in word) else word


def look_alike_words(text: str) -> str:
    """The text with every word of look-alikes read as Latin, for texts that are Latin otherwise."""
    words = [match.group() for match in _WORD.finditer(text)]
    latin = sum(word.isascii() for word in words)
    if latin * 2 < len(words):
        return text
    return "".join([LOOK_ALIKES.get(char, char) for char in text])


def readings(text: str) -> list[str]:
    """The plain text first, then what disguises it may hold; each reading once."""
    first = plain(text)
    result = [first]
    if not first.isascii():
        result.append(look_alike_words(first))
    if _LEET_SIGN.search(first) is not None:
        result += [_unleet(first, _LEET), _unleet(first, _LEET_L)]
    if _SPACED.search(first) is not None:
        result.append(_SPACED.sub(_joined, first))
    if _INNER.search(first) is not None:
        result += [_INNER.sub(" ", first), _INNER.sub("", first)]
    if _CAMEL.search(text) is not None and " " not in text:
        result.append(plain(_CAMEL.sub(" ", text)))
    return list(dict.fromkeys(result))


def _unleet(text: str, table: dict[int, int]) -> str:
    return _LEET_WORD.sub(
        lambda match: match.group().translate(table) if _LEET_SIGN.search(match.group()) else match.group(),
        text,
    )


def _joined(match: re.Match[str]) -> str:
    """Letters in a row put together; a wider gap than the usual one stays a gap."""
    run = match.group()
    widths = [len(gap) for gap in re.findall(r"[^\w]+|_+", run)]
    usual = min(widths)
    return re.sub(r"[^\w]+|_+", lambda gap: "" if len(gap.group()) <= usual else " ", run)
