"""The published JSON Schemas accept what the reference writes and refuse what strays from it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
NAMES = ["plan", "tree", "trace", "diff", "validation-report", "replay-report", "explain"]

SERVED = {"status": "local", "detail": "d", "declared": ["https://a.example/k"]}
SCOPE = {"tools": ["t"], "paths": [], "capabilities": []}
UNIT = {
    "id": "u",
    "path": "u.md",
    "intent": "i",
    "score": 3,
    "reasons": ["intent matches 1 term(s)"],
    "payment": {"method": "x402", "cost": "0.1 USDC/request", "pricePerRequest": 0.1, "affordable": True},
    "requiresAttestation": False,
    "loadEligible": True,
    "action_scope": SCOPE | {"spend": {"max_spend": 2, "allowed_vendors": []}, "deny": SCOPE},
    "authority": {"ceiling": "observe", "bindingSource": "agent grant_ceiling"},
    "spend": {"maxSpend": 2, "bindingSource": "step 'u' action_scope.spend"},
    "grantRequests": [{"step": "s", "triggers": ["t"], "note": "n"}],
}
PLAN: dict[str, Any] = {
    "task": "t",
    "manifest": {"project": "p", "version": "1", "sha256": "0" * 64},
    "trust": {"requiresAttestation": False, "agentCanAttest": True, "note": "n"},
    "environment": "",
    "asOf": "2026-07-01",
    "options": {
        "capabilities": {"role": "agent", "paymentMethods": ["free"], "credentials": []},
        "maxUnits": 5,
        "strict": False,
        "budget": {"amount": 1.5},
    },
    "selected": [UNIT],
    "skipped": [{"id": "v", "reason": "deprecated"}],
    "federation": [{"id": "f", "url": "../f", "selected": True, "reason": "eligible"}],
    "budget": {
        "rateTier": "default",
        "requestsPerMinute": "unlimited",
        "perRequestCosts": [{"unit": "u", "cost": "0.1 USDC/request"}],
        "ceiling": 1.5,
        "currency": "USDC",
        "projectedSpend": 0.1,
        "remaining": 1.4,
        "note": "n",
    },
    "context": {"approximate": False, "unmeasured": 1, "note": "no context budget set."},
    "warnings": [],
    "serving": SERVED,
    "signature": {"status": "unsigned", "detail": "manifest declares no signature"},
}
PLAN_ARTIFACT = {**PLAN, "schemaVersion": 1, "kind": "plan", "correlationId": "c"}
LEAF = {"refId": "r", "location": "l", "notFollowed": [], "children": [], "error": "fetch failed: x"}
TREE = {
    "location": "k.yaml",
    "notFollowed": [{"id": "f", "url": "u", "reason": "r"}],
    "children": [LEAF, {"refId": "s", "location": "m", "notFollowed": [], "children": [LEAF], "plan": PLAN}],
    "plan": PLAN,
    "schemaVersion": 1,
    "kind": "tree",
}
REPORT = {
    "source": "k.yaml",
    "findings": [{"level": "error", "where": "manifest", "message": "m"}],
    "ok": False,
}
DIFF = {
    "a": {"project": "p", "version": "1", "task": "t", "asOf": "d"},
    "b": {"project": "p", "version": "1", "task": "t", "asOf": "d"},
    "identical": False,
    "moves": [{"id": "u", "direction": "selected_to_skipped", "from": {"score": 1}, "to": {"reason": "r"}}],
    "scoreChanges": [{"id": "u", "before": 1, "after": 3, "delta": 2}],
    "presence": [{"id": "u", "side": "a_only"}],
    "budgetShifts": [{"field": "budget.ceiling", "after": 1}],
    "reasonChanges": [{"id": "u", "before": "x", "after": "y"}],
    "warningChanges": {"added": [], "removed": ["w"]},
}


@cache
def schema(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    return loaded


@cache
def validator(name: str) -> Draft202012Validator:
    files = [(f"{each}.schema.json", Resource.from_contents(schema(each))) for each in NAMES]
    registry: Registry[Any] = Registry().with_resources(files)
    return Draft202012Validator(
        {"$schema": schema(name)["$schema"], "$ref": f"{name}.schema.json"}, registry=registry
    )


def faults(name: str, value: object) -> list[str]:
    return [f"{error.json_path}: {error.message}"[:300] for error in validator(name).iter_errors(value)]


def records(file: Path, every: int) -> Iterator[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for place, line in enumerate(lines):
            if place % every == 0:
                yield json.loads(line)


def changed(value: dict[str, Any], path: list[Any], new: object = ...) -> dict[str, Any]:
    """A copy with the member at `path` replaced, or removed when no new value is given."""
    copy = deepcopy(value)
    at: Any = copy
    for key in path[:-1]:
        at = at[key]
    if new is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = new
    return copy


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_valid_and_documented(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    assert schema(name)["title"]
    assert schema(name)["description"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("plan", PLAN_ARTIFACT), ("tree", TREE), ("diff", DIFF), ("validation-report", REPORT)],
)
def test_samples(name: str, value: object) -> None:
    assert faults(name, value) == []


@pytest.mark.parametrize("corpus", ["planner-cases", "planner-cases-governed", "planner-cases-unicode"])
def test_reference_plans_traces_and_findings(shared_data: Path, corpus: str) -> None:
    for case in records(shared_data / "oracle" / f"{corpus}.jsonl.gz", 10):
        plan, trace = case["expect"]["plan"], case["expect"]["trace"]
        assert faults("plan", {**plan, "schemaVersion": 1, "kind": "plan"}) == [], case["id"]
        head = {"task": plan["task"], "asOf": plan["asOf"], "capabilities": plan["options"]["capabilities"]}
        whole = {**head, "plan": plan, **trace, "schemaVersion": 1, "kind": "trace"}
        assert faults("trace", whole) == [], case["id"]
        findings = case["expect"]["findings"]
        ok = all(finding["level"] != "error" for finding in findings)
        assert faults("validation-report", {"source": "s", "findings": findings, "ok": ok}) == [], case["id"]


def test_reference_diffs(shared_data: Path) -> None:
    for case in records(shared_data / "oracle" / "diff-cases.jsonl.gz", 1):
        assert faults("diff", case["expect"]) == [], case["id"]


def test_reference_output(shared_data: Path) -> None:
    seen = dict.fromkeys(NAMES, 0)
    for estate in records(shared_data / "oracle" / "estates.jsonl.gz", 3):
        for run in estate["runs"]:
            if run["stdout"].startswith("{"):
                value = json.loads(run["stdout"])
                name = value.get("kind", "validation-report")
                seen[name] += 1
                assert faults(name, value) == [], estate["id"]
    assert all(seen[name] > 5 for name in ("plan", "tree", "trace", "validation-report"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("plan", PLAN),
        ("plan", {**PLAN_ARTIFACT, "kind": "tree"}),
        ("plan", {**PLAN_ARTIFACT, "schemaVersion": 2}),
        ("plan", {**PLAN_ARTIFACT, "correlationId": ""}),
        ("plan", {**PLAN_ARTIFACT, "extra": 1}),
        ("plan", {**PLAN_ARTIFACT, "serving": None}),
        ("plan", changed(PLAN_ARTIFACT, ["warnings"])),
        ("plan", changed(PLAN_ARTIFACT, ["manifest", "sha256"], "0" * 63)),
        ("plan", changed(PLAN_ARTIFACT, ["options", "budget", "extra"], 1)),
        ("plan", changed(PLAN_ARTIFACT, ["selected", 0, "loadEligible"], "true")),
        ("plan", changed(PLAN_ARTIFACT, ["selected", 0, "score"], 0)),
        ("plan", changed(PLAN_ARTIFACT, ["selected", 0, "extra"], 0)),
        ("plan", changed(PLAN_ARTIFACT, ["selected", 0, "action_scope", "deny", "paths"])),
        ("plan", changed(PLAN_ARTIFACT, ["selected", 0, "grantRequests"], [])),
        ("plan", changed(PLAN_ARTIFACT, ["selected", 0, "authority", "bindingSource"], "me")),
        ("plan", changed(PLAN_ARTIFACT, ["budget", "remaining"])),
        ("plan", changed(PLAN_ARTIFACT, ["budget", "requestsPerMinute"], "many")),
        ("plan", changed(PLAN_ARTIFACT, ["context", "ceiling"], 10)),
        ("plan", changed(PLAN_ARTIFACT, ["signature", "status"], "fine")),
        ("tree", {**TREE, "error": "e"}),
        ("tree", {**TREE, "refId": "r"}),
        ("tree", changed(TREE, ["plan"])),
        ("tree", changed(TREE, ["kind"])),
        ("tree", changed(TREE, ["children", 0, "refId"])),
        ("tree", changed(TREE, ["children", 0, "error"])),
        ("tree", changed(TREE, ["children", 0, "children"], [LEAF])),
        ("tree", changed(TREE, ["children", 0, "kind"], "tree")),
        ("tree", changed(TREE, ["children", 1, "plan"], PLAN_ARTIFACT)),
        ("tree", changed(TREE, ["children", 1, "children", 0, "extra"], 1)),
        ("diff", {**DIFF, "schemaVersion": 1}),
        ("diff", changed(DIFF, ["moves", 0, "direction"], "skipped_to_selected")),
        ("diff", changed(DIFF, ["budgetShifts", 0, "after"])),
        ("diff", changed(DIFF, ["presence", 0, "side"], "both")),
        ("validation-report", {**REPORT, "ok": True}),
        ("validation-report", {**REPORT, "findings": []}),
        ("validation-report", changed(REPORT, ["findings", 0, "level"], "info")),
        ("validation-report", [REPORT]),
        ("validation-report", {**REPORT, "kind": "report"}),
    ],
)
def test_strays_are_refused(name: str, value: object) -> None:
    assert faults(name, value)


def test_stray_traces_are_refused(shared_data: Path) -> None:
    case = next(records(shared_data / "oracle" / "planner-cases.jsonl.gz", 1))
    plan, trace = case["expect"]["plan"], case["expect"]["trace"]
    head = {"task": plan["task"], "asOf": plan["asOf"], "capabilities": plan["options"]["capabilities"]}
    whole = {**head, "plan": plan, **trace, "schemaVersion": 1, "kind": "trace"}
    assert faults("trace", whole) == []
    assert faults("trace", changed(whole, ["gateSummary"], trace["gateSummary"][::-1]))
    assert faults("trace", changed(whole, ["gateSummary"], trace["gateSummary"][:-1]))
    assert faults("trace", changed(whole, ["units", 0, "gates", 0, "gate"], "luck"))
    assert faults("trace", changed(whole, ["units", 0, "outcome"], "maybe"))
    assert faults("trace", changed(whole, ["plan", "kind"], "plan"))
