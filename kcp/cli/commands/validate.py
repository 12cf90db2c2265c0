"""`kcp-agent validate LOCATION...`: the agent's findings on each manifest."""

from __future__ import annotations

from kcp.api import validate
from kcp.cli.exit_codes import DONE, FAILED, UNCHECKED, worst
from kcp.cli.parser import CommandLineError
from kcp.cli.sources import sources_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.validate.findings import Report
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output


def run(arguments: Arguments, out: Output) -> int:
    """Judge every location: 3 where one could not be read, else 1 where one has errors, else 0."""
    named = arguments.text("--manifest")
    locations = [named] if named else [location for location in arguments.positionals if location]
    if not locations:
        raise CommandLineError("Missing manifest location.", usage="validate")
    sources = sources_of(arguments)
    reports = [validate(location, sources=sources) for location in locations]
    if arguments.switch("--json"):
        _print_json(reports, out)
    else:
        from kcp.cli.show.page import Page
        from kcp.cli.show.report import add_report

        page = Page()
        for index, report in enumerate(reports):
            if index:
                page.add()
            add_report(page, report)
        page.show(out)
    return worst([_exit_code(report) for report in reports])


def _print_json(reports: list[Report], out: Output) -> None:
    if len(reports) == 1:
        out.line(reports[0].to_json())
        return
    from kcp.wire.encode import to_wire
    from kcp.wire.jsontext import encode_json

    out.line(encode_json(to_wire(tuple(reports))))


def _exit_code(report: Report) -> int:
    if not report.read:
        return UNCHECKED
    return DONE if report.ok else FAILED
