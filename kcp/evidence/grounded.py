"""Replay of a grounded answer: do the cited units still hold the bytes they were cited with? (§3)

Beyond what the reference checks, the answer's plan is replayed, its text must be made of its claims, and each
cited unit must be one that the plan lets the agent load (contract §13, rows 6 and 7).
"""

from __future__ import annotations

from kcp.errors import ArtifactError, FetchError, KcpError
from kcp.evidence.comparison import DRIFTED, IDENTICAL, check
from kcp.evidence.plan_replay import ReplaySettings, replay_plans
from kcp.evidence.reports import ClaimVerdict, GapVerdict, GroundedReport
from kcp.evidence.saved import all_nodes, read_tree, text_at
from kcp.reading.source import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

STILL, GONE = "still-grounded", "gone"
NO_SHA = "claim carries no pinned sha — re-run `ask --ground` to refresh the artifact"
NOT_LOADED = "cited unit is absent from synthesis.unitsLoaded"
NOT_ELIGIBLE = "cited unit is not one that the plan lets the agent load"
NOT_RECHECKED = "not re-checked (pass --check-gaps to re-navigate for newly-published evidence)"
NOT_IN_ANSWER = "the claim does not occur in the answer"
UNCLAIMED = "the answer says more than the claims that were grounded"
MAX_CLAIMS = 10_000
MAX_READS = 1_000  # units read for one answer


def replay_answer(artifact: dict[str, Any], name: str, settings: ReplaySettings) -> GroundedReport:
    """The verdicts on a grounded answer; ArtifactError where it lacks what they need."""
    plan = artifact.get("plan", artifact)
    plans = [node.plan for node in all_nodes(read_tree(plan)) if node.plan is not None]
    if not any(text_at(each, "manifest", "source") for each in plans):
        raise ArtifactError("a grounded answer needs the manifest.source of its plan")
    if len(artifact["grounding"]["claims"]) > MAX_CLAIMS:
        raise ArtifactError(f"the answer has more than {MAX_CLAIMS:,} claims")
    answer = text_at(artifact, "synthesis", "answer") or text_at(artifact, "answer") or ""
    cited = _CitedUnits(artifact, plans, settings)
    claims = tuple([_verdict(claim, answer, cited) for claim in _grounded_claims(artifact)])
    checks = [each for each in replay_plans(plan, name, settings).checks if each.status != IDENTICAL]
    if claims and not _is_made_of(answer, artifact["grounding"]["claims"]):
        checks.append(check(plans[0], DRIFTED, UNCLAIMED))
    holds = bool(claims) and all(claim.status == STILL for claim in claims) and not checks
    return GroundedReport(name, claims, _gaps(artifact), holds, tuple(checks))


def _grounded_claims(artifact: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        claim
        for claim in artifact["grounding"]["claims"]
        if isinstance(claim, dict) and claim.get("grounded") is True and text_at(claim, "unitId")
    ]


def _verdict(claim: dict[str, Any], answer: str, cited: _CitedUnits) -> ClaimVerdict:
    text, pinned = text_at(claim, "claim") or "", text_at(claim, "sha256")
    if not pinned:
        return ClaimVerdict(text, claim["unitId"], GONE, NO_SHA)
    verdict = cited.verdict(ClaimVerdict(text, claim["unitId"], GONE, NOT_LOADED), pinned)
    if verdict.status == STILL and (not text.strip() or text not in answer):
        return verdict.replace(status=DRIFTED, detail=NOT_IN_ANSWER)
    return verdict


def _is_made_of(answer: str, claims: list[Any]) -> bool:
    """Whether an answer is its claims in their order and blanks between them, as claims are cut (§10)."""
    at = 0
    for claim in claims:
        text = text_at(claim, "claim") or ""
        found = answer.find(text, at)
        if found < 0 or not _is_blank(answer[at:found]):
            return False
        at = found + len(text)
    return _is_blank(answer[at:])


def _is_blank(text: str) -> bool:
    return not text.strip("\ufeff \t\n\v\f\r\xa0\u1680\u2028\u2029\u202f\u205f\u3000").strip()


class _CitedUnits:
    """The units that an answer was made from: where they lie, and what bytes are there today."""

    def __init__(
        self, artifact: dict[str, Any], plans: list[dict[str, Any]], settings: ReplaySettings
    ) -> None:
        self._loaded: dict[str, dict[tuple[str, str | None], None]] = {}
        for unit in _units_loaded(artifact):
            if text_at(unit, "id") is not None:
                named = text_at(unit, "path") or "", text_at(unit, "manifest")
                self._loaded.setdefault(unit["id"], {})[named] = None
        self._loadable = _loadable(plans)
        self._settings = settings
        self._digests: dict[tuple[str, str], str | KcpError] = {}

    def verdict(self, claim: ClaimVerdict, pinned: str) -> ClaimVerdict:
        """The verdict on a claim that cites a unit by its id; of several with that id, one must hold."""
        verdict = claim.replace(detail=NOT_ELIGIBLE if claim.unit_id in self._loaded else NOT_LOADED)
        for source, path in self._places(claim.unit_id):
            found = self._digest(source, path)
            if found == pinned:
                return claim.replace(status=STILL, detail=f"sha {pinned[:12]} unchanged")
            if isinstance(found, str):
                detail = f"unit bytes changed: sha {found[:12]}… ≠ pinned {pinned[:12]}…"
                verdict = claim.replace(status=DRIFTED, detail=detail)
            else:
                detail = f"unit no longer readable: {found}"
                verdict = claim.replace(detail=detail, unreadable=isinstance(found, FetchError))
        return verdict

    def _places(self, unit_id: str) -> Iterator[tuple[str, str]]:
        """Where the units of an id lie: beside the manifests whose plans let the agent load them."""
        for path, project in self._loaded.get(unit_id, ()):
            for source, home in self._loadable.get((unit_id, path), ()):
                if project is None or project == home:
                    yield source, path

    def _digest(self, source: str, path: str) -> str | KcpError:
        place = source, path
        if place not in self._digests:
            if len(self._digests) >= MAX_READS:
                raise ArtifactError(f"the answer cites more than {MAX_READS:,} units")
            try:
                self._digests[place] = sha256_hex(self._settings.sources.read_unit(source, path))
            except KcpError as error:
                self._digests[place] = error
        return self._digests[place]


def _units_loaded(artifact: dict[str, Any]) -> list[Any]:
    synthesis = artifact.get("synthesis")
    loaded = synthesis.get("unitsLoaded") if isinstance(synthesis, dict) else None
    if not isinstance(loaded, list):
        raise ArtifactError("a grounded answer needs the list synthesis.unitsLoaded")
    return loaded


def _loadable(plans: list[dict[str, Any]]) -> dict[tuple[str, str], list[tuple[str, str | None]]]:
    """Id and path of each unit that the plans let the agent load → source and project of their manifests."""
    places: dict[tuple[str, str], list[tuple[str, str | None]]] = {}
    for plan in plans:
        source, project = text_at(plan, "manifest", "source"), text_at(plan, "manifest", "project")
        for unit in plan["selected"]:
            path, eligible = text_at(unit, "path"), isinstance(unit, dict) and unit.get("loadEligible")
            if source and path is not None and eligible is True and text_at(unit, "id") is not None:
                places.setdefault((unit["id"], path), []).append((source, project))
    return places


def _gaps(artifact: dict[str, Any]) -> tuple[GapVerdict, ...]:
    gaps = artifact["grounding"].get("gaps")
    return tuple(
        [
            GapVerdict(text_at(gap, "claim") or "", "gap-persists", NOT_RECHECKED)
            for gap in (gaps if isinstance(gaps, list) else [])
        ]
    )
