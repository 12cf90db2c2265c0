"""Saved artifacts are read strictly, within bounds, and refused with a place."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.errors import ArtifactError
from kcp.wire.decode import MAX_DEPTH, decode_json, member
from kcp.wire.json_faults import find_fault


def refusal(data: bytes | str) -> str:
    with pytest.raises(ArtifactError) as caught:
        decode_json(data, "plan.json")
    message = caught.value.message
    assert "\n" not in message
    assert message.startswith("plan.json: ")
    return message.removeprefix("plan.json: ")


def test_values() -> None:
    text = ' {"a": [1, -2, 0.5, true, false, null, "é\\u00e9\\ud800\\ud83d\\ude00"], "b": {}} \n'
    expected = {"a": [1, -2, 0.5, True, False, None, "éé\ud800😀"], "b": {}}
    assert decode_json(text, "x") == expected
    assert decode_json(text.encode(), "x") == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2.0", 2),
        ("1e3", 1000),
        ("9007199254740992", 2**53),
        ("9007199254740993", 2**53),
        ("-9007199254740992.0", -(2**53)),
        ("9999999999999999", 1e16),
        ("9007199254740994", 9007199254740994.0),
        ("123456789012345678901234567890", 123456789012345678901234567890.0),
        ("1e-400", 0),
        ("0.1", 0.1),
        ("1" + "0" * 308, 1e308),
        ("-0", -0.0),
        ("-0.0", -0.0),
    ],
)
def test_numbers_are_doubles(text: str, value: float) -> None:
    got = decode_json(text, "x")
    assert got == value
    assert type(got) is type(value)
    assert isinstance(got, int | float)
    assert math.copysign(1, got) == math.copysign(1, value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a value, found the end of the text (1:1)"),
        (" \n ", "expected a value, found the end of the text (2:2)"),
        ("{", "expected a member name in double quotes, found the end of the text (1:2)"),
        ('{"a" 1}', "expected ':', found \"1\" (1:6)"),
        ('{"a":1,}', 'expected a member name in double quotes, found "}" (1:8)'),
        ("[1,]", 'expected a value, found "]" (1:4)'),
        ("[1 2]", "expected ',' or ']', found \"2\" (1:4)"),
        ('{"a":1\n "b":2}', "expected ',' or '}', found \"\\\"\" (2:2)"),
        ("[1}", "expected ',' or ']', found \"}\" (1:3)"),
        ("[]\n[]", "text after the end of the JSON value (2:1)"),
        ("1\x00", "text after the end of the JSON value (1:2)"),
        ("{'a':1}", 'expected a member name in double quotes, found "\'" (1:2)'),
        ('"a\nb"', "control character U+000A in a string (1:3)"),
        ('"a\\x"', "unknown escape in a string (1:3)"),
        ('"\\u12g4"', "unknown escape in a string (1:2)"),
        ('["abc', "string is not closed (1:2)"),
        ('["abc\\', "unknown escape in a string (1:6)"),
        ("NaN", "NaN and Infinity are not JSON numbers (1:1)"),
        ("[1,\n -Infinity]", "NaN and Infinity are not JSON numbers (2:2)"),
        ("[Infinity]", "NaN and Infinity are not JSON numbers (1:2)"),
        ("01", "a number must not start with a zero (1:1)"),
        ("[-]", 'expected a digit, found "]" (1:3)'),
        ("[1.]", 'expected a digit, found "]" (1:4)'),
        ("[1e+]", 'expected a digit, found "]" (1:5)'),
        (".5", 'expected a value, found "." (1:1)'),
        ("+1", 'expected a value, found "+" (1:1)'),
        ("nul", 'expected a value, found "n" (1:1)'),
        ("[1e400]", "number 1e400 is too large (1:2)"),
        ("-1e400", "number -1e400 is too large (1:1)"),
        ("9" * 100_000, f"number {'9' * 40}... is too large (1:1)"),
        ('{"a":1,\n "a":2}', 'duplicate member "a" (2:2)'),
        ('{"a":{"b":1,"\\u0062":2}}', 'duplicate member "b" (1:13)'),
        ('{"\\u001b[2J":1,"\\u001b[2J":2}', 'duplicate member "\\u001b[2J" (1:16)'),
        ("\ufeff{}", "starts with a byte order mark (1:1)"),
        ("\u00a0{}", 'expected a value, found "\\u00a0" (1:1)'),
        ("[１]", 'expected a value, found "\\uff11" (1:2)'),
    ],
)
def test_refusals_name_the_place(text: str, message: str) -> None:
    assert refusal(text) == message
    assert refusal(text.encode()) == message


def test_the_same_name_in_different_objects_is_no_duplicate() -> None:
    assert decode_json('{"a":{"a":[{"a":1},{"a":2}]}}', "x") == {"a": {"a": [{"a": 1}, {"a": 2}]}}


def test_bytes_must_be_utf8() -> None:
    assert refusal(b'{"a":\n "\xff"}') == "not UTF-8 (2:3)"
    assert refusal(b'"\xed\xa0\x80"') == "not UTF-8 (1:2)"


def test_depth_is_bounded_before_parsing() -> None:
    fits = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    decode_json(fits, "x")
    assert refusal(f"[{fits}]") == f"nested more than {MAX_DEPTH} levels deep (1:{MAX_DEPTH + 1})"
    assert refusal('{"a":' * 300_000) == f"nested more than {MAX_DEPTH} levels deep (1:1001)"
    assert decode_json("[" + "[]," * 1000 + '"' + "[{" * 1000 + '"]', "x")
    assert decode_json(r'["\\", "\"[", "' + "[" * 300 + '"]', "x") == ["\\", '"[', "[" * 300]


def test_member() -> None:
    value = {"a": "x", "n": 1, "b": True, "none": None}
    assert member(value, "a", str, "f") == "x"
    assert member(value, "n", (int, float), "f") == 1
    assert member(value, "b", bool, "f") is True
    for wrong, key, kind, message in [
        ([], "a", str, "f: expected an object, found a list"),
        (value, "z", str, "f: member 'z' is missing"),
        (value, "n", str, "f: member 'n' must be a string, found a number"),
        (value, "b", (int, float), "f: member 'b' must be a number, found true or false"),
        (value, "none", (dict, list), "f: member 'none' must be an object or a list, found null"),
    ]:
        with pytest.raises(ArtifactError) as caught:
            member(wrong, key, kind, "f")  # type: ignore[arg-type]
        assert caught.value.message == message


fragments = st.sampled_from(
    [
        '"',
        "\\",
        "\\u00e9",
        "[",
        "]",
        "{",
        "}",
        ":",
        ",",
        "0",
        "1",
        "-",
        ".",
        "e",
        " ",
        "\n",
        "true",
        "null",
        '"a"',
        "NaN",
    ]
)


@given(st.lists(fragments, max_size=14).map("".join))
def test_verdicts_agree_with_the_standard_decoder(text: str) -> None:
    """Accepted texts decode as the standard library does; refused ones always get a reason and a place."""
    refused = ""
    value: object = None
    try:
        value = decode_json(text, "x")
    except ArtifactError as error:
        refused = error.message
    try:
        standard = json.loads(text)
    except ValueError:
        assert refused
        assert "not acceptable" not in refused
        return
    if refused:
        assert "duplicate" in refused or "NaN" in refused or "too large" in refused
    else:
        assert value == standard
        assert find_fault(text, MAX_DEPTH) == ("not acceptable JSON", 0)
