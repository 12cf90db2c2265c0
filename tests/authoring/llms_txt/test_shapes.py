"""Differently shaped llms.txt files and the drafts they convert to (surfaces contract §7)."""

from __future__ import annotations

import re

import pytest

from kcp.authoring.drafts import Draft
from kcp.authoring.llms_txt.convert import convert, sort_links
from kcp.authoring.llms_txt.lines import parse_llms_txt
from kcp.reading.yaml12 import read_yaml
from tests.authoring.llms_txt.shapes import SHAPES

TODAY = "2026-07-06"


@pytest.fixture(params=SHAPES)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def draft(name: str) -> Draft:
    return convert(parse_llms_txt(SHAPES[name].text), TODAY)


def test_there_are_enough():
    assert len(SHAPES) >= 25


def test_units(name: str, draft: Draft):
    found = [(unit.id, unit.path, unit.intent, " ".join(unit.triggers)) for unit in draft.units]
    assert found == SHAPES[name].units


def test_other_links(name: str):
    shape = SHAPES[name]
    links = sort_links(parse_llms_txt(shape.text).links, None)
    assert (len(links.elsewhere), links.unusable) == (shape.elsewhere, shape.unusable)


def test_head(name: str, draft: Draft):
    root = read_yaml(draft.text.encode()).root
    assert root["project"] == SHAPES[name].project
    assert root.get("intent") == SHAPES[name].summary
    assert root["version"] == "1.0.0"


def test_validates_clean(draft: Draft):
    assert draft.report.findings == ()


def test_nothing_is_invented(draft: Draft):
    root = read_yaml(draft.text.encode()).root
    assert set(root) <= {"kcp_version", "project", "version", "intent", "units"}
    for unit in root["units"]:
        assert list(unit) == ["id", "path", "intent", "scope", "audience", "triggers"]
        assert (unit["scope"], unit["audience"]) == ("global", ["agent", "human"])
    for word in ("signing:", "valid_from", "valid_until", "audience:"):
        assert re.search(rf"^# TODO: .*{word}|^# TODO: {word}", draft.text, re.MULTILINE)
