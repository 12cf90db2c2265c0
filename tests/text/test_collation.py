"""Order of ids: ICU's root collation."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.text import tables_collation
from kcp.text.collation import ASCII_ORDER, collation_key
from kcp.text.elements import MARKS_WITHIN, key_beyond_ascii

VECTORS = Path(__file__).with_name("collation_vectors.json")
any_text = st.text(st.characters(exclude_categories=()))
# Letters that start no contraction, so that what weighs nothing cannot part one.
plain_text = st.text(
    st.characters(codec="latin-1", categories=["Lu", "Ll", "Nd", "Po"], exclude_characters="·")
)


def ascending(*texts: str) -> bool:
    keys = [collation_key(text) for text in texts]
    return all(first < second for first, second in pairwise(keys))


@pytest.mark.parametrize("part", ["ascii", "with_latin_and_beyond"])
def test_order_of_the_reference(shared_data: Path, part: str):
    ids = json.loads((shared_data / "oracle" / "collation.json").read_text(encoding="utf-8"))[part]
    assert ascending(*ids)
    shuffled = list(ids)
    random.Random(7).shuffle(shuffled)
    assert sorted(shuffled, key=collation_key) == ids


def test_own_vectors_in_icu_order():
    groups = json.loads(VECTORS.read_text(encoding="ascii"))
    assert len(groups) > 500
    for group in groups:
        assert len({collation_key(text) for text in group}) == 1, group
    for first, second in pairwise(groups):
        assert ascending(first[0], second[0]), (first, second)
    texts = [text for group in groups for text in group]
    random.Random(7).shuffle(texts)
    keys = [collation_key(text) for text in sorted(texts, key=collation_key)]
    assert keys == [collation_key(text) for group in groups for text in group]


@pytest.mark.parametrize(
    "texts",
    [
        "unit UNIT unit_3 unit-1 Unit-1 unit-10 unit-2 unit:7 unit.4 unit/6 unit1 unita unitz".split(),
        "a_b a-b a:b a.b a/b ab".split(),
        "aB Ab aC".split(),
        ["e", "é", "f"],
        ["cote", "coté", "côte", "côté"],
        ["resume", "Resume", "résumé", "resumes"],
        ["o", "ø", "o\u0338\u0301", "oa"],
        ["z", "α", "а", "あ", "一"],
        ["★", "😀", "$", "0"],
        # contractions: й, Thai vowel before consonant, a mark in between, and the Catalan middle dot
        ["и", "иа", "й"],
        ["กา", "เก", "ขา"],
        ["\u0fb2\u0f71", "\u0fb2\u0f71\u0f80"],
        ["·l", "l", "l·", "la"],
        # small kana before full size, full before half width
        ["ぁ", "あ", "ァ", "ア"],
        # by radical and stroke across blocks, then what has no weights, then the two that come last
        ["一", "丁", "㐀", "龥", "\ue000", "\U0010ffff", "\ufffd", "\uffff"],
        ["\ufffe", "\t", "a"],
        # W's capital weighs more than other capitals
        ["ｗ", "W", "Ｗ", "ʷ"],
    ],
)
def test_ascending(texts):
    assert ascending(*texts)


@pytest.mark.parametrize(
    "equal",
    [
        ["é", "e\u0301"],
        ["ẹ́", "e\u0301\u0323", "e\u0323\u0301"],
        ["한국", "\u1112\u1161\u11ab\u1100\u116e\u11a8"],
        ["Å", "Å", "A\u030a"],
        ["a\u00adb", "ab", "a\u200bb", "\x00a\x7fb\ufeff"],
        ["", "\u200d", "\x01"],
        ["\u0fb2\u0f71\u0f80", "\u0fb2\u0f81"],
    ],
)
def test_equal(equal):
    assert len({collation_key(text) for text in equal}) == 1


def test_the_short_way_for_ascii_agrees_with_the_long_one_for_each_character():
    for code in range(128):
        assert collation_key(chr(code)) == key_beyond_ascii(chr(code)), code
    assert len(tables_collation.ASCII_PRIMARIES) == len(ASCII_ORDER)


@given(st.text(st.characters(codec="ascii")))
def test_the_short_way_for_ascii_agrees_with_the_long_one(text):
    assert collation_key(text) == key_beyond_ascii(text)


@given(any_text, any_text, any_text)
def test_the_order_is_total_and_transitive(first, second, third):
    low, middle, high = sorted((first, second, third), key=collation_key)
    assert collation_key(low) <= collation_key(middle) <= collation_key(high)
    assert collation_key(low) <= collation_key(high)
    assert collation_key(first) == collation_key(str(first))


@given(any_text)
def test_canonically_equivalent_texts_are_equal(text):
    keys = {collation_key(unicodedata.normalize(form, text)) for form in ("NFC", "NFD")}
    assert keys == {collation_key(text)}


@given(plain_text, st.sampled_from("\u00ad\u200b\u2060\x07"), st.data())
def test_what_weighs_nothing_changes_nothing(text, ignored, data):
    at = data.draw(st.integers(0, len(text)))
    assert collation_key(text[:at] + ignored + text[at:]) == collation_key(text)


@given(any_text)
def test_more_text_is_never_less(text):
    assert collation_key(text) <= collation_key(text + "q")


def test_a_mark_that_contracts_is_used_up():
    # й is и with U+0306, here behind a mark of a lower class
    _, secondaries, _ = collation_key("й\u0316").split("\0")
    assert secondaries == collation_key("г\u0316").split("\0")[1]


def test_a_mark_does_not_contract_past_another_of_its_class():
    blocked, contracted = collation_key("и\u0301\u0306"), collation_key("и\u0306\u0301")
    assert blocked[:2] == collation_key("и")[:2]
    assert contracted[:2] == collation_key("й")[:2]
    assert blocked[:2] != contracted[:2]


def test_marks_far_away_do_not_contract():
    near, far = MARKS_WITHIN - 1, MARKS_WITHIN
    assert collation_key("и" + "\u0316" * near + "\u0306").startswith(collation_key("й")[:2])
    assert collation_key("и" + "\u0316" * far + "\u0306").startswith(collation_key("и")[:2])


def test_ascii_loads_no_tables_and_nothing_asks_the_interpreter_for_unicode():
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from kcp.text.casing import lower, words\n"
        "from kcp.text.collation import collation_key\n"
        "lower('A'), words('a b'), collation_key('a-b')\n"
        "print(sorted(name for name in sys.modules if name.startswith('kcp.text')))\n"
        "lower('É'), words('é b'), collation_key('é')\n"
        "print('unicodedata' in sys.modules)\n"
    )
    root = Path(__file__).resolve().parent.parent.parent
    run = subprocess.run(
        [sys.executable, "-I", "-c", code, str(root)], capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines() == ["['kcp.text', 'kcp.text.casing', 'kcp.text.collation']", "False"]
