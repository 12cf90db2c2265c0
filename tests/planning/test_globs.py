"""Path globs (planner contract §6 gate 7e, decision B6)."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.planning.globs import path_matches

LITERAL_QUESTION_MARK = {("a?", "a"): False, ("a?", "a?"): True, ("a?", ""): False}


def by_regex(pattern: str, path: str) -> bool:
    """The contract's definition, read left to right."""
    pieces = re.findall(r"\*\*|\*|[^*]", pattern, re.DOTALL)
    stars = {"**": "[^\n\r\u2028\u2029]*", "*": "[^/]*"}
    return pattern == path or bool(re.fullmatch("".join(stars.get(p) or re.escape(p) for p in pieces), path))


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("", "", True),
        ("", "a", False),
        ("*", "", True),
        ("**", "", True),
        ("*", "a\nb", True),
        ("*", "a/b", False),
        ("**", "a/b", True),
        ("**", "a\nb", False),
        ("**", "a\rb", False),
        ("**", "a\u2028b", False),
        ("**", "a\u2029b", False),
        ("**", "a\u0085b\vc\fd", True),
        ("***", "a/b\nc", True),
        ("***", "a\nb/c", False),
        ("****", "a/b", True),
        ("****", "a\nb", False),
        ("a**\nb", "a**\nb", True),
        ("**\n", "x\n", True),
        ("a/**", "a", False),
        ("a/**", "a/", True),
        ("a/**", "a/b/c", True),
        ("**/x", "x", False),
        ("**/x", "a/b/x", True),
        ("a/*/c", "a/b/c", True),
        ("a/*/c", "a/b/b/c", False),
        ("a*a", "a", False),
        ("a*a", "aa", True),
        ("ab*ba", "aba", False),
        ("A*", "ab", False),
        ("*?", "ab", False),
        ("?x", "?x", True),
        ("?x", "ax", False),
        ("[a-z]*", "b", False),
        ("*.md", ".md", True),
        ("*.md", "a.md/", False),
        ("docs/*.md", "docs/a\nb.md", True),
        ("😀*", "😀x", True),
    ],
)
def test_examples(pattern: str, path: str, expected: bool) -> None:
    assert path_matches(pattern, path) is expected


def test_reference_rows(shared_data: Path) -> None:
    rows = json.loads((shared_data / "oracle" / "globs.json").read_text(encoding="utf-8"))
    assert len(rows) == 638
    decided = set()
    for pattern, path, expected in rows:
        if (pattern, path) in LITERAL_QUESTION_MARK:
            decided.add((pattern, path))
            assert expected is not LITERAL_QUESTION_MARK[pattern, path]
            expected = LITERAL_QUESTION_MARK[pattern, path]
        assert path_matches(pattern, path) is expected, (pattern, path)
    assert decided == set(LITERAL_QUESTION_MARK)


@given(st.text(alphabet="a*/\n?", max_size=8), st.text(alphabet="a/\n?", max_size=8))
def test_agrees_with_the_definition(pattern: str, path: str) -> None:
    assert path_matches(pattern, path) == by_regex(pattern, path)


@given(st.lists(st.sampled_from(["*", "**", "***", "a", "b", "/", "\n"]), max_size=9).map("".join), st.data())
def test_agrees_on_paths_made_to_fit(pattern: str, data: st.DataObject) -> None:
    runs = st.text(alphabet="ab/\n", max_size=3)
    path = re.sub(r"\*+", lambda _match: data.draw(runs), pattern)
    assert path_matches(pattern, path) == by_regex(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("a**" * 8 + "b**", False),
        ("**a" * 8 + "**", True),
        ("*a**" * 8 + "*", True),
        ("*a" * 3000 + "*", False),
        ("***" * 3000, True),
    ],
)
def test_hostile_patterns_take_linear_time(pattern: str, expected: bool) -> None:
    path = "a" * 5000 + "/" + "a" * 5000
    started = time.process_time()
    assert path_matches(pattern, path) is expected
    assert time.process_time() - started < 1  # milliseconds in fact; backtracking would take minutes
