"""Raw values become the model's types (planner contract §4)."""

from __future__ import annotations

import math

import pytest

from kcp.errors import ManifestError
from kcp.reading.coerce import (
    mapping,
    optional_bool,
    optional_number,
    optional_text,
    optional_text_list,
    text,
    text_list,
    to_number,
)
from kcp.reading.scalars import DateText

DATE = DateText("2026-07-01")
NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("x", "x"),
        ("", ""),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (1, "1"),
        (0.1, "0.1"),
        (1e21, "1e+21"),
        (NAN, "NaN"),
        (-INF, "-Infinity"),
        (None, "null"),
        ([], ""),
        (["a"], "a"),
        (["a", ["b", None], {"x": 1}], "a,b,,[object Object]"),
        ([None, None], ","),
        ([True, 1.5, DATE], "true,1.5,2026-07-01"),
        ({}, "[object Object]"),
        ({"a": 1}, "[object Object]"),
        (DATE, "2026-07-01"),
    ],
)
def test_s_text(value, expected):
    made = text(value)
    assert made == expected
    assert type(made) is str


def test_s_a_list_that_holds_itself_is_bounded():
    looped: list = ["a"]
    looped.append(looped)
    assert text(looped) == "a,"


def test_s_the_same_list_twice_is_no_loop():
    shared = ["a"]
    assert text([shared, shared]) == "a,a"


@pytest.mark.parametrize("value", [{"toString": 1}, [{"toString": None}]])
def test_s_a_mapping_that_javascript_could_not_print_is_refused(value):
    with pytest.raises(ManifestError, match=r"^a mapping with the key 'toString' cannot be read as text$"):
        text(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, None), ("", ""), ("x", "x"), (0, "0"), (False, "false"), ([], ""), (DATE, "2026-07-01")],
)
def test_os_optional_text(value, expected):
    made = optional_text(value)
    assert made == expected
    assert type(made) in (str, type(None))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([], ()),
        (["a", 1, None, True, ["b", None], DATE], ("a", "1", "null", "true", "b,", "2026-07-01")),
        (None, ()),
        ("a", ()),
        (5, ()),
        ({"a": 1}, ()),
    ],
)
def test_sl_list_of_text(value, expected):
    assert text_list(value) == expected
    assert optional_text_list(value) == (expected if isinstance(value, list) else None)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (5, 5),
        (0.5, 0.5),
        (-1, -1),
        (INF, INF),
        (NAN, None),
        (True, 1),
        (False, 0),
        ("12", 12),
        (" 1e3 ", 1000),
        ("0x1F", 31),
        ("", 0),
        ("Infinity", INF),
        ("infinity", None),
        ("1,000", None),
        ("1_000", None),
        ("-0x1", None),
        ("abc", None),
        (DATE, None),
        ([], 0),
        ([7], 7),
        ([1, 2], None),
        ([None], 0),
        ({}, None),
        ({"toString": 1}, None),
    ],
)
def test_on_optional_number(value, expected):
    made = optional_number(value)
    assert made == expected
    assert type(made) is not bool


@pytest.mark.parametrize("value", ["abc", {}, NAN, [1, 2], DATE])
def test_number_is_nan_where_there_is_none(value):
    made = to_number(value)
    assert made is not None
    assert math.isnan(made)


def test_number_of_null_is_zero():
    assert to_number(None) == 0


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, True),
        (False, False),
        (None, False),
        (0, False),
        (0.0, False),
        (-0.0, False),
        (NAN, False),
        ("", False),
        (1, True),
        (-1, True),
        (INF, True),
        ("false", True),
        ("no", True),
        ("0", True),
        ([], True),
        ({}, True),
        (DATE, True),
    ],
)
def test_ob_optional_bool(value, expected):
    assert optional_bool({"k": value}, "k") is expected


def test_ob_is_absent_only_without_the_key():
    assert optional_bool({}, "k") is None
    assert optional_bool({"K": True}, "k") is None


def test_mapping():
    assert mapping({"a": 1}) == {"a": 1}
    assert mapping({}) == {}
    others: tuple[object, ...] = ([], "x", None, 5, True)
    for other in others:
        assert mapping(other) is None
