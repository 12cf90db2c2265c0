"""The walk over a federation: `walk` follows references depth first, `ahead` reads siblings together, and
`nodes` is the tree that comes of it (planner contract §11, decisions B12 and B22)."""

from __future__ import annotations

from kcp.federation.nodes import (
    DEFAULT_MAX_NODES,
    FETCHES_PER_NODE,
    MAX_DEPTH,
    Node,
    NotFollowed,
    WalkLimits,
)
from kcp.federation.walk import Walk

__all__ = [
    "DEFAULT_MAX_NODES",
    "FETCHES_PER_NODE",
    "MAX_DEPTH",
    "Node",
    "NotFollowed",
    "Walk",
    "WalkLimits",
]
