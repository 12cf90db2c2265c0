"""docs/render.md claims only what a test shows: each rule and threat names tests that exist and run."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from kcp.reading.strict import MAX_STRICT_DEPTH
from kcp.render.includes import MAX_INCLUDE_DEPTH, MAX_INCLUDES, MAX_UNITS

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "render.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))
EVERY = [*(f"C{number}" for number in range(1, 23)), *(f"T{number}" for number in range(1, 12))]


def test_every_rule_and_threat_has_a_row_that_names_a_test():
    rows = {line.split(" | ")[0][2:]: line for line in PAGE.splitlines() if re.match(r"\| [CT]\d+ \|", line)}
    assert list(rows) == EVERY
    assert [name for name, row in rows.items() if "::test_" not in row.rpartition(" | ")[2]] == []
    assert {name for name, row in rows.items() if "*bridge*" in row} == {"C16", "C18", "C20", "C21"}


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_named_test_exists_and_is_not_skipped(path: str, name: str):
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    assert len(found) == 1, f"{path} has no test {name}"
    marks = " ".join(ast.unparse(mark) for mark in found[0].decorator_list)
    assert "skip" not in marks
    assert "xfail" not in marks


def test_limits_are_those_of_the_code():
    for text in (
        f"{MAX_STRICT_DEPTH} levels, 4 KiB, {MAX_UNITS:,} units",
        f"{MAX_INCLUDE_DEPTH} levels, {MAX_INCLUDES} in all",
    ):
        assert text in PAGE
