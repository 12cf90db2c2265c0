"""Every rule: it has its place, its wrong example breaks it, its right one does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kcp.authoring.validate.lint import LintResult
from kcp.authoring.validate.registry import find_rule, rules
from kcp.authoring.validate.rule import Rule
from tests.authoring.validate.examples import check, text_of

ROWS = range(201, 332)
SILENT = ("KCP219", "KCP304")  # rows 19 and 104, which cannot fire
GRAVER = {"KCP202": "warning", "KCP331": "error"}  # where the example shows the other level


def every() -> list[Rule]:
    return list(rules().values())


def ids(rule: Rule) -> str:
    return rule.id


def judged(rule: Rule, example: str, folder: Path) -> LintResult:
    text = text_of(rule, example)
    return check(text, folder, rules=rule.rule_set, drafts=True, asked=rule.question)


def test_there_is_a_rule_for_every_row_of_the_specification():
    assert [f"KCP{row}" for row in ROWS if f"KCP{row}" not in rules()] == []
    assert [
        rule.id for rule in every() if rule.rule_set == "spec" and rule.id not in map("KCP{}".format, ROWS)
    ] == ["KCP200"]


def test_names_are_unique_and_found():
    names = [rule.name for rule in every()]
    assert len(set(names)) == len(names)
    assert all(find_rule(rule.name) is rule and find_rule(rule.id.lower()) is rule for rule in every())
    assert find_rule("KCP999") is None


@pytest.mark.parametrize("rule", every(), ids=ids)
def test_the_wrong_example_breaks_the_rule(rule: Rule, tmp_path: Path):
    result = judged(rule, rule.bad, tmp_path)
    found = [each for each in result.findings if each.rule == rule.id]
    if rule.id in SILENT:
        assert found == []
        return
    assert found, [(each.rule, each.finding.message) for each in result.findings]
    assert {each.level for each in found} == {GRAVER.get(rule.id, rule.level)}


@pytest.mark.parametrize("rule", every(), ids=ids)
def test_the_right_example_keeps_the_rule(rule: Rule, tmp_path: Path):
    result = judged(rule, rule.good, tmp_path)
    assert [each.finding.message for each in result.findings if each.rule == rule.id] == []
    if rule.part != "file":
        assert result.read


@pytest.mark.parametrize("rule", every(), ids=ids)
def test_findings_have_a_place(rule: Rule, tmp_path: Path):
    result = judged(rule, rule.bad, tmp_path)
    for each in result.findings:
        assert each.rule in rules()
        assert each.line is not None
        assert each.column is not None


@pytest.mark.parametrize("rule", every(), ids=ids)
def test_texts_are_sentences(rule: Rule):
    assert rule.message.endswith(".")
    assert rule.section.startswith("§")
    assert rule.name == rule.name.lower()
    assert " " not in rule.name


def test_what_a_manifest_permits_is_protected():
    silent = [rule.name for rule in every() if not rule.protected]
    words = ("grant", "deny", "sign", "path", "repeated", "duplicate")
    allowed = {"unit-path-intent", "date-unquoted"}
    assert [name for name in silent if any(word in name for word in words) and name not in allowed] == []


def test_the_page_of_rules_is_current(repository: Path):
    script = repository / "scripts" / "lib" / "gen_rules.py"
    line = [sys.executable, "-I", str(script), "--check"]
    result = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
