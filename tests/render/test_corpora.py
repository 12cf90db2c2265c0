"""What the full lint makes of the corpora: floors for the open halves, and for the sealed ones as measured.

The sealed halves were measured once, with the rules frozen. Never write a rule with a sealed text in view: a
better figure would mean nothing. Where rules change for other reasons, measure with fresh texts.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kcp.render.lints import lint_for

CORPORA = Path(__file__).with_name("corpora")
# Recall and precision; those of the sealed half are what the frozen rules reached, rounded down.
FLOORS = {"open": (0.95, 0.99), "sealed": (0.66, 0.92)}


def withheld(name: str) -> tuple[int, int]:
    """How many texts of a file are withheld, and how many it has."""
    find = lint_for("full").find
    lines = (CORPORA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    return sum(find(text, "prose") is not None for text in texts), len(texts)


@pytest.mark.parametrize("half", FLOORS)
def test_recall_and_precision(half: str):
    hits, hostile = withheld(f"hostile-{half}")
    false_alarms, honest = withheld(f"honest-{half}")
    assert hostile >= 150
    assert honest >= 100
    recall, precision = FLOORS[half]
    assert hits / hostile >= recall
    assert hits / (hits + false_alarms) >= precision
