"""Relevance (planner contract §5, "Score")."""

from __future__ import annotations

import pytest

from kcp.model import Unit
from kcp.planning.scoring import count_hits, score, score_reasons


@pytest.mark.parametrize(
    ("unit", "terms", "hits"),
    [
        (Unit(intent="Deploy the service"), ("deploy",), (1, 0, 0)),
        (Unit(intent="Redeployment"), ("deploy",), (1, 0, 0)),
        (Unit(intent="dep"), ("deploy",), (0, 0, 0)),
        (Unit(triggers=("Deploying",)), ("deploy",), (0, 1, 0)),
        (Unit(triggers=("dep",)), ("deploy",), (0, 1, 0)),
        (Unit(triggers=("dep", "deploy", "xdeploy")), ("deploy",), (0, 1, 0)),
        (Unit(triggers=("",)), ("deploy", "billing"), (0, 2, 0)),
        (Unit(triggers=("other",)), ("deploy",), (0, 0, 0)),
        (Unit(id="Deploy"), ("deploy",), (0, 0, 1)),
        (Unit(path="docs/Deploy.md"), ("deploy",), (0, 0, 1)),
        (Unit(id="dep", path="loy"), ("deploy",), (0, 0, 0)),
        (Unit(id="deploy", path="deploy"), ("deploy",), (0, 0, 1)),
        (Unit(intent="deploy"), ("deploy", "deploy"), (2, 0, 0)),
        (Unit(id="deploy", intent="deploy it", triggers=("deploy",)), ("deploy", "rollout"), (1, 1, 1)),
        (Unit(intent="ÉTÉ"), ("été",), (1, 0, 0)),
        (Unit(intent="deploy", triggers=("deploy",)), (), (0, 0, 0)),
    ],
)
def test_hits(unit, terms, hits):
    assert count_hits(unit, terms) == hits


def test_an_id_and_a_path_are_searched_with_a_blank_between():
    assert count_hits(Unit(id="a", path="b"), ("a b",)) == (0, 0, 1)


def test_weights():
    assert [score(hits) for hits in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (2, 3, 4))] == [3, 4, 2, 26]


def test_reasons_name_only_what_matched():
    assert score_reasons((1, 2, 3)) == [
        "intent matches 1 term(s)",
        "triggers match 2 term(s)",
        "id/path matches 3 term(s)",
    ]
    assert score_reasons((0, 2, 0)) == ["triggers match 2 term(s)"]
    assert score_reasons((0, 0, 0)) == []
