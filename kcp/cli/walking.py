"""Flags about following a federation, and what a walk that failed at its root says."""

from __future__ import annotations

from kcp.errors import KcpError, UsageError
from kcp.federation import DEFAULT_MAX_NODES, MAX_DEPTH, WalkLimits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.federation import Node

ALONE = WalkLimits(max_depth=0, max_nodes=1)


def walk_limits(arguments: Arguments) -> WalkLimits | None:
    """How far to follow the federation, or None where it is not followed; `--max-depth` implies following."""
    depth, nodes = arguments.count("--max-depth"), arguments.count("--max-nodes")
    if depth is None and not arguments.switch("--follow"):
        return None
    if depth is not None and depth > MAX_DEPTH:
        raise UsageError(f"--max-depth must be at most {MAX_DEPTH}, not '{depth}'")
    return WalkLimits(1 if depth is None else depth, DEFAULT_MAX_NODES if nodes is None else nodes)


def root_failure(root: Node) -> KcpError:
    """The error of a root that could not be planned; a place in it is given as `file:line:column`."""
    message = root.error or "no plan"
    if message.startswith("parse failed: ") and message.endswith(")"):
        text, _, place = message[:-1].rpartition(" (")
        line, _, column = place.partition(":")
        if line.isdigit() and column.isdigit():
            message = f"{text} ({root.location}:{line}:{column})"
    return KcpError(f"{root.location}: {message}")
