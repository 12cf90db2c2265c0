"""A saved tree beside the one that today's bytes give, node by node (evidence contract §2, decision B9)."""

from __future__ import annotations

from kcp.errors import KcpError
from kcp.evidence.comparison import (
    DRIFTED,
    ERROR,
    IDENTICAL,
    UNPINNED,
    Check,
    check,
    compare_plans,
    differing,
    drift,
    same,
    settle_key_name,
)
from kcp.evidence.saved import SavedNode, text_at
from kcp.federation.walk import VISITED
from kcp.reading.load import parse_bytes
from kcp.reading.source import sha256_hex
from kcp.wire.encode import to_wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.federation import Node
    from kcp.reading.sources import Sources

_ELSEWHERE = ("plan", "children", "notFollowed")  # members of a node that are compared on their own


class Comparison:
    """How one artifact is compared: with or without signatures, as a tree or as a plan alone."""

    def __init__(self, sources: Sources, verifies: bool, is_tree: bool) -> None:
        self.sources = sources
        self.verifies = verifies
        self.is_tree = is_tree

    def compare(self, saved: SavedNode, today: Node) -> list[Check]:
        """The verdict on a node, then those on its refusals and children."""
        checks = []
        fields = self._differing_members(saved, today) if self.is_tree else []
        if saved.plan is not None:
            verdict = self._compare_plan(saved.plan, today)
            settled = verdict.status in (IDENTICAL, UNPINNED)
            checks.append(drift(verdict, fields, "node") if settled else verdict)
        elif saved.error != today.error:
            checks.append(
                _drifted_node(today.location, f"node changed: {today.error or 'it can be planned now'}")
            )
        elif fields:
            checks.append(drift(_drifted_node(today.location, ""), fields, "node"))
        if self.is_tree:
            checks += self._compare_children(saved, today)
        return checks

    def _differing_members(self, saved: SavedNode, today: Node) -> list[str]:
        before, after = dict(saved.about), to_wire(today.replace(children=(), plan=None))
        for member in _ELSEWHERE if self.verifies else (*_ELSEWHERE, "signature"):
            after.pop(member, None)
            before.pop(member, None)
        settle_key_name(before, after)
        return differing(before, after)

    def _compare_plan(self, saved: dict[str, Any], today: Node) -> Check:
        pinned = text_at(saved, "manifest", "sha256")
        if today.plan is None:
            current = self._sha256(today.location)
            if pinned and current and current != pinned:
                return check(saved, DRIFTED, _bytes_changed(current, pinned))
            return check(saved, ERROR, (today.error or "").replace("parse failed: ", "re-plan failed: ", 1))
        current = today.plan.manifest.sha256 or ""
        if pinned and current != pinned:
            return check(saved, DRIFTED, _bytes_changed(current, pinned))
        verdict = compare_plans(saved, today.plan, verified=self.verifies, pinned=bool(pinned))
        if verdict.status != DRIFTED or not pinned:
            return verdict
        return verdict.replace(detail=verdict.detail + self._decisions(saved, today.location))

    def _decisions(self, saved: dict[str, Any], location: str) -> str:
        """Which of our stricter decisions the plan meets; they may be all that differs from the reference."""
        try:
            manifest = parse_bytes(self.sources.read_manifest(location), self.sources.max_bytes)
        except KcpError:
            return ""
        rules = sorted({problem.rule for problem in manifest.problems if problem.rule != "dropped"})
        if (text_at(saved, "signature", "detail") or "").startswith("cannot load public key: "):
            rules.append("B21")
        return f" (decisions {', '.join(rules)})" if rules else ""

    def _sha256(self, location: str) -> str | None:
        try:
            return sha256_hex(self.sources.read_manifest(location).data)
        except KcpError:
            return None

    def _compare_children(self, saved: SavedNode, today: Node) -> list[Check]:
        checks: list[Check] = []
        refused = [to_wire(item) for item in today.not_followed]
        if not same(saved.not_followed, refused):
            checks.append(_drifted_node(today.location, _refusals_changed(list(saved.not_followed), refused)))
        for before, after in _pair(saved.children, today.children):
            if before is not None and after is not None:
                checks += self.compare(before, after)
            elif after is not None:
                checks.append(_drifted_node(after.location, f"reference '{after.ref_id}' is followed now"))
            elif before is not None:
                detail = f"reference '{before.ref_id}' is not followed any more"
                source = text_at(before.plan, "manifest", "source") or "(none)"
                checks.append(_drifted_node(source, detail, text_at(before.plan, "manifest", "project")))
        return checks


def _pair(
    saved: tuple[SavedNode, ...], today: tuple[Node, ...]
) -> list[tuple[SavedNode | None, Node | None]]:
    """Children that belong together: same reference id, in order; then what is left of either side."""
    waiting: dict[str | None, list[Node]] = {}
    for node in today:
        waiting.setdefault(node.ref_id, []).append(node)
    for nodes in waiting.values():
        nodes.reverse()
    pairs: list[tuple[SavedNode | None, Node | None]] = []
    for child in saved:
        matches = waiting.get(child.ref_id)
        pairs.append((child, matches.pop() if matches else None))
    left = {id(node) for nodes in waiting.values() for node in nodes}
    return pairs + [(None, node) for node in today if id(node) in left]


def _drifted_node(source: str, detail: str, project: str | None = None) -> Check:
    return Check(source, project or "(unknown)", DRIFTED, detail)


def _refusals_changed(saved: list[Any], today: list[Any]) -> str:
    """Which reference is refused otherwise than it was."""
    for before, after in zip(saved, today, strict=False):
        if not same(before, after):
            decision = " (decision B22)" if VISITED in (before.get("reason"), after["reason"]) else ""
            return f"reference '{after['id']}': {after['reason']}, was {before.get('reason')}{decision}"
    odd = (today if len(today) > len(saved) else saved)[min(len(saved), len(today))]
    decision = " (decision B22)" if odd.get("reason") == VISITED else ""
    return f"notFollowed differs at reference '{odd.get('id')}': {odd.get('reason')}{decision}"


def _bytes_changed(today: str, saved: str) -> str:
    return f"manifest bytes changed: sha256 {today[:12]}… ≠ saved {saved[:12]}…"
