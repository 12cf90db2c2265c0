"""`kcp-agent remember FILE --memory DIR`: keep an artifact, without the text of its units."""

from __future__ import annotations

import time

from kcp.cli.exit_codes import DONE
from kcp.cli.memory import memory_folder, signing_key
from kcp.cli.parser import CommandLineError
from kcp.evidence.artifacts import read_artifact
from kcp.evidence.episodes import make_entry, require_replayable, timestamp
from kcp.evidence.store import EpisodeStore
from kcp.reading.sources import Sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output


def run(arguments: Arguments, out: Output) -> int:
    """Record the artifact: 1 where memory has no use for it."""
    path = next(iter(arguments.positionals), "") or arguments.text("--manifest")
    if not path:
        raise CommandLineError("Missing artifact path.", usage="remember")
    folder = memory_folder(arguments)
    pair = signing_key(arguments, Sources())
    artifact = read_artifact(path)
    require_replayable(artifact)
    entry = make_entry(artifact, timestamp(time.time_ns()))
    recorded = EpisodeStore(folder, writes=True).append(entry, pair).entry
    about: dict[str, Any] = {key: recorded[key] for key in ("id", "kind", "task")}
    if pair is not None:
        about["head"] = recorded["integrity"]["digest"]
    if arguments.switch("--json"):
        from kcp.wire.jsontext import encode_json

        out.line(encode_json(about))
    else:
        _show(about, out)
    return DONE


def _show(about: dict[str, Any], out: Output) -> None:
    from kcp.cli.show.page import GOOD, ID, Page

    page = Page()
    page.add(("✓", GOOD), " remembered ", (about["id"], ID), f"  {about['kind']}  {about['task']}")
    if "head" in about:
        page.add(f"  head {about['head']}")
    page.show(out)
