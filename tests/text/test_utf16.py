"""Lengths and order in UTF-16 code units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.text.utf16 import utf16_key, utf16_length, utf16_less

any_text = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("text", "length"),
    [("", 0), ("abc", 3), ("é", 1), ("𐐀", 2), ("𠀀𠀁", 4), ("\ud83d", 1), ("\ud83d\ude00", 2), ("日本", 2)],
)
def test_length(text, length):
    assert utf16_length(text) == length


@pytest.mark.parametrize(
    "ascending",
    [
        ["", "A", "Z", "a", "aa", "é", "日"],
        # by code point the last two would change places
        ["z", "\ud7ff", "😀", "\ue000"],
        ["a😀", "a\uffff"],
        ["\ud83d", "\ud83d\ude00", "\ud83e"],
    ],
)
def test_order(ascending):
    for at, first in enumerate(ascending):
        for later, second in enumerate(ascending):
            assert utf16_less(first, second) == (at < later)
    assert sorted(ascending[1:] + ascending[:1], key=utf16_key) == ascending


@given(any_text, any_text)
def test_less_agrees_with_the_key(first, second):
    assert utf16_less(first, second) == (utf16_key(first) < utf16_key(second))


@given(any_text)
def test_length_counts_astral_characters_twice(text):
    assert utf16_length(text) == len(text) + sum(char > "\uffff" for char in text)
