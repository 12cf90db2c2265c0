"""Replay of whatever an artifact is: plans, trees, traces, answers, loops, memory entries (decision B9)."""

from __future__ import annotations

from kcp.errors import ArtifactError
from kcp.evidence.comparison import Check
from kcp.evidence.grounded import GroundedReport, replay_answer
from kcp.evidence.plan_replay import ReplayReport, ReplaySettings, make_replay_report, replay_plans
from kcp.evidence.saved import is_closed_loop, is_entry, is_grounded, is_loop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["GroundedReport", "ReplayReport", "ReplaySettings", "replay_any", "unchecked"]

NO_PLAN = "a closed-loop result carries no plan — nothing in it can be replayed"


def replay_any(artifact: object, name: str, settings: ReplaySettings) -> ReplayReport | GroundedReport:
    """The verdicts on an artifact; ArtifactError where it is nothing that can be replayed."""
    if is_entry(artifact):
        assert isinstance(artifact, dict)
        return replay_any(_entry_artifact(artifact), name, settings)
    if is_grounded(artifact):
        assert isinstance(artifact, dict)
        return replay_answer(artifact, name, settings)
    if is_loop(artifact):
        assert isinstance(artifact, dict)
        return _replay_loop(artifact, name, settings)
    if is_closed_loop(artifact):
        return make_replay_report(name, [Check("(none)", "(unknown)", "unpinned", NO_PLAN)])
    return replay_plans(artifact, name, settings)


def _entry_artifact(entry: dict[str, Any]) -> object:
    from kcp.reading.source import sha256_hex
    from kcp.wire.canonical import canonical

    artifact = entry["artifact"]
    if is_entry(artifact):
        raise ArtifactError("a memory entry that holds a memory entry")
    if sha256_hex(canonical(artifact).encode("utf-8", "surrogatepass")) != entry["id"]:
        raise ArtifactError("the memory entry's id is not the digest of its artifact")
    return artifact


def _replay_loop(artifact: dict[str, Any], name: str, settings: ReplaySettings) -> ReplayReport:
    """Every plan that a critique loop made, in the order it made them."""
    stages = [artifact["basePlans"]]
    rounds = artifact.get("rounds")
    if isinstance(rounds, list):
        stages += [item["plans"] for item in rounds if isinstance(item, dict) and "plans" in item]
    stages.append(artifact["finalPlans"])
    checks: list[Check] = []
    for plans in stages:
        for plan in plans if isinstance(plans, list) else [plans]:
            checks += replay_plans(plan, name, settings).checks
    return make_replay_report(name, checks)


def unchecked(report: ReplayReport | GroundedReport) -> bool:
    """Whether something in an artifact could not be checked at all: exit code 3 rather than 1 (B19)."""
    return any(check.status == "error" for check in report.checks)
