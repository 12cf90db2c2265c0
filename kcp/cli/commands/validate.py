"""`kcp-agent validate LOCATION...`: what the rules find in each manifest."""

from __future__ import annotations

from kcp.cli.exit_codes import DONE, FAILED, UNCHECKED, worst
from kcp.cli.lint.inputs import STANDARD_INPUT, expand, require_listed
from kcp.cli.parser import CommandLineError
from kcp.cli.sources import sources_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.validate.findings import Report
    from kcp.authoring.validate.lint import LintResult
    from kcp.cli.lint.config import Config
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output
    from kcp.reading.sources import Sources


def run(arguments: Arguments, out: Output) -> int:
    """Judge every location: 3 where one could not be read, else 1 where one fails, else 0."""
    named = arguments.text("--manifest")
    words = [named] if named else [location for location in arguments.positionals if location]
    if not words:
        raise CommandLineError("Missing manifest location.", usage="validate")
    sources = sources_of(arguments)
    if arguments.switch("--json"):
        return _print_report(expand(words), arguments, sources, out)
    import os

    from kcp.cli.lint.config import find_config

    return _lint(expand(words), arguments, find_config(os.getcwd()), sources, out)


def _print_report(locations: list[str], arguments: Arguments, sources: Sources, out: Output) -> int:
    """The reference's report: the agent's rules and nothing else, whatever is configured."""
    from kcp.wire.encode import to_wire
    from kcp.wire.jsontext import encode_json

    if len(arguments.given) > 1:
        from kcp.cli.lint.settings import refuse_with_json

        refuse_with_json(arguments)
    disk = not arguments.switch("--no-disk")
    as_of = arguments.text("--as-of")
    reports = [_report(location, sources, as_of, disk=disk) for location in locations]
    out.line(reports[0].to_json() if len(reports) == 1 else encode_json(to_wire(tuple(reports))))
    strict = arguments.text("--fail-on")
    if strict is not None:
        from kcp.cli.lint.config import FAIL_ON
        from kcp.cli.lint.settings import choice

        strict = choice(arguments, "--fail-on", FAIL_ON)
    return worst(
        [
            _code([each.level for each in report.findings], strict or "error", report.read)
            for report in reports
        ]
    )


def _report(location: str, sources: Sources, as_of: str | None, *, disk: bool) -> Report:
    from kcp.api import validate
    from kcp.authoring.validate.check import unreadable_report
    from kcp.errors import KcpError

    if location != STANDARD_INPUT:
        try:
            require_listed(location)
        except KcpError as error:
            return unreadable_report(location, str(error))
        return validate(location, as_of=as_of, sources=sources, disk=disk)
    from kcp.cli.lint.inputs import STDIN_NAME, read_standard_input
    from kcp.reading.load import parse_bytes

    try:
        read = read_standard_input(sources.max_bytes)
    except KcpError as error:
        return unreadable_report(STDIN_NAME, str(error))
    try:
        return validate(parse_bytes(read, sources.max_bytes), as_of=as_of, disk=False)
    except KcpError as error:
        return unreadable_report(STDIN_NAME, f"does not parse: {error}")


def _lint(locations: list[str], arguments: Arguments, config: Config, sources: Sources, out: Output) -> int:
    from kcp.cli.lint.runner import run_all
    from kcp.cli.lint.settings import FORMATS, choice, fail_on, lint_options
    from kcp.cli.show.page import Page

    options, level = lint_options(arguments, config, locations), fail_on(arguments, config)
    output = choice(arguments, "--format", FORMATS) or "text"
    page = Page()
    repaired = True
    if any(arguments.switch(flag) for flag in ("--fix", "--preview", "--unsafe-fixes")):
        from kcp.cli.lint.repair import repair_all

        repaired = repair_all(locations, arguments, sources, page)
    results = run_all(locations, options, sources)
    if output == "text":
        from kcp.cli.show.report import add_result

        for index, result in enumerate(results):
            if index or page.lines:
                page.add()
            add_result(page, result)
        page.show(out)
    else:
        out.write(_formatted(results, output))
        if page.lines:
            from kcp.cli.streams import complain

            complain(page.plain())
    codes = [_code([each.level for each in result.findings], level, result.read) for result in results]
    return worst([*codes, DONE if repaired else UNCHECKED])


def _formatted(results: list[LintResult], output: str) -> str:
    match output:
        case "sarif":
            from kcp.authoring.validate.formats.sarif import render
        case "github":
            from kcp.authoring.validate.formats.github import render
        case "gitlab":
            from kcp.authoring.validate.formats.gitlab import render
        case "junit":
            from kcp.authoring.validate.formats.junit import render
        case _:
            from kcp.authoring.validate.formats.plain_json import render
    return render(results)


def _code(levels: list[str], fail_on: str, read: bool) -> int:
    if not read:
        return UNCHECKED
    failing = {"error": ("error",), "warning": ("error", "warning")}.get(fail_on, ())
    return FAILED if any(level in failing for level in levels) else DONE
