"""Replay of a grounded answer: do the cited units still hold the bytes they were cited with? (§3)"""

from __future__ import annotations

from kcp.errors import ArtifactError, KcpError
from kcp.evidence.plan_replay import ReplaySettings, replay_plans
from kcp.evidence.saved import all_nodes, read_tree, text_at
from kcp.reading.source import sha256_hex
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.evidence.comparison import Check

NO_SHA = "claim carries no pinned sha — re-run `ask --ground` to refresh the artifact"
NOT_LOADED = "cited unit is absent from synthesis.unitsLoaded"
NOT_RECHECKED = "not re-checked (pass --check-gaps to re-navigate for newly-published evidence)"
NOT_IN_ANSWER = "the claim does not occur in the answer"


class ClaimVerdict(Record):
    """Whether a cited unit still holds what a claim was grounded in."""

    claim: str
    unit_id: str
    status: str
    detail: str


class GapVerdict(Record):
    """A claim that nothing supported when the answer was given."""

    claim: str
    status: str
    detail: str


class GroundedReport(Record):
    """The verdicts on an answer; `ok` when a claim was checked and all that were still hold.

    `checks` are the verdicts on the plan the answer was made from, where it does not replay as identical.
    """

    artifact: str
    claims: tuple[ClaimVerdict, ...]
    gaps: tuple[GapVerdict, ...]
    ok: bool
    checks: tuple[Check, ...] = ()


def replay_answer(artifact: dict[str, Any], name: str, settings: ReplaySettings) -> GroundedReport:
    """The verdicts on a grounded answer; ArtifactError where it lacks what they need."""
    units = _loaded_units(artifact)
    plan = artifact.get("plan", artifact)
    sources = _sources_by_project(plan)
    root_source = _root_source(artifact)
    answer = text_at(artifact, "synthesis", "answer") or ""
    claims = []
    for claim in artifact["grounding"]["claims"]:
        if isinstance(claim, dict) and claim.get("grounded") is True and text_at(claim, "unitId"):
            unit = units.get(claim["unitId"])
            source = sources.get((unit or {}).get("manifest"), root_source)
            claims.append(_verdict(claim, unit, source, answer, settings))
    checks = replay_plans(plan, name, settings).checks
    moved = () if all(check.status == "identical" for check in checks) else checks
    holds = bool(claims) and all(claim.status == "still-grounded" for claim in claims)
    return GroundedReport(name, tuple(claims), _gaps(artifact), holds and not moved, moved)


def _loaded_units(artifact: dict[str, Any]) -> dict[str, dict[str, Any]]:
    synthesis = artifact.get("synthesis")
    loaded = synthesis.get("unitsLoaded") if isinstance(synthesis, dict) else None
    if not isinstance(loaded, list):
        raise ArtifactError("a grounded answer needs the list synthesis.unitsLoaded")
    return {unit["id"]: unit for unit in loaded if isinstance(unit, dict) and text_at(unit, "id") is not None}


def _root_source(artifact: dict[str, Any]) -> str:
    for path in (("plan",), ("plan", "plan"), ()):
        source = text_at(artifact, *path, "manifest", "source")
        if source:
            return source
    raise ArtifactError("a grounded answer needs the manifest.source of its plan")


def _sources_by_project(plan: object) -> dict[str | None, str]:
    """Where the units of each manifest of a followed plan lie; the root wins where projects share a name."""
    sources: dict[str | None, str] = {}
    for node in all_nodes(read_tree(plan)):
        source = text_at(node.plan, "manifest", "source")
        if source:
            sources.setdefault(text_at(node.plan, "manifest", "project"), source)
    return sources


def _verdict(
    claim: dict[str, Any], unit: dict[str, Any] | None, source: str, answer: str, settings: ReplaySettings
) -> ClaimVerdict:
    text = text_at(claim, "claim") or ""
    status, detail = _status(claim, unit, source, settings)
    if status == "still-grounded" and text not in answer:
        status, detail = "drifted", NOT_IN_ANSWER
    return ClaimVerdict(text, claim["unitId"], status, detail)


def _status(
    claim: dict[str, Any], unit: dict[str, Any] | None, source: str, settings: ReplaySettings
) -> tuple[str, str]:
    pinned = text_at(claim, "sha256")
    if not pinned:
        return "gone", NO_SHA
    if unit is None:
        return "gone", NOT_LOADED
    try:
        today = sha256_hex(settings.sources.read_unit(source, text_at(unit, "path") or ""))
    except KcpError as error:
        return "gone", f"unit no longer readable: {error}"
    if today == pinned:
        return "still-grounded", f"sha {pinned[:12]} unchanged"
    return "drifted", f"unit bytes changed: sha {today[:12]}… ≠ pinned {pinned[:12]}…"


def _gaps(artifact: dict[str, Any]) -> tuple[GapVerdict, ...]:
    gaps = artifact["grounding"].get("gaps")
    return tuple(
        [
            GapVerdict(text_at(gap, "claim") or "", "gap-persists", NOT_RECHECKED)
            for gap in (gaps if isinstance(gaps, list) else [])
        ]
    )
