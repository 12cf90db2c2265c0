"""Workflow commands of GitHub Actions, which show findings beside the lines of a change."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.validate.lint import LintResult, Located

_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def render(results: list[LintResult]) -> str:
    """One command a line for every finding, and a notice where findings were suppressed."""
    lines = []
    for result in results:
        lines += [_command(result.source, located) for located in result.findings]
        if result.suppressed:
            place = f"file={_escape(result.source, _PROPERTY)}"
            lines.append(f"::notice {place},title=kcp-agent::{len(result.suppressed)} finding(s) suppressed")
    return "".join([line + "\n" for line in lines])


def _command(source: str, located: Located) -> str:
    properties = [f"file={_escape(source, _PROPERTY)}"]
    if located.line is not None:
        properties += [f"line={located.line}", f"col={located.column}"]
    properties.append(f"title={located.rule}")
    text = _escape(f"{located.finding.where}: {located.finding.message}", _DATA)
    return f"::{located.level} {','.join(properties)}::{text}"


def _escape(text: str, table: dict[str, str]) -> str:
    return "".join([table.get(char) or (char if char.isprintable() else ascii(char)[1:-1]) for char in text])
