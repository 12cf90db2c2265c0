"""Nothing from a manifest reaches the terminal as a control."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.cli.show.escape import escape, prose

MOVERS = [*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F]


@pytest.mark.parametrize("code", MOVERS)
def test_controls_become_visible(code: int):
    shown = escape(f"a{chr(code)}b")
    assert shown.isascii()
    assert shown.isprintable()


@pytest.mark.parametrize("text", ["", "plain", "naïve · ● → 漢字 🧾", "a\u200db", "a\u00a0b"])
def test_ordinary_text_is_kept(text: str):
    assert escape(text) == text


def test_spellings():
    assert escape("\x1b[2J\r\n\t\x9b\u202e\U000e0041\ud800") == (
        "\\x1b[2J\\r\\n\\t\\x9b\\u202e\\U000e0041\\ud800"
    )


def test_prose_stays_on_one_line():
    assert prose("two\nlines\n\n of  text\r\n\x1b") == "two lines of text \\x1b"


@given(st.text(st.characters(max_codepoint=sys.maxunicode)))
def test_the_result_has_no_controls_and_encodes(text: str):
    shown = escape(text)
    assert not set(map(ord, shown)) & set(MOVERS)
    shown.encode()
    assert escape(shown) == shown
