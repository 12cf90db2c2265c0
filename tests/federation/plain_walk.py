"""The walk as the contract tells it, one step after another: what the real one is compared with."""

from __future__ import annotations

from kcp.errors import FetchError, KcpError
from kcp.federation import Node, NotFollowed
from kcp.network.fetcher import Fetched, Fetcher
from kcp.options import PlanOptions
from kcp.planning.planner import make_plan
from kcp.reading.load import parse_bytes
from kcp.reading.sources import ManifestBytes, Sources
from kcp.text.weburl import join_url, parse_url
from kcp.trust.policy import TrustPolicy
from kcp.wire.numbers import money
from tests.support import TASK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.model import Manifest
    from kcp.planning.results import FederationEntry, Plan


class _Counting(Fetcher):
    def __init__(self, fetcher: Fetcher, cap: int) -> None:
        self.fetcher, self.cap, self.left = fetcher, cap, cap

    def fetch(self, url: str) -> Fetched:
        if self.left == 0:
            raise FetchError(f"beyond max fetches {self.cap} (fan-out cap)")
        self.left -= 1
        return self.fetcher.fetch(url)


class PlainWalk:
    """Remote manifests only."""

    def __init__(
        self, web: Fetcher, options: PlanOptions, trust: TrustPolicy, depth: int, nodes: int
    ) -> None:
        self.options, self.trust, self.depth, self.max_nodes = options, trust, depth, nodes
        self.fetcher = _Counting(web, 3 * nodes)
        self.visited: set[str] = set()
        self.nodes = 0
        self.committed = (options.budget.spent or 0) if options.budget else 0

    def visit(self, ref_id: str | None, url: str, depth: int) -> Node | str:
        try:
            fetched = self.fetcher.fetch(url)
        except FetchError as error:
            if str(error).startswith("beyond max fetches"):
                return str(error)
            self.nodes += 1
            return Node(ref_id, url, error=f"fetch failed: {error}")
        if key(fetched.url) in self.visited:
            self.visited.add(key(url))
            return "already visited (cycle)"
        self.visited |= {key(url), key(fetched.url)}
        self.nodes += 1
        read = ManifestBytes(fetched.url, fetched.data)
        try:
            manifest = parse_bytes(read)
        except KcpError as error:
            return Node(ref_id, fetched.url, error=f"parse failed: {error}")
        signature = self.trust.check(manifest.signing, read, Sources(self.fetcher))
        refusal = self.trust.refusal(signature)
        if refusal:
            return Node(ref_id, fetched.url, signature=signature, error=refusal)
        plan = self.plan(manifest).replace(signature=signature)
        not_followed, children = [], []
        for entry in plan.federation:
            reached = self.follow(fetched.url, entry, depth)
            if isinstance(reached, str):
                not_followed.append(NotFollowed(entry.id, entry.url, reached))
            else:
                children.append(reached)
        return Node(ref_id, fetched.url, tuple(not_followed), tuple(children), signature, plan)

    def plan(self, manifest: Manifest) -> Plan:
        budget = self.options.budget
        if budget is None:
            return make_plan(manifest, TASK, self.options)
        spent = money(self.committed) if self.committed > 0 else None
        plan = make_plan(manifest, TASK, self.options.replace(budget=budget.replace(spent=spent)))
        self.committed = money(self.committed + (plan.budget.projected_spend or 0))
        return plan

    def follow(self, source: str, entry: FederationEntry, depth: int) -> Node | str:
        if not entry.selected:
            return entry.reason
        if entry.credential_needed:
            return f"needs {entry.credential_needed} before fetch"
        if depth >= self.depth:
            return f"beyond max depth {self.depth}"
        target = entry.url if entry.url.startswith(("http://", "https://")) else join_url(source, entry.url)
        if target is not None and key(target) in self.visited:
            return "already visited (cycle)"
        if self.nodes >= self.max_nodes:
            return f"beyond max nodes {self.max_nodes} (fan-out cap)"
        if target is None:
            self.nodes += 1
            return Node(entry.id, entry.url, error=f"fetch failed: not a valid URL: {entry.url}")
        return self.visit(entry.id, target, depth + 1)


def key(url: str) -> str:
    parsed = parse_url(url)
    return url if parsed is None else parsed.replace(fragment=None).text
