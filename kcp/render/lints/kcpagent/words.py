"""What a text is made of, as places in a table of weights: words, stems, neighbours, and how it is written.

A word is a run of letters and digits; in scripts that do not separate words every letter is one. Marks that
shape a sentence count as words, an address is one word, and so is any number. A word within quotation marks
is another word than the same one outside: who quotes an order does not give it. Upper case matters only as
what the text as a whole does with it: a title, a search and a sentence begin differently.
"""

from __future__ import annotations

import re
from itertools import chain, repeat
from operator import and_
from zlib import crc32

SIZE = 1 << 20
_PLACE = SIZE - 1

_ADDRESS = re.compile(
    r"https?://\S+|www\.\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[a-z]\S*"
    r"|(?<![\w.-])(?:[a-z0-9-]{1,63}\.){1,4}(?:example|com|net|org|io|test|invalid|dev)\b(?!\.\w)\S*"
)
_ADDRESS_WORD = " \x01 "
_SINGLE_QUOTES = re.compile(r"(?<!\w)'([^']{2,200})'(?!\w)")
_PADDING = re.compile(r"(?<=[a-z0-9+/]{14})={1,2}(?![=\w])")
# Letters of scripts that write words without blanks between them; the pattern takes a while to compile.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\uabff\uf900-\ufaff\U00020000-\U0003ffff"
_LAST_SIMPLE = "\u08ff"
_HANGUL = "\uac00-\ud7a3"
_MARK = r"\x01|[.;\n。।…]+|[!?！？؟]|[:,`\"“”„«»「」『』()\[{<$|&@/#*=>_~-]"
_WORD = re.compile(rf"[^\W_]+(?:'[^\W_]+)?|{_MARK}")
# Vowel signs of the scripts of India are no letters to `\w`, but parts of words.
_SIGNS = "\u0900-\u0963\u0966-\u0dff"
_LETTER = rf"(?:[^\W_{_UNSPACED}{_HANGUL}]|[{_SIGNS}])"
_UNSPACED_WORD = rf"{_LETTER}+(?:'{_LETTER}+)?|[{_HANGUL}]+|[^\W_]|{_MARK}"
_ENDS = frozenset(".;\n。।…")
_SAME = {"！": "!", "？": "?", "؟": "?"}
_CLOSES = {'"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "『": "』", "»": "«", "”": "”"}
_LONGEST_QUOTE = 60
_STEM, _HANGUL_STEM = 5, 2
# Letters and digits in a row that are so many are a digest or a key.
_BLOB = 16

_QUOTED, _START = 0x51ED27, 0x1234567
_MEMORY = 16384

# A word and its stem, each as bytes and hash; the stem as the word after next; the places of the word by
# itself, and in a later sentence; whether it is a letter of a script without blanks; whether it ends one.
_Word = tuple[bytes, int, bytes, int, bytes, tuple[int, ...], int, bool, bool]

_known: dict[str, _Word] = {}


def places(plain: str, written: str) -> set[int]:
    """The places of a plain text, each once; `written` is the same text with its upper case."""
    if "." in plain[:-1] or "@" in plain or "://" in plain:
        plain = _ADDRESS.sub(_ADDRESS_WORD, plain)
    if "'" in plain:
        plain = _SINGLE_QUOTES.sub(r'"\1"', plain)
    if "=" in plain:
        plain = _PADDING.sub("", plain)
    texts = (re.compile(_UNSPACED_WORD) if max(plain, default="") > _LAST_SIMPLE else _WORD).findall(plain)
    if not _CLOSES.keys().isdisjoint(texts):
        texts = _with_quotes_marked(texts)
    words = [_known.get(text) or _learn(text) for text in texts]
    found = set(_of_the_whole(words, written))
    if words:
        # Hashes are chained, so a pair is the hash of a word that goes on from that of the word before.
        owns, own_hashes, stems, stem_hashes, skipped, alone, laters, unspaced, ends = zip(
            *words, strict=True
        )
        pairs = list(map(crc32, owns, (_START, *own_hashes)))
        chains = [
            pairs,
            map(crc32, stems, (_START, *stem_hashes)),
            map(crc32, skipped, (_START, _START, *own_hashes)),
        ]
        if True in unspaced:
            chains.append(map(crc32, owns[1:], pairs))
        found.update(chain.from_iterable(alone))
        found.update(map(and_, chain.from_iterable(chains), repeat(_PLACE)))
        if True in ends:
            found.update(laters[ends.index(True) + 1 :])
    return found


def _of_the_whole(words: list[_Word], written: str) -> list[int]:
    """Places for the first words, the last one, the number of words, and the use of upper case."""
    length = b"length %d" % min(len(words) // 4, 8)
    case = _case(written)
    result = [crc32(length), case, crc32(length, case)]
    if words:
        own, own_hash, _, stem_hash, *_ = words[-1]
        result += [crc32(b"$", own_hash), crc32(b"$", stem_hash)]
        result += [crc32(words[0][2], case), crc32(own, case + 1)]
        result += [crc32(b"first %d" % at, word[3]) for at, word in enumerate(words[:3])]
    return [hashed & _PLACE for hashed in result]


_CASED = re.compile(r"[^\W\d_]+")
_NONE, _LOWER, _CAPITALS, _TITLE, _SENTENCE, _INNER = [crc32(b"case %d" % kind) for kind in range(6)]


def _case(written: str) -> int:
    """Which of six ways a text uses upper case."""
    low = written.lower()
    if low == written:
        return _NONE if low == written.upper() else _LOWER
    words = _CASED.findall(written)
    if not words:
        return _NONE
    upper = [word for word in words if word[0].isupper()]
    if sum([len(word) > 1 and word.isupper() for word in upper]) * 2 > len(words):
        return _CAPITALS
    if len(upper) > 1:
        long = sum([len(word) > 3 for word in words])
        if 0 < long * 3 <= sum([len(word) > 3 for word in upper]) * 4:
            return _TITLE
    return _SENTENCE if words[0][0].isupper() else _INNER


def _with_quotes_marked(texts: list[str]) -> list[str]:
    """The words, those between quotation marks with a sign before them."""
    result = []
    until = 0
    for at, text in enumerate(texts):
        if at < until:
            result.append("\x02" + text)
            continue
        result.append(text)
        closing = _CLOSES.get(text)
        if closing is not None and closing in texts[at + 1 : at + _LONGEST_QUOTE]:
            until = texts.index(closing, at + 1)
    # Who puts everything in quotation marks quotes nobody.
    return result if any(text[0].isalnum() for text in result) else texts


def _learn(text: str) -> _Word:
    quoted = text[0] == "\x02"
    word = text[1:] if quoted else text
    first = word[0]
    ends = first in _ENDS or first in "!?！？؟"
    if first in _ENDS:
        word = "."
    elif word.isdecimal() or (len(word) >= _BLOB and not word.isalpha() and word.isascii()):
        word = "0"
    else:
        word = _SAME.get(word, word)
    hangul = "\uac00" <= first <= "\ud7a3"
    sign = b"q" if quoted else b" "
    own = sign + word.encode()
    cut = word[: _HANGUL_STEM if hangul else _STEM]
    stem = b"~" + sign + cut.encode()
    own_hash, stem_hash = crc32(own), crc32(stem)
    alone = [own_hash, stem_hash]
    if hangul:
        alone += [crc32(b"k" + word[at : at + 2].encode()) for at in range(len(word) - 1)]
    known = (
        own,
        own_hash,
        stem,
        stem_hash,
        b"_" + stem,
        tuple([hashed & _PLACE for hashed in alone]),
        crc32(b"later", stem_hash) & _PLACE,
        len(word) == 1 and first > "\u0e00" and not hangul and not "\u1e00" <= first < "\u2e80",
        ends,
    )
    if len(_known) >= _MEMORY:
        _known.clear()
    _known[text] = known
    return known
