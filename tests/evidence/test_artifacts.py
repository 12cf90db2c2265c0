"""Saved artifacts read from disk, and saved plans as typed values (planner contract §15)."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from kcp.errors import ArtifactError
from kcp.evidence.artifacts import plan_digest, read_artifact
from kcp.planning.diff import PlanLabel, diff_plans

PLAN: dict[str, Any] = {
    "task": "t",
    "manifest": {"project": "p", "version": "1"},
    "asOf": "2026-07-01",
    "selected": [{"id": "a", "score": 7}],
    "skipped": [{"id": "b", "reason": "r"}],
    "budget": {"ceiling": 2, "projectedSpend": 0.5},
    "context": {"ceiling": 3000},
    "warnings": ["w"],
}


def test_what_is_compared():
    digest = plan_digest(PLAN, "f")
    assert digest.label == PlanLabel("p", "1", "t", "2026-07-01")
    assert digest.selected == (("a", 7),)
    assert digest.skipped == (("b", "r"),)
    assert digest.figures == (2, 0.5, None, 3000, None, None)
    assert digest.warnings == ("w",)


@pytest.mark.parametrize("wrapped", [{"plan": PLAN}, {"plan": {"location": "x", "plan": PLAN}}])
def test_wrappers_are_opened(wrapped: dict[str, Any]):
    assert plan_digest(wrapped, "f") == plan_digest(PLAN, "f")


def test_what_may_be_absent():
    digest = plan_digest({"selected": [], "skipped": []}, "f")
    assert digest.label == PlanLabel(None, None, None, None)
    assert digest.figures == (None,) * 6


@pytest.mark.parametrize(
    ("artifact", "message"),
    [
        (3, "f: not a saved plan: a number"),
        ({"plan": None}, "f: not a saved plan: null"),
        ({"skipped": []}, "f: not a saved plan: member 'selected' is missing"),
        ({"plan": {"location": "x", "error": "y"}}, "f: not a saved plan: member 'selected' is missing"),
        ({**PLAN, "selected": {}}, "f: member 'selected' must be a list, found an object"),
        ({**PLAN, "selected": [3]}, "f: selected[0]: expected an object, found a number"),
        ({**PLAN, "skipped": [{}]}, "f: skipped[0]: member 'id' is missing"),
        ({**PLAN, "skipped": [{"id": 1}]}, "f: skipped[0]: member 'id' must be a string, found a number"),
        ({**PLAN, "task": 1}, "f: member 'task' must be a string, found a number"),
        ({**PLAN, "manifest": []}, "f: member 'manifest' must be an object, found a list"),
        ({**PLAN, "warnings": [1]}, "f: warnings[0] must be a string, found a number"),
    ],
)
def test_what_is_not_a_plan(artifact: object, message: str):
    with pytest.raises(ArtifactError) as caught:
        plan_digest(artifact, "f")
    assert caught.value.message == message


def test_a_score_must_be_a_scalar():
    with pytest.raises(ArtifactError, match=r"selected\[0\]: member 'score' must be"):
        plan_digest({**PLAN, "selected": [{"id": "a", "score": []}]}, "f")


def test_the_reference_agrees(shared_data: Path):
    with gzip.open(shared_data / "oracle" / "diff-cases.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            diff = diff_plans(plan_digest(case["a"], "a"), plan_digest(case["b"], "b"))
            assert json.loads(diff.to_json()) == case["expect"], case["id"]


def test_size_is_bounded(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(b"1234")
    assert read_artifact(str(file), max_bytes=4) == 1234
    with pytest.raises(ArtifactError, match="artifact is larger than 3 bytes"):
        read_artifact(str(file), max_bytes=3)


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_bytes('{"é": [1]}'.encode())
    assert read_artifact(str(file)) == {"é": [1]}
    with pytest.raises(ArtifactError, match=r"artifact not found: .*missing"):
        read_artifact(str(tmp_path / "missing"))
    with pytest.raises(ArtifactError, match="is a directory, not an artifact"):
        read_artifact(str(tmp_path))
    with pytest.raises(ArtifactError, match="artifact not found"):
        read_artifact("a\0b")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(ArtifactError, match="not a regular file"):
        read_artifact(str(pipe))
