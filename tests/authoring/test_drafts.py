"""Drafts read back as what was meant, whatever texts go in."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kcp.authoring.drafts import DraftUnit, UniqueIds, finish, slug, trigger_words, unit_lines, version_line
from kcp.authoring.yaml_lines import comment, flow, scalar, visible
from kcp.reading.yaml12 import read_yaml

# What the texts of manifests trip over, beside what Hypothesis finds.
HARD = [
    *(
        "",
        " ",
        "~",
        "null",
        "Null",
        "yes",
        "NO",
        "on",
        "y",
        "true",
        "1.10",
        "0x1F",
        ".inf",
        "1e3",
        "-",
        "- a",
    ),
    *("2026-07-06", "12:30:45", "[id]", "{a: b}", "a: b", "a:", "#", "a #b", "a#b", "@scope/name", "`x`"),
    *("%a", "C:\\new", '"q"', "'q'", "a\nb", "a\tb", "x\r\n", "*star", "&anchor", "!tag", "|", ">", "? a"),
    *("=", "<<", "\u0085", "\u2028", "\ufeff", "\u202e", "\U0001f600", "é", "日本", "\x00", "\x1b[31m"),
    *("a, b", "a]", "...", "---"),
]
TEXTS = st.one_of(st.sampled_from(HARD), st.text(st.characters(exclude_categories=["Cs"]), max_size=40))


@given(TEXTS)
@settings(max_examples=150)
def test_scalar_reads_back_in_block_and_flow(text: str):
    for line, place in ((f"k: {scalar(text)} # note", "k"), (f"k: {flow([text, text])}", "k")):
        value = read_yaml(f"{line}\n".encode()).root[place]
        for each in value if isinstance(value, list) else [value]:
            assert type(each) is str
            assert each == text


@given(TEXTS)
@settings(max_examples=100)
def test_comment_stays_one(text: str):
    line = comment(text)
    assert line.startswith("#")
    assert read_yaml(f"a: 1\n{line}\nb: 2\n".encode()).root == {"a": 1, "b": 2}


@given(st.lists(st.tuples(TEXTS, TEXTS, st.lists(TEXTS, max_size=3)), max_size=4))
@settings(max_examples=60)
def test_any_units_read_back(parts: list[tuple[str, str, list[str]]]):
    units = tuple(
        DraftUnit(f"u{place}", path, intent, triggers=tuple(triggers))
        for place, (path, intent, triggers) in enumerate(parts)
    )
    draft = finish([version_line(), "project: p", "version: '1'", *unit_lines(units)], units, "2026-07-06")
    assert draft.units == units


@pytest.mark.parametrize("text", ["README.md", "docs/a-b_c.md", "getting started", "How it works"])
def test_plain_where_nothing_is_special(text: str):
    assert scalar(text) == text


def test_visible():
    assert visible(" a\n\tb\u200b c\u202e  \ud800") == "a b c"


def test_unique_ids():
    ids = UniqueIds()
    assert [ids.take(word) for word in ("a", "a-2", "a", "a", "b", "a-2")] == [
        *("a", "a-2", "a-3", "a-4", "b", "a-2-2"),
    ]


def test_slug():
    assert slug("  Hello, Wörld & Co. ") == "hello-w-rld-co"
    assert slug("入门") == ""


def test_trigger_words():
    texts = ("API: the Reference", "How-to / Guides — for (all)")
    assert trigger_words(texts, 8) == ("api", "reference", "how", "guides", "all")
    assert trigger_words(texts, 2) == ("api", "reference")
