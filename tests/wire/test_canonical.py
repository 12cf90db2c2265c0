"""Canonical text (evidence contract §1): vectors printed by a JavaScript engine, and laws."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kcp.wire.canonical import canonical, ordered
from kcp.wire.jsontext import compact

VECTORS = json.loads((Path(__file__).parent / "canonical_vectors.json").read_text(encoding="utf-8"))

numbers = st.one_of(st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False))
names = st.one_of(st.text(max_size=6), st.integers(0, 2**33).map(str))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, st.text(max_size=12)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(names, inner, max_size=4)),
    max_leaves=12,
)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["text"][:40])
def test_what_a_javascript_engine_prints(vector: dict[str, str]):
    assert canonical(json.loads(vector["text"])) == vector["canonical"]


def test_the_contracts_own_vector():
    assert canonical({"a": 1.0, "10": 1, "2": 2, "b": 1e-7}) == '{"2":2,"10":1,"a":1,"b":1e-7}'


@given(values)
@example({"a": 1e16})
@example([1.0])
@example({"1": -0.0})
@example(["2e5", "1.0,", '"12":'])
def test_the_quick_way_writes_what_the_slow_one_writes(value: object):
    assert canonical(value) == compact(ordered(value))


@given(values)
def test_reading_it_back_and_writing_it_again_changes_nothing(value: object):
    text = canonical(value)
    assert canonical(json.loads(text)) == text


@given(values)
def test_order_is_javascripts_at_every_level(value: object):
    def check(part: object) -> None:
        if isinstance(part, dict):
            indices = [key for key in part if key.isascii() and key.isdigit() and str(int(key)) == key]
            indices = [key for key in indices if int(key) < 2**32 - 1]
            assert list(part)[: len(indices)] == sorted(indices, key=int)
            for item in part.values():
                check(item)
        elif isinstance(part, list):
            for item in part:
                check(item)

    check(ordered(value))


@pytest.mark.parametrize("value", [object(), {"a": {1, 2}}, [b"bytes"]])
def test_what_json_has_no_text_for(value: object):
    with pytest.raises(TypeError):
        canonical(value)
