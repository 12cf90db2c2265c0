"""The schemas of replay reports and explanations accept what the program prints, and refuse what strays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.planning.explain import explain
from tests.planning.estates import IDS, OPTIONS, TASKS, manifests, read_raw
from tests.wire.test_schemas import changed, faults

CHECK = {"source": "k.yaml", "project": "p", "status": "identical", "detail": "d"}
MOVED = {**CHECK, "status": "drifted", "fields": ["budget"]}
REPORT = {"artifact": "a.json", "checks": [CHECK], "ok": True}
CLAIM = {"claim": "c", "unitId": "u", "status": "still-grounded", "detail": "d"}
GAP = {"claim": "c", "status": "gap-persists", "detail": "d"}
ANSWER = {"artifact": "a.json", "claims": [CLAIM], "gaps": [GAP], "ok": True}
FAILED = {"artifact": "a.json", "error": "e", "checks": [], "ok": False}
CHANGE = {"what": "role", "before": "agent", "after": "human", "arguments": ["--role", "human"]}
DROPPED = {"what": "grant ceiling", "before": "observe", "leaveOut": ["--grant-ceiling"]}
EXPLANATION: dict[str, Any] = {
    "unit": "u",
    "task": "t",
    "asOf": "2026-07-06",
    "manifest": {"project": "p", "version": "1", "source": "k.yaml", "sha256": "0" * 64},
    "selected": False,
    "loadEligible": False,
    "gates": [{"gate": "audience", "passed": False, "detail": "d"}],
    "suggestions": [{"changes": [CHANGE, DROPPED], "position": 1, "score": 3}],
    "note": "2 changes would select the unit load-eligible",
    "schemaVersion": 1,
    "kind": "explanation",
}


@pytest.mark.parametrize(
    "value",
    [
        REPORT,
        {**REPORT, "checks": [CHECK, MOVED], "ok": False},
        {**REPORT, "checks": [], "ok": False},
        ANSWER,
        {**ANSWER, "claims": [], "gaps": [], "ok": False},
        {**ANSWER, "checks": [MOVED], "ok": False},
        [REPORT, ANSWER, FAILED],
    ],
)
def test_replay_reports(value: object) -> None:
    assert faults("replay-report", value) == []


@pytest.mark.parametrize(
    "value",
    [
        {**REPORT, "checks": []},
        {**REPORT, "checks": [MOVED]},
        {**REPORT, "kind": "report"},
        {**REPORT, "checks": [{**CHECK, "status": "fine"}], "ok": False},
        {**REPORT, "checks": [{**CHECK, "fields": []}], "ok": False},
        {**REPORT, "checks": [{**CHECK, "moved": {}}], "ok": False},
        {**ANSWER, "claims": []},
        {**ANSWER, "checks": [MOVED]},
        {**ANSWER, "checks": [], "ok": False},
        {**ANSWER, "claims": [{**CLAIM, "status": "gone"}]},
        {**ANSWER, "claims": [{**CLAIM, "unreadable": False}]},
        {**FAILED, "ok": True},
        [REPORT],
        [],
        None,
    ],
)
def test_stray_replay_reports(value: object) -> None:
    assert faults("replay-report", value)


def test_explanations() -> None:
    assert faults("explain", EXPLANATION) == []
    closed = {**EXPLANATION, "suggestions": [], "obstacle": {"gate": "deprecated", "detail": "d"}}
    assert faults("explain", closed) == []


@pytest.mark.parametrize(
    "value",
    [
        {**EXPLANATION, "obstacle": {"gate": "deprecated", "detail": "d"}},
        {**EXPLANATION, "gates": []},
        {**EXPLANATION, "kind": "trace"},
        {**EXPLANATION, "extra": 1},
        changed(EXPLANATION, ["suggestions", 0, "changes"], []),
        changed(EXPLANATION, ["suggestions", 0, "changes", 0, "what"], "luck"),
        changed(EXPLANATION, ["suggestions", 0, "changes", 0, "arguments"]),
        changed(EXPLANATION, ["suggestions", 0, "changes", 0, "leaveOut"], ["--role"]),
        changed(EXPLANATION, ["suggestions", 0, "changes", 1, "after"], "x"),
        changed(EXPLANATION, ["suggestions", 0, "position"], 0),
    ],
)
def test_stray_explanations(value: object) -> None:
    assert faults("explain", value)


@given(manifests(), TASKS, OPTIONS, st.sampled_from(IDS))
def test_generated_explanations(raw: dict[str, Any], task: str, asked: Any, unit: str) -> None:
    found = explain(read_raw(raw), unit, task, asked)
    if found is not None:
        assert faults("explain", json.loads(found.to_json())) == []
