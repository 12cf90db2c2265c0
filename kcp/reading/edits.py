"""Changes to a text at the places of its nodes: every byte that is not replaced stays as it is."""

from __future__ import annotations

from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.model import Position
    from kcp.reading.positions import Path, Span
    from kcp.reading.yaml12 import Document

BOM = b"\xef\xbb\xbf"


class Replacement(Record):
    """The characters from `start` to `end`, exclusive, give way to `text`."""

    start: int
    end: int
    text: str


class EditableText:
    """The text of a document, with offsets for the positions of its nodes."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.text = document.text
        self._starts = line_starts(self.text)

    def offset(self, position: Position) -> int:
        """Where a position is in the text; its end where the parser counts a line end that is not there."""
        if position.line > len(self._starts):
            return len(self.text)
        return self._starts[position.line - 1] + position.column - 1

    def span(self, path: Path, *, of_key: bool = False) -> tuple[int, int]:
        """Where a value or a key starts and ends in the text."""
        return self.offsets(self.document.span(path, of_key=of_key))

    def offsets(self, span: Span) -> tuple[int, int]:
        """A span as offsets."""
        return self.offset(span.start), self.offset(span.end)


def replaced(text: str, replacements: list[Replacement]) -> str:
    """The text with all replacements made; equal ones count once. ValueError where two of them overlap."""
    parts = []
    at = 0
    for each in sorted(set(replacements), key=_order):
        if each.start < at:
            raise ValueError("two changes of a text overlap")
        parts += [text[at : each.start], each.text]
        at = each.end
    return "".join([*parts, text[at:]])


def _order(replacement: Replacement) -> tuple[int, int, str]:
    return replacement.start, replacement.end, replacement.text


def line_starts(text: str) -> list[int]:
    """Where each line starts; LF, CR and CRLF end lines, as for the reader's positions."""
    import re

    return [0, *[match.end() for match in re.finditer("\r\n|\r|\n", text)]]


def newline_of(text: str) -> str:
    """The line end that the text uses last."""
    at = max(text.rfind("\n"), text.rfind("\r"))
    if at < 0:
        return "\n"
    return "\r\n" if text[at - 1 : at + 1] == "\r\n" else text[at]


def with_value(node: Any, path: Path, value: Any) -> Any:
    """A copy of a tree with another value at a path; what is off the path is shared."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        return [*node[:step], with_value(node[step], rest, value), *node[step + 1 :]]
    return {**node, step: with_value(node.get(step), rest, value)}


def value_at(node: Any, path: Path) -> Any:
    """The value at a path; None where there is none."""
    for step in path:
        if isinstance(step, int):
            node = node[step] if type(node) is list and 0 <= step < len(node) else None
        else:
            node = node.get(step) if type(node) is dict else None
    return node
