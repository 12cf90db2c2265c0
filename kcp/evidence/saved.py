"""What a saved artifact holds for replay: its shape, its plans, and how they were made."""

from __future__ import annotations

from kcp.errors import ArtifactError
from kcp.records import Record
from kcp.wire.decode import describe
from kcp.wire.encode import SCHEMA_VERSION
from kcp.wire.numbers import json_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

UNRECOGNIZED = (
    "unrecognized artifact — expected the JSON output of `kcp-agent plan --json` (a plan or a --follow tree)"
)
MAX_NESTED = 100  # levels of a saved tree, as deep as any walk goes
MORE_NODES = 64  # how many nodes a walk may find beyond those saved, all of them drift
ENVELOPE = ("schemaVersion", "kind", "correlationId")
PLAN, TREE, TRACE = "plan", "tree", "trace"
# What can be told apart, by what it must have.
KINDS = {
    PLAN: "a text 'task' and a list 'selected'",
    TREE: "a list 'children'",
    TRACE: "a 'plan', and the lists 'units' and 'gateSummary'",
}
_KINDS_NAMED = "'plan', 'tree' or 'trace'"
_SHOWN = 40  # characters of a kind that is none
_OF_TREES = ("children", "notFollowed")
_OF_TRACES = ("taskTerms", "gateSummary")
_DEPTH_REASON = "beyond max depth "
_NODES_REASON = "beyond max nodes "
_FETCHES_REASON = "beyond max fetches "


class SavedNode(Record):
    """One node of a saved tree; a saved plan is a tree of one node.

    `about` are the members besides `plan`, `children` and `notFollowed`; `trace` is the trace that held the
    plan.
    """

    plan: dict[str, Any] | None
    about: dict[str, Any]
    not_followed: tuple[Any, ...] = ()
    children: tuple[SavedNode, ...] = ()
    is_tree: bool = False
    trace: dict[str, Any] | None = None

    @property
    def ref_id(self) -> str | None:
        """The id of the reference that led to the node."""
        return text_at(self.about, "refId")

    @property
    def error(self) -> str | None:
        """Why the node has no plan."""
        return text_at(self.about, "error")


def is_plan(value: object) -> bool:
    """Whether a JSON value has the shape of a plan."""
    return isinstance(value, dict) and isinstance(value.get("task"), str) and _lists(value, "selected")


def is_tree(value: object) -> bool:
    """Whether a JSON value has the shape of a tree."""
    return isinstance(value, dict) and _lists(value, "children")


def is_trace(value: object) -> bool:
    """Whether a JSON value is a trace, whatever became of its members: no other artifact has such."""
    return isinstance(value, dict) and "plan" in value and any(key in value for key in _OF_TRACES)


def is_entry(value: object) -> bool:
    """Whether a JSON value has the shape of a memory entry."""
    return isinstance(value, dict) and "artifact" in value and isinstance(value.get("id"), str)


def is_loop(value: object) -> bool:
    """Whether a JSON value has the shape of a critique loop's result."""
    return isinstance(value, dict) and _lists(value, "basePlans") and _lists(value, "finalPlans")


def is_closed_loop(value: object) -> bool:
    """Whether a JSON value has the shape of a closed-loop result."""
    return isinstance(value, dict) and "final" in value and "answer" in value and _lists(value, "rounds")


def is_grounded(value: object) -> bool:
    """Whether a JSON value has the shape of a grounded answer."""
    grounding = value.get("grounding") if isinstance(value, dict) else None
    return isinstance(grounding, dict) and _lists(grounding, "claims")


def _lists(value: dict[str, Any], key: str) -> bool:
    return isinstance(value.get(key), list)


def check_version(value: dict[str, Any]) -> None:
    """ArtifactError where an artifact says that it is of another version than ours (planner contract §9)."""
    version = value.get("schemaVersion", SCHEMA_VERSION)
    if not isinstance(version, (int, float)) or isinstance(version, bool):
        raise ArtifactError(f"schemaVersion must be the number {SCHEMA_VERSION}, not {describe(version)}")
    if version != SCHEMA_VERSION:
        raise ArtifactError(f"schemaVersion must be {SCHEMA_VERSION}, not {json_number(version)}")


def check_envelope(value: dict[str, Any]) -> None:
    """ArtifactError where an artifact is of another version, or not of the kind that it names.

    What says of itself that it is a tree and has no children any more is not to pass for a plan in a wrapper.
    """
    check_version(value)
    if "kind" not in value:
        return
    kind = value["kind"]
    if not isinstance(kind, str):
        raise ArtifactError(f"kind must be {_KINDS_NAMED}, not {describe(kind)}")
    if kind not in KINDS:
        raise ArtifactError(f"kind must be {_KINDS_NAMED}, not '{kind[:_SHOWN]}'")
    is_it = {PLAN: is_plan, TREE: is_tree, TRACE: _is_whole_trace}[kind]
    if not is_it(value) or (kind != PLAN and is_plan(value)):
        raise ArtifactError(f"kind is '{kind}', but the artifact lacks the shape of one: {KINDS[kind]}")


def _is_whole_trace(value: dict[str, Any]) -> bool:
    return is_plan(value.get("plan")) and _lists(value, "units") and _lists(value, "gateSummary")


def read_tree(value: object) -> SavedNode:
    """The tree in a JSON value: a plan, a tree, a trace or what wraps one as `plan`; else ArtifactError."""
    for _ in range(MAX_NESTED):
        if not isinstance(value, dict):
            break
        check_envelope(value)
        if is_plan(value):
            return SavedNode(value, {})
        if is_tree(value):
            return _read_node({key: item for key, item in value.items() if key not in ENVELOPE}, 0)
        if any(key in value for key in _OF_TREES):
            raise ArtifactError("the saved tree has no list 'children'")
        if is_trace(value):
            return _read_trace(value)
        value = value.get("plan")
    raise ArtifactError(UNRECOGNIZED)


def _read_trace(value: dict[str, Any]) -> SavedNode:
    plan = value["plan"]
    if not is_plan(plan):
        raise ArtifactError("the saved trace has a 'plan' that is none")
    check_envelope(plan)
    return SavedNode(plan, {}, trace=value)


def _read_node(value: dict[str, Any], depth: int) -> SavedNode:
    if depth > MAX_NESTED:
        raise ArtifactError(f"the saved tree is more than {MAX_NESTED} levels deep")
    plan = value.get("plan")
    if plan is not None:
        if not is_plan(plan):
            raise ArtifactError("a node of the saved tree has a 'plan' that is none")
        check_envelope(plan)
    if plan is None and not isinstance(value.get("error"), str):
        raise ArtifactError("a node of the saved tree has neither 'plan' nor 'error'")
    if not all(is_tree(child) for child in value["children"]):
        raise ArtifactError("a node of the saved tree has a child that is no node")
    not_followed = value.get("notFollowed", [])
    if not isinstance(not_followed, list) or not all(isinstance(item, dict) for item in not_followed):
        raise ArtifactError("a node of the saved tree has a 'notFollowed' that is no list of objects")
    return SavedNode(
        plan=plan,
        about={key: value[key] for key in value if key not in ("plan", "children", "notFollowed")},
        not_followed=tuple(not_followed),
        children=tuple([_read_node(child, depth + 1) for child in value["children"]]),
        is_tree=True,
    )


def all_nodes(node: SavedNode) -> Iterator[SavedNode]:
    """The nodes of a tree, each before its children."""
    yield node
    for child in node.children:
        yield from all_nodes(child)


def depth_of(node: SavedNode) -> int:
    """How many levels lie below a node."""
    return max([depth_of(child) + 1 for child in node.children], default=0)


def read_limits(root: SavedNode, fetches_per_node: int) -> tuple[int, int]:
    """The depth and node limits to walk a saved tree again under.

    They are those that its refusals name; where none is named, more than the tree has, so that what is new
    shows. However much a hostile artifact leads to, the walk ends soon after it has drifted.
    """
    nodes = list(all_nodes(root))
    depth, most = depth_of(root) + 1, len(nodes) + MORE_NODES
    for node in nodes:
        for reason in [refusal.get("reason") for refusal in node.not_followed]:
            if isinstance(reason, str):
                depth = _limit(reason, _DEPTH_REASON, depth)
                most = _limit(reason, _NODES_REASON, most)
                most = _limit(reason, _FETCHES_REASON, most * fetches_per_node) // fetches_per_node
    return min(depth, MAX_NESTED), min(most, len(nodes) + MORE_NODES)


def _limit(reason: str, prefix: str, otherwise: int) -> int:
    number = reason.removeprefix(prefix).partition(" ")[0]
    known = reason.startswith(prefix) and number.isascii() and number.isdigit() and len(number) < 10
    return int(number) if known else otherwise


def text_at(value: object, *keys: str) -> str | None:
    """The text at a path of members, or None where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else None
