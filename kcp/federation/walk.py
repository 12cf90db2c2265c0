"""The walk over a federation: load, verify, plan, follow (planner contract §11, decisions B12 and B22)."""

from __future__ import annotations

from kcp.errors import FetchError, UsageError
from kcp.federation.loading import Child, Loaded, identity_of, parsed, read_child
from kcp.federation.nodes import FETCHES_PER_NODE, MAX_DEPTH, Node, NotFollowed
from kcp.planning.planner import make_plan
from kcp.reading.locate import is_remote, resolve
from kcp.wire.numbers import money

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from kcp.federation.ahead import Ahead
    from kcp.federation.nodes import WalkLimits
    from kcp.model import Manifest
    from kcp.network.budget import Answer, BudgetedFetcher
    from kcp.options import PlanOptions
    from kcp.planning.results import FederationEntry, Plan, SignatureResult
    from kcp.reading.sources import ManifestBytes, Sources
    from kcp.trust.policy import TrustPolicy

WORKERS = 32
VISITED = "already visited (cycle)"
_LOOK = 64  # siblings from the present one on that are looked at for what to request


class Walk:
    """One walk: its limits, the tree-wide ledger, and what was visited.

    `on_visit` is told each location before it is read. Up to `workers` requests run at a time; 1 means that
    everything is requested in its turn. `root_manifest` and `root_signature` are kept for a trace of the
    same verified bytes (B10).
    """

    def __init__(
        self,
        task: str,
        options: PlanOptions,
        sources: Sources,
        trust: TrustPolicy,
        limits: WalkLimits,
        on_visit: Callable[[str], None] | None = None,
        *,
        workers: int = WORKERS,
    ) -> None:
        if not 0 <= limits.max_depth <= MAX_DEPTH:
            raise UsageError(f"max depth must be 0 to {MAX_DEPTH}")
        self.task = task
        self.options = options
        self.trust = trust
        self.limits = limits
        self.on_visit = on_visit
        self.nodes = 0
        self.root_manifest: Manifest | None = None
        self.root_signature: SignatureResult | None = None
        self._visited: set[str] = set()
        self._committed = (options.budget.spent or 0) if options.budget is not None else 0
        self._workers = workers
        self._fetcher: BudgetedFetcher | None = None
        self._ahead: Ahead | None = None
        self._sources = sources
        if sources.fetcher is not None:
            from kcp.network.budget import BudgetedFetcher

            cap = FETCHES_PER_NODE * max(1, limits.max_nodes)
            self._fetcher = BudgetedFetcher(sources.fetcher, cap, workers)
            self._sources = sources.with_fetcher(self._fetcher)

    def run(self, location: str) -> Node:
        """The tree from a root location; an error there is the root node's `error`."""
        root = Child(location, identity_of(location, self._sources), is_remote(location))
        node = self._visit([root], None, 0)
        assert isinstance(node, Node), "the root is never passed by"
        return node

    def _visit(self, siblings: list[Child | str], ref_id: str | None, depth: int) -> Node | str:
        """The first sibling's node with all that it leads to, or why it is not followed."""
        node = self._read_and_plan(siblings, ref_id, depth)
        if isinstance(node, str) or node.plan is None:
            return node
        not_followed, children = self._follow(node.location, node.plan, depth)
        return node.replace(not_followed=tuple(not_followed), children=tuple(children))

    def _follow(self, source: str, plan: Plan, depth: int) -> tuple[list[NotFollowed], list[Node]]:
        not_followed: list[NotFollowed] = []
        children: list[Node] = []
        pending = [self._consider(source, entry, depth) for entry in plan.federation]
        for place, entry in enumerate(plan.federation):
            reached: Node | str | None = self._refuse(pending[place])
            if reached is None:
                reached = self._visit(pending[place : place + _LOOK], entry.id, depth + 1)
            if isinstance(reached, str):
                not_followed.append(NotFollowed(entry.id, entry.url, reached))
            else:
                children.append(reached)
        if self._ahead is not None:
            self._ahead.forget(pending)
        return not_followed, children

    def _consider(self, source: str, entry: FederationEntry, depth: int) -> Child | str:
        """Rules 1–4: where a reference leads, or why it is not followed."""
        if not entry.selected:
            return entry.reason
        if entry.credential_needed is not None:
            return f"needs {entry.credential_needed} before fetch"
        if depth >= self.limits.max_depth:
            return f"beyond max depth {self.limits.max_depth}"
        location = self._sources.mirror(source, entry.local_mirror)
        if location is None:
            try:
                location = resolve(source, entry.url)
            except FetchError as error:
                # A remote manifest's reference must never be taken for a path of this machine.
                return Child(entry.url, "", remote=False, fault=str(error))
        return Child(location, identity_of(location, self._sources), is_remote(location))

    def _refuse(self, child: Child | str) -> str | None:
        """Why a reference is not followed: rules 1–3 as considered, 5, 6, and the cap on fetches."""
        if isinstance(child, str):
            return child
        if child.identity in self._visited:
            return VISITED
        if self.nodes >= self.limits.max_nodes:
            return f"beyond max nodes {self.limits.max_nodes} (fan-out cap)"
        held = self._ahead is not None and self._ahead.holds(child)
        if child.remote and not held and self._fetcher is not None and self._fetcher.left <= 0:
            return self._fetcher.refusal
        return None

    def _read_and_plan(self, siblings: list[Child | str], ref_id: str | None, depth: int) -> Node | str:
        """The first sibling's node without children; `already visited` where a redirect reveals it.

        A frame of its own, so that the manifest and its bytes are gone while the walk goes deeper.
        """
        child = siblings[0]
        assert isinstance(child, Child)
        loaded, material = self._load(child, siblings, depth)
        if loaded.read is not None:
            identity = identity_of(loaded.read.source, self._sources)
            if identity in self._visited:
                self._visited.add(child.identity)
                return VISITED
            self._visited.update((child.identity, identity))
        self.nodes += 1
        loaded = parsed(loaded, self._sources)
        if loaded.read is None:
            return Node(ref_id, child.location, error=loaded.error)
        if loaded.manifest is None:
            return Node(ref_id, loaded.read.source, error=loaded.error)
        signature = self._verify(loaded.manifest, loaded.read, material)
        refusal = self.trust.refusal(signature)
        if refusal is not None:
            return Node(ref_id, loaded.read.source, signature=signature, error=refusal)
        if depth == 0:
            self.root_manifest, self.root_signature = loaded.manifest, signature
        plan = self._plan(loaded.manifest).replace(signature=signature)
        return Node(ref_id, loaded.read.source, signature=signature, plan=plan)

    def _load(
        self, child: Child, siblings: list[Child | str], depth: int
    ) -> tuple[Loaded, dict[str, Answer]]:
        if self.on_visit is not None:
            self.on_visit(child.location)
        if self._ahead is None and child.remote and self._fetcher is not None and self._workers > 1:
            from kcp.federation.ahead import Ahead

            self._ahead = Ahead(self._fetcher, self._sources, self.trust, self._visited)
        if self._ahead is None:
            return read_child(child, self._sources), {}
        room = max(1, self.limits.max_nodes - self.nodes)
        self._ahead.prepare(siblings, room=room, deepest=depth >= self.limits.max_depth)
        return self._ahead.take(child)

    def _verify(
        self, manifest: Manifest, read: ManifestBytes, material: dict[str, Answer]
    ) -> SignatureResult | None:
        if self._fetcher is not None:
            self._fetcher.lend(material)
        return self.trust.check(manifest.signing, read, self._sources)

    def _plan(self, manifest: Manifest) -> Plan:
        """The plan of one manifest under what the rest of the tree has left of the money budget."""
        budget = self.options.budget
        if budget is None:
            return make_plan(manifest, self.task, self.options)
        spent = money(self._committed) if self._committed > 0 else None
        plan = make_plan(manifest, self.task, self.options.replace(budget=budget.replace(spent=spent)))
        self._committed = money(self._committed + (plan.budget.projected_spend or 0))
        return plan
