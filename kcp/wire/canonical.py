"""Canonical text: the compact JSON that digests of memory entries are taken of (evidence contract §1).

It is what JavaScript's `JSON.stringify` makes of a parsed value: members in their order, but for those whose
names look like array indices, which come first, ascending; numbers as doubles.

The interpreter's encoder does the work; only where its text could differ is the value written again.
"""

from __future__ import annotations

from kcp.wire.jsontext import compact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_MAX_INDEX = 2**32 - 2
_EXACT = 2**53

_encoder: list[Callable[[object], str]] = []


def canonical(value: object) -> str:
    """The canonical text of a JSON value; TypeError where it is none."""
    if _is_plain(value):
        encode = _encoder[0] if _encoder else _prepare()
        text = encode(value)
        if text.isascii() or _is_unicode(text):
            return text
    return compact(ordered(value))


def _prepare() -> Callable[[object], str]:
    from json import JSONEncoder

    encode = JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode
    _encoder[:] = [encode]
    return encode


def _is_plain(value: object) -> bool:
    """Whether no name starts with a digit and every number's `repr` is its text in JavaScript."""
    kind = type(value)
    if kind is dict:
        for key, item in value.items():  # type: ignore[attr-defined]
            if "0" <= key[:1] <= "9" or (type(item) is not str and not _is_plain(item)):
                return False
        return True
    if kind is list or kind is tuple:
        return all(type(item) is str or _is_plain(item) for item in value)  # type: ignore[attr-defined]
    if kind is float:
        text = repr(value)
        return "e" not in text and "n" not in text and not text.endswith(".0")
    if kind is int:
        return -_EXACT <= value <= _EXACT  # type: ignore[operator]
    return value is None or kind is bool or kind is str


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def ordered(value: Any) -> Any:
    """The value with the members of every object in JavaScript's order."""
    if isinstance(value, dict):
        members = {key: ordered(item) for key, item in value.items()}
        indices = [key for key in members if _is_index(key)]
        if not indices:
            return members
        first = {key: members.pop(key) for key in sorted(indices, key=int)}
        return first | members
    if isinstance(value, list | tuple):
        return [ordered(item) for item in value]
    return value


def _is_index(key: str) -> bool:
    """Whether JavaScript treats a member's name as an array index: `0`, `17`, but neither `01` nor `-1`."""
    if not (key.isascii() and key.isdigit() and len(key) <= 10):
        return False
    return (key == "0" or key[0] != "0") and int(key) <= _MAX_INDEX
