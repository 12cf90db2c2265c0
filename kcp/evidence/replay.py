"""Replay of whatever an artifact is: plans, trees, traces, answers, loops, memory entries (decision B9)."""

from __future__ import annotations

import os.path

from kcp.errors import ArtifactError
from kcp.evidence.comparison import UNPINNED, Check
from kcp.evidence.plan_replay import ReplaySettings, replay_plans
from kcp.evidence.reports import GroundedReport, ReplayReport, report_on, unchecked
from kcp.evidence.saved import (
    all_nodes,
    check_envelope,
    check_version,
    is_closed_loop,
    is_entry,
    is_grounded,
    is_loop,
    is_plan,
    read_tree,
    text_at,
)
from kcp.reading.locate import is_remote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["GroundedReport", "ReplayReport", "ReplaySettings", "replay_any", "settings_beside", "unchecked"]

NO_PLAN = "a closed-loop result carries no plan — nothing in it can be replayed"
MAX_PLANS = 1_000  # plans of one critique loop


def replay_any(artifact: object, name: str, settings: ReplaySettings) -> ReplayReport | GroundedReport:
    """The verdicts on an artifact; ArtifactError where it is nothing that can be replayed."""
    if not isinstance(artifact, dict):
        return replay_plans(artifact, name, settings)
    if is_entry(artifact):
        artifact = entry_artifact(artifact)
    check_envelope(artifact)
    if "kind" in artifact:
        return replay_plans(artifact, name, settings)  # whatever else it holds
    if is_closed_loop(artifact):
        artifact = _answer_of_closed_loop(artifact)
        if artifact is None:
            return report_on(name, [Check("(none)", "(unknown)", UNPINNED, NO_PLAN)])
    if is_grounded(artifact):
        from kcp.evidence.grounded import replay_answer

        return replay_answer(artifact, name, settings)
    if is_loop(artifact) and not is_plan(artifact):
        return _replay_loop(artifact, name, settings)
    return replay_plans(artifact, name, settings)


def entry_artifact(entry: dict[str, Any]) -> dict[str, Any]:
    """What a memory entry holds; ArtifactError where its id is not the digest of it, or more is there."""
    from kcp.evidence.episodes import GROUNDED, PLAN, digest_of
    from kcp.wire.canonical import canonical

    check_version(entry)
    if entry.get("kind", PLAN) not in (PLAN, GROUNDED):
        raise ArtifactError(f"the memory entry's kind must be '{PLAN}' or '{GROUNDED}'")
    for member in ("plan", "selected", "children"):
        if member in entry:
            raise ArtifactError(f"the memory entry has a '{member}' beside its artifact")
    artifact = entry["artifact"]
    if not isinstance(artifact, dict) or is_entry(artifact):
        raise ArtifactError("the memory entry holds no artifact")
    if digest_of(canonical(artifact)) != entry["id"]:
        raise ArtifactError("the memory entry's id is not the digest of its artifact")
    return artifact


def _answer_of_closed_loop(artifact: dict[str, Any]) -> dict[str, Any] | None:
    """A closed loop's result as the grounded answer it ends in, or None where it carries no plan."""
    final = artifact["final"]
    if not artifact.get("plan") or not is_grounded(final):
        return None
    return {**artifact, "grounding": final["grounding"]}


def _replay_loop(artifact: dict[str, Any], name: str, settings: ReplaySettings) -> ReplayReport:
    """Every plan that a critique loop made, in the order it made them."""
    stages = [artifact["basePlans"]]
    rounds = artifact.get("rounds")
    if isinstance(rounds, list):
        stages += [item["plans"] for item in rounds if isinstance(item, dict) and "plans" in item]
    stages.append(artifact["finalPlans"])
    plans = [plan for stage in stages for plan in (stage if isinstance(stage, list) else [stage])]
    if not plans:
        raise ArtifactError("the loop's result holds no plan to replay")
    if len(plans) > MAX_PLANS:
        raise ArtifactError(f"the loop's result holds more than {MAX_PLANS:,} plans")
    checks: list[Check] = []
    for plan in plans:
        checks += replay_plans(plan, name, settings).checks
    return report_on(name, checks)


def settings_beside(artifact: object, folder: str, settings: ReplaySettings) -> ReplaySettings:
    """The settings for an artifact saved in a folder: its relative sources are looked for there where the
    working directory does not have the first of them.
    """
    source = _first_source(artifact)
    if not source or is_remote(source) or os.path.isabs(source) or os.path.exists(source):
        return settings
    if not os.path.exists(os.path.join(folder, source)):
        return settings
    return settings.replace(sources=settings.sources.with_base(folder))


def _first_source(artifact: object) -> str | None:
    """The `manifest.source` of the first plan in an artifact."""
    value: Any = artifact.get("artifact", artifact) if isinstance(artifact, dict) else None
    if is_loop(value):
        value = next(iter(value["basePlans"] or value["finalPlans"]), None)
    try:
        return next((text_at(node.plan, "manifest", "source") for node in all_nodes(read_tree(value))), None)
    except ArtifactError:
        return None
