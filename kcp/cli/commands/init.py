"""`kcp-agent init [DIR]`: a first manifest, from a project's files or from an llms.txt."""

from __future__ import annotations

import os

from kcp.api import today
from kcp.authoring.drafts import TARGET
from kcp.cli.exit_codes import DONE, FAILED
from kcp.cli.parser import CommandLineError
from kcp.errors import KcpError, UsageError
from kcp.reading.locate import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.drafts import Draft
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output


def run(arguments: Arguments, out: Output) -> int:
    """Write the draft, or print it with `--dry-run`: 1 where it has errors, 2 where a manifest is there."""
    folder = next(iter(arguments.positionals), "") or "."
    if not os.path.isdir(folder):
        raise KcpError(f"no such folder: {shown(folder)}")
    if not (arguments.switch("--dry-run") or arguments.switch("--force")):
        _refuse_existing(folder, converting=arguments.text("--from-llms-txt") is not None)
    draft = _draft(folder, arguments)
    if not draft.report.ok:
        return _complain(draft)
    if arguments.switch("--dry-run"):
        out.write(draft.text)
        return DONE
    _write(folder, draft, force=arguments.switch("--force"))
    out.line(f"{TARGET} written to {shown(folder)}")
    return DONE


def _draft(folder: str, arguments: Arguments) -> Draft:
    publisher = arguments.text("--publisher") or arguments.text("--attest")
    location = arguments.text("--from-llms-txt")
    if location is None:
        from kcp.authoring.init.scaffold import draft_project

        return draft_project(folder, today(), publisher)
    from kcp.authoring.llms_txt.convert import convert
    from kcp.authoring.llms_txt.read import read_llms_txt
    from kcp.cli.sources import fetcher_of

    read = read_llms_txt(location, fetcher_of(arguments))
    return convert(read.content, today(), publisher=publisher, location=read.location)


def _refuse_existing(folder: str, *, converting: bool) -> None:
    """UsageError where a manifest is there: nothing is replaced unasked."""
    target = os.path.join(folder, TARGET)
    if not os.path.lexists(target):
        return
    if converting:
        target = shown(os.path.normpath(target))
        raise CommandLineError(
            f"{target} already exists — pass --force to replace it, or --dry-run to preview."
        )
    raise UsageError(f"{TARGET} already exists in {shown(folder)} — use --force to overwrite")


def _write(folder: str, draft: Draft, *, force: bool) -> None:
    from kcp.files import write_atomically, write_exclusively

    target = os.path.join(folder, TARGET)
    data = draft.text.encode()
    if force:
        write_atomically(target, data)
    else:
        write_exclusively(target, data, 0o644)


def _complain(draft: Draft) -> int:
    from kcp.cli.show.page import Page
    from kcp.cli.streams import complain

    page = Page()
    page.add("Generated manifest has validation errors:")
    for finding in draft.report.findings:
        if finding.level == "error":
            page.add(f"  ✗ {finding.where}: {finding.message}")
    complain(page.plain())
    return FAILED
