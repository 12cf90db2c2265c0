"""`explain` on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.trust.support import signature_b64, spki_b64


def test_a_unit_that_is_open(run: Callable, harbour: Path):
    code, out, err = run("explain", "berthing", "quay", "--manifest", harbour, "--as-of", "2026-07-06")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:3] == ['Explain: berthing for "quay"', "  harbour v1.2.0 · as of 2026-07-06", ""]
    assert lines[3] == '  ✓ audience         role \'agent\' in ["agent","human"]'
    assert len(lines) == 3 + 14 + 2
    assert lines[-1] == "✓ the unit is selected and load-eligible"


def test_suggestions(run: Callable, harbour: Path):
    code, out, _ = run("explain", "customs", "the ship", "--manifest", harbour)
    assert code == 0
    assert "  ✗ relevance        no task-relevance match\n\n" in out
    assert out.split("\n\n")[-1].splitlines()[:3] == [
        "1 change would select the unit load-eligible:",
        "  → --task 'the ship customs'  (position 1, score 9)",
        "      task: the ship → the ship customs",
    ]
    out = run("explain", "customs", "it's", "--manifest", harbour).out
    assert "→ --task 'it'\\''s customs'  (" in out
    out = run("explain", "tide-tables", "quay", "--manifest", harbour, "--role", "it's me", "--strict").out
    assert "  → --role agent, --methods free,x402  (position 2, score " in out


def test_what_is_left_out(run: Callable, manifest: Callable):
    path = manifest(
        "project: p\nversion: '1'\n"
        "units: [{id: u, path: u, intent: quay, action_scope: {deny: {tools: [rm]}}}]\n"
    )
    out = run("explain", "u", "quay", "--manifest", path, "--action-tool", "rm").out
    assert "  → without --action-tool  (position 1, score 3)\n      proposed tool: rm → none\n" in out


def test_no_capability_opens_it(run: Callable, manifest: Callable):
    path = manifest("project: p\nversion: '1'\nunits: [{id: u, path: u, intent: quay, deprecated: true}]\n")
    code, out, _ = run("explain", "u", "quay", "--manifest", path)
    assert code == 0
    assert out.endswith("\n✗ no capability opens this: the manifest must change\n  deprecated: deprecated\n")
    wire = json.loads(run("explain", "u", "quay", "--manifest", path, "--json").out)
    assert wire["obstacle"] == {"gate": "deprecated", "detail": "deprecated"}
    assert wire["suggestions"] == []


def test_json(run: Callable, harbour: Path):
    code, out, _ = run("explain", "customs", "quay", "--manifest", harbour, "--json", "--max-units", "1")
    assert code == 0
    wire = json.loads(out)
    assert list(wire) == [
        *("unit", "task", "asOf", "manifest", "selected", "loadEligible", "gates", "suggestions", "note"),
        *("schemaVersion", "kind"),
    ]
    assert (wire["kind"], wire["selected"], wire["loadEligible"]) == ("explanation", False, False)
    assert len(wire["manifest"]["sha256"]) == 64
    change = wire["suggestions"][0]["changes"][0]
    assert change == {
        "what": "task",
        "before": "quay",
        "after": "quay customs",
        "arguments": ["--task", "quay customs"],
    }


def test_a_suggestion_does_what_it_says(run: Callable, harbour: Path):
    words = ["--manifest", harbour, "--role", "human", "--json"]
    wire = json.loads(run("explain", "tide-tables", "quay", *words).out)
    given = [word for change in wire["suggestions"][0]["changes"] for word in change["arguments"]]
    plan = json.loads(run("plan", "quay", *words, *given).out)
    assert any(unit["id"] == "tide-tables" and unit["loadEligible"] for unit in plan["selected"])


def test_no_such_unit(run: Callable, harbour: Path):
    code, out, err = run("explain", "berthin", "quay", "--manifest", harbour)
    assert (code, out) == (3, "")
    assert err == f"kcp-agent: no unit 'berthin' in {harbour}/knowledge.yaml\nDid you mean berthing?\n"
    assert run("explain", "zzz", "quay", "--manifest", harbour).err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Missing unit id."),
        (["", "x", "--manifest", "m"], "Missing unit id."),
        (["u", "--manifest", "m"], "Missing task."),
        (["u", "x"], "Missing --manifest."),
    ],
)
def test_missing_arguments(run: Callable, words: list[str], message: str):
    code, out, err = run("explain", *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"{message}\n\nUsage: kcp-agent explain ")


def test_the_task_flag(run: Callable, harbour: Path):
    assert 'for "a quay"' in run("explain", "berthing", "--task", "a quay", "--manifest", harbour).out
    assert 'for "a quay"' in run("explain", "berthing", "a", "quay", "--manifest", harbour).out


def test_manifests_are_verified_as_plan_does(run: Callable, tmp_path: Path):
    text = "project: p\nversion: '1'\nunits: [{id: u, path: u, intent: quay}]\n"
    text += "signing: {signature: k.sig, public_key: k.pub}\n"
    path = tmp_path / "k.yaml"
    path.write_text(text + "#\n")
    (tmp_path / "k.sig").write_text(signature_b64(1, text.encode()))
    (tmp_path / "k.pub").write_text(spki_b64(1))
    code, out, err = run("explain", "u", "quay", "--manifest", path)
    assert (code, out) == (3, "")
    assert "signature invalid" in err
    assert run("explain", "u", "quay", "--manifest", path, "--no-verify").code == 0
    path.write_text(text)
    assert run("explain", "u", "quay", "--manifest", path).code == 0
    assert run("explain", "u", "quay", "--manifest", tmp_path / "nope").code == 3
