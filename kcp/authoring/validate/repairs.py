"""Repairs that change how a manifest is written and not what it says."""

from __future__ import annotations

from kcp.reading.edits import EditableText, Replacement, newline_of, value_at, with_value
from kcp.reading.parse import parse_manifest
from kcp.reading.scalars import DateText
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from kcp.reading.positions import Path
    from kcp.reading.yaml12 import Document

DATE_FIELDS = frozenset(
    "updated validated valid_from valid_until recorded_at observed_at verified_at".split()
)
_FLOW = frozenset(",[]{}#:")


class Repair(Record):
    """One repair: what it does, the text that changes, and the tree that the new text must spell."""

    message: str
    parts: tuple[Replacement, ...]
    expect: Callable[[Any], Any]
    safe: bool = True


def safe_repairs(document: Document) -> list[Repair]:
    """Dates in quotes, lists as lists, a line end at the end."""
    editable = EditableText(document)
    repairs = [*_quoted_dates(editable), *_lists(editable)]
    text = editable.text
    if text and not text.endswith(("\n", "\r")):
        end = Replacement(len(text), len(text), newline_of(text))
        repairs.append(Repair("line end added at the end", (end,), _unchanged))
    return repairs


def _unchanged(tree: Any) -> Any:
    return tree


def _quoted_dates(editable: EditableText) -> Iterator[Repair]:
    seen: set[int] = set()
    for path, value in _scalars(editable.document.root):
        if not isinstance(value, DateText) or path[-1] not in DATE_FIELDS:
            continue
        start, end = editable.span(path)
        # Behind an alias or a merge key the same text stands for several fields.
        if editable.text[start:end] == str(value) and start not in seen:
            seen.add(start)
            part = Replacement(start, end, f'"{value}"')
            yield Repair(f"{path[-1]} quoted", (part,), _unchanged)


def _scalars(root: Any) -> Iterator[tuple[Path, Any]]:
    """Every value in a mapping with its path; what aliases repeat is visited once."""
    waiting: list[tuple[Path, Any]] = [((), root)]
    visited: set[int] = set()
    while waiting:
        path, node = waiting.pop()
        if isinstance(node, (dict, list)):
            if id(node) in visited:
                continue
            visited.add(id(node))
            members = node.items() if isinstance(node, dict) else enumerate(node)
            waiting += [((*path, step), member) for step, member in members]
        elif path:
            yield path, node


def _lists(editable: EditableText) -> Iterator[Repair]:
    """Single values where lists belong, as decision B3 reads them."""
    document = editable.document
    seen: set[int] = set()
    for problem in parse_manifest(document, located=False).problems:
        value = value_at(document.root, problem.path)
        if problem.rule != "B3" or isinstance(value, list) or value is None:
            continue
        start, end = editable.span(problem.path)
        if start in seen:
            continue
        seen.add(start)
        parts = _listed(editable, start, end, value)
        if parts is not None and (type(value) is not dict or problem.path[-1] == "methods"):
            path = problem.path
            yield Repair(f"{path[-1]} made a list", parts, _listing(path, value))


def _listing(path: Path, value: Any) -> Callable[[Any], Any]:
    return lambda tree: with_value(tree, path, [value])


def _listed(editable: EditableText, start: int, end: int, value: Any) -> tuple[Replacement, ...] | None:
    """The changes that put a value in brackets or behind a dash; None where it is written in another way."""
    text = editable.text
    token = text[start:end]
    if type(value) is dict and not token.startswith("{"):
        return _dashed(text, start, end)
    if "\n" in token or "\r" in token or token[:1] in ("&", "*", "!", "|", ">"):
        return None
    if token[:1] not in ('"', "'", "{") and _FLOW.intersection(token):
        from kcp.wire.jsontext import compact

        if not isinstance(value, str):
            return None
        token = compact(str(value))
    return (Replacement(start, end, f"[{token}]"),)


def _dashed(text: str, start: int, end: int) -> tuple[Replacement, ...] | None:
    """A block mapping becomes the only item of a list: a dash, and every further line two columns deeper."""
    if text[start : start + 1] in ("&", "*", "!", "?"):
        return None
    parts = [Replacement(start, start, "- ")]
    at = text.find("\n", start, end)
    while at >= 0 and at + 1 < end:
        if text[at + 1 : at + 2] not in ("\n", "\r") and text[at + 1 : end].strip():
            parts.append(Replacement(at + 1, at + 1, "  "))
        at = text.find("\n", at + 1, end)
    return tuple(parts)
