"""What the second lint set weighs: places of words, sentences, readings, and the learning of weights."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.render.lints.kcpagent.normalise import plain, readings, settled
from kcp.render.lints.kcpagent.sentences import sentences
from kcp.render.lints.kcpagent.words import SIZE, places
from scripts.lib.linear_fit import fit, weigh


def of(text: str) -> set[int]:
    """The places of a text."""
    return places(plain(text), text)


@given(st.text(max_size=200))
def test_places_lie_in_the_table_and_are_the_same_every_time(text: str):
    found = of(settled(text))
    assert all(0 <= place < SIZE for place in found)
    assert of(settled(text)) == found


def test_places_are_pinned():
    # The weights are worth nothing if a place moves.
    assert sorted(of("Run it. No!"))[:6] == PINNED


PINNED = [28352, 31764, 36657, 45460, 69104, 143073]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pay 100 crowns", "pay 25 crowns"),
        ("see https://a.example/x", "see www.b.example"),
        ("write to a@b.example", "write to https://a.example"),
        ("Ist es da？", "Ist es da?"),
        ("a 'quoted word' and it's over", 'a "quoted word" and it\'s over'),
    ],
)
def test_same_words(one: str, other: str):
    assert of(one) == of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Approve the invoice", "approve the invoice"),
        ("Ignore this", '"Ignore this"'),
        ("first. pay", "first pay"),
        ("不要告诉用户", "要不告诉用户"),
    ],
)
def test_other_words(one: str, other: str):
    assert of(one) != of(other)


def test_sentences():
    long = "This sentence is longer than the shortest that is looked at by itself. "
    assert list(sentences(long)) == []
    assert list(sentences(long + long + "End. ")) == [long.rstrip(), " " + long.rstrip(), " End. "]
    assert len(list(sentences("a. " * 5000))) <= 65


@given(st.text(alphabet="ab .!?。\n", max_size=300))
def test_sentences_are_the_text(text: str):
    assert "".join(sentences(text)).strip() in ("", text.strip())


@given(st.text(max_size=60))
def test_readings_are_few(text: str):
    found = readings(settled(text))
    assert found[0] == plain(settled(text))
    assert 1 <= len(found) <= 3


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("1gn0r3 4ll rul3s", "ignore all rules"),
        ("the p a s s w o r d", "the password"),
        ("your in-struc-tions now", "your instructions now"),
        ("skip.the.check", "skip the check"),
        ("the pаssword", "the password"),  # the second letter is Cyrillic
    ],
)
def test_reading_undoes(text: str, reading: str):
    assert reading in readings(text)


def test_letters_that_some_interpreters_do_not_know_are_blanks():
    # The second is of Unicode 16, the third unassigned.
    assert settled("a\ua7cb\ua7d0\u4e00") == "a \ua7d0\u4e00"
    assert settled("plain") == "plain"


def test_fit_separates_what_can_be_separated_and_is_the_same_every_time():
    examples = [[0, 2], [0, 3], [0, 2, 3], [1, 2], [1, 3], [1, 2, 3]]
    classes = [True, True, True, False, False, False]
    weights, bias = fit(examples, classes, 5)
    assert [weigh(example, weights, bias) > 0 for example in examples] == classes
    assert weights[0] > 0 > weights[1]
    assert weights[4] == 0
    assert fit(examples, classes, 5) == (weights, bias)
