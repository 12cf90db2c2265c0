"""`kcp-agent recall "TASK" --memory DIR`: episodes that share words with a task, and whether they hold."""

from __future__ import annotations

from kcp.api import today
from kcp.cli.exit_codes import DONE, FAILED, UNCHECKED, worst
from kcp.cli.memory import complain_of, episode_trust, memory_folder, remarks
from kcp.cli.parser import CommandLineError
from kcp.cli.planning_options import plan_options
from kcp.cli.sources import sources_of, trust_of
from kcp.evidence.census import Census
from kcp.evidence.recall import DRIFTED, UNVERIFIABLE, Recall
from kcp.evidence.store import EpisodeStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output
    from kcp.evidence.recall import Hit
    from kcp.reading.sources import Sources


def run(arguments: Arguments, out: Output) -> int:
    """List the hits: 1 where one drifted or the store was tampered with, 3 where one could not be checked.

    The reference makes a store that is missing. Decision B21 has it otherwise: a location that cannot be read
    ends the command with 3, and reading makes nothing.
    """
    task = arguments.text("--task") or " ".join(arguments.positionals)
    if not task:
        raise CommandLineError("Missing task.", usage="recall")
    folder = memory_folder(arguments)
    sources = sources_of(arguments)
    trust = episode_trust(arguments, sources)
    recall = _recall(arguments, sources, Census(EpisodeStore(folder, create=False), trust))
    hits = recall.hits(task, arguments.count("--limit"))
    statuses = _print_json(hits, out) if arguments.switch("--json") else _show(hits, out)
    if not statuses and not arguments.switch("--json"):
        _tell_of_none(recall.found, out)
    codes = [DONE, *_judge_store(recall.census)]
    if arguments.switch("--replay"):
        codes += [FAILED] * (DRIFTED in statuses) + [UNCHECKED] * (UNVERIFIABLE in statuses)
    complain_of([f"withheld an answer made with {what}" for what in recall.withheld])
    return worst(codes)


def _recall(arguments: Arguments, sources: Sources, census: Census) -> Recall:
    caller = plan_options(arguments, today()).capabilities
    if not arguments.switch("--replay"):
        return Recall(census, caller)
    from kcp.evidence.gates import todays_gates
    from kcp.evidence.replay import ReplaySettings, replay_any

    trust = trust_of(arguments, sources)
    settings = ReplaySettings(sources, trust.verify, trust.pinned, trust.keyring)
    return Recall(
        census,
        caller,
        lambda artifact, name: replay_any(artifact, name, settings),
        todays_gates(settings, today()),
    )


def _judge_store(census: Census) -> list[int]:
    """Codes for what is wrong with a store whose writers the reader knows; it is told on standard error."""
    complain_of(remarks(census))
    chain = census.chain()
    if chain is None:
        return []
    complain_of([f"chain {chain.state}: {fault}" for fault in chain.faults])
    if not chain.faults:
        complain_of([f"chain {chain.state}: {chain.length} signed episode(s), head {chain.head or '(none)'}"])
    return [FAILED] if chain.faults or census.bad_signatures else []


def _print_json(hits: Iterable[Hit], out: Output) -> set[str]:
    """A JSON list, written a hit at a time."""
    from kcp.wire.encode import to_wire
    from kcp.wire.jsontext import encode_json

    statuses = set()
    lead = "["
    for hit in hits:
        statuses.add(hit.status)
        out.write(f"{lead}\n  " + encode_json(to_wire(hit)).replace("\n", "\n  "))
        lead = ","
    out.write("[]\n" if lead == "[" else "\n]\n")
    return statuses


def _show(hits: Iterable[Hit], out: Output) -> set[str]:
    from kcp.cli.show.memory import add_hit
    from kcp.cli.show.page import Page

    statuses = set()
    for hit in hits:
        statuses.add(hit.status)
        page = Page()
        add_hit(page, hit)
        page.show(out)
    return statuses


def _tell_of_none(found: int, out: Output) -> None:
    if not found:
        out.line("No episode shares a word with the task.")
    elif found == 1:
        out.line("1 episode shares a word with the task; it is not listed.")
    else:
        out.line(f"{found:,} episodes share a word with the task; none is listed.")
