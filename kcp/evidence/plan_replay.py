"""Does a saved plan, tree or trace still follow from today's bytes? (evidence contract §2, decision B9)

A saved artifact is planned again with every option it echoes, from the location it names, verified as it
was verified. A tree is walked again from its root, so its ledger, children and refusals are derived anew.
"""

from __future__ import annotations

from kcp.errors import ArtifactError
from kcp.evidence.comparison import DRIFTED, ERROR, Check, check, differing, drift
from kcp.evidence.reports import report_on
from kcp.evidence.saved import (
    ENVELOPE,
    SavedNode,
    all_nodes,
    read_limits,
    read_tree,
    text_at,
)
from kcp.evidence.tree_comparison import Comparison
from kcp.federation import FETCHES_PER_NODE, Walk, WalkLimits
from kcp.records import Record
from kcp.trust.policy import TrustPolicy
from kcp.wire.options import read_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.evidence.reports import ReplayReport
    from kcp.options import PlanOptions
    from kcp.reading.sources import Sources
    from kcp.trust.keyring import Keyring
    from kcp.trust.signature import PinnedKey

ALONE = WalkLimits(max_depth=0, max_nodes=1)
NO_SOURCE = "saved plan has no manifest.source to re-fetch"
NO_OPTIONS = (
    "saved plan carries no echoed planner options — the artifact predates replay support; "
    "re-plan to refresh it"
)
RENDERED = "planned from a rendered manifest, which depends on an allowlist; plan it again with --render"
NEEDS_PIN = "verified by a key that the operator pinned; pass --trust-key or --keyring to verify it again"
_REQUIRED = "signature required but "
_PINNED_DETAILS = ("(pinned key", "(keyring key")


class ReplaySettings(Record):
    """What an artifact does not carry: the ways to bytes, and whose signatures count.

    `verify` false leaves signatures out, as the artifact's own command did with `--no-verify`.
    """

    sources: Sources
    verify: bool = True
    pinned: tuple[PinnedKey, ...] = ()
    keyring: Keyring | None = None


def replay_plans(artifact: object, name: str, settings: ReplaySettings) -> ReplayReport:
    """Replay every plan of a plan, tree or trace, or of what wraps one; ArtifactError where it holds none."""
    return report_on(name, _checks(artifact, settings))


def _checks(artifact: object, settings: ReplaySettings) -> list[Check]:
    """A verdict for each saved plan, each before its children's, and for each node that came or went."""
    root = read_tree(artifact)
    saved = root.plan
    if saved is None:
        raise ArtifactError("the root of the saved tree has no plan to replay")
    source = text_at(saved, "manifest", "source")
    verifies = _verifies(root, settings)
    if not source:
        return [check(saved, ERROR, NO_SOURCE)]
    if "render" in saved:
        return [check(saved, ERROR, RENDERED)]
    if "options" not in saved:
        return [check(saved, ERROR, NO_OPTIONS)]
    if verifies and _lacks_pins(root, settings):
        return [check(saved, ERROR, NEEDS_PIN)]
    try:
        options = _echoed_options(saved)
    except ArtifactError as error:
        return [check(saved, ERROR, f"re-plan failed: {error.message}")]
    walk = Walk(saved["task"], options, settings.sources, _policy(root, verifies, settings), _limits(root))
    checks = Comparison(settings.sources, verifies, root.is_tree).compare(root, walk.run(source))
    if root.trace is not None and walk.root_manifest is not None and checks[0].status != DRIFTED:
        checks[0] = _compare_trace(root.trace, checks[0], walk, options)
    return checks


def _verifies(root: SavedNode, settings: ReplaySettings) -> bool:
    """Whether to verify signatures again.

    A tree in which no node has one was made with `--no-verify`. A single plan that pins bytes and has none
    may as well have lost it, so it is verified unless the operator says otherwise.
    """
    if not settings.verify:
        return False
    if any("signature" in node.about or "signature" in (node.plan or ()) for node in all_nodes(root)):
        return True
    return not root.is_tree and text_at(root.plan, "manifest", "sha256") is not None


def _lacks_pins(root: SavedNode, settings: ReplaySettings) -> bool:
    if settings.pinned or settings.keyring is not None:
        return False
    details = [text_at(node.plan, "signature", "detail") or "" for node in all_nodes(root)]
    return any(mark in detail for detail in details for mark in _PINNED_DETAILS)


def _policy(root: SavedNode, verifies: bool, settings: ReplaySettings) -> TrustPolicy:
    required = any((node.error or "").startswith(_REQUIRED) for node in all_nodes(root))
    return TrustPolicy(verify=verifies, require=required, pinned=settings.pinned, keyring=settings.keyring)


def _limits(root: SavedNode) -> WalkLimits:
    return WalkLimits(*read_limits(root, FETCHES_PER_NODE)) if root.is_tree else ALONE


def _echoed_options(saved: dict[str, Any]) -> PlanOptions:
    raw = saved["options"]
    if not isinstance(raw, dict):
        raise ArtifactError("options must be an object")
    echoed = {**raw, "asOf": saved.get("asOf")}
    if "environment" in saved:
        echoed["env"] = saved["environment"]
    return read_options(echoed, "saved plan")


def _compare_trace(saved: dict[str, Any], verdict: Check, walk: Walk, options: PlanOptions) -> Check:
    """The plan's verdict, drifted where another part of the trace is not what the same bytes give."""
    from kcp.planning.trace import make_trace
    from kcp.wire.encode import to_wire

    assert walk.root_manifest is not None
    today = to_wire(make_trace(walk.root_manifest, walk.task, options))
    before = {key: value for key, value in saved.items() if key not in (*ENVELOPE, "plan")}
    del today["plan"]
    fields = differing(before, today)
    return drift(verdict, fields, "trace").replace(moved=(before, today) if fields else None)
