"""What a walk gives: a tree of nodes, in wire order, and the limits it was made under (§11)."""

from __future__ import annotations

from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.planning.results import Plan, SignatureResult

DEFAULT_MAX_NODES = 64
FETCHES_PER_NODE = 3  # a manifest, its signature, its key
MAX_DEPTH = 100  # hops; more than any honest federation, less than the interpreter's stack


class NotFollowed(Record):
    """A reference that the walk did not follow, and why."""

    id: str
    url: str
    reason: str


class Node(Record):
    """One manifest of the walk: its plan, or the error that stopped it, and what it led to.

    `location` is the manifest's source, or what was asked for where nothing could be read.
    """

    ref_id: str | None
    location: str
    not_followed: tuple[NotFollowed, ...] = ()
    children: tuple[Node, ...] = ()
    signature: SignatureResult | None = None
    plan: Plan | None = None
    error: str | None = None

    def to_json(self, correlation_id: str | None = None) -> str:
        """The artifact as JSON text (`kind: "tree"`), without a final newline."""
        from kcp.wire.encode import artifact_json

        return artifact_json(self, correlation_id)


class WalkLimits(Record):
    """How far a walk goes: hops from the root (at most `MAX_DEPTH`), and manifests in total."""

    max_depth: int = 0
    max_nodes: int = DEFAULT_MAX_NODES
