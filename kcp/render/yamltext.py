"""YAML text of an artifact: block style, two spaces, one line a scalar, no anchors (render contract §15).

A text is plain only where no reader of YAML 1.1 or 1.2 could take it for anything else; every other one is
double-quoted on one line with hidden characters escaped, so no text can look like a part of the layout.
"""

from __future__ import annotations

import re

from kcp.render.hidden import escape_for_yaml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Put = Callable[[str], None]

_PLAIN = re.compile(r"[A-Za-z/][A-Za-z0-9_./+@(),;=' :[\]-]*", re.ASCII)
# No number has one of these letters, unless it starts with 0x.
_DIGEST = re.compile(r"(?=[0-9a-f]*[abcdf])[0-9a-f]{64,128}", re.ASCII)
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def yaml_text(artifact: dict[str, Any]) -> str:
    """The text of a mapping, with a final line feed."""
    lines: list[str] = []
    _put_mapping(artifact, "", "", lines.append)
    return "\n".join(lines) + "\n"


def _put_mapping(mapping: dict[str, Any], first: str, rest: str, put: Put) -> None:
    """The members, the first behind `first` and the others behind `rest`, which are equally long."""
    lead = first
    for key, value in mapping.items():
        if value and type(value) is dict:
            put(f"{lead}{key}:")
            _put_mapping(value, rest + "  ", rest + "  ", put)
        elif value and type(value) is list:
            put(f"{lead}{key}:")
            _put_list(value, rest + "  ", put)
        else:
            put(f"{lead}{key}: {_scalar(value)}")
        lead = rest


def _put_list(items: list[Any], indent: str, put: Put) -> None:
    for item in items:
        if item and type(item) is dict:
            _put_mapping(item, indent + "- ", indent + "  ", put)
        else:
            put(f"{indent}- {_scalar(item)}")


def _scalar(value: Any) -> str:
    if type(value) is str:
        return value if _is_plain(value) else _quoted(value)
    if value is True:
        return "true"
    if value is False:
        return "false"
    if type(value) in (int, float):
        from kcp.wire.numbers import num

        return num(value)
    if value == []:
        return "[]"
    if value == {}:
        return "{}"
    raise TypeError(f"an artifact holds no {type(value).__name__}")


def _is_plain(text: str) -> bool:
    if _DIGEST.fullmatch(text) is not None:
        return True
    if _PLAIN.fullmatch(text) is None or text[-1] in " :" or ": " in text:
        return False
    return text.lower() not in _WORDS


def _quoted(text: str) -> str:
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escape_for_yaml(text)}"'
