"""Reading remote siblings together, before the walk comes to them.

A walk takes references one after another, and most of its time would go by waiting for servers. So when it
comes to a remote reference, those after it are requested together with it; their signatures and keys next.
Which requests are made follows from the walk alone, and answers are used in the walk's order, so the result
does not depend on how fast a server is. It is also the result of a walk that asks for one thing at a time,
for requests made in vain never take from what the walk will need itself:

- On the deepest level a reference leads to one manifest and no further, so all that have room are certain.
- Above it, what lies below the first reference may use up the walk's limits before the second is reached.
  There a reference after the first is requested only with what earlier manifests have left over of their
  three fetches (manifest, signature, key).

Two things are not foreseen: a redirect from one sibling to another, and a signature that cannot be had, so
that its key is not needed. Where an estate made of those runs into the cap on fetches, it meets it earlier.
The cap itself is never exceeded.
"""

from __future__ import annotations

from kcp.federation.loading import Child, Loaded, identity_of, parsed, read_child
from kcp.federation.nodes import FETCHES_PER_NODE
from kcp.reading.sources import MAX_MATERIAL_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.network.budget import Answer, BudgetedFetcher
    from kcp.reading.sources import Sources
    from kcp.trust.policy import TrustPolicy

# A larger manifest, in bytes, is not parsed before its turn: parsed, it may take many times the memory.
_LARGE = 256 * 1024


class _Waiting:
    """What was read before its turn, and its material once that was asked for."""

    __slots__ = ("loaded", "material")

    def __init__(self, loaded: Loaded) -> None:
        self.loaded = loaded
        self.material: dict[str, Answer] | None = None


class Ahead:
    """What was requested before its turn; at most twice as many manifests as run at a time are kept.

    `visited` is the walk's own, and grows.
    """

    def __init__(
        self, fetcher: BudgetedFetcher, sources: Sources, trust: TrustPolicy, visited: set[str]
    ) -> None:
        self._fetcher = fetcher
        self._sources = sources
        self._trust = trust
        self._visited = visited
        self._waiting: dict[str, _Waiting] = {}

    def holds(self, child: Child) -> bool:
        """Whether the answer for a reference is here."""
        return child.location in self._waiting

    def prepare(self, siblings: list[Child | str], *, room: int, deepest: bool) -> None:
        """Request what the walk will need from the first sibling on.

        `room` is how many manifests the walk may still visit; `deepest` says that none of them leads further.
        """
        coming = self._coming(siblings, room)
        if not coming[0].remote:
            return
        if not self.holds(coming[0]):
            self._request_manifests(coming[: self._certain(deepest) + self._spare(room, deepest)])
        self._request_material(coming, deepest)

    def take(self, child: Child) -> tuple[Loaded, dict[str, Answer]]:
        """What a reference led to, and the answers that its verification will ask for; given once."""
        waiting = self._waiting.pop(child.location, None)
        if waiting is None:
            return read_child(child, self._sources), {}
        return waiting.loaded, waiting.material or {}

    def forget(self, siblings: list[Child | str]) -> None:
        """Drop what the walk passed by after all."""
        if self._waiting:
            for sibling in siblings:
                if isinstance(sibling, Child):
                    self._waiting.pop(sibling.location, None)

    def _coming(self, siblings: list[Child | str], room: int) -> list[Child]:
        """The siblings that will be visited if nothing unforeseen happens."""
        coming = [
            sibling
            for sibling in siblings
            if isinstance(sibling, Child) and sibling.identity not in self._visited
        ]
        return coming[:room]

    def _certain(self, deepest: bool) -> int:
        """How many of the coming siblings are certain to be reached and to find fetches left."""
        if not deepest:
            return 1
        kept = 2 * self._fetcher.workers - len(self._waiting)
        return max(1, min(self._fetcher.workers, self._fetcher.left // FETCHES_PER_NODE, kept))

    def _spare(self, room: int, deepest: bool) -> int:
        """How many requests may turn out to be in vain without being missed."""
        if deepest:
            return 0
        unneeded = self._fetcher.left - FETCHES_PER_NODE * room
        return max(0, min(unneeded, self._fetcher.workers - 1 - len(self._waiting)))

    def _request_manifests(self, children: list[Child]) -> None:
        chosen: dict[str, Child] = {}
        for child in children:
            if child.remote and not self.holds(child):
                chosen.setdefault(child.identity, child)
        wanted = list(chosen.values())
        answers = self._fetcher.fetch_all([child.location for child in wanted])
        for child, answer in zip(wanted, answers, strict=False):
            self._fetcher.lend({child.location: answer})
            self._waiting[child.location] = _Waiting(read_child(child, self._sources))

    def _request_material(self, coming: list[Child], deepest: bool) -> None:
        """Request signatures and keys of the siblings that are certain to be visited."""
        wanted: list[tuple[_Waiting, str]] = []
        seen: set[str] = set()
        for child in coming:
            waiting = self._waiting.get(child.location)
            if waiting is not None and self._is_new(waiting.loaded, seen):
                waiting.loaded = parsed(waiting.loaded, self._sources)
                if waiting.material is None:
                    waiting.material = {}
                    wanted += [(waiting, url) for url in self._material_urls(waiting.loaded)]
                if waiting.loaded.manifest is None or not waiting.loaded.manifest.manifests:
                    continue
            if not deepest:
                break
        answers = self._fetcher.fetch_all([url for _, url in wanted], keep=MAX_MATERIAL_BYTES + 1)
        for (waiting, url), answer in zip(wanted, answers, strict=False):
            if waiting.material is not None:
                waiting.material[url] = answer

    def _material_urls(self, loaded: Loaded) -> list[str]:
        if loaded.read is None or loaded.manifest is None or loaded.manifest.signing is None:
            return []
        return self._trust.material_urls(loaded.manifest.signing, loaded.read.source)

    def _is_new(self, loaded: Loaded, seen: set[str]) -> bool:
        """Whether a manifest will be visited and may be parsed now: small, and under no URL met before."""
        if loaded.read is None:
            return True
        if len(loaded.read.data) > _LARGE:
            return False
        identity = identity_of(loaded.read.source, self._sources)
        is_new = identity not in self._visited and identity not in seen
        seen.add(identity)
        return is_new
