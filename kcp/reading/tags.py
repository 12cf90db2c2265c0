"""Explicit tags: the few that a manifest may use, and how they read (contract §3, decision C)."""

from __future__ import annotations

from kcp.reading.scalars import DateText, is_timestamp, to_bool, to_float, to_int, to_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_CORE = "tag:yaml.org,2002:"
_REFUSED = frozenset(_CORE + name for name in ("binary", "set", "omap", "pairs"))
_NON_SPECIFIC = "!"


def _null(text: str) -> bool | None:
    return to_null(text) or None


def _timestamp(text: str) -> str | None:
    return DateText(text) if is_timestamp(text) else None


# Each gives None where the text does not spell the type; `_null` gives True where it does.
_SCALARS: dict[str, Callable[[str], Any]] = {
    _CORE + "null": _null,
    _CORE + "bool": to_bool,
    _CORE + "int": to_int,
    _CORE + "float": to_float,
    _CORE + "timestamp": _timestamp,
}


def resolve_tagged(tag: str, text: str, *, plain: bool) -> Any:
    """The value of a scalar under an explicit tag. ValueError, with the reason, where it has none."""
    absent = plain and not text
    if tag == _NON_SPECIFIC:
        return None if absent else text
    if tag == _CORE + "str":
        return text
    if absent and tag == _CORE + "seq":
        return []
    if absent and tag == _CORE + "map":
        return {}
    if tag not in _SCALARS:
        raise ValueError(_unknown(tag))
    if absent:
        value: Any = True if tag == _CORE + "null" else None
    else:
        value = _SCALARS[tag](text)
    if value is None:
        raise ValueError(f"cannot resolve a node with !<{tag}> explicit tag")
    return None if tag == _CORE + "null" else value


def check_collection_tag(tag: str, *, mapping: bool) -> None:
    """ValueError unless the tag is that of the collection's own kind."""
    if tag not in (_NON_SPECIFIC, _CORE + ("map" if mapping else "seq")):
        raise ValueError(_unknown(tag))


def _unknown(tag: str) -> str:
    if tag in _REFUSED:
        return f"tag !<{tag}> is not read here; write plain text, lists and mappings"
    return f"unknown tag !<{_one_line(tag)}>"


def _one_line(tag: str) -> str:
    # A tag may spell any character with %XX; a message is one line.
    return tag if tag.isprintable() else ascii(tag)[1:-1]
