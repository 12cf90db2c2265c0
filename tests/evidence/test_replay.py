"""Which replay an artifact gets, by its shape (evidence contract §2, §3, §8, §13 rows 5 and 27)."""

from __future__ import annotations

from pathlib import Path

import pytest

from kcp.errors import ArtifactError
from kcp.evidence import replay
from kcp.evidence.episodes import make_entry
from kcp.evidence.plan_replay import ReplaySettings
from kcp.evidence.replay import settings_beside
from kcp.evidence.reports import FailedReport, GroundedReport, unchecked
from kcp.reading.sources import Sources
from tests.evidence.replaying import Raw, again, edited, harbour, replayed, saved, statuses, verdicts
from tests.evidence.test_grounded_replay import BERTH, claim, loaded

NOW = "2026-07-06T00:00:00.000Z"


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Raw:
    harbour(tmp_path)
    (tmp_path / "berth.md").write_text("text\n")
    monkeypatch.chdir(tmp_path)
    return saved("knowledge.yaml")


@pytest.fixture
def answer(plan: Raw) -> Raw:
    return {
        "plan": plan,
        "synthesis": {"answer": BERTH, "unitsLoaded": [loaded("berth", "berth.md", "quay", "text\n")]},
        "grounding": {"status": "grounded", "claims": [claim(BERTH, "berth", "text\n")], "gaps": []},
    }


def test_wrappers(plan: Raw) -> None:
    assert statuses({"plan": plan, "synthesis": {"answer": "a"}}) == ["identical"]
    assert statuses({"plan": {"plan": plan}}) == ["identical"]
    assert statuses({"plan": saved("knowledge.yaml", depth=1), "synthesis": {}}) == ["identical"] * 2


def test_loop_results(plan: Raw) -> None:
    loop = {
        "task": "berth",
        "expandedTask": "berth tide",
        "basePlans": [plan],
        "rounds": [{"round": 1, "plans": [plan, plan]}, 5, {}],
        "finalPlans": [saved("knowledge.yaml", "berth tide")],
        "converged": "no-terms",
        "synthesis": {},
    }
    assert statuses(loop) == ["identical"] * 4
    moved = edited(loop, "rounds", 0, "plans", 1, "trust", "note", to="x")
    assert statuses(moved) == ["identical", "identical", "drifted", "identical"]
    for broken in ({**loop, "finalPlans": [5]}, {**loop, "basePlans": [], "rounds": [], "finalPlans": []}):
        with pytest.raises(ArtifactError):
            replayed(broken)


def test_a_loop_of_very_many_plans_is_refused(plan: Raw, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "MAX_PLANS", 1)
    with pytest.raises(ArtifactError, match="more than 1 plans"):
        replayed({"basePlans": [plan], "finalPlans": [plan]})


def test_what_names_its_kind_is_replayed_as_that(plan: Raw, answer: Raw) -> None:
    """Honest plans beside it are not what is checked."""
    forged = edited(plan, "trust", "note", to="x")
    loop = {"basePlans": [plan], "finalPlans": [plan]}
    entry = again(make_entry(plan, NOW))
    assert statuses({**forged, **loop}) == ["drifted"]
    assert statuses({**edited(forged, "kind"), **loop}) == ["drifted"]
    assert statuses({**forged, **edited(answer, "plan")}) == ["drifted"]
    for wrapper in (loop, answer):
        for kind in ("plan", "tree", "trace"):
            with pytest.raises(ArtifactError, match=f"kind is '{kind}', but"):
                replayed({**wrapper, "kind": kind})
    besides: list[Raw] = [
        {"selected": []},
        {"plan": forged},
        {"children": []},
        {"kind": "tree"},
        {"kind": []},
    ]
    for beside in besides:
        with pytest.raises(ArtifactError, match="the memory entry"):
            replayed({**entry, **beside})


def test_closed_loop_results(answer: Raw) -> None:
    result = {
        "status": "grounded",
        "answer": BERTH,
        "final": {"grounding": answer["grounding"]},
        "rounds": [],
    }
    report = replayed(result)
    assert [(check.status, check.detail) for check in report.checks] == [("unpinned", replay.NO_PLAN)]
    assert not report.ok
    assert not unchecked(report)
    whole = {**result, "plan": answer["plan"], "synthesis": answer["synthesis"]}
    report = replayed(whole)
    assert isinstance(report, GroundedReport)
    assert report.ok


def test_memory_entries(plan: Raw, answer: Raw) -> None:
    entry = again(make_entry(plan, NOW))
    assert statuses(entry) == ["identical"]
    report = replayed(again(make_entry(answer, NOW)))
    assert isinstance(report, GroundedReport)
    assert report.ok
    for forged in (
        edited(entry, "artifact", "trust", "note", to="x"),
        edited(entry, "id", to="0" * 64),
        {"id": "x", "artifact": entry},
        {"id": "x", "artifact": None},
    ):
        with pytest.raises(ArtifactError, match="memory entry"):
            replayed(forged)


def test_what_could_not_be_checked(plan: Raw) -> None:
    assert not unchecked(replayed(plan))
    assert not unchecked(replayed(edited(plan, "trust", to=1)))
    assert unchecked(replayed(edited(plan, "options")))
    assert unchecked(FailedReport("a", "e"))


def test_sources_beside_the_artifact(plan: Raw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = ReplaySettings(Sources())

    def base(artifact: object) -> str | None:
        return settings_beside(artifact, str(tmp_path), settings).sources.base

    assert base(plan) is None
    monkeypatch.chdir("/")
    assert base(plan) == str(tmp_path)
    assert base({"plan": plan}) == str(tmp_path)
    assert base({"basePlans": [plan], "finalPlans": []}) == str(tmp_path)
    assert base(again(make_entry(plan, NOW))) == str(tmp_path)
    for source in (
        str(tmp_path / "knowledge.yaml"),
        "https://h.example/k.yaml",
        "nowhere.yaml",
        "",
        5,
        "a\0b",
    ):
        assert base(edited(plan, "manifest", "source", to=source)) is None
    shapes: list[object] = [None, 5, [], {}, {"basePlans": [], "finalPlans": []}, {"plan": 5}]
    for other in shapes:
        assert base(other) is None


def test_a_source_with_a_nul_is_not_found(plan: Raw) -> None:
    assert verdicts(edited(plan, "manifest", "source", to="a\0b"))[0][0] == "error"
