"""`kcp-agent replay FILE...`: do saved artifacts still follow from today's bytes?"""

from __future__ import annotations

import os.path

from kcp.cli.exit_codes import DONE, FAILED, UNCHECKED, worst
from kcp.cli.parser import CommandLineError
from kcp.cli.sources import sources_of, trust_of
from kcp.errors import ArtifactError, KcpError
from kcp.evidence.artifacts import find_artifacts, read_artifact
from kcp.evidence.plan_replay import ReplaySettings
from kcp.evidence.replay import replay_any, settings_beside
from kcp.evidence.reports import FailedReport, report_wire, unchecked
from kcp.wire.jsontext import encode_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output
    from kcp.evidence.reports import Report

STDIN = ("-", "/dev/stdin")


def run(arguments: Arguments, out: Output) -> int:
    """Replay every artifact: 3 where one could not be checked, else 1 where one does not hold, else 0."""
    named = arguments.text("--manifest")
    paths = [path for path in arguments.positionals if path] or ([named] if named else [])
    if not paths:
        raise CommandLineError("Missing artifact path.", usage="replay")
    settings = _settings(arguments)
    files = [file for path in paths for file in ([path] if path in STDIN else find_artifacts(path))]
    if arguments.switch("--json"):
        return _print_json(files, settings, out)
    from kcp.cli.show.page import Page
    from kcp.cli.show.replay import add_report, add_summary

    page = Page()
    codes = []
    for place, report in enumerate(_reports(files, settings)):
        if place:
            page.add()
        add_report(page, report)
        codes.append(_exit_code(report))
    if len(files) > 1:
        add_summary(page, codes)
    page.show(out)
    return worst(codes)


def _print_json(files: list[str], settings: ReplaySettings, out: Output) -> int:
    wires, codes = [], []
    for report in _reports(files, settings):
        wires.append(report_wire(report))
        codes.append(_exit_code(report))
    out.line(encode_json(wires[0] if len(files) == 1 else wires))
    return worst(codes)


def _settings(arguments: Arguments) -> ReplaySettings:
    sources = sources_of(arguments)
    trust = trust_of(arguments, sources)
    base = arguments.text("--base")
    if base is not None and not os.path.isdir(base):
        raise KcpError(f"cannot use --base {base}: not a directory")
    return ReplaySettings(sources.with_base(base), trust.verify, trust.pinned, trust.keyring)


def _reports(files: list[str], settings: ReplaySettings) -> Iterator[Report]:
    """The report on each file; of several, one that cannot be replayed does not keep others from it."""
    for file in files:
        try:
            yield _replay(file, settings)
        except KcpError as error:
            if len(files) == 1:
                raise
            yield FailedReport(file, str(error))


def _replay(path: str, settings: ReplaySettings) -> Report:
    if path in STDIN:
        artifact = _standard_input()
    else:
        artifact = read_artifact(path)
        if settings.sources.base is None:
            settings = settings_beside(artifact, os.path.dirname(path) or ".", settings)
    try:
        return replay_any(artifact, path, settings)
    except ArtifactError as error:
        raise ArtifactError(f"{path}: {error.message}", hint=error.hint) from None


def _standard_input() -> object:
    import sys

    from kcp.wire.decode import MAX_BYTES, decode_json

    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise ArtifactError("cannot read the artifact: standard input is closed")
    try:
        return decode_json(stream.read(MAX_BYTES + 1), "standard input")
    except OSError as error:
        raise ArtifactError(f"cannot read standard input: {error.strerror or error}") from None


def _exit_code(report: Report) -> int:
    if unchecked(report):
        return UNCHECKED
    return DONE if report.ok else FAILED
