"""`plan --memory`: compare with the newest episode of the same kind, then record (evidence contract §5)."""

from __future__ import annotations

from kcp.cli.memory import complain_of, episode_trust, key_flags, memory_folder, remarks, signing_key
from kcp.errors import UsageError
from kcp.evidence.census import Census
from kcp.evidence.episodes import PLAN, make_entry, timestamp
from kcp.evidence.options_key import options_key
from kcp.evidence.reuse import MISS, REUSE, Wanted, decide, find_episode, same_manifest
from kcp.evidence.store import EpisodeStore
from kcp.wire.encode import to_wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output
    from kcp.options import PlanOptions
    from kcp.planning.results import Plan
    from kcp.reading.sources import Sources


class PlanMemory:
    """The memory that one planning command compares with and records in.

    Made before anything is planned: a location or key that cannot be used ends the command first (B21).
    """

    def __init__(self, arguments: Arguments, sources: Sources) -> None:
        if arguments.switch("--trace"):
            raise UsageError("--memory records plans: it cannot go with --trace")
        self.arguments = arguments
        self.trust = episode_trust(arguments, sources)
        self.pair = signing_key(arguments, sources)
        self.store = EpisodeStore(memory_folder(arguments), writes=True)
        self.lines: list[tuple[str, str]] = []
        self.remarks: list[str] = []

    def record(self, plan: Plan, options: PlanOptions, now: int) -> None:
        """Compare with the newest episode for the task, manifest and options, and record the plan.

        Of a followed federation it is the root plan; `now` is in nanoseconds since 1970.
        """
        key = options_key(key_flags(self.arguments, options))
        census = Census(self.store, self.trust)
        wanted = Wanted(plan.task, plan.manifest.source, key, PLAN)
        decision = decide(find_episode(census, wanted), same_manifest(plan.manifest.sha256), None)
        mark = {REUSE: "✓", MISS: "·"}.get(decision.status, "⚠")
        since = "" if decision.entry is None else f" (episode of {decision.entry['recordedAt']})"
        self.lines.append((mark, f" {decision.detail}{since}"))
        self.remarks = remarks(census)
        recorded = self.store.append(make_entry(to_wire(plan), timestamp(now), key), self.pair)
        self.lines.append(("·", f" recorded as {recorded.entry['id']}"))
        if self.pair is not None:
            self.lines.append(("·", f" head {recorded.entry['integrity']['digest']}"))

    def show(self, out: Output) -> None:
        """The verdict: after a plan for people, on standard error beside JSON."""
        if self.arguments.switch("--json"):
            complain_of([mark + text for mark, text in self.lines])
        else:
            from kcp.cli.show.memory import add_verdict
            from kcp.cli.show.page import Page

            page = Page()
            add_verdict(page, self.lines)
            page.show(out)
        complain_of(self.remarks)
