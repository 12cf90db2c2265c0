"""`kcp-agent memory stats|prune`: what a store holds, and taking old episodes out of it."""

from __future__ import annotations

import time

from kcp.cli.exit_codes import DONE, FAILED
from kcp.cli.memory import complain_of, episode_trust, remarks, signing_key
from kcp.cli.parser import CommandLineError
from kcp.errors import UsageError
from kcp.evidence.store import EpisodeStore
from kcp.reading.sources import Sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output

_VERBS = ("stats", "prune")


def run(arguments: Arguments, out: Output) -> int:
    """Count or prune the episodes of a store, which must be there (decision B21)."""
    verb, *rest = arguments.positionals or [""]
    if verb not in _VERBS:
        raise CommandLineError("Missing stats or prune.", usage="memory")
    folder = next(iter(rest), "") or arguments.text("--memory")
    if not folder:
        raise CommandLineError("Missing --memory <dir>.", usage="memory")
    if verb == "stats":
        return _stats(arguments, EpisodeStore(folder, create=False), out)
    return _prune(arguments, folder, out)


def _stats(arguments: Arguments, store: EpisodeStore, out: Output) -> int:
    from kcp.evidence.census import Census
    from kcp.evidence.upkeep import count_episodes

    census = Census(store, episode_trust(arguments, Sources()))
    stats = count_episodes(census, time.time_ns())
    chain = census.chain()
    if arguments.switch("--json"):
        from kcp.wire.encode import to_wire
        from kcp.wire.jsontext import encode_json

        passed = [{"file": each.name, "reason": each.reason} for each in census.passed]
        wire = {**to_wire(stats), "passedOver": census.passed_count, "passed": passed}
        if chain is not None:
            wire["chain"] = to_wire(chain)
        out.line(encode_json(wire))
    else:
        from kcp.cli.show.memory import add_stats
        from kcp.cli.show.page import Page

        page = Page()
        add_stats(page, store.folder, stats)
        if chain is not None:
            page.add(f"Chain: {chain.state}, {chain.length} signed episode(s), head {chain.head or '(none)'}")
        page.show(out)
    complain_of(remarks(census))
    if chain is None:
        return DONE
    complain_of([f"chain {chain.state}: {fault}" for fault in chain.faults])
    return FAILED if chain.faults or census.bad_signatures else DONE


def _prune(arguments: Arguments, folder: str, out: Output) -> int:
    from kcp.evidence.episodes import timestamp
    from kcp.evidence.upkeep import prune, read_age

    age = arguments.text("--older-than")
    if age is None:
        raise UsageError("memory prune needs --older-than, such as --older-than 90d")
    before = timestamp(max(time.time_ns() - read_age("--older-than", age), 0))
    pair = signing_key(arguments, Sources())
    dry_run = arguments.switch("--dry-run")
    store = EpisodeStore(folder, create=False, writes=not dry_run)
    pruned = prune(store, before, pair, dry_run=dry_run)
    if arguments.switch("--json"):
        from kcp.wire.encode import to_wire
        from kcp.wire.jsontext import encode_json

        out.line(encode_json({"dryRun": dry_run, **to_wire(pruned)}))
    else:
        from kcp.cli.show.memory import add_pruned
        from kcp.cli.show.page import Page

        page = Page()
        add_pruned(page, pruned, dry_run=dry_run)
        page.show(out)
    return DONE
