"""`kcp-agent stats --events FILE`: what an event log holds, in numbers."""

from __future__ import annotations

from kcp.cli.exit_codes import DONE
from kcp.cli.parser import CommandLineError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output


def run(arguments: Arguments, out: Output) -> int:
    """Count the events of a log, which must be there."""
    path = arguments.text("--events")
    if path is None:
        raise CommandLineError("Missing --events <file>.", usage="stats")
    from kcp.render.events import EventLog

    with EventLog(path, create=False) as log:
        stats = log.stats()
    if arguments.switch("--json"):
        from kcp.wire.jsontext import encode_json

        out.line(encode_json(stats))
    else:
        _show(stats, out)
    return DONE


def _show(stats: dict[str, Any], out: Output) -> None:
    from kcp.cli.show.page import DIM, TITLE, Page

    page = Page()
    span = f" ({stats['first']} to {stats['last']})" if "first" in stats else ""
    page.add(("Renders: ", TITLE), f"{stats['renders']:,}", (span, DIM))
    fields = ", ".join([f"{count:,} {name}" for name, count in stats["fields"].items()])
    page.add(("Fields: ", TITLE), fields)
    titles = {
        "byTier": "Tiers",
        "byOrigin": "Origins",
        "quarantinesByReason": "Quarantined, by reason",
        "quarantinesByPath": "Quarantined, by field",
        "prohibitedAttemptsByDimension": "Prohibited attempts",
    }
    for member, title in titles.items():
        if stats[member]:
            page.add((f"{title}:", TITLE))
            for name, count in stats[member].items():
                page.add(f"  {count:,} ", (name, DIM))
    page.show(out)
