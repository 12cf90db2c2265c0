"""`# kcp: ignore[RULE, …]` comments: what a manifest's author asks to keep quiet about.

A comment behind something counts for its own line, one alone on its line for the next line that is neither
blank nor a comment.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.reading.yaml12 import Document

_PATTERN = r"#[ \t]*kcp:[ \t]*ignore\[([^\]\n]*)\]"


def inline_ignores(document: Document) -> dict[int, frozenset[str]]:
    """Line → the ids of rules that comments name for it; what names no rule is passed over."""
    text = document.text
    if "ignore[" not in text:
        return {}
    from kcp.authoring.validate.registry import find_rule

    lines = _lines(text)
    ignores: dict[int, frozenset[str]] = {}
    for line, names in _comments(lines, document):
        target = line if lines[line - 1].split("#", 1)[0].strip() else _next_content(lines, line)
        rules = [find_rule(name.strip()) for name in names.split(",")]
        found = frozenset(rule.id for rule in rules if rule is not None)
        ignores[target] = ignores.get(target, frozenset()) | found
    return ignores


def _comments(lines: list[str], document: Document) -> Iterator[tuple[int, str]]:
    """The comments that name rules. Where a scalar stands, a number sign is a part of it."""
    import re

    pattern = re.compile(_PATTERN)
    found = [
        (number, match.start() + 1, match.group(1))
        for number, line in enumerate(lines, 1)
        for match in pattern.finditer(line)
        if match.start() == 0 or line[match.start() - 1] in " \t"
    ]
    scalars = iter(document.scalars() if found else ())
    scalar = next(scalars, None)
    for line, column, names in found:
        while scalar is not None and (scalar.end.line, scalar.end.column) <= (line, column):
            scalar = next(scalars, None)
        if scalar is None or (scalar.start.line, scalar.start.column) > (line, column):
            yield line, names


def _next_content(lines: list[str], line: int) -> int:
    for number in range(line + 1, len(lines) + 1):
        content = lines[number - 1].strip()
        if content and not content.startswith("#"):
            return number
    return line


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
