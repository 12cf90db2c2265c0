"""Replay of grounded answers (evidence contract §3, §13 rows 6 and 7)."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from kcp.errors import ArtifactError, FetchError
from kcp.evidence import grounded
from kcp.evidence.grounded import NO_SHA, NOT_ELIGIBLE, NOT_IN_ANSWER, NOT_LOADED, NOT_RECHECKED, UNCLAIMED
from kcp.evidence.reports import GroundedReport, report_wire, unchecked
from kcp.network.fetcher import Fetched, Fetcher
from kcp.reading.sources import Sources
from tests.evidence.replaying import Raw, edited, harbour, replayed, saved

BERTH = "A ship berths at high tide."
OTHER = "Pilots board outside."
GAP = "It is always open."


@pytest.fixture
def quay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    harbour(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "berth.md").write_text("text of berth\n")
    (tmp_path / "pilots" / "pilot.md").write_text("text of pilot\n")
    return tmp_path


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def claim(text: str, unit: str, content: str) -> Raw:
    return {"claim": text, "grounded": True, "unitId": unit, "sha256": digest(content)}


def loaded(unit: str, path: str, project: str, content: str) -> Raw:
    return {"id": unit, "path": path, "manifest": project, "chars": 1, "sha256": digest(content)}


@pytest.fixture
def answer(quay: Path) -> Raw:
    """An answer with one claim that stands and one that nothing supports."""
    return {
        "plan": saved("knowledge.yaml"),
        "synthesis": {
            "answer": f"{BERTH} {GAP}\n",
            "model": "m",
            "unitsLoaded": [loaded("berth", "berth.md", "quay", "text of berth\n")],
            "unitsUnavailable": [],
        },
        "grounding": {
            "status": "partial-unsupported",
            "claims": [
                claim(BERTH, "berth", "text of berth\n"),
                {"claim": GAP, "grounded": False, "reason": "no loaded unit supports this claim"},
            ],
            "grounded": 1,
            "gaps": [{"claim": GAP, "reason": "no loaded unit supports this claim"}],
            "gapsTruncated": 0,
        },
    }


def report_on(artifact: object, **settings: Any) -> GroundedReport:
    report = replayed(artifact, **settings)
    assert isinstance(report, GroundedReport)
    return report


def test_an_answer_that_still_holds_is_reported_as_the_reference_does(answer: Raw) -> None:
    assert report_wire(report_on(answer)) == {
        "artifact": "a.json",
        "claims": [
            {
                "claim": BERTH,
                "unitId": "berth",
                "status": "still-grounded",
                "detail": f"sha {digest('text of berth' + chr(10))[:12]} unchanged",
            }
        ],
        "gaps": [{"claim": GAP, "status": "gap-persists", "detail": NOT_RECHECKED}],
        "ok": True,
    }


def test_a_unit_that_changed_or_is_gone(quay: Path, answer: Raw) -> None:
    (quay / "berth.md").write_text("other\n")
    (verdict,) = report_on(answer).claims
    today, pinned = digest("other\n")[:12], digest("text of berth\n")[:12]
    assert (verdict.status, verdict.detail) == (
        "drifted",
        f"unit bytes changed: sha {today}… ≠ pinned {pinned}…",
    )
    (quay / "berth.md").unlink()
    report = report_on(answer)
    assert report.claims[0].status == "gone"
    assert report.claims[0].detail == "unit no longer readable: unit not found: berth.md"
    assert not unchecked(report)


@pytest.mark.parametrize(
    ("path", "value", "status", "detail"),
    [
        (("grounding", "claims", 0, "sha256"), ..., "gone", NO_SHA),
        (("grounding", "claims", 0, "sha256"), 5, "gone", NO_SHA),
        (("grounding", "claims", 0, "unitId"), "x", "gone", NOT_LOADED),
        (("synthesis", "unitsLoaded"), [], "gone", NOT_LOADED),
        (("synthesis", "unitsLoaded", 0, "path"), "other.md", "gone", NOT_ELIGIBLE),
        (("synthesis", "unitsLoaded", 0, "path"), ..., "gone", NOT_ELIGIBLE),
        (("synthesis", "unitsLoaded", 0, "manifest"), "pilots", "gone", NOT_ELIGIBLE),
        (("plan", "selected", 0, "loadEligible"), False, "gone", NOT_ELIGIBLE),
        (("grounding", "claims", 0, "claim"), "Ships fly.", "drifted", NOT_IN_ANSWER),
        (("grounding", "claims", 0, "claim"), " ", "drifted", NOT_IN_ANSWER),
        (("synthesis", "answer"), "Ships fly.", "drifted", NOT_IN_ANSWER),
        (("synthesis", "answer"), ..., "drifted", NOT_IN_ANSWER),
    ],
)
def test_an_edited_answer(answer: Raw, path: Any, value: Any, status: str, detail: str) -> None:
    report = report_on(edited(answer, *path, to=value))
    assert (report.claims[0].status, report.claims[0].detail) == (status, detail)
    assert not report.ok


@pytest.mark.parametrize(
    "text", [f"{BERTH} And ships fly. {GAP}", f"{BERTH} {GAP} Ha", f"{GAP} {BERTH}", BERTH]
)
def test_an_answer_is_made_of_its_claims(answer: Raw, text: str) -> None:
    report = report_on(edited(answer, "synthesis", "answer", to=text))
    assert report.claims[0].status == "still-grounded"
    assert [check.detail for check in report.checks] == [UNCLAIMED]
    assert not report.ok
    assert report_wire(report)["checks"]


def test_the_plan_is_replayed_too(quay: Path, answer: Raw) -> None:
    report = report_on(edited(answer, "plan", "trust", "note", to="x"))
    assert report.claims[0].status == "still-grounded"
    assert [check.detail for check in report.checks] == ["plan differs in: trust"]
    assert not report.ok


def test_an_answer_without_claims_holds_nothing(answer: Raw) -> None:
    report = report_on(edited(answer, "grounding", "claims", to=[answer["grounding"]["claims"][1], 5, None]))
    assert (report.claims, report.ok) == ((), False)


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "https://h.example/x", "link.md"])
def test_paths_stay_in_the_folder(quay: Path, answer: Raw, path: str) -> None:
    (quay.parent / "secret").write_text("text of berth\n")
    (quay / "link.md").symlink_to(quay.parent / "secret")
    forged = edited(answer, "synthesis", "unitsLoaded", 0, "path", to=path)
    forged = edited(forged, "plan", "selected", 0, "path", to=path)
    (verdict,) = report_on(forged).claims
    assert (verdict.status, verdict.detail) == ("gone", "unit no longer readable: unsafe path")


def test_units_of_followed_manifests(quay: Path, answer: Raw) -> None:
    """Units lie beside the manifest that has them, and may share an id (row 7)."""
    tree = saved("knowledge.yaml", depth=1)
    tree["children"][0]["plan"]["selected"][0]["payment"]["affordable"] = False
    units = [
        loaded("berth", "berth.md", "quay", "text of berth\n"),
        loaded("pilot", "pilot.md", "pilots", "text of pilot\n"),
    ]
    claims = [claim(BERTH, "berth", "text of berth\n"), claim(OTHER, "pilot", "text of pilot\n")]
    followed = {
        "plan": tree,
        "synthesis": {"answer": f"{BERTH}\n\n{OTHER}", "unitsLoaded": units},
        "grounding": {"claims": claims, "gaps": []},
    }
    assert [verdict.status for verdict in report_on(followed).claims] == ["still-grounded", "gone"]
    eligible = edited(followed, "plan", "children", 0, "plan", "selected", 0, "loadEligible", to=True)
    assert [verdict.status for verdict in report_on(eligible).claims] == ["still-grounded", "still-grounded"]
    stripped = edited(
        edited(eligible, "synthesis", "unitsLoaded", 0, "manifest"), "synthesis", "unitsLoaded", 1, "manifest"
    )
    assert [verdict.status for verdict in report_on(stripped).claims] == ["still-grounded", "still-grounded"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (("synthesis",), "a grounded answer needs the list synthesis.unitsLoaded"),
        (("synthesis", "unitsLoaded"), "a grounded answer needs the list synthesis.unitsLoaded"),
        (("plan", "manifest", "source"), "a grounded answer needs the manifest.source of its plan"),
    ],
)
def test_what_an_answer_needs(answer: Raw, path: Any, message: str) -> None:
    with pytest.raises(ArtifactError) as caught:
        replayed(edited(answer, *path))
    assert str(caught.value) == message


def test_hostile_answers_are_bounded(answer: Raw, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grounded, "MAX_CLAIMS", 1)
    with pytest.raises(ArtifactError, match="more than 1 claims"):
        replayed(answer)
    monkeypatch.setattr(grounded, "MAX_CLAIMS", 10)
    monkeypatch.setattr(grounded, "MAX_READS", 0)
    with pytest.raises(ArtifactError, match="more than 0 units"):
        replayed(answer)


class Web(Fetcher):
    def __init__(self, pages: dict[str, bytes]) -> None:
        self.pages = pages

    def fetch(self, url: str) -> Fetched:
        if url not in self.pages:
            raise FetchError("HTTP 503")
        return Fetched(url, self.pages[url])


def test_a_failing_network_is_not_drift(quay: Path, answer: Raw) -> None:
    home = "https://h.example/"
    web = Web(
        {f"{home}k.yaml": (quay / "knowledge.yaml").read_bytes(), f"{home}berth.md": b"text of berth\n"}
    )
    remote = {**answer, "plan": saved(f"{home}k.yaml", sources=Sources(web))}
    assert report_on(remote, sources=Sources(web)).ok
    del web.pages[f"{home}berth.md"]
    report = report_on(remote, sources=Sources(web))
    assert report.claims[0].detail == "unit no longer readable: HTTP 503"
    assert unchecked(report)
