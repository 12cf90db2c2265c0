"""The task's terms (planner contract §5, "Tokenizer")."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kcp.planning.terms import STOPWORDS, task_terms


@pytest.mark.parametrize(
    ("task", "terms"),
    [
        ("How do I deploy to Production?", ["deploy", "production"]),
        ("", []),
        ("do the it", []),
        ("a-b c_d", []),
        ("ab abc", ["abc"]),
        ("deploy Deploy deploy", ["deploy", "deploy", "deploy"]),
        ("beta alpha", ["beta", "alpha"]),
        ("well-known snake_case don't x2y", ["well", "known", "snake", "case", "don", "x2y"]),
        ("12 345", ["345"]),
        ("ÉTÉ", ["été"]),
        ("ΟΔΟΣ", ["οδος"]),
        ("İzmir", ["zmir"]),  # the dot above is a mark, which separates
        ("东京 东京都", ["东京都"]),
        ("\U00020000 \U00020000\U00020001", ["\U00020000\U00020001"]),
        ("soft\u00adhyphen zero\u200dwidth", ["soft", "hyphen", "zero", "width"]),
        ("½x² ⅷab", ["½x²", "ⅷab"]),
        ("get getting gets", ["gets"]),
    ],
)
def test_terms(task, terms):
    assert list(task_terms(task)) == terms


def test_every_stopword_is_dropped_in_any_case():
    assert len(STOPWORDS) == 38
    assert task_terms(" ".join(STOPWORDS)) == ()
    assert task_terms(" ".join(STOPWORDS).upper()) == ()


def test_the_references_answers(shared_data: Path):
    cases = json.loads((shared_data / "oracle" / "terms.json").read_text(encoding="utf-8"))
    assert cases
    assert [list(task_terms(case["text"])) for case in cases] == [case["terms"] for case in cases]
