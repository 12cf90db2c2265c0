"""Entries (evidence contract §4): shape, ids, stripping, and rows 9, 12 and 13."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from kcp.evidence.episodes import (
    UnusableArtifactError,
    fault_of,
    file_names,
    has_answer,
    make_entry,
    require_replayable,
    timestamp,
)
from kcp.wire.decode import decode_json
from kcp.wire.jsontext import encode_json
from tests.evidence.episode_cases import AT, KEY, SHA, answer, entry, plan, tree, with_credentials

INTERCHANGE = json.loads((Path(__file__).parent / "interchange.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", INTERCHANGE, ids=lambda case: case["name"])
def test_entries_are_the_bytes_that_a_javascript_engine_writes(case: dict[str, Any]):
    artifact = decode_json(case["artifact"], "artifact")
    made = make_entry(artifact, case["recordedAt"], case["optionsKey"])
    assert encode_json(made) == case["text"]
    assert case["file"] in file_names(made["id"], made.get("optionsKey", ""))
    assert fault_of(decode_json(case["text"], "entry")) is None


def test_members_and_their_order():
    assert list(entry(key=KEY)) == [
        *("id", "kind", "task", "manifestSource", "manifestSha", "optionsKey", "recordedAt", "artifact")
    ]
    bare = entry(plan(manifest={"project": "p"}))
    assert list(bare) == ["id", "kind", "task", "recordedAt", "artifact"]


def test_the_id_is_the_digest_of_the_canonical_artifact():
    made = plan()
    text = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
    assert entry(made)["id"] == hashlib.sha256(text.encode()).hexdigest()


def test_an_answer_is_kept_without_the_text_of_its_units():
    made = entry(answer())
    assert made["kind"] == "grounded-answer"
    assert made["artifact"]["synthesis"]["unitsLoaded"] == [
        {"id": "berthing", "path": "berthing.md", "sha256": SHA}
    ]
    assert made["artifact"]["synthesis"]["answer"] == "At the quay."
    assert '"content"' not in encode_json(made)


def test_content_goes_at_any_depth_and_the_original_stays():
    artifact = plan(more=[{"content": "x", "deeper": {"content": {"a": 1}, "kept": [{"content": 1}]}}])
    made = entry(artifact)
    assert made["artifact"]["more"] == [{"deeper": {"kept": [{}]}}]
    assert artifact["more"][0]["content"] == "x"


def test_units_of_a_followed_answer_keep_their_manifest():
    made = entry(answer(tree()))
    (unit,) = made["artifact"]["synthesis"]["unitsLoaded"]
    assert unit == {"id": "berthing", "path": "berthing.md", "manifest": "harbour", "sha256": SHA}


LOOP = {"task": "t", "basePlans": [plan()], "rounds": [], "finalPlans": [tree(plan("t and more"))]}


@pytest.mark.parametrize(
    ("artifact", "kind", "task", "source"),
    [
        (plan(), "plan", "where to berth", "h/knowledge.yaml"),
        (tree(), "plan", "where to berth", "h/knowledge.yaml"),
        ({"plan": plan(), "synthesis": {"answer": "a"}}, "plan", "where to berth", "h/knowledge.yaml"),
        (answer(), "grounded-answer", "where to berth", "h/knowledge.yaml"),
        (answer(tree()), "grounded-answer", "where to berth", "h/knowledge.yaml"),
        ({"reused": {"id": "x"}, **answer()}, "grounded-answer", "where to berth", "h/knowledge.yaml"),
        # A trace and a loop tell their own task, and the reference looks no further.
        ({"task": "t", "units": [], "gateSummary": [], "plan": plan()}, "plan", "t", None),
        (LOOP, "plan", "t", None),
        ({**LOOP, "task": None}, "plan", "t and more", "h/knowledge.yaml"),
    ],
)
def test_every_artifact_has_a_task(artifact: dict[str, Any], kind: str, task: str, source: str | None):
    made = entry(artifact)
    assert (made["kind"], made["task"], made.get("manifestSource")) == (kind, task, source)
    assert fault_of(made) is None


@pytest.mark.parametrize(
    ("artifact", "message"),
    [
        (None, "not an object"),
        ([plan()], "not an object"),
        ("text", "not an object"),
        ({}, "no plan with a task"),
        ({"plan": None, "grounding": {}}, "no plan with a task"),
        ({"task": 3, "selected": []}, "no plan with a task"),
        ({"task": "t", "selected": {}}, "no plan with a task"),
        ({"location": "x", "error": "e", "children": [], "notFollowed": []}, "no plan with a task"),
        ({"status": "grounded", "answer": "a", "final": {}, "rounds": []}, "no plan with a task"),
        ({"basePlans": [], "finalPlans": []}, "no plan with a task"),
        (entry(), "a memory entry"),
        ({**answer(), "synthesis": {"unitsLoaded": [None]}}, "no list of units"),
        ({**answer(), "synthesis": {"unitsLoaded": "x"}}, "no list of units"),
    ],
)
def test_what_memory_has_no_use_for(artifact: object, message: str):
    with pytest.raises(UnusableArtifactError, match=message) as caught:
        make_entry(artifact, AT)
    assert caught.value.exit_code == 1


@pytest.mark.parametrize(
    ("artifact", "message"),
    [
        ({}, "no plan with a task"),
        ({"task": "\ud800", "selected": []}, "no manifest.source"),
        (plan(manifest={"project": "p", "source": ""}), "no manifest.source"),
        (plan(options=None), "echoes no options"),
        (tree(plan(options=[])), "echoes no options"),
        (answer(plan(manifest=5)), "no manifest.source"),
        ({**LOOP, "finalPlans": [plan(), plan(manifest=None)]}, "no manifest.source"),
        ({**LOOP, "finalPlans": [plan(), 5]}, "unrecognized artifact"),
        ({**LOOP, "schemaVersion": 2}, "schemaVersion must be 1, not 2"),
        ({**tree(), "kind": "tree", "children": None}, "kind is 'tree', but"),
    ],
)
def test_what_no_replay_could_check_is_not_remembered(artifact: object, message: str):
    with pytest.raises(UnusableArtifactError, match=message):
        require_replayable(artifact)


@pytest.mark.parametrize("artifact", [plan(), tree(), answer(), answer(tree()), LOOP])
def test_what_can_be_checked_is_remembered(artifact: object):
    require_replayable(artifact)


def changed(made: dict[str, Any], **members: Any) -> dict[str, Any]:
    """The entry with members replaced; one given as `...` is left out."""
    merged = {**made, **members}
    return {key: value for key, value in merged.items() if value is not ...}


@pytest.mark.parametrize(
    ("forged", "reason"),
    [
        (None, "not an object"),
        ([], "not an object"),
        (changed(entry(), artifact=...), "holds no artifact"),
        (changed(entry(), artifact=None), "holds no artifact"),
        (changed(entry(), id=...), "its id is not the digest"),
        (changed(entry(), id=7), "its id is not the digest"),
        (changed(entry(), id="0" * 64), "its id is not the digest"),
        (changed(entry(), artifact=plan(warnings=["edited"])), "its id is not the digest"),
        (changed(entry(), kind="grounded-answer"), "kind is not that"),
        (changed(entry(), kind=...), "kind is not that"),
        (changed(entry(), task="another task"), "task is not that"),
        (changed(entry(), task=...), "task is not that"),
        (changed(entry(), manifestSource="elsewhere.yaml"), "manifestSource is not that"),
        (changed(entry(), manifestSource=...), "manifestSource is not that"),
        (changed(entry(), manifestSha="cd" * 32), "manifestSha is not that"),
        (changed(entry(), recordedAt=...), "recordedAt is not a time"),
        (changed(entry(), recordedAt="tomorrow"), "recordedAt is not a time"),
        (changed(entry(), recordedAt="2026-07-06"), "recordedAt is not a time"),
        (changed(entry(), recordedAt="٢026-07-06T10:00:00.000Z"), "recordedAt is not a time"),
        (changed(entry(), optionsKey=7), "optionsKey is not text"),
        (changed(entry(with_credentials("vault")), optionsKey=KEY), "optionsKey has another credentials"),
    ],
)
def test_an_entry_must_be_what_it_says(forged: object, reason: str):
    fault = fault_of(forged)
    assert fault is not None
    assert reason in fault


def test_an_entry_whose_artifact_has_no_plan():
    artifact = {"a": 1}
    text = '{"a":1}'
    forged = {"id": hashlib.sha256(text.encode()).hexdigest(), "recordedAt": AT, "artifact": artifact}
    assert fault_of(forged) == "its artifact holds no plan with a task"


def test_what_answers_are():
    assert has_answer(answer())
    assert has_answer({"plan": plan(), "synthesis": {}})
    assert has_answer({"answer": "a", "final": {}, "rounds": []})
    assert not has_answer(plan())
    assert not has_answer(tree())


def test_times():
    assert timestamp(0) == "1970-01-01T00:00:00.000Z"
    assert timestamp(1_783_332_000_123_999_999) == "2026-07-06T10:00:00.123Z"
