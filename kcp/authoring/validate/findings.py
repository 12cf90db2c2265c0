"""Findings and the report they make."""

from __future__ import annotations

from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from kcp.model import Position

    Level = Literal["error", "warning"]
    Path = tuple[str | int, ...]

UNREADABLE = "KCP100"


class Finding(Record):
    """One thing a rule says of a manifest; `where` names its subject as §4 does.

    `rule` is the id of the rule and `path` leads to the node in the document. Neither is on the wire.
    """

    level: Level
    where: str
    message: str
    rule: str = ""
    path: Path = ()


class Report(Record):
    """The findings on one manifest in rule order; `ok` when none is an error.

    `remarks` is what reading dropped silently (decisions A): for people, not part of the agent's findings.
    `read` is false when the manifest could not be read or parsed, so that nothing else was checked.
    """

    source: str
    project: str | None
    findings: tuple[Finding, ...]
    ok: bool
    remarks: tuple[tuple[str, Position | None], ...] = ()
    read: bool = True

    def to_json(self) -> str:
        """The report as JSON text without a final newline."""
        from kcp.wire.encode import to_wire
        from kcp.wire.jsontext import encode_json

        return encode_json(to_wire(self))


def make_report(source: str, project: str | None, findings: list[Finding]) -> Report:
    """A report whose `ok` follows from its findings."""
    return Report(source, project, tuple(findings), all(finding.level != "error" for finding in findings))
