"""Changes to a manifest's text that leave every other byte alone (render contract §18).

The text is changed, never re-emitted: comments, order, quoting and line ends are the author's. Whoever edits
reads the result again and compares it with what was meant.
"""

from __future__ import annotations

from kcp.errors import KcpError
from kcp.reading.scalars import resolve_plain
from kcp.reading.yaml12 import read_manifest_mapping
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.model import Position
    from kcp.reading.yaml12 import Document

    Path = tuple[str | int, ...]

_BOM = b"\xef\xbb\xbf"


class EditError(KcpError):
    """A text that is written in a way that cannot be changed safely; an author can change it by hand."""

    exit_code = 1


class ScalarEdit(Record):
    """The text value at a path, and the one that takes its place."""

    path: Path
    old: str
    new: str


def replace_scalars(data: bytes, document: Document, edits: list[ScalarEdit]) -> bytes:
    """The manifest with some text values replaced in their own quotes; EditError where that cannot be."""
    text = document.text
    starts = _line_starts(text)
    spans: dict[int, tuple[int, str]] = {}
    for edit in edits:
        start = _offset(starts, document.position(edit.path))
        end, token = _replacement(text, start, edit)
        if spans.setdefault(start, (end, token)) != (end, token):
            raise _refusal(edit.path, "it stands for several values through an alias")
    for start in sorted(spans, reverse=True):
        end, token = spans[start]
        text = text[:start] + token + text[end:]
    changed = _encode(data, text)
    expected = document.root
    for edit in edits:
        expected = _with_value(expected, edit.path, edit.new)
    if not _spells(changed, expected):
        raise EditError("replacing values would change more than them; are they shared through an alias?")
    return changed


def _replacement(text: str, start: int, edit: ScalarEdit) -> tuple[int, str]:
    """Where a scalar of one line ends, and what to write instead."""
    quote = text[start : start + 1]
    if quote in ("'", '"'):
        end = start + len(edit.old) + 2
        if text[start:end] != quote + edit.old + quote or quote in edit.old:
            raise _refusal(edit.path, "it is quoted with escapes or over several lines")
        return end, quote + edit.new + quote
    if not edit.old or not text.startswith(edit.old, start):
        raise _refusal(edit.path, "it is not a plain or quoted text on one line")
    # Digits alone would be read as a number.
    is_text = type(resolve_plain(edit.new)) is str
    return start + len(edit.old), edit.new if is_text else f'"{edit.new}"'


def append_block(data: bytes, document: Document, key: str, members: dict[str, str]) -> bytes:
    """The manifest with one more block of text members at its end; EditError where that is not possible."""
    root, text = document.root, document.text
    if key in root:
        raise EditError(f"the manifest has a '{key}' block already")
    start = _offset(_line_starts(text), document.position(()))
    if text[start : start + 1] in ("{", "&", "!", "?"):
        raise EditError("the manifest is not a plain block mapping; add the block by hand")
    if any(line == "..." or line.startswith(("... ", "...\t")) for line in text.splitlines()):
        raise EditError("the manifest ends with a document end marker (...); add the block by hand")
    newline = _newline_of(text)
    indent = " " * (document.position(()).column - 1)
    lines = [f"{indent}{key}:"]
    lines += [f"{indent}  {name}: {_scalar(value)}" for name, value in members.items()]
    joint = "" if text.endswith(("\n", "\r")) else newline
    changed = _encode(data, text + joint + newline.join([*lines, ""]))
    if not _spells(changed, {**root, key: members}):
        raise EditError("adding a block at the end would change what stands there; add it by hand")
    return changed


def _scalar(value: str) -> str:
    from kcp.wire.jsontext import compact

    is_simple = value.isascii() and value.replace("-", "a").replace(".", "a").isalnum() and value[0].isalpha()
    return value if is_simple and type(resolve_plain(value)) is str else compact(value)


def _newline_of(text: str) -> str:
    """The line end that the text uses last."""
    at = max(text.rfind("\n"), text.rfind("\r"))
    if at < 0:
        return "\n"
    return "\r\n" if text[at - 1 : at + 1] == "\r\n" else text[at]


def _line_starts(text: str) -> list[int]:
    """Where each line starts; LF, CR and CRLF end lines, as for the reader's positions."""
    import re

    return [0, *[match.end() for match in re.finditer("\r\n|\r|\n", text)]]


def _offset(starts: list[int], position: Position) -> int:
    return starts[position.line - 1] + position.column - 1


def _encode(original: bytes, text: str) -> bytes:
    return (_BOM if original.startswith(_BOM) else b"") + text.encode("utf-8")


def _spells(data: bytes, expected: Any) -> bool:
    """Whether the bytes read as a value, kinds of scalars and the order of keys included."""
    from kcp.errors import ManifestError

    try:
        return repr(read_manifest_mapping(data).root) == repr(expected)
    except ManifestError:
        return False


def _with_value(node: Any, path: Path, value: str) -> Any:
    """A copy of a tree with another value at a path; what is off the path is shared."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        return [*node[:step], _with_value(node[step], rest, value), *node[step + 1 :]]
    return {**node, step: _with_value(node[step], rest, value)}


def _refusal(path: Path, reason: str) -> EditError:
    where = "".join([f"[{step}]" if isinstance(step, int) else f".{step}" for step in path]).lstrip(".")
    return EditError(f"cannot rewrite {where}: {reason}")
