"""SARIF 2.1.0, which code scanning services read."""

from __future__ import annotations

from kcp.authoring.validate.formats.unseen import escape_json
from kcp.authoring.validate.registry import rules
from kcp.wire.jsontext import encode_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.authoring.validate.lint import LintResult, Located

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_SUPPRESSED_BY = {"inline": "inSource", "configuration": "external"}


def render(results: list[LintResult]) -> str:
    """One run over all manifests, as JSON text with a final newline."""
    from kcp._version import __version__

    found = [(result.source, located, None) for result in results for located in result.findings]
    hidden = [(result.source, located, by) for result in results for by, located in result.suppressed]
    used = sorted({located.rule for _, located, _ in (*found, *hidden)})
    index = {rule_id: number for number, rule_id in enumerate(used)}
    driver = {
        "name": "kcp-agent",
        "semanticVersion": __version__,
        "rules": [_rule(rule_id) for rule_id in used],
    }
    run = {
        "tool": {"driver": driver},
        # Columns count characters, not UTF-16 units.
        "columnKind": "unicodeCodePoints",
        "results": [_result(*entry, index) for entry in (*found, *hidden)],
    }
    return escape_json(encode_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})) + "\n"


def _rule(rule_id: str) -> dict[str, Any]:
    rule = rules()[rule_id]
    return {
        "id": rule_id,
        "name": "".join([word.capitalize() for word in rule.name.split("-")]),
        "shortDescription": {"text": rule.message},
        "help": {"text": f"Specification {rule.section}\n\nWrong:\n{rule.bad}\n\nRight:\n{rule.good}"},
        "defaultConfiguration": {"level": rule.level},
    }


def _result(source: str, located: Located, by: str | None, index: dict[str, int]) -> dict[str, Any]:
    finding = located.finding
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(source)}}
    if located.line is not None:
        region = {"startLine": located.line, "startColumn": located.column}
        if located.end_column is not None:
            region["endColumn"] = located.end_column
        place["region"] = region
    result: dict[str, Any] = {
        "ruleId": located.rule,
        "ruleIndex": index[located.rule],
        "level": located.level,
        "message": {"text": f"{finding.where}: {finding.message}"},
        "locations": [{"physicalLocation": place}],
    }
    if by is not None:
        result["suppressions"] = [{"kind": _SUPPRESSED_BY[by]}]
    return result


def _uri(source: str) -> str:
    from kcp.reading.locate import is_remote

    if is_remote(source):
        return source
    from urllib.parse import quote

    path = quote(source.replace("\\", "/").encode("utf-8", "surrogateescape"))
    return f"file://{path}" if path.startswith("/") else path.removeprefix("./")
