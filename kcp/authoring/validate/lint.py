"""One manifest checked by either set of rules or both, each finding with its place in the text."""

from __future__ import annotations

import os

from kcp.authoring.validate.check import as_written, check_manifest
from kcp.authoring.validate.manifest import NOT_READ, WHERE
from kcp.errors import KcpError, ManifestError
from kcp.reading.locate import is_remote
from kcp.reading.parse import parse_manifest
from kcp.reading.source import MAX_BYTES
from kcp.reading.yaml12 import read_yaml
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from kcp.authoring.validate.findings import Finding, Level
    from kcp.authoring.validate.questions import Answer, Asking
    from kcp.authoring.validate.spec.disk import Disk
    from kcp.model import Position
    from kcp.reading.sources import ManifestBytes
    from kcp.reading.yaml12 import Document

    Rules = Literal["agent", "spec", "all"]

RULE_SETS = ("agent", "spec", "all")
_BOM = b"\xef\xbb\xbf"
_LONGEST_LINE = 400
# Findings about what a field is called, not about what it holds.
_ABOUT_KEYS = frozenset({"KCP151", "KCP154", "KCP329"})


class LintOptions(Record):
    """What to check and what to keep quiet about.

    `today` is `YYYY-MM-DD`, UTC. `select` and `ignore` hold ids of rules; an empty `select` is all. `disk`
    looks beside local manifests, `inline` heeds comments in them, `drafts` adds the rules of drafts. What is
    `asking` is asked whatever the rules.
    """

    today: str
    rules: Rules = "agent"
    disk: bool = True
    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    inline: bool = True
    drafts: bool = False
    asking: Asking | None = None


class Located(Record):
    """A finding with its place: `end_column` is exclusive, `text` the line itself, where known."""

    finding: Finding
    line: int | None = None
    column: int | None = None
    end_column: int | None = None
    text: str | None = None
    hint: str | None = None

    @property
    def rule(self) -> str:
        """The id of the rule."""
        return self.finding.rule

    @property
    def level(self) -> Level:
        """`error` or `warning`."""
        return self.finding.level

    @property
    def rule_set(self) -> str:
        """`agent` or `spec`."""
        return "agent" if self.finding.rule.startswith("KCP1") else "spec"


class LintResult(Record):
    """What was found in one manifest.

    `suppressed` holds what a comment in the manifest (`inline`) or the caller keeps quiet, by who asked.
    `ok` is that nothing shown is an error; `valid` that the specification's rules find none, None where they
    were not asked. `read` is false where the manifest could not be read or is refused before it is checked.
    `answers` are those to the questions that were asked.
    """

    source: str
    project: str | None
    findings: tuple[Located, ...]
    suppressed: tuple[tuple[str, Located], ...] = ()
    remarks: tuple[tuple[str, Position | None], ...] = ()
    ok: bool = True
    valid: bool | None = None
    read: bool = True
    answers: tuple[Answer, ...] = ()


def unread(location: str, error: KcpError) -> LintResult:
    """The result for a location whose bytes cannot be had."""
    finding = NOT_READ.at(WHERE, (), str(error))
    return LintResult(location, None, (Located(finding, hint=error.hint),), ok=False, read=False)


def lint(read: ManifestBytes, options: LintOptions, max_bytes: int = MAX_BYTES) -> LintResult:
    """What the rules find in a manifest's bytes."""
    try:
        document = read_yaml(read.data, max_bytes=max_bytes)
        return _Linter(read, document, options).run()
    except ManifestError as error:
        return _unparsed(read, error, options)


class _Linter:
    def __init__(self, read: ManifestBytes, document: Document, options: LintOptions) -> None:
        self.read = read
        self.document = document
        self.options = options
        self.manifest = parse_manifest(document, source=read.source, located=False)
        self._lines: list[str] | None = None

    def run(self) -> LintResult:
        rules = self.options.rules
        agent = [] if rules == "spec" else self._agent()
        spec, refused = ([], False) if rules == "agent" else self._spec()
        findings = agent + spec
        if agent and spec:
            from kcp.authoring.validate.merge import merge

            findings = merge(agent, spec)
        answers: tuple[Answer, ...] = ()
        if self.options.asking is not None and not refused:
            from kcp.authoring.validate.questions import ask

            answers, missed = ask(self.manifest, self.options.asking)
            findings = [*findings, *as_written(self.manifest, missed)]
        shown, suppressed = self._sift(findings)
        return LintResult(
            self.read.source,
            self.manifest.project,
            tuple(shown),
            tuple(suppressed),
            self._remarks(),
            ok=all(each.level != "error" for each in shown),
            valid=None if rules == "agent" else all(finding.level != "error" for finding in spec),
            read=not refused,
            answers=answers,
        )

    def _agent(self) -> list[Finding]:
        disk = self._disk()
        exists = None if disk is None else disk.exists
        report = check_manifest(self.manifest, self.read.source, self.options.today, exists)
        return list(report.findings)

    def _spec(self) -> tuple[list[Finding], bool]:
        """The specification's findings, and whether it refuses the manifest before it looks further.

        Beside the agent's findings a refusal is one of many: the agent has read the manifest all the same.
        """
        from kcp.authoring.validate.spec.check import check_spec
        from kcp.authoring.validate.spec.identity import UTF8, unsafe_paths
        from kcp.authoring.validate.spec.node import Spec
        from kcp.authoring.validate.spec.syntax import type_tags

        options = self.options
        spec = Spec(self.document.root, options.today, self._disk(), drafts=options.drafts)
        findings = [*type_tags(self.document), *unsafe_paths(spec)]
        if findings and options.rules == "spec":
            return findings[:1], True
        if self.read.data.startswith(_BOM):
            findings.append(UTF8.at(WHERE, (), "the file starts with a byte order mark", "warning"))
        return [*findings, *check_spec(spec)], False

    def _disk(self) -> Disk | None:
        source = self.read.source
        if not self.options.disk or is_remote(source):
            return None
        from kcp.authoring.validate.spec.disk import Disk

        folder, name = os.path.split(source)
        return Disk(folder or ".", name)

    def _sift(self, findings: list[Finding]) -> tuple[list[Located], list[tuple[str, Located]]]:
        """What is shown, and what is not because somebody asked."""
        options = self.options
        shown: list[Located] = []
        suppressed: list[tuple[str, Located]] = []
        if options.select:
            findings = [finding for finding in findings if finding.rule in options.select]
        ignores: dict[int, frozenset[str]] = {}
        if findings and options.inline:
            from kcp.authoring.validate.suppress import inline_ignores

            ignores = inline_ignores(self.document)
        for finding in findings:
            located = self._locate(finding)
            if finding.rule in options.ignore:
                suppressed.append(("configuration", located))
            elif finding.rule in ignores.get(located.line or 0, ()):
                if _is_protected(finding.rule):
                    shown.append(located.replace(hint="a comment in the manifest cannot silence this rule"))
                else:
                    suppressed.append(("inline", located))
            else:
                shown.append(located)
        return shown, suppressed

    def _locate(self, finding: Finding) -> Located:
        span = self.document.span(finding.path, of_key=finding.rule in _ABOUT_KEYS)
        start, end = span.start, span.end
        end_column = end.column if end.line == start.line else None
        return Located(finding, start.line, start.column, end_column, self._line(start.line))

    def _line(self, number: int) -> str:
        if self._lines is None:
            self._lines = _lines(self.document.text)
        return self._lines[number - 1][:_LONGEST_LINE] if number <= len(self._lines) else ""

    def _remarks(self) -> tuple[tuple[str, Position | None], ...]:
        """What reading dropped, and what helps where a mapping is no manifest at all."""
        remarks: list[tuple[str, Position | None]] = [
            (note.message, self.document.position(note.path))
            for note in self.manifest.problems
            if note.rule == "dropped"
        ]
        if self.options.rules == "agent":
            from kcp.authoring.validate.spec.known import ROOT_KEYS

            if not ROOT_KEYS.intersection(self.document.root):
                remarks.insert(0, ("this does not look like a KCP manifest", None))
        return tuple(remarks)


def _is_protected(rule_id: str) -> bool:
    from kcp.authoring.validate.registry import rules

    return rules()[rule_id].protected


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _unparsed(read: ManifestBytes, error: ManifestError, options: LintOptions) -> LintResult:
    """The one finding on bytes that are no manifest."""
    from kcp.authoring.validate.spec.syntax import explain, rule_for

    if options.rules == "spec":
        finding = rule_for(error).at(WHERE, (), error.message)
    else:
        finding = NOT_READ.at(WHERE, (), f"does not parse: {error}")
    text, hint = explain(read.data, error)
    located = Located(finding, error.line, error.column, None, text, hint)
    valid = None if options.rules == "agent" else False
    return LintResult(read.source, None, (located,), ok=False, valid=valid, read=False)
