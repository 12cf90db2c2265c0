"""The shapes that a value may have to be rendered: what kind of thing, which characters, how long."""

from __future__ import annotations

import re

from kcp.records import Record
from kcp.render.hidden import is_hidden
from kcp.render.lints import PATH, PROSE, TOKEN, URL
from kcp.text.weburl import scheme_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Fits = Callable[[str], bool]

MAX_ITEMS = 256


class Text(Record):
    """One text of at most `most` characters that `fits` accepts; `role` tells the lint what it is."""

    fits: Fits
    most: int
    role: str


class ListOf(Record):
    """A list of texts. A `lenient` one may be written as a single text (decision B3)."""

    item: Text
    lenient: bool = False


class Flag(Record):
    """A boolean."""


class Count(Record):
    """A whole number, zero or more; `unlimited` is a count too where that word is allowed."""

    unlimited: bool = False


class Block(Record):
    """A mapping with these members and no others."""

    members: Mapping[str, Shape]


class Blocks(Record):
    """A list of mappings. A `lenient` one may be written as a single mapping (decision B3)."""

    item: Block
    lenient: bool = False


class OneOf(Record):
    """A text, or a mapping."""

    text: Text
    block: Block


def _matching(pattern: str) -> Fits:
    fullmatch = re.compile(pattern, re.ASCII).fullmatch
    return lambda text: fullmatch(text) is not None


_ID_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:@/+-")


def is_id(text: str) -> bool:
    """Whether a text may be an id: ASCII letters, digits, some marks; any visible character beyond."""
    if _ID_CHARACTERS.issuperset(text):
        return text != ""
    return all(char in _ID_CHARACTERS or (char > "\x7f" and not is_hidden(char)) for char in text)


def is_safe_path(path: str) -> bool:
    """Whether a path is relative, stays below where it starts, and is one line of visible characters."""
    if not path or path[0] in "/ " or path[-1] == " " or scheme_of(path) is not None:
        return False
    if any(char in '\\<>|"*?`$' or is_hidden(char) for char in path):
        return False
    return ".." not in path.split("/")


def _is_https(text: str) -> bool:
    return _is_url(text) and text[:8].lower() == "https://"


_looks_like_url = _matching(r"[Hh][Tt][Tt][Pp][Ss]?://[!#-;=?-\[\]_a-z~]+")


def _is_url(text: str) -> bool:
    """An http(s) URL in ASCII without blanks, and without anything before an `@` in its authority."""
    return _looks_like_url(text) and "@" not in text.partition("://")[2].partition("/")[0]


def _is_one_line(text: str) -> bool:
    return text.strip() != "" and not any(char in "\n\r\u2028\u2029\x85" for char in text)


def _is_prose(text: str) -> bool:
    return text.strip() != ""


_TIME = r"[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:[Zz]|[+-][0-9]{2}:?[0-9]{2})?"
_DATE = rf"[0-9]{{4}}(?:-[0-9]{{2}}(?:-[0-9]{{2}}(?:{_TIME})?)?)?"

if TYPE_CHECKING:
    Shape = Text | ListOf | Flag | Count | Block | Blocks | OneOf

PARAGRAPH = Text(_is_prose, 2048, PROSE)
PHRASE = Text(_is_one_line, 256, PROSE)
ID = Text(is_id, 128, TOKEN)
WORD = Text(_matching(r"[A-Za-z0-9_.-]{1,64}"), 64, TOKEN)
VERSION = Text(_matching(r"[A-Za-z0-9][A-Za-z0-9_.+-]*"), 64, TOKEN)
DATE = Text(_matching(_DATE), 40, TOKEN)
LANGUAGE = Text(_matching(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*"), 35, TOKEN)
LICENSE = Text(_matching(r"[A-Za-z0-9][A-Za-z0-9 .+()/:_-]*"), 128, PROSE)
MEDIA_TYPE = Text(
    _matching(r"[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+(?:; ?[A-Za-z0-9_.-]+=[A-Za-z0-9_.-]+){0,4}"),
    128,
    TOKEN,
)
RELATIVE_PATH = Text(is_safe_path, 512, PATH)
WEB = Text(_is_url, 2048, URL)
HTTPS = Text(_is_https, 2048, URL)
DID = Text(_matching(r"did:[a-z0-9]+:[A-Za-z0-9._:%-]+"), 256, TOKEN)
PROVIDER = Text(_matching(r"[A-Za-z0-9][A-Za-z0-9._:/-]*"), 256, TOKEN)
WALLET = Text(_matching(r"[A-Za-z0-9][A-Za-z0-9._:/-]*"), 256, TOKEN)
PRICE = Text(_matching(r"[0-9]{1,20}(?:\.[0-9]{1,20})?(?:[eE][+-]?[0-9]{1,3})?"), 48, TOKEN)


def one_of(*words: str) -> Text:
    """A text of a closed vocabulary."""
    return Text(frozenset(words).__contains__, 64, TOKEN)
