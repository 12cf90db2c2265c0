"""JSON text, byte for byte as the contract writes it (planner contract §1 "JSON").

Values are dictionaries with text keys, lists or tuples, text, numbers, booleans and None. Members keep the
caller's order, and None is written as `null`: leaving an absent member out is the caller's business.
"""

from __future__ import annotations

from kcp.wire.numbers import json_number

try:
    from _json import encode_basestring as _quote
except ImportError:  # an interpreter without the accelerator
    from json.encoder import py_encode_basestring as _quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Put = Callable[[str], None]


def encode_json(value: object) -> str:
    """`value` with two spaces of indent a level and no final newline; TypeError for other types."""
    parts: list[str] = []
    _put_indented(value, "\n", parts.append)
    return _settle_surrogates("".join(parts))


def compact(value: object) -> str:
    """`value` on one line without blanks, `["a","b"]`, as templates and event lines show it."""
    parts: list[str] = []
    _put_compact(value, parts.append)
    return _settle_surrogates("".join(parts))


def _put_indented(value: object, newline: str, put: Put) -> None:
    inner = newline + "  "
    lead = inner
    if isinstance(value, dict):
        if not value:
            return put("{}")
        put("{")
        for key, item in value.items():
            put(lead + _quote(key) + ": ")
            if type(item) is str:
                put(_quote(item))
            else:
                _put_indented(item, inner, put)
            lead = "," + inner
        put(newline + "}")
    elif isinstance(value, list | tuple):
        if not value:
            return put("[]")
        put("[")
        for item in value:
            put(lead)
            _put_indented(item, inner, put)
            lead = "," + inner
        put(newline + "]")
    else:
        put(_scalar(value))
    return None


def _put_compact(value: object, put: Put) -> None:
    lead = ""
    if isinstance(value, dict):
        put("{")
        for key, item in value.items():
            put(lead + _quote(key) + ":")
            _put_compact(item, put)
            lead = ","
        put("}")
    elif isinstance(value, list | tuple):
        put("[")
        for item in value:
            put(lead)
            _put_compact(item, put)
            lead = ","
        put("]")
    else:
        put(_scalar(value))


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return _quote(value)
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int | float):
        return json_number(value)
    raise TypeError(f"JSON has no text for a value of type {type(value).__name__}")


def _settle_surrogates(text: str) -> str:
    """Join surrogate pairs into their character and escape the lone ones; only strings can hold them."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        return joined.encode("utf-8", "backslashreplace").decode()
    return text
