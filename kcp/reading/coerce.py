"""Raw YAML values become the model's types exactly as planner contract §4 coerces them.

The names in brackets are the contract's. `DateText` (an unquoted date) is text here: decision B1.
"""

from __future__ import annotations

from kcp.errors import ManifestError
from kcp.wire.numbers import num, parse_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_OBJECT_TEXT = "[object Object]"


def text(value: Any) -> str:
    """[S] the string a value reads as."""
    if type(value) is str:
        return value
    if isinstance(value, str):
        return str(value)
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, (int, float)):
        return num(value)
    return _structure_text(value, [])


def _structure_text(value: Any, enclosing: list[int]) -> str:
    if isinstance(value, dict):
        if "toString" in value:
            raise ManifestError("a mapping with the key 'toString' cannot be read as text")
        return _OBJECT_TEXT
    if id(value) in enclosing:
        return ""
    enclosing.append(id(value))
    parts = [
        ""
        if item is None
        else _structure_text(item, enclosing)
        if isinstance(item, (dict, list))
        else text(item)
        for item in value
    ]
    enclosing.pop()
    return ",".join(parts)


def optional_text(value: Any) -> str | None:
    """[OS] absent for null."""
    if value is None or type(value) is str:
        return value
    return text(value)


def text_list(value: Any) -> tuple[str, ...]:
    """[SL] the items of a list as text; anything else is empty."""
    if type(value) is not list:
        return ()
    return tuple([item if type(item) is str else text(item) for item in value])


def optional_text_list(value: Any) -> tuple[str, ...] | None:
    """[OL] like `text_list`, but absent unless a list."""
    return text_list(value) if type(value) is list else None


def optional_number(value: Any) -> float | None:
    """[ON] a number, or absent for null and where the value is not one."""
    if value is None:
        return None
    number = to_number(value)
    return number if number == number else None


def to_number(value: Any) -> float:
    """[Number] a double, NaN where the value has none."""
    if isinstance(value, bool) or value is None:
        return 1 if value else 0
    if isinstance(value, (int, float)):
        return value
    return float("nan") if isinstance(value, dict) else parse_number(text(value))


def optional_bool(mapping: dict[str, Any], key: str) -> bool | None:
    """[OB] truthiness, so that `deprecated: "no"` is true; absent only when the key is missing."""
    if key not in mapping:
        return None
    value = mapping[key]
    if isinstance(value, (dict, list)):
        return True
    return bool(value) and value == value


def mapping(value: Any) -> dict[str, Any] | None:
    """The value if it is a mapping."""
    return value if type(value) is dict else None
