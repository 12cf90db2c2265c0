"""The scalar table (planner contract §3, decision B1)."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.reading.scalars import (
    SPECIAL_STARTS,
    DateText,
    is_text,
    is_timestamp,
    key_text,
    resolve_plain,
    to_float,
    to_int,
)

NUMBERS = {
    "0": 0,
    "+0": 0,
    "017": 17,
    "08": 8,
    "-5": -5,
    "+5": 5,
    "0o17": 15,
    "-0o17": -15,
    "0x1F": 31,
    "+0xff": 255,
    "0b101": 5,
    "1.0": 1,
    "1.": 1,
    ".5": 0.5,
    ".5e1": 5,
    "1e3": 1000,
    "12E+03": 12000,
    "1.e2": 100,
    "-1.5": -1.5,
    "1e-7": 1e-7,
    "0.1": 0.1,
    "9007199254740992": 2**53,
    "9007199254740993": float(2**53),
    "1e15": 10**15,
    "1e16": 1e16,
    "1e-400": 0,
}
TEXTS = [
    "yes", "no", "on", "off", "y", "n", "Yes", "tRUE", "nUll", "TRUe", "none", "Nulls", "t", "F",
    "1_000", "_1", "1_", "+.5", "-.5", "-.5e2", "0O17", "0X1F", "0B1", "0o8", "0b2", "0xg", "0x", "0b", "0o",
    "1:30", "190:20:30", "1.5.2", "1,000", "NaN", "Infinity", "nan", ".Nan", "-.nan", ".inF", "inf", ".",
    "..", "-", "+", "--", "+-1", "1e", "1e+", "e3", ".e3", "1e3.5", "1 2", "0x1.8", "１", "²", "٣", "1e1000",
    "-1e400", "9" * 400, "=", "<<", "undefined", "a", "é",
]  # fmt: skip


@pytest.mark.parametrize(("text", "number"), NUMBERS.items())
def test_numbers_are_doubles_and_ints_where_exact(text: str, number: float) -> None:
    value = resolve_plain(text)
    assert value == number
    assert type(value) is type(number)


@pytest.mark.parametrize("text", ["-0", "-0.0", "-0x0", "-0e5", "-1e-400"])
def test_negative_zero_stays(text: str) -> None:
    value = resolve_plain(text)
    assert type(value) is float
    assert value == 0
    assert math.copysign(1, value) == -1


@pytest.mark.parametrize("text", TEXTS)
def test_everything_else_is_text(text: str) -> None:
    value = resolve_plain(text)
    assert value == text
    assert type(value) is str


@pytest.mark.parametrize("text", ["", "~", "null", "Null", "NULL"])
def test_null(text: str) -> None:
    assert resolve_plain(text) is None


def test_booleans() -> None:
    assert [resolve_plain(text) for text in ("true", "True", "TRUE")] == [True] * 3
    assert [resolve_plain(text) for text in ("false", "False", "FALSE")] == [False] * 3


def test_infinities_and_nan() -> None:
    for sign, expected in (("", math.inf), ("+", math.inf), ("-", -math.inf)):
        assert [resolve_plain(sign + word) for word in (".inf", ".Inf", ".INF")] == [expected] * 3
    assert all(math.isnan(resolve_plain(text)) for text in (".nan", ".NaN", ".NAN"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "2026-07-01", "2026-13-45", "0000-00-00", "2026-07-01T10:00:00Z", "2026-07-01t1:00:00",
        "2026-7-1 10:00:00", "2026-07-01 \t 10:00:00",
        "2001-12-14 21:59:43.10 -5", "2001-12-14T21:59:43.+05:30",
    ],
)  # fmt: skip
def test_a_date_stays_the_text_it_is(text: str) -> None:
    value = resolve_plain(text)
    assert value == text
    assert type(value) is DateText


@pytest.mark.parametrize(
    "text",
    [
        "2026-7-1", "2026-07-01T10:00", "2026-07-01T10:00:00 UTC", "2026-07-01T10:00:00z", "2026-07-01 ",
        "2026-07-0１", "2026/07/01", "12026-07-01", "2026-07-01\n10:00:00", "2026-07-01T10:00:00Z\n",
        "2026-07-01T10:00:00+5:3",
    ],
)  # fmt: skip
def test_what_is_no_date(text: str) -> None:
    assert not is_timestamp(text)


def test_integers_are_bounded_in_every_base() -> None:
    assert to_int("9" * 308) == float("9" * 308)
    for text in ("1" * 401, "-" + "0" * 401, "0x" + "f" * 401, "0b" + "1" * 401):
        with pytest.raises(ValueError, match="integer of 401 digits; at most 400 are read"):
            resolve_plain(text)
    assert resolve_plain("1" * 401 + ".5") == "1" * 401 + ".5"


@given(st.text(alphabet="0123456789+-.eE", min_size=1, max_size=12))
def test_decimals_agree_with_the_grammar(text: str) -> None:
    grammar = r"[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?|\.[0-9]+([eE][-+]?[0-9]+)?"
    value = to_float(text)
    if re.fullmatch(grammar, text) and not math.isinf(float(text)):
        assert value == float(text)
    else:
        assert value is None


@given(st.integers(-(2**60), 2**60))
def test_integers_round_to_doubles(number: int) -> None:
    value = resolve_plain(str(number))
    assert value == float(number)
    assert type(value) is (int if abs(number) <= 2**53 else float)


@given(st.one_of(st.sampled_from([*NUMBERS, *TEXTS]), st.text(max_size=8)))
def test_the_quick_tests_never_hide_a_value(text: str) -> None:
    if is_text(text) or text[:1] not in SPECIAL_STARTS:
        assert resolve_plain(text) == text
        assert type(resolve_plain(text)) is str


def test_keys_become_text() -> None:
    keys: list[Any] = [
        1,
        2.5,
        -0.0,
        True,
        False,
        None,
        "x",
        DateText("2026-07-01"),
        [1, None, True, {"a": 1}],
        [],
        {},
    ]
    assert [key_text(key) for key in keys] == [
        "1", "2.5", "0", "true", "false", "null", "x", "2026-07-01", "1,,true,[object Object]", "",
        "[object Object]",
    ]  # fmt: skip
    assert all(type(key_text(key)) is str for key in keys)
    with pytest.raises(ValueError, match="nested arrays"):
        key_text([[1]])
