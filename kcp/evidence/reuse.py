"""Reuse: may the newest episode of a task stand in for doing it again? (evidence contract §5, B17)

Every way in is shut unless the next check opens it: the entry must be sound, recorded for exactly this task,
manifest and options, signed by a trusted key where the reader has one, fresh, and made from units that
today's plan still lets the agent load.
"""

from __future__ import annotations

from kcp.errors import ArtifactError
from kcp.evidence.episodes import digest_of, has_answer
from kcp.evidence.recall import DRIFTED, UNVERIFIABLE, VALID, Freshness, lacking
from kcp.evidence.signed import VERIFIED
from kcp.evidence.store_index import candidates
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from kcp.evidence.census import Census
    from kcp.evidence.episodes import Entry
    from kcp.evidence.store import Stored
    from kcp.options import Capabilities
    from kcp.planning.results import Plan

    Hook = Callable[[Entry], Freshness]

MISS, REUSE = "miss", "reuse"
NO_EPISODE = "no prior episode for this task + manifest + options"
NO_HOOK = "no replay hook — cannot confirm the manifest is unchanged; refusing reuse (fail-closed)"
_SHORT = 12


class Wanted(Record):
    """What an episode must have been recorded for; any kind where `kind` is None."""

    task: str
    manifest_source: str | None
    options_key: str
    kind: str | None = None


class Decision(Record):
    """`reuse`, `miss`, `drifted` or `unverifiable`; `artifact` is set only where it may be served."""

    status: str
    detail: str
    entry: Entry | None = None
    artifact: Any = None


class Today(Record):
    """What an answer must still be allowed by: today's plans, and what the caller holds."""

    plans: tuple[Plan, ...]
    caller: Capabilities


def find_episode(census: Census, wanted: Wanted) -> Stored | None:
    """The newest episode recorded for exactly what is wanted; once a key is trusted, one it signed."""
    newest: Stored | None = None
    for name in _candidates(census, wanted):
        picked = census.reread(name)
        if picked is None or not _matches(picked[0].entry, wanted):
            continue
        stored, integrity = picked
        if census.trust.keys and integrity.state != VERIFIED:
            continue
        if newest is None or stored.entry["recordedAt"] > newest.entry["recordedAt"]:
            newest = stored
    return newest


def _candidates(census: Census, wanted: Wanted) -> list[str]:
    key = digest_of(wanted.options_key)
    if not census.trust.keys:
        return candidates(census.store, wanted.task, wanted.manifest_source, key)
    return [each.name for each in census.summaries() if (each.task, each.key_digest) == (wanted.task, key)]


def decide(found: Stored | None, hook: Hook | None, today: Today | None) -> Decision:
    """The contract's decision table. Without `today` only freshness is judged, and nothing is served."""
    if found is None:
        return Decision(MISS, NO_EPISODE)
    entry = found.entry
    if hook is None:
        return Decision(UNVERIFIABLE, NO_HOOK, entry)
    fresh = hook(entry)
    if fresh.status == UNVERIFIABLE:
        detail = f"could not verify freshness: {fresh.detail}; refusing reuse"
        return Decision(UNVERIFIABLE, detail, entry)
    if fresh.status != VALID:
        return Decision(DRIFTED, fresh.detail, entry)
    if today is None:
        return Decision(REUSE, fresh.detail, entry)
    missing = lacking(entry["artifact"], today.caller)
    if missing is not None:
        return Decision(DRIFTED, f"recorded with {missing}, which the caller does not present", entry)
    from kcp.evidence.gates import gated_unit

    try:
        gated = gated_unit(entry["artifact"], today.plans) if has_answer(entry["artifact"]) else None
    except ArtifactError as error:
        return Decision(UNVERIFIABLE, f"could not verify freshness: {error}; refusing reuse", entry)
    if gated is not None:
        return Decision(DRIFTED, gated, entry)
    return Decision(REUSE, fresh.detail, entry, entry["artifact"])


def _matches(entry: Entry, wanted: Wanted) -> bool:
    return (
        entry["task"] == wanted.task
        and entry.get("manifestSource") == wanted.manifest_source
        and entry.get("optionsKey", "") == wanted.options_key
        and wanted.kind in (None, entry["kind"])
    )


def same_manifest(sha256: str | None) -> Hook:
    """A hook for plans, which are made anew anyway: does the episode pin the bytes that were just planned?"""

    def compare(entry: Entry) -> Freshness:
        pinned = entry.get("manifestSha")
        if pinned is not None and pinned == sha256:
            return Freshness(VALID, f"manifest@{pinned[:_SHORT]}… unchanged")
        before, now = (pinned or "?")[:_SHORT], (sha256 or "?")[:_SHORT]
        return Freshness(DRIFTED, f"manifest drifted: episode {before}… ≠ today {now}…")

    return compare


def served(decision: Decision) -> Any:
    """The artifact of a reused answer as a command prints it: the episode's id first."""
    assert decision.entry is not None
    return {"reused": {"id": decision.entry["id"]}, **decision.artifact}
