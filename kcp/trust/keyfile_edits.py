"""Changes to the text of a keyring file: every byte that is not the change's own stays, comments included.

Each change is read again and compared with what was meant; a file that is written in a way that does not
allow it is left alone.
"""

from __future__ import annotations

from kcp.errors import KcpError, ManifestError
from kcp.reading.edits import BOM, EditableText, Replacement, newline_of, replaced, value_at, with_value
from kcp.reading.yaml12 import read_yaml
from kcp.wire.jsontext import encode_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.reading.positions import Path

_FLOW = ("{", "[")
_BLANKS = " \t"


class KeyFileEditError(KcpError):
    """A change that cannot be made to a file as it is written; its owner can make it by hand."""

    exit_code = 1


def add_entry(data: bytes, entry: dict[str, Any]) -> bytes:
    """The file with one more key at the end of its list; `entry` are its members, text but for the scope."""
    text = EditableText(read_yaml(data))
    keys = text.document.root["keys"]
    start, end = text.span(("keys",))
    expected = with_value(text.document.root, ("keys",), [*keys, entry])
    if not keys:
        start = len(text.text[:start].rstrip(_BLANKS))
        indent = _indent(text, text.span(("keys",), of_key=True)[0]) + "  "
        changes = [Replacement(start, end, ""), _line_after(text, end, _block(entry, indent))]
    elif text.text[start] in _FLOW:
        changes = [_insert(_end_of(text, ("keys", len(keys) - 1)), f", {_flow(entry)}")]
    else:
        changes = [_line_after(text, _end_of(text, ("keys",)), _block(entry, _indent(text, start)))]
    return _changed(data, text, changes, expected)


def remove_entry(data: bytes, index: int) -> bytes:
    """The file without a key."""
    text = EditableText(read_yaml(data))
    keys = text.document.root["keys"]
    path: Path = ("keys", index)
    expected = with_value(text.document.root, ("keys",), [*keys[:index], *keys[index + 1 :]])
    start, end = text.span(path)[0], _end_of(text, path)
    if text.text[text.span(("keys",))[0]] in _FLOW:
        if index + 1 < len(keys):
            end = text.span(("keys", index + 1))[0]
        elif index:
            start = _end_of(text, ("keys", index - 1))
        changes = [Replacement(start, end, "")]
    else:
        changes = [Replacement(_dash_line(text, start), _line_end(text.text, end), "")]
        if len(keys) == 1:
            colon = text.text.find(":", text.span(("keys",), of_key=True)[1])
            changes.append(_insert(colon + 1, " []"))
    return _changed(data, text, changes, expected)


def add_origin(data: bytes, index: int, origin: str) -> bytes:
    """The file with one more origin in a key's scope, which is made where the key has none."""
    text = EditableText(read_yaml(data))
    path: Path = ("keys", index)
    entry = value_at(text.document.root, path)
    domains = None if entry.get("scope") is None else entry["scope"]["domains"]
    scope = {**(entry.get("scope") or {}), "domains": [*(domains or []), origin]}
    expected = with_value(text.document.root, (*path, "scope"), scope)
    change = _new_scope(text, path, entry, origin) if domains is None else None
    return _changed(data, text, [change or _more_domains(text, path, domains or [], origin)], expected)


def _new_scope(text: EditableText, path: Path, entry: dict[str, Any], origin: str) -> Replacement:
    if "scope" in entry:
        start, end = text.span((*path, "scope"))
        return Replacement(start, end, f" {_flow({'domains': [origin]})}".removeprefix(" " * (end > start)))
    start = text.span(path)[0]
    if text.text[start] in _FLOW:
        return _insert(_end_of(text, (*path, list(entry)[-1])), f", scope: {_flow({'domains': [origin]})}")
    indent = _indent(text, start)
    lines = [f"{indent}scope:", f"{indent}  domains:", f"{indent}    - {encode_json(origin)}"]
    return _line_after(text, _end_of(text, path), lines)


def _more_domains(text: EditableText, path: Path, domains: list[Any], origin: str) -> Replacement:
    place = (*path, "scope", "domains")
    start, end = text.span(place)
    if not domains:
        return Replacement(start, end, f"[{encode_json(origin)}]")
    last = _end_of(text, (*place, len(domains) - 1))
    if text.text[start] in _FLOW:
        return _insert(last, f", {encode_json(origin)}")
    return _line_after(text, last, [f"{_indent(text, start)}- {encode_json(origin)}"])


def _block(entry: dict[str, Any], indent: str) -> list[str]:
    """The lines of a list item."""
    lead, lines = f"{indent}- ", []
    for name, value in entry.items():
        if isinstance(value, dict):
            lines += [f"{lead}{name}:", f"{indent}    domains:"]
            lines += [f"{indent}      - {encode_json(origin)}" for origin in value["domains"]]
        else:
            lines.append(f"{lead}{name}: {_scalar(value)}")
        lead = f"{indent}  "
    return lines


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join([f"{name}: {_flow(item)}" for name, item in value.items()]) + "}"
    if isinstance(value, list):
        return "[" + ", ".join([_flow(item) for item in value]) + "]"
    return encode_json(value)


def _scalar(value: str) -> str:
    return value if value in ("jws", "EdDSA") else encode_json(value)


def _changed(data: bytes, text: EditableText, changes: list[Replacement], expected: Any) -> bytes:
    try:
        result = replaced(text.text, changes).encode("utf-8")
        if repr(read_yaml(result).root) != repr(expected):
            raise ValueError
    except (ManifestError, ValueError):
        raise KeyFileEditError(
            "the file is written in a way that cannot be changed safely; change it by hand"
        ) from None
    return (BOM if data.startswith(BOM) else b"") + result


def _end_of(text: EditableText, path: Path) -> int:
    """Where the last scalar or bracket of a node ends; what follows a block node is not part of it."""
    node = value_at(text.document.root, path)
    start, end = text.span(path)
    if not node or type(node) not in (dict, list) or text.text[start] in _FLOW:
        return end
    return _end_of(text, (*path, len(node) - 1 if type(node) is list else list(node)[-1]))


def _insert(at: int, new: str) -> Replacement:
    return Replacement(at, at, new)


def _line_after(text: EditableText, at: int, lines: list[str]) -> Replacement:
    """Whole lines behind the one that a place is in."""
    newline = newline_of(text.text)
    end = _line_end(text.text, at)
    joint = "" if text.text[:end].endswith(("\n", "\r")) else newline
    return _insert(end, joint + newline.join([*lines, ""]))


def _line_end(text: str, at: int) -> int:
    """Where the line of a place ends, its line end included."""
    while at < len(text) and text[at] not in "\r\n":
        at += 1
    return at + 2 if text.startswith("\r\n", at) else min(at + 1, len(text))


def _indent(text: EditableText, at: int) -> str:
    """As many blanks as stand or could stand before a place on its line."""
    start = max(text.text.rfind("\n", 0, at), text.text.rfind("\r", 0, at)) + 1
    return " " * (at - start)


def _dash_line(text: EditableText, at: int) -> int:
    """Where the line starts that has the dash of the item at a place."""
    before = text.text[:at].rstrip(" \t\r\n")
    head = before[:-1].rstrip(_BLANKS) if before.endswith("-") else "?"
    if head and head[-1] not in "\r\n":
        raise KeyFileEditError("the key is written in a way that cannot be changed safely; change it by hand")
    return len(head)
