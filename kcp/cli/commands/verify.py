"""`kcp-agent verify MANIFEST...`: whose signature, if any, each manifest bears."""

from __future__ import annotations

from kcp.cli.exit_codes import DONE, FAILED, UNCHECKED, worst
from kcp.cli.parser import CommandLineError
from kcp.errors import KcpError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output
    from kcp.reading.sources import Sources
    from kcp.trust.checking import SignatureCheck

_EXIT_CODES = {"verified": DONE, "invalid": FAILED, "unsigned": FAILED, "unverifiable": UNCHECKED}


def run(arguments: Arguments, out: Output) -> int:
    """Check every manifest: 0 verified, 1 invalid or unsigned, 3 where that cannot be told."""
    locations = [location for location in arguments.positionals if location]
    if not locations:
        raise CommandLineError("Missing manifest.", usage="verify")
    signature = arguments.text("--signature")
    if signature is not None and len(locations) > 1:
        raise UsageError("--signature goes with one manifest")
    from kcp.cli.sources import sources_of, trust_of
    from kcp.trust.checking import check_signature

    sources = sources_of(arguments)
    trust = trust_of(arguments, sources)
    text = None if signature is None else _read_signature(signature, sources)
    checks = [check_signature(location, trust, sources, text) for location in locations]
    if arguments.switch("--json"):
        _print_json(checks, out)
    else:
        _show(checks, out)
    return worst([_EXIT_CODES[check.status] for check in checks])


def _read_signature(location: str, sources: Sources) -> str:
    try:
        return sources.read_trusted(location, "signature").decode("utf-8", "replace")
    except KcpError as error:
        raise KcpError(f"cannot use --signature {location}: {error}") from None


def _print_json(checks: list[SignatureCheck], out: Output) -> None:
    from kcp.wire.encode import to_wire
    from kcp.wire.jsontext import encode_json

    out.line(encode_json(to_wire(checks[0] if len(checks) == 1 else tuple(checks))))


def _show(checks: list[SignatureCheck], out: Output) -> None:
    from kcp.cli.show.page import BAD, DIM, GOOD, WARN, Page

    marks = {"verified": ("✓", GOOD), "invalid": ("✗", BAD), "unsigned": ("✗", BAD)}
    page = Page()
    for check in checks:
        key_id = "" if check.key_id is None else f" (key_id: {check.key_id})"
        mark = marks.get(check.status, ("?", WARN))
        page.add(mark, f" {check.manifest}: {check.status} — {check.detail}", (key_id, DIM))
    page.show(out)
