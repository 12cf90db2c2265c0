"""The schema of `validate --format json` accepts what the program prints, and refuses what strays from it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from kcp.authoring.validate.formats import plain_json
from kcp.authoring.validate.registry import rules
from kcp.cli.main import main
from tests.authoring.validate.examples import check, text_of
from tests.authoring.validate.test_formats import results

FINDING = {
    "rule": "KCP110",
    "set": "agent",
    "level": "error",
    "where": "unit 'a'",
    "message": "m",
    "line": 1,
    "column": 2,
}
QUESTION = {"question": "q", "expected": "a", "found": True, "selected": [{"id": "a", "loadEligible": True}]}
REPORT: dict[str, Any] = {
    "source": "k.yaml",
    "project": "p",
    "findings": [FINDING],
    "ok": False,
    "valid": True,
    "questions": [QUESTION],
    "suppressed": 1,
}


@pytest.fixture(scope="module")
def faults() -> Callable[[object], list[str]]:
    file = Path(__file__).parents[3] / "docs" / "schemas" / "lint-report.schema.json"
    schema = json.loads(file.read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    return lambda value: [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]


def changed(path: list[Any], new: object = ...) -> dict[str, Any]:
    copy: Any = deepcopy(REPORT)
    at = copy
    for key in path[:-1]:
        at = at[key]
    if new is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = new
    return copy


def test_samples(faults: Callable):
    assert faults(REPORT) == []
    assert faults([REPORT, {"source": "k", "findings": [], "ok": True}]) == []


@pytest.mark.parametrize(
    "value",
    [
        {**REPORT, "ok": True},
        {**REPORT, "findings": []},
        {**REPORT, "questions": []},
        {**REPORT, "suppressed": 0},
        {**REPORT, "valid": None},
        {**REPORT, "kind": "report"},
        [REPORT],
        changed(["source"]),
        changed(["findings", 0, "rule"], "KCP999"),
        changed(["findings", 0, "set"], "spec"),
        changed(["findings", 0, "level"], "info"),
        changed(["findings", 0, "line"]),
        changed(["findings", 0, "line"], 0),
        changed(["findings", 0, "extra"], 1),
        changed(["questions", 0, "found"]),
        changed(["questions", 0, "expected"], None),
        changed(["questions", 0, "selected"], ["a"]),
    ],
)
def test_strays_are_refused(faults: Callable, value: object):
    assert faults(value)


def test_every_rule_s_report(faults: Callable, tmp_path: Path):
    for rule in rules().values():
        result = check(text_of(rule, rule.bad), tmp_path, rules="all", drafts=True, asked=rule.question)
        assert faults(json.loads(plain_json.render([result]))) == [], rule.id


def test_hostile_unread_and_suppressed(faults: Callable):
    reports = json.loads(plain_json.render(results()))
    assert faults(reports) == []
    assert len(reports) == len(results()) > 1


def test_what_the_command_prints(
    faults: Callable, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    text = "project: p\nunits: [{id: a, path: a.md, intent: tides, triggers: [t], audience: [agent]}]\n"
    (tmp_path / "knowledge.yaml").write_text(text, encoding="utf-8")
    for words in (
        ["."],
        [".", "gone.yaml", "--spec"],
        ["-", "--rules", "spec", "--task", "tides?", "--task", "storms? => a", "--task", "x => y"],
    ):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        main(["validate", *words, "--format", "json"])
        assert faults(json.loads(capsys.readouterr().out)) == []
