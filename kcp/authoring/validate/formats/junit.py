"""JUnit's XML, which build services show as tests: a suite a manifest, a case a finding.

Questions that find what they should are cases too, so that a build shows them pass.
"""

from __future__ import annotations

from kcp.authoring.validate.formats.unseen import UNSEEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.validate.lint import LintResult, Located

_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def render(results: list[LintResult]) -> str:
    """The suites as XML text. Errors fail their case; warnings are written to its output."""
    suites = "".join([_suite(result) for result in results])
    return f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n{suites}</testsuites>\n'


def _suite(result: LintResult) -> str:
    failures = sum(located.level == "error" for located in result.findings)
    cases = [_case(result.source, located) for located in result.findings]
    for answer in result.answers:
        if answer.found:
            name = _attribute(f"question: {answer.question.text}")
            cases.append(f'    <testcase name="{name}" classname="{_attribute(result.source)}"/>\n')
    if not cases:
        cases = [f'    <testcase name="validate" classname="{_attribute(result.source)}"/>\n']
    counts = f'tests="{len(cases)}" failures="{failures}" errors="0" skipped="0"'
    note = f"    <system-out>{len(result.suppressed)} finding(s) suppressed</system-out>\n"
    return (
        f'  <testsuite name="{_attribute(result.source)}" {counts}>\n{"".join(cases)}'
        f"{note if result.suppressed else ''}  </testsuite>\n"
    )


def _case(source: str, located: Located) -> str:
    finding = located.finding
    place = source if located.line is None else f"{source}:{located.line}:{located.column}"
    name, text = _attribute(f"{located.rule} {finding.where}"), f"{finding.where}: {finding.message}"
    if located.level == "error":
        kind, message = _attribute(located.rule), _attribute(text)
        inner = f'<failure type="{kind}" message="{message}">{_text(place)}</failure>'
    else:
        inner = f"<system-out>{_text(f'{place}: {text}')}</system-out>"
    return f'    <testcase name="{name}" classname="{_attribute(source)}">{inner}</testcase>\n'


def _text(text: str) -> str:
    return "".join([_escaped(char) for char in text])


def _attribute(text: str) -> str:
    return _text(text).replace('"', "&quot;").replace("\t", "&#9;").replace("\n", "&#10;")


def _escaped(char: str) -> str:
    """A character as it may stand in XML: by number where unseen, as `\\x1b` where XML has none."""
    if not _is_xml(char):
        return ascii(char)[1:-1]
    if char in "&<>\r" or char in UNSEEN:
        return _NAMED.get(char) or f"&#{ord(char)};"
    return char


def _is_xml(char: str) -> bool:
    code = ord(char)
    return char in "\t\n\r" or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000
