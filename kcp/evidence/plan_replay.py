"""Does a saved plan, tree or trace still follow from today's bytes? (evidence contract §2, decision B9)

A saved artifact is planned again with every option it echoes, from the location it names, verified as it
was verified. A tree is walked again from its root, so its ledger, children and refusals are derived anew.
"""

from __future__ import annotations

from kcp.errors import ArtifactError, KcpError
from kcp.evidence.comparison import Check, check, compare_plans, drift, same
from kcp.evidence.saved import SavedNode, all_nodes, is_trace, read_limits, read_tree, text_at
from kcp.federation import FETCHES_PER_NODE, MAX_DEPTH, Walk, WalkLimits
from kcp.planning.trace import make_trace
from kcp.reading.load import parse_bytes
from kcp.reading.source import sha256_hex
from kcp.records import Record
from kcp.trust.policy import TrustPolicy
from kcp.wire.encode import to_wire
from kcp.wire.options import read_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.federation import Node
    from kcp.options import PlanOptions
    from kcp.reading.sources import Sources
    from kcp.trust.keyring import Keyring
    from kcp.trust.signature import PinnedKey

UNLIMITED = (MAX_DEPTH, 100_000)
NO_SOURCE = "saved plan has no manifest.source to re-fetch"
NO_OPTIONS = (
    "saved plan carries no echoed planner options — the artifact predates replay support; "
    "re-plan to refresh it"
)
NEEDS_PIN = "verified by a key that the operator pinned; pass --trust-key or --keyring to verify it again"
_REQUIRED = "signature required but "
_PINNED_DETAILS = ("(pinned key", "(keyring key")


class ReplaySettings(Record):
    """What an artifact does not carry: the ways to bytes, and whose signatures count."""

    sources: Sources
    verify: bool = True
    pinned: tuple[PinnedKey, ...] = ()
    keyring: Keyring | None = None


class ReplayReport(Record):
    """The verdicts on one artifact; `ok` when there is at least one and all are `identical`."""

    artifact: str
    checks: tuple[Check, ...]
    ok: bool


def make_replay_report(name: str, checks: list[Check]) -> ReplayReport:
    """A report whose `ok` follows from its checks."""
    return ReplayReport(name, tuple(checks), bool(checks) and all(c.status == "identical" for c in checks))


def replay_plans(artifact: object, name: str, settings: ReplaySettings) -> ReplayReport:
    """Replay every plan of a plan, tree or trace, or of what wraps one; ArtifactError where it holds none."""
    trace = artifact if is_trace(artifact) else None
    return make_replay_report(name, _Replay(read_tree(artifact), trace, settings).checks())


class _Replay:
    """One artifact beside the tree that today's bytes give."""

    def __init__(self, root: SavedNode, trace: Any, settings: ReplaySettings) -> None:
        self.root = root
        self.trace = trace
        self.settings = settings
        self.verifies = settings.verify and root.plan is not None and "signature" in root.plan

    def checks(self) -> list[Check]:
        """A verdict for each saved plan, each before its children's, and for each node that came or went."""
        saved = self.root.plan
        if saved is None:
            raise ArtifactError("the root of the saved tree has no plan to replay")
        source = text_at(saved, "manifest", "source")
        if not source:
            return [check(saved, "error", NO_SOURCE)]
        if "options" not in saved:
            return [check(saved, "error", NO_OPTIONS)]
        if self.verifies and self._lacks_pins(self.root):
            return [check(saved, "error", NEEDS_PIN)]
        try:
            options = _echoed_options(saved)
        except ArtifactError as error:
            return [check(saved, "error", f"re-plan failed: {error.message}")]
        policy = TrustPolicy(
            verify=self.verifies,
            require=any((node.error or "").startswith(_REQUIRED) for node in all_nodes(self.root)),
            pinned=self.settings.pinned,
            keyring=self.settings.keyring,
        )
        limits = WalkLimits(*read_limits(self.root, UNLIMITED, FETCHES_PER_NODE))
        if not self.root.is_tree:
            limits = WalkLimits(0, 1)
        walk = Walk(saved["task"], options, self.settings.sources, policy, limits)
        today = walk.run(source)
        checks = self._compare(self.root, today)
        if self.trace is not None and walk.root_manifest is not None and checks[0].status != "drifted":
            trace = make_trace(walk.root_manifest, saved["task"], options)
            checks[0] = drift(checks[0], _trace_fields(self.trace, to_wire(trace)), "trace")
        return checks

    def _lacks_pins(self, node: SavedNode) -> bool:
        if self.settings.pinned or self.settings.keyring is not None:
            return False
        detail = text_at(node.plan, "signature", "detail") or ""
        return any(mark in detail for mark in _PINNED_DETAILS) or any(
            self._lacks_pins(child) for child in node.children
        )

    def _compare(self, saved: SavedNode, today: Node) -> list[Check]:
        checks = []
        if saved.plan is not None:
            checks.append(self._compare_plan(saved.plan, today))
        elif saved.error != today.error:
            now = today.error or "it can be planned now"
            checks.append(_node_check(today.location, f"node changed: {now}"))
        if self.root.is_tree:
            checks += self._compare_children(saved, today)
        return checks

    def _compare_plan(self, saved: dict[str, Any], today: Node) -> Check:
        pinned = text_at(saved, "manifest", "sha256")
        if today.plan is None:
            current = self._sha256(today.location)
            if pinned and current and current != pinned:
                return check(saved, "drifted", _bytes_changed(current, pinned))
            return check(saved, "error", (today.error or "").replace("parse failed: ", "re-plan failed: ", 1))
        current = today.plan.manifest.sha256 or ""
        if pinned and current != pinned:
            return check(saved, "drifted", _bytes_changed(current, pinned))
        verdict = compare_plans(saved, today.plan, verified=self.verifies, pinned=bool(pinned))
        if verdict.status != "drifted" or not pinned:
            return verdict
        return verdict.replace(detail=verdict.detail + self._decisions(saved, today.location))

    def _decisions(self, saved: dict[str, Any], location: str) -> str:
        """Which of our stricter decisions the plan meets; they may be all that differs from the reference."""
        manifest = parse_bytes(self.settings.sources.read_manifest(location), self.settings.sources.max_bytes)
        rules = sorted({problem.rule for problem in manifest.problems if problem.rule != "dropped"})
        if (text_at(saved, "signature", "detail") or "").startswith("cannot load public key: "):
            rules.append("B21")
        return f" (decisions {', '.join(rules)})" if rules else ""

    def _sha256(self, location: str) -> str | None:
        try:
            return sha256_hex(self.settings.sources.read_manifest(location).data)
        except KcpError:
            return None

    def _compare_children(self, saved: SavedNode, today: Node) -> list[Check]:
        checks: list[Check] = []
        refused = [to_wire(item) for item in today.not_followed]
        if list(saved.not_followed) != refused:
            checks.append(_node_check(today.location, _refusals_changed(saved.not_followed, refused)))
        pairs = _pair(saved.children, today.children)
        for before, after in pairs:
            if before is None and after is not None:
                checks.append(_node_check(after.location, f"reference '{after.ref_id}' is followed now"))
            elif before is not None and after is None:
                detail = f"reference '{before.ref_id}' is not followed any more"
                source = text_at(before.plan, "manifest", "source") or "(none)"
                checks.append(_node_check(source, detail, text_at(before.plan, "manifest", "project")))
            elif before is not None and after is not None:
                checks += self._compare(before, after)
        return checks


def _pair(
    saved: tuple[SavedNode, ...], today: tuple[Node, ...]
) -> list[tuple[SavedNode | None, Node | None]]:
    """Children that belong together: same reference id, in order; then what is left of either side."""
    waiting = list(today)
    pairs: list[tuple[SavedNode | None, Node | None]] = []
    for child in saved:
        match = next((node for node in waiting if node.ref_id == child.ref_id), None)
        if match is not None:
            waiting.remove(match)
        pairs.append((child, match))
    return pairs + [(None, node) for node in waiting]


def _node_check(source: str, detail: str, project: str | None = None) -> Check:
    return Check(source, project or "(unknown)", "drifted", detail)


def _refusals_changed(saved: tuple[Any, ...], today: list[Any]) -> str:
    """Which reference is refused otherwise than it was."""
    for before, after in zip(saved, today, strict=False):
        if before != after:
            if "already visited (cycle)" in (before.get("reason"), after.get("reason")):
                return f"reference '{after['id']}': {after['reason']} (decision B22)"
            return f"reference '{after['id']}': {after['reason']}, was {before.get('reason')}"
    longer = today if len(today) > len(saved) else saved
    odd = longer[min(len(saved), len(today))]
    if odd.get("reason") == "already visited (cycle)":
        return f"reference '{odd.get('id')}': {odd.get('reason')} (decision B22)"
    return f"notFollowed differs at reference '{odd.get('id')}': {odd.get('reason')}"


def _bytes_changed(today: str, saved: str) -> str:
    return f"manifest bytes changed: sha256 {today[:12]}… ≠ saved {saved[:12]}…"


def _echoed_options(saved: dict[str, Any]) -> PlanOptions:
    raw = saved["options"]
    if not isinstance(raw, dict):
        raise ArtifactError("options must be an object")
    echoed = {**raw, "asOf": saved.get("asOf")}
    if "environment" in saved:
        echoed["env"] = saved["environment"]
    return read_options(echoed, "saved plan")


def _trace_fields(saved: dict[str, Any], today: dict[str, Any]) -> list[str]:
    parts = ("task", "taskTerms", "asOf", "capabilities", "units", "gateSummary")
    return [part for part in parts if not same(saved.get(part), today.get(part))]
