"""What is refused before any field is looked at, and what an author can do about it."""

from __future__ import annotations

from kcp.authoring.validate.spec.identity import UTF8, YAML

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.validate.findings import Finding
    from kcp.authoring.validate.rule import Rule
    from kcp.errors import ManifestError
    from kcp.reading.yaml12 import Document

_LONGEST_LINE = 400


def rule_for(error: ManifestError) -> Rule:
    """The rule that an unreadable text breaks."""
    is_encoding = "not UTF-8" in error.message or "byte order mark" in error.message
    return UTF8 if is_encoding else YAML


def type_tags(document: Document) -> list[Finding]:
    """A finding where a value carries an explicit type tag."""
    text = document.text
    if "!" not in text:
        return []
    from kcp.reading.events import event_source

    next_event = event_source(text)
    event = next_event()
    while type(event).__name__ != "StreamEndEvent":
        tag = getattr(event, "tag", None)
        if tag is not None and tag != "!":
            line = event.start_mark.line + 1
            return [YAML.at("manifest", (), f"line {line} carries a type tag; write plain YAML")]
        event = next_event()
    return []


def explain(data: bytes, error: ManifestError) -> tuple[str | None, str | None]:
    """The line that an error is about, and what to do about it."""
    if error.line is None:
        return None, error.hint
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if error.line > len(lines):
        return None, error.hint
    hint = _hint(lines, error.line, error.column or 1, error.message) or error.hint
    return lines[error.line - 1][:_LONGEST_LINE], hint


def _hint(lines: list[str], line: int, column: int, message: str) -> str | None:
    here = lines[line - 1]
    if message == "duplicated mapping key":
        key = here[column - 1 :].split(":")[0].strip()
        start = here[: column - 1] + key
        first = next((number for number, text in enumerate(lines, 1) if text.startswith(start)), line)
        return f"'{key}' is given first on line {first}; keep one of them" if first < line else None
    if message.startswith("expected a single document"):
        return "a manifest is one document; put what follows '---' into a file of its own"
    if message == "bad indentation of a mapping entry":
        indent = len(here) - len(here.lstrip(" "))
        above = next((text for text in reversed(lines[: line - 1]) if text.strip()), "")
        outer = len(above) - len(above.lstrip(" -"))
        if indent > outer and ": " in above:
            key = above.lstrip(" -").split(":")[0]
            return f"'{key}' above has a text for its value already; indent this line as far as '{key}'"
    return None
