"""JSON text (planner contract §1 "JSON")."""

from __future__ import annotations

import gzip
import json
import math
from json.encoder import py_encode_basestring  # type: ignore[attr-defined,unused-ignore]
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.wire import jsontext
from kcp.wire.decode import decode_json
from kcp.wire.jsontext import compact, encode_json

any_text = st.text(alphabet=st.characters(exclude_categories=()))
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
)
plain_values = st.recursive(
    scalars | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
joined_pairs = any_text.map(
    lambda s: s.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
)


def test_layout() -> None:
    value = {"a": [1, 2.0, [], {}], "b": {"c": None, "d": (True, False)}, "": []}
    assert encode_json(value) == (
        '{\n  "a": [\n    1,\n    2,\n    [],\n    {}\n  ],\n  "b": {\n    "c": null,\n    "d": [\n'
        '      true,\n      false\n    ]\n  },\n  "": []\n}'
    )
    assert compact(value) == '{"a":[1,2,[],{}],"b":{"c":null,"d":[true,false]},"":[]}'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([], "[]"),
        ((), "[]"),
        ({}, "{}"),
        (None, "null"),
        (True, "true"),
        (2.0, "2"),
        (-0.0, "0"),
        (1e21, "1e+21"),
        (1e16, "10000000000000000"),
        (1e-7, "1e-7"),
        (math.nan, "null"),
        (-math.inf, "null"),
        ("", '""'),
        ("a/b\u007f\u2028é", '"a/b\u007f\u2028é"'),
        ('"\\\b\f\n\r\t\0\x1f', r'"\"\\\b\f\n\r\t\u0000\u001f"'),
        ("\ud83d", r'"\ud83d"'),
        ("x\udc00y\ud800", r'"x\udc00y\ud800"'),
        ("\ud83d\ude00", '"😀"'),
        ("\ud83d😀\ude00é", r'"\ud83d😀\ude00é"'),
    ],
)
def test_scalars_and_escapes(value: object, text: str) -> None:
    assert encode_json(value) == text
    assert compact(value) == text


def test_surrogates_do_not_join_across_strings() -> None:
    assert compact(["\ud83d", "\ude00"]) == r'["\ud83d","\ude00"]'
    assert compact({"\ud83d": "\ude00"}) == r'{"\ud83d":"\ude00"}'


@pytest.mark.parametrize("value", [object(), {1, 2}, b"x", [1, object()], {"a": 1j}])
def test_other_types_are_refused(value: object) -> None:
    for write in (encode_json, compact):
        with pytest.raises(TypeError):
            write(value)


def test_two_hundred_levels() -> None:
    deep: object = 1
    for level in range(200):
        deep = [deep] if level % 2 else {"a": deep}
    assert decode_json(encode_json(deep), "deep") == deep
    assert decode_json(compact(deep), "deep") == deep


@given(plain_values)
def test_reads_back(value: object) -> None:
    for write in (encode_json, compact):
        assert json.loads(write(value), parse_int=float) == value  # every JSON number is a double


@given(
    st.dictionaries(st.text(), st.lists(st.text() | st.integers(-9, 9) | st.none(), max_size=3), max_size=4)
)
def test_agrees_with_the_standard_encoder_where_numbers_are_small(value: object) -> None:
    assert encode_json(value) == json.dumps(value, indent=2, ensure_ascii=False)
    assert compact(value) == json.dumps(value, separators=(",", ":"), ensure_ascii=False)


@given(joined_pairs)
def test_any_string_survives(text: str) -> None:
    written = compact(text)
    assert written.encode("utf-8").decode("utf-8") == written
    assert json.loads(written) == text


@given(any_text)
def test_the_fallback_quotes_alike(text: str) -> None:
    assert py_encode_basestring(text) == vars(jsontext)["_quote"](text)


@pytest.mark.parametrize(
    "name", ["planner-cases", "planner-cases-governed", "planner-cases-unicode", "diff-cases"]
)
def test_reference_lines_come_back_byte_for_byte(shared_data: Path, name: str) -> None:
    with gzip.open(
        shared_data / "oracle" / f"{name}.jsonl.gz", "rt", encoding="utf-8", newline="\n"
    ) as lines:
        for line in list(lines)[:300]:
            text = line.rstrip("\n")
            assert compact(decode_json(text, name)) == text


def test_reference_artifacts_come_back_byte_for_byte(shared_data: Path) -> None:
    seen = 0
    with gzip.open(shared_data / "oracle" / "estates.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            for run in json.loads(line)["runs"]:
                if run["stdout"].startswith("{"):
                    seen += 1
                    assert encode_json(decode_json(run["stdout"], "stdout")) + "\n" == run["stdout"]
    assert seen > 300
