"""Episodes and what memory has to say, for people."""

from __future__ import annotations

from kcp.cli.show.page import BAD, DIM, GOOD, ID, TITLE, WARN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.show.page import Page
    from kcp.evidence.recall import Hit
    from kcp.evidence.upkeep import Pruned, StoreStats

_STYLES = {"✓": GOOD, "⚠": WARN, "✗": BAD}
_HIT_MARKS = {"valid": ("✓", GOOD), "drifted": ("✗", BAD), "unverifiable": ("·", DIM)}
_SHORT = 12


def add_verdict(page: Page, lines: list[tuple[str, str]]) -> None:
    """What `plan --memory` found and did, each line with its mark."""
    for mark, text in lines:
        page.add(("Memory: ", TITLE), (mark, _STYLES.get(mark, DIM)), text)


def add_hit(page: Page, hit: Hit) -> None:
    """An episode that recall found."""
    entry = hit.entry
    page.add(
        _HIT_MARKS[hit.status],
        " ",
        (entry["id"][:_SHORT], ID),
        f"  {entry['kind']} (score {hit.score})  {entry['task']}",
    )
    source = entry.get("manifestSource") or "(no manifest)"
    page.add((f"    {source} · {entry['recordedAt']} · {hit.integrity}", DIM))
    page.add(f"    {hit.status}: {hit.detail}")


def add_stats(page: Page, folder: str, stats: StoreStats) -> None:
    """What is in a store."""
    page.add(("Memory: ", TITLE), folder)
    page.add(f"  {stats.episodes:,} episode(s), {stats.size:,} bytes")
    if stats.oldest is not None:
        page.add(f"  oldest {stats.oldest}, newest {stats.newest}")
    for heading, counts in (
        ("Kinds", stats.kinds),
        ("Ages", stats.ages),
        ("Manifests", stats.manifests),
        ("Integrity", stats.integrity),
    ):
        if stats.episodes:
            page.add((f"{heading}:", TITLE))
        for name, count in counts.items():
            if count:
                page.add("  ", (name, ID), f": {count:,}")


def add_pruned(page: Page, pruned: Pruned, *, dry_run: bool) -> None:
    """What pruning took away, or would."""
    for name in pruned.names:
        page.add("  - ", (name, DIM))
    verb = "would prune" if dry_run else "pruned"
    page.add(f"{verb} {len(pruned.names):,} episode(s), {pruned.size:,} bytes; {pruned.left:,} left")
    if pruned.signed_left:
        page.add(
            ("⚠ ", WARN), f"{pruned.signed_left:,} old episode(s) are signed: prune them with --sign-key"
        )
