"""What a saved artifact holds for replay: its shape, its plans, and how they were made."""

from __future__ import annotations

from kcp.errors import ArtifactError
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

UNRECOGNIZED = (
    "unrecognized artifact — expected the JSON output of `kcp-agent plan --json` (a plan or a --follow tree)"
)
MAX_NESTED = 100  # levels of a saved tree, as deep as any walk goes
_DEPTH_REASON = "beyond max depth "
_NODES_REASON = "beyond max nodes "
_FETCHES_REASON = "beyond max fetches "


class SavedNode(Record):
    """One node of a saved tree; a saved plan is a tree of one node."""

    ref_id: str | None
    plan: dict[str, Any] | None
    error: str | None
    not_followed: tuple[Any, ...] = ()
    children: tuple[SavedNode, ...] = ()
    is_tree: bool = False


def is_plan(value: object) -> bool:
    """Whether a JSON value has the shape of a plan."""
    return isinstance(value, dict) and isinstance(value.get("task"), str) and _lists(value, "selected")


def is_tree(value: object) -> bool:
    """Whether a JSON value has the shape of a tree."""
    return isinstance(value, dict) and _lists(value, "children")


def is_trace(value: object) -> bool:
    """Whether a JSON value has the shape of a trace."""
    return isinstance(value, dict) and _lists(value, "units") and _lists(value, "gateSummary")


def is_entry(value: object) -> bool:
    """Whether a JSON value has the shape of a memory entry."""
    return isinstance(value, dict) and "artifact" in value and isinstance(value.get("id"), str)


def is_loop(value: object) -> bool:
    """Whether a JSON value has the shape of a critique loop's result."""
    return isinstance(value, dict) and _lists(value, "basePlans") and _lists(value, "finalPlans")


def is_closed_loop(value: object) -> bool:
    """Whether a JSON value has the shape of a closed-loop result that carries no plan."""
    return (
        isinstance(value, dict)
        and not value.get("plan")
        and "final" in value
        and "answer" in value
        and _lists(value, "rounds")
    )


def is_grounded(value: object) -> bool:
    """Whether a JSON value has the shape of a grounded answer."""
    grounding = value.get("grounding") if isinstance(value, dict) else None
    return isinstance(grounding, dict) and _lists(grounding, "claims")


def _lists(value: dict[str, Any], key: str) -> bool:
    return isinstance(value.get(key), list)


def read_tree(value: object, depth: int = 0) -> SavedNode:
    """The tree in a JSON value: a plan, a tree, or what wraps one as `plan`; ArtifactError otherwise."""
    if depth > MAX_NESTED:
        raise ArtifactError(f"the saved tree is more than {MAX_NESTED} levels deep")
    if is_plan(value):
        assert isinstance(value, dict)
        return SavedNode(None, value, None)
    if is_tree(value):
        assert isinstance(value, dict)
        return _read_node(value, depth)
    if isinstance(value, dict) and value.get("plan"):
        return read_tree(value["plan"], depth + 1)
    raise ArtifactError(UNRECOGNIZED)


def _read_node(value: dict[str, Any], depth: int) -> SavedNode:
    plan, error = value.get("plan"), value.get("error")
    if plan is not None and not is_plan(plan):
        raise ArtifactError("a node of the saved tree has a 'plan' that is none")
    if plan is None and not isinstance(error, str):
        raise ArtifactError("a node of the saved tree has neither 'plan' nor 'error'")
    children = value["children"]
    if not all(is_tree(child) for child in children):
        raise ArtifactError("a node of the saved tree has a child that is no node")
    not_followed = value.get("notFollowed", [])
    if not isinstance(not_followed, list) or not all(isinstance(item, dict) for item in not_followed):
        raise ArtifactError("a node of the saved tree has a 'notFollowed' that is no list of objects")
    ref_id = value.get("refId")
    return SavedNode(
        ref_id=ref_id if isinstance(ref_id, str) else None,
        plan=plan,
        error=error if isinstance(error, str) else None,
        not_followed=tuple(not_followed),
        children=tuple([read_tree(child, depth + 1) for child in children]),
        is_tree=True,
    )


def all_nodes(node: SavedNode) -> Iterator[SavedNode]:
    """The nodes of a tree, each before its children."""
    yield node
    for child in node.children:
        yield from all_nodes(child)


def read_limits(root: SavedNode, unlimited: tuple[int, int], fetches_per_node: int) -> tuple[int, int]:
    """The depth and node limits a saved tree was made under, as its refusals name them, else `unlimited`."""
    depth, nodes = unlimited
    for node in all_nodes(root):
        for refusal in node.not_followed:
            reason = refusal.get("reason")
            if not isinstance(reason, str):
                continue
            depth = _limit(reason, _DEPTH_REASON, depth)
            nodes = _limit(reason, _NODES_REASON, nodes)
            nodes = min(nodes, _limit(reason, _FETCHES_REASON, nodes * fetches_per_node) // fetches_per_node)
    return min(depth, unlimited[0]), min(nodes, unlimited[1])


def _limit(reason: str, prefix: str, otherwise: int) -> int:
    number = reason.removeprefix(prefix).partition(" ")[0]
    known = reason.startswith(prefix) and number.isascii() and number.isdigit() and len(number) < 10
    return int(number) if known else otherwise


def text_at(value: object, *keys: str) -> str | None:
    """The text at a path of members, or None where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else None
