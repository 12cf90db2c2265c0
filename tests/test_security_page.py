"""docs/security.md claims only what a test proves: each test it names exists and runs."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
RULES = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| Rule ")]
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)


def test_every_rule_names_a_test() -> None:
    assert len(RULES) >= 20
    assert [rule for rule in RULES if "::" not in rule.rpartition(" | ")[2]] == []
    assert len(NAMED) == PAGE.count("::test_")


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_named_test_exists_and_is_not_skipped(path: str, name: str) -> None:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    assert len(found) == 1, f"{path} has no test {name}"
    marks = " ".join(ast.unparse(mark) for mark in found[0].decorator_list)
    assert "skip" not in marks
    assert "xfail" not in marks
