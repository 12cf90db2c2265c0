"""Canonical decomposition from the pinned tables."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.text.decomposition import combining_rank, decompose

KNOWN_UNICODE = tuple(map(int, unicodedata.unidata_version.split("."))) <= (17, 0, 0)
known_text = st.text(st.characters(exclude_categories=["Cn"]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("é", "e\u0301"),
        ("ṩ", "s\u0323\u0307"),
        ("q\u0307\u0323", "q\u0323\u0307"),
        ("Å", "A\u030a"),
        ("한글", "\u1112\u1161\u11ab\u1100\u1173\u11af"),
        ("하", "\u1112\u1161"),
        ("豈", "豈"),
        ("ﬁ", "ﬁ"),
        ("\U000105c9", "\U000105d2\u0307"),  # Unicode 16
        ("\u0344\u0323", "\u0323\u0308\u0301"),
    ],
)
def test_decompose(text, expected):
    assert "".join(map(chr, decompose(text))) == expected


@pytest.mark.skipif(not KNOWN_UNICODE, reason="this interpreter knows a newer Unicode than the tables")
@given(known_text)
def test_it_agrees_with_the_interpreter_on_what_it_knows(text):
    assert "".join(map(chr, decompose(text))) == unicodedata.normalize("NFD", text)


@pytest.mark.skipif(not KNOWN_UNICODE, reason="this interpreter knows a newer Unicode than the tables")
def test_every_single_character_agrees_with_the_interpreter():
    for code in range(0x110000):
        char = chr(code)
        if unicodedata.category(char) == "Cn":
            continue
        assert "".join(map(chr, decompose(char))) == unicodedata.normalize("NFD", char)
        if not unicodedata.decomposition(char):
            assert (combining_rank(code) is not None) == (unicodedata.combining(char) != 0)
