"""The readings of a text: as a reader takes it, whatever it does with letters to look like something else."""

from __future__ import annotations

import re

from kcp.render.lints.kcpagent.letters import LOOK_ALIKE_BLOCKS, LOOK_ALIKES, PLAIN
from kcp.text.casing import lower

_WORD = re.compile(r"[^\W\d_]+")
_LEET_WORD = re.compile(r"(?<![a-z0-9@$!])[a-z0-9@$!]+")
_LEET_SIGN = re.compile(r"[a-z][0-9@$!]|[0-9@$][a-z]")
_LEET = str.maketrans("013457@$!", "oieastasi")
_LEET_L = str.maketrans("013457@$!", "oleastasi")
_SPACED = re.compile(r"(?<![^\W\d_])[^\W\d_](?:[ .\-_*·|/+~]{1,4}[^\W\d_](?![^\W\d_])){3,}")
_SHORTEST, _SHORT = 12, 512
_GAP = re.compile(r"[^\w]+|_+")
_INNER = re.compile(r"(?<=[^\W\d_])[-._*·|+~](?=[^\W\d_])")
# Letters and marks that are plain as they are.
_PLAIN = re.compile(r"[ -@\[-~\u3001-\u30ff\u4e00-\u9fff\uac00-\ud7a3]*\Z")


def settled(text: str) -> str:
    """The text without letters on which interpreters disagree."""
    if text.isascii():
        return text
    from kcp.render.lints.kcpagent.settled import SETTLED

    return text.translate(SETTLED)


def composed(text: str) -> str:
    """The text with letters and their marks as one character where there is one."""
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFC", text)


def plain(text: str) -> str:
    """Lower case without marks, hidden characters and look-alikes."""
    if text.isascii():
        return text.lower()
    if _PLAIN.match(text) is not None:
        return text
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
    if LOOK_ALIKE_BLOCKS.search(text) is None:
        return text
    words = [match.group() for match in _WORD.finditer(text)]
    latin = sum(word.isascii() for word in words)
    if latin * 2 < len(words):
        return text
    return "".join([LOOK_ALIKES.get(char, char) for char in text])


def readings(text: str) -> list[str]:
    """The plain text first, then at most two more that undo what disguises it may hold; each reading once."""
    first = plain(text)
    if len(text) < _SHORTEST:
        return [first]
    open_text = first if first.isascii() else look_alike_words(first)
    close = open_text
    if _SPACED.search(close) is not None:
        close = _SPACED.sub(_joined, close)
    joints = len(_INNER.findall(close))
    # Marks between letters join them, unless there are too few blanks for a text.
    apart = _INNER.sub(" ", close) if joints > 2 * close.count(" ") else close
    if joints:
        close = _INNER.sub("", close)
    if _LEET_SIGN.search(open_text) is not None:
        close, apart = _unleet(close, _LEET), _unleet(apart, _LEET_L) if "1" in apart else apart
    # Whoever disguises a long text does so in more than one place.
    return list(dict.fromkeys((first, close, apart) if len(text) <= _SHORT else (first, close)))


def _unleet(text: str, table: dict[int, int]) -> str:
    return _LEET_WORD.sub(
        lambda match: match.group().translate(table) if _LEET_SIGN.search(match.group()) else match.group(),
        text,
    )


def _joined(match: re.Match[str]) -> str:
    """Letters in a row put together; a wider gap than the usual one stays a gap."""
    run = match.group()
    gaps = _GAP.findall(run)
    usual = min(map(len, gaps))
    if usual == max(map(len, gaps)):
        return _GAP.sub("", run)
    return _GAP.sub(lambda gap: "" if len(gap.group()) <= usual else " ", run)
