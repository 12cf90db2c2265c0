"""Today's gates on a remembered answer (row 10, decision B17), on real manifests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kcp.errors import ArtifactError
from kcp.evidence.gates import gated_unit, todays_gates
from kcp.evidence.plan_replay import ReplaySettings
from kcp.reading.sources import Sources
from kcp.wire.encode import to_wire
from tests.evidence.episode_cases import answer
from tests.support import plan, read

BERTHING = "id: berthing, path: berthing.md, intent: berth a ship, triggers: [berth]"
TODAY = "2026-08-01"


def manifest_of(unit: str, project: str = "harbour") -> str:
    return f"project: {project}\nversion: '1'\nunits:\n- {{{unit}}}\n"


def plan_of(unit: str, project: str = "harbour") -> Any:
    return plan(read(manifest_of(unit, project)), "berth")


def test_a_unit_that_stands_as_it_stood():
    assert gated_unit(answer(), [plan_of(BERTHING)]) is None


@pytest.mark.parametrize(
    ("unit", "reason"),
    [
        (BERTHING.replace("id: berthing", "id: other"), "unit 'berthing' is not selected today"),
        (f"{BERTHING}, access: restricted", "unit 'berthing' is not load-eligible today"),
        (f"{BERTHING}, temporal: {{valid_until: '2020-01-01'}}", "unit 'berthing' is not selected today"),
        (f"{BERTHING}, audience: [human]", "unit 'berthing' is not selected today"),
        (BERTHING.replace("berthing.md", "moved.md"), "unit 'berthing' lies at another path today"),
    ],
)
def test_a_unit_that_does_not(unit: str, reason: str):
    assert gated_unit(answer(), [plan_of(unit)]) == reason


def test_no_plan_allows_nothing():
    assert gated_unit(answer(), []) == "unit 'berthing' is not selected today"


def test_a_unit_that_was_loaded_but_not_cited_counts_too():
    made = answer()
    made["synthesis"]["unitsLoaded"].append({"id": "tides", "path": "tides.md"})
    assert gated_unit(made, [plan_of(BERTHING)]) == "unit 'tides' is not selected today"


def test_a_unit_that_was_cited_but_not_loaded():
    made = answer()
    made["grounding"]["claims"].append({"claim": "c", "grounded": True, "unitId": "tides"})
    assert gated_unit(made, [plan_of(BERTHING)]) == "unit 'tides' was cited but not loaded"
    made["grounding"]["claims"][-1]["grounded"] = False
    assert gated_unit(made, [plan_of(BERTHING)]) is None


def test_a_unit_of_another_manifest_is_another_unit():
    made = answer()
    elsewhere = plan_of(BERTHING, project="elsewhere")
    assert gated_unit(made, [elsewhere]) == "unit 'berthing' is not selected today"
    # What is stored without the manifest's name may come from any.
    del made["synthesis"]["unitsLoaded"][0]["manifest"]
    assert gated_unit(made, [elsewhere]) is None
    assert gated_unit(made, [plan_of(f"{BERTHING}, access: restricted"), elsewhere]) is not None


@pytest.mark.parametrize("loaded", [None, [{}], ["x"], [{"id": "berthing"}], [{"path": "p"}], "x"])
def test_an_answer_that_does_not_say_what_it_was_made_from(loaded: object):
    made = answer()
    made["synthesis"]["unitsLoaded"] = loaded
    with pytest.raises(ArtifactError, match="which units it was made from"):
        gated_unit(made, [plan_of(BERTHING)])


@pytest.fixture
def gates(tmp_path: Path) -> Callable[[Any], str | None]:
    (tmp_path / "knowledge.yaml").write_text(manifest_of(BERTHING), encoding="utf-8")
    return todays_gates(ReplaySettings(Sources()), TODAY)


def answer_of(folder: Path) -> dict[str, Any]:
    made = to_wire(plan(read(manifest_of(BERTHING), str(folder / "knowledge.yaml")), "berth"))
    return answer(made)


def change(folder: Path, unit: str) -> None:
    (folder / "knowledge.yaml").write_text(manifest_of(unit), encoding="utf-8")


def test_manifests_are_planned_anew(tmp_path: Path, gates: Callable[[Any], str | None]):
    made = answer_of(tmp_path)
    assert gates(made) is None
    change(tmp_path, f"{BERTHING}, access: restricted")
    assert gates(made) == "unit 'berthing' is not load-eligible today"


def test_as_of_today_and_not_of_then(tmp_path: Path, gates: Callable[[Any], str | None]):
    made = answer_of(tmp_path)
    change(tmp_path, f"{BERTHING}, temporal: {{valid_until: '2026-07-15'}}")
    assert made["plan"]["asOf"] < "2026-07-15" < TODAY
    assert gates(made) == "unit 'berthing' is not selected today"


def test_with_the_capabilities_of_then(tmp_path: Path, gates: Callable[[Any], str | None]):
    made = answer_of(tmp_path)
    made["plan"]["options"]["capabilities"]["credentials"] = ["vault"]
    change(tmp_path, f"{BERTHING}, access: restricted, auth_scope: vault")
    assert gates(made) is None


def test_an_answer_of_a_followed_federation(tmp_path: Path, gates: Callable[[Any], str | None]):
    made = answer_of(tmp_path)
    location = str(tmp_path / "knowledge.yaml")
    made["plan"] = {"location": location, "notFollowed": [], "children": [], "plan": made["plan"]}
    assert gates(made) is None
    change(tmp_path, BERTHING.replace("id: berthing", "id: other"))
    assert gates(made) is not None


def test_a_loops_final_plans(tmp_path: Path, gates: Callable[[Any], str | None]):
    made = answer_of(tmp_path)
    loop = {"basePlans": [made["plan"]], "finalPlans": [made["plan"]], "synthesis": made["synthesis"]}
    assert gates(loop) is None


def test_what_cannot_be_planned_is_an_error(tmp_path: Path, gates: Callable[[Any], str | None]):
    made = answer_of(tmp_path)
    (tmp_path / "knowledge.yaml").unlink()
    with pytest.raises(ArtifactError, match="fetch failed: manifest not found"):
        gates(made)
    breakages: list[dict[str, Any]] = [{"options": None}, {"manifest": {}}]
    for broken in breakages:
        with pytest.raises(ArtifactError, match="does not say how it was made"):
            gates({**made, "plan": {**made["plan"], **broken}})
