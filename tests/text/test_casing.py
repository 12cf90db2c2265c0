"""Lower case and words: pinned to Unicode 17, JavaScript's rules."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.planning.terms import task_terms
from kcp.text.casing import is_word, lower, words
from kcp.text.letters import MEMORY, Translation, lower_beyond_ascii, words_beyond_ascii

KNOWN_UNICODE = tuple(map(int, unicodedata.unidata_version.split("."))) <= (17, 0, 0)
any_text = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Deploy To PROD", "deploy to prod"),
        ("İstanbul", "i\u0307stanbul"),
        ("STRAẞE", "straße"),
        ("K Å Ω", "k å ω"),
        ("ΟΔΟΣ ΣΑΣ Σ", "οδος σας σ"),
        ("ΟΔΟΣ\u00ad", "οδος\u00ad"),
        ("ΟΔΟΣ\u00adΑ", "οδοσ\u00adα"),
        ("ΟΔΟΣ'", "οδος'"),
        ("ΟΔΟΣ'Σ", "οδοσ'ς"),
        ("Α\u0301Σ\u0301", "α\u0301ς\u0301"),
        ("1Σ", "1σ"),
        ("ΑΣ1", "ας1"),
        ("ΣΣ", "σς"),
        ("𐐀Σ", "𐐨ς"),
        ("ʰΣ", "ʰσ"),
        ("ǅungla Ǆ", "ǆungla ǆ"),
        ("ᎣᏏᏲ Ᏽ", "ꭳꮟᏺ ᏽ"),
        ("Ა", "ა"),
        ("Ⓐ Ⅻ", "ⓐ ⅻ"),
        # assigned in Unicode 16 and 17, so unknown to older interpreters
        ("\u1c89 \ua7dc \U00010d50 \U00016ea0", "\u1c8a \u019b \U00010d70 \U00016ebb"),
        ("\ud835Σ", "\ud835σ"),
    ],
)
def test_lower(text, expected):
    assert lower(text) == expected


@pytest.mark.skipif(not KNOWN_UNICODE, reason="this interpreter knows a newer Unicode than the tables")
def test_lower_agrees_with_the_interpreter_on_what_it_knows():
    known = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) != "Cn"]
    assert [char for char in known if lower(char) != char.lower()] == []


@pytest.mark.skipif(not KNOWN_UNICODE, reason="this interpreter knows a newer Unicode than the tables")
def test_word_agrees_with_the_interpreter_on_what_it_knows():
    known = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) != "Cn"]
    assert [char for char in known if is_word(char) != (unicodedata.category(char)[0] in "LN")] == []


@given(st.text("aAσΣς'\u00ad\u0301 1ʰ𐐀İ"))
def test_final_sigma_agrees_with_the_interpreter(text):
    assert lower(text) == text.lower()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("--a_b.C9 d", ["a", "b", "C9", "d"]),
        ("a\x1cb\x7fc", ["a", "b", "c"]),
        (
            "soft\u00adhyphen zero\u200bwidth zwj\u200djoined",
            ["soft", "hyphen", "zero", "width", "zwj", "joined"],
        ),
        ("cafe\u0301 café", ["cafe", "café"]),
        ("don’t", ["don", "t"]),
        ("½cup x² ①", ["½cup", "x²", "①"]),
        ("हिन्दी", ["ह", "न", "द"]),
        ("日本語、設定", ["日本語", "設定"]),
        ("👍🏽go👩‍💻", ["go"]),
        ("\u3000\u2028a\u0085b\ufeff", ["a", "b"]),
        ("\ud835a\udfff", ["a"]),
        ("𝒟eploy \U000323b0\U00016ea0", ["𝒟eploy", "\U000323b0\U00016ea0"]),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


@given(st.text(st.characters(codec="ascii")))
def test_the_short_way_for_ascii_agrees_with_the_long_one(text):
    assert lower(text) == lower_beyond_ascii(text)
    assert words(text) == words_beyond_ascii(text)
    assert all(is_word(char) == bool(words(char)) for char in text)


@given(any_text)
def test_words_are_exactly_the_word_characters(text):
    assert "".join(words(text)) == "".join(char for char in text if is_word(char))


@given(any_text)
def test_lower_twice_is_lower(text):
    assert lower(lower(text)) == lower(text)


def test_terms_of_the_reference(shared_data: Path):
    cases = json.loads((shared_data / "oracle" / "terms.json").read_text(encoding="utf-8"))
    assert cases
    assert [case["text"] for case in cases if list(task_terms(case["text"])) != case["terms"]] == []


def test_a_translation_remembers_a_limited_part():
    translation = Translation({}, lambda code: code)
    text = "".join(map(chr, range(0x20000, 0x20000 + 2 * MEMORY)))
    assert text.translate(translation) == text
    assert len(translation) == MEMORY


def test_a_sigma_looks_across_a_long_run():
    text = "Σ\u00ad" * 20_000
    assert lower(text) == "σ\u00ad" * 19_999 + "ς\u00ad"
