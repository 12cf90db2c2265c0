"""`kcp-agent sign MANIFEST --key FILE`: a detached signature over a manifest's bytes."""

from __future__ import annotations

from kcp.cli.exit_codes import DONE, FAILED
from kcp.cli.parser import CommandLineError
from kcp.cli.streams import complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output
    from kcp.trust.signing import Prepared


def run(arguments: Arguments, out: Output) -> int:
    """Sign a sound manifest; 1, and nothing written, where something speaks against it."""
    location = next(iter(arguments.positionals), "")
    key = arguments.text("--key")
    if not location:
        raise CommandLineError("Missing manifest.", usage="sign")
    if key is None:
        raise CommandLineError("Missing --key.", usage="sign")
    from kcp.trust.signing import SigningRequest, prepare, write_signed

    prepared = prepare(
        SigningRequest(
            location,
            key,
            key_id=arguments.text("--key-id"),
            out=arguments.text("--out"),
            update_hashes=arguments.switch("--update-hashes"),
            bare=arguments.switch("--bare"),
            add_block=arguments.switch("--add-block"),
        )
    )
    from kcp.cli.show.escape import escape

    for warning in prepared.warnings:
        complain(f"⚠ {escape(warning)}\n")
    problems = [*_validation_errors(prepared), *prepared.problems]
    if problems:
        complain("".join([f"✗ {escape(problem)}\n" for problem in problems]))
        complain(f"kcp-agent: {escape(prepared.read.source)} is not signed\n")
        return FAILED
    write_signed(prepared)
    _show(prepared, out)
    return DONE


def _validation_errors(prepared: Prepared) -> list[str]:
    """What `validate` holds against the very bytes that are to be signed."""
    from kcp.api import validate

    report = validate(prepared.manifest)
    return [f"{each.where}: {each.message}" for each in report.findings if each.level == "error"]


def _show(prepared: Prepared, out: Output) -> None:
    from kcp.cli.show.page import DIM, GOOD, ID, Page
    from kcp.trust.keys import spki_text

    page = Page()
    for unit in prepared.refreshed:
        page.add("↻ content_hash refreshed: ", (unit, ID))
    page.add(("✓", GOOD), f" signed → {prepared.out} (key_id: {prepared.key_id})")
    page.add(("  allowlist public_key: ", DIM), spki_text(prepared.pair.public))
    page.show(out)
