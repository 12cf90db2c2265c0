"""The packed form of the tables."""

from __future__ import annotations

from base64 import b64encode
from zlib import compress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.text.packing import Bundle, numbers, signed
from scripts.lib.collation_tables import bundle, varint, zigzag


@given(st.lists(st.integers(0, 2**40)))
def test_numbers_read_what_was_written(values):
    assert list(numbers(b"".join(map(varint, values)))) == values


@given(st.integers(-(2**40), 2**40))
def test_signed_numbers(value):
    assert signed(zigzag(value)) == value


@pytest.mark.parametrize(("number", "value"), [(0, 0), (1, -1), (2, 1), (3, -2), (4, 2)])
def test_signed(number, value):
    assert signed(number) == value


def test_a_bundle_reads_its_parts():
    parts = {3: b"\x01\x02", 400: b"", 401: b"\x80\x01"}
    packed = Bundle(b64encode(compress(bundle(parts))))
    assert {key: list(packed.read(key)) for key in parts} == {3: [1, 2], 400: [], 401: [128]}
    assert 400 in packed
    assert 4 not in packed
    assert list(packed.read(4)) == []
