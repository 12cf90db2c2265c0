"""`kcp-agent discover URL`: a site's manifest, or a draft of one."""

from __future__ import annotations

from kcp.api import today
from kcp.authoring.discover.find import Discovery, Drafted, Found, FoundList
from kcp.cli.exit_codes import DONE, FAILED, UNCHECKED
from kcp.cli.parser import CommandLineError
from kcp.cli.progress import Progress
from kcp.cli.sources import fetcher_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.discover.find import Nothing
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output

    Result = Found | FoundList | Drafted | Nothing


def run(arguments: Arguments, out: Output) -> int:
    """Search and tell: 1 where there is nothing, 3 where nobody answered."""
    url = next(iter(arguments.positionals), "")
    if not url:
        raise CommandLineError("Missing URL.", usage="discover")
    with Progress("searching", "requests") as progress:
        result = Discovery(fetcher_of(arguments), today(), on_step=progress.step).run(url)
    if arguments.switch("--json"):
        from kcp.wire.encode import to_wire
        from kcp.wire.jsontext import encode_json

        out.line(encode_json(to_wire(result)))
    elif isinstance(result, Drafted):
        _show_draft(result, out)
    else:
        from kcp.cli.show.discovery import add_discovery
        from kcp.cli.show.page import Page

        page = Page()
        add_discovery(page, result)
        page.show(out)
    if isinstance(result, Found | FoundList | Drafted):
        return DONE
    return FAILED if result.reached else UNCHECKED


def _show_draft(result: Drafted, out: Output) -> None:
    """The draft alone goes to standard output, so that it can be saved."""
    from kcp.cli.streams import complain

    count = len(result.crawl.pages)
    complain(f"No manifest found; this is a draft from {count} page(s). Review it before you publish it.\n")
    out.write(result.yaml)
