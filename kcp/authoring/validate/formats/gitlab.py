"""GitLab's code quality report: a list of issues with fingerprints that outlive a change of line."""

from __future__ import annotations

from kcp.authoring.validate.formats.unseen import escape_json
from kcp.reading.source import sha256_hex
from kcp.wire.jsontext import encode_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.authoring.validate.lint import LintResult, Located

_SEVERITIES = {"error": "major", "warning": "minor"}


def render(results: list[LintResult]) -> str:
    """The report as JSON text with a final newline."""
    seen: dict[str, int] = {}
    issues = [_issue(result.source, located, seen) for result in results for located in result.findings]
    return escape_json(encode_json(issues)) + "\n"


def _issue(source: str, located: Located, seen: dict[str, int]) -> dict[str, Any]:
    finding = located.finding
    subject = "\0".join((source, located.rule, finding.where, finding.message))
    # The same finding may come up twice in a manifest.
    seen[subject] = seen.get(subject, 0) + 1
    return {
        "description": f"{finding.where}: {finding.message}",
        "check_name": located.rule,
        "fingerprint": sha256_hex(f"{subject}\0{seen[subject]}".encode("utf-8", "surrogatepass")),
        "severity": _SEVERITIES[located.level],
        "location": {"path": source, "lines": {"begin": located.line or 1}},
    }
