"""The chain of signed episodes: each names the one before it, so that a missing one shows (contract §14)."""

from __future__ import annotations

from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from kcp.evidence.signed import Removal

INTACT, BROKEN, EMPTY = "intact", "broken", "empty"
_SHOWN = 12


class Link(Record):
    """A signed episode as the chain sees it; `trusted` where one of the reader's keys signed it."""

    digest: str
    prev: str | None
    trusted: bool


class Chain(Record):
    """The state of a chain: `intact`, `broken` for the `faults`, or `empty`; `head` is its last digest."""

    state: str
    head: str | None = None
    length: int = 0
    faults: tuple[str, ...] = ()


def check_chain(links: Iterable[Link], removals: Iterable[Removal], expected: str | None = None) -> Chain:
    """Whether the trusted episodes are one unbroken line, and whether the `expected` head lies on it.

    An entry's digest covers its `prev`, so what a trusted entry leads to is vouched for, whoever signed it.
    """
    prevs: dict[str, str | None] = {}
    trusted = []
    for link in links:
        prevs.setdefault(link.digest, link.prev)
        if link.trusted:
            trusted.append(link.digest)
    removed = {removal.digest: removal.prev for removal in removals}
    faults = [
        f"episode {digest[:_SHOWN]}… was replaced or pruned, yet is there: rolled back"
        for digest in trusted
        if digest in removed
    ]
    seen, tips = _walk(trusted, prevs, removed, faults)
    if len(tips) > 1:
        faults.append(f"{len(tips)} episodes have no successor: some were taken out or put in")
    head = tips[-1] if len(tips) == 1 else None
    if expected is not None and expected not in seen:
        faults.append(f"the expected head {expected[:_SHOWN]}… is not in it: its end was lost or rolled back")
    if faults:
        return Chain(BROKEN, head, len(trusted), tuple(faults))
    return Chain(INTACT if trusted else EMPTY, head, len(trusted))


def _walk(
    trusted: list[str], prevs: dict[str, str | None], removed: dict[str, str | None], faults: list[str]
) -> tuple[set[str], list[str]]:
    """The digests that trusted episodes vouch for, and the trusted ones that none of them leads to."""
    seen: set[str] = set()
    tips: dict[str, None] = {}
    for start in trusted:
        if start in seen:
            continue
        tips[start] = None
        at: str | None = start
        while at is not None and at not in seen:
            if at in prevs:
                before = prevs[at]
            elif at in removed:
                before = removed[at]
            else:
                faults.append(f"episode {at[:_SHOWN]}… is missing: deleted, or changed")
                break
            seen.add(at)
            at = before
        if at is not None:
            tips.pop(at, None)
    return seen, list(tips)
