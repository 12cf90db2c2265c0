"""Number text (planner contract §1): vectors printed by a JavaScript engine, and laws."""

from __future__ import annotations

import json
import math
import re
import struct
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kcp.wire.numbers import json_number, loc, money, num, parse_number, tok

HERE = Path(__file__).parent
VECTORS = json.loads((HERE / "number_vectors.json").read_text(encoding="utf-8"))
PARSING = json.loads((HERE / "parsing_vectors.json").read_text(encoding="utf-8"))

finite = st.floats(allow_nan=False, allow_infinity=False)
everyday = st.integers(-(10**12), 10**12).map(lambda n: n / 10**6)
exact_ints = st.integers(-(2**53), 2**53)


def double(bits: str) -> float:
    value: float = struct.unpack(">d", bytes.fromhex(bits))[0]
    return value


def bits(x: float) -> str:
    return struct.pack(">d", x).hex()


def rounded_half_away(x: Fraction, places: int) -> Fraction:
    scaled = abs(x) * 10**places
    whole = scaled.numerator // scaled.denominator
    if scaled - whole >= Fraction(1, 2):
        whole += 1
    return Fraction(whole if x >= 0 else -whole, 10**places)


def grouped(digits: str) -> str:
    return re.sub(r"(?<=\d)(?=(?:\d{3})+$)", ",", digits)


@pytest.mark.parametrize("row", VECTORS, ids=lambda row: row["num"])
def test_vectors(row: dict[str, str]) -> None:
    x = double(row["bits"])
    got = {"num": num(x), "json": json_number(x), "money": num(money(x)), "tok": tok(x), "loc": loc(x)}
    assert got == {key: row[key] for key in got}


@pytest.mark.parametrize(("text", "expected"), PARSING)
def test_parsing_vectors(text: str, expected: str) -> None:
    got = parse_number(text)
    assert type(got) is float
    assert math.isnan(got) if expected == "nan" else bits(got) == expected


def test_reference_numbers(shared_data: Path) -> None:
    rows = json.loads((shared_data / "oracle" / "numbers.json").read_text(encoding="utf-8"))
    assert len(rows) >= 59
    for row in rows:
        x = double(row["hex"])
        assert json_number(x) == row["json"], row
        assert num(x) == row["string"], row
        assert json_number(money(x)) == row["money"], row
        assert loc(x) == row["grouped"], row
        assert tok(x) == row["grouped_rounded"], row


def test_reference_parsing(shared_data: Path) -> None:
    rows = json.loads((shared_data / "oracle" / "number-parsing.json").read_text(encoding="utf-8"))
    assert len(rows) >= 52
    for row in rows:
        assert parse_number(row["text"]) == pytest.approx(float(row["number"]), rel=0, abs=0, nan_ok=True), (
            row
        )


@given(finite | everyday)
def test_num_reads_back(x: float) -> None:
    assert float(num(x)) == x
    assert bits(parse_number(num(x))) == bits(x + 0.0)
    assert json.loads(json_number(x), parse_int=float) == x


@given(finite | everyday)
def test_num_has_the_contracts_shape(x: float) -> None:
    text = num(x)
    assert re.fullmatch(r"-?(0|[1-9]\d*)(\.\d*[1-9])?(e[+-][1-9]\d*)?", text)
    assert ("e" in text) == (x != 0 and not 1e-6 <= abs(x) < 1e21)
    assert Decimal(text) == Decimal(repr(x))


@given(exact_ints)
def test_an_int_prints_as_its_double(n: int) -> None:
    assert num(n) == num(float(n)) == str(n)
    assert json_number(n) == str(n)
    assert loc(n) == loc(float(n))
    assert tok(n) == tok(float(n))
    assert bits(money(n)) == bits(money(float(n)))


@given(st.integers(2**53, 2**80) | st.integers(-(2**80), -(2**53)))
def test_a_large_int_stands_for_its_nearest_double(n: int) -> None:
    assert num(n) == num(float(n))
    assert json_number(n) == json_number(float(n))
    assert tok(n) == loc(n) == loc(float(n))


def test_an_int_beyond_the_doubles_is_infinite() -> None:
    assert num(10**400) == "Infinity"
    assert json_number(-(10**400)) == "null"
    assert tok(-(10**400)) == "-∞"
    assert money(10**400) == math.inf


@given(finite | everyday)
@example(-0.0)
def test_money_rounds_the_exact_value(x: float) -> None:
    got = money(x)
    assert type(got) is float
    if abs(x) >= 1e21:
        assert got == x
    else:
        assert got == float(rounded_half_away(Fraction(x), 6))
        assert money(got) == got


@given(finite | everyday | exact_ints.map(lambda n: n / 2))
@example(-0.0)
def test_tok_rounds_halves_up(x: float) -> None:
    whole = math.floor(Fraction(x) + Fraction(1, 2))
    digits = format(Decimal(num(float(whole))), "f").lstrip("-")
    sign = "-" if whole < 0 or (whole == 0 and math.copysign(1, x) < 0) else ""
    assert tok(x) == sign + grouped(digits)


@given(finite | everyday | st.integers(-(10**9), 10**9).map(lambda n: n / 2000))
@example(-0.0)
def test_loc_rounds_the_shortest_decimal(x: float) -> None:
    value = abs(rounded_half_away(Fraction(repr(x)), 3))
    whole, thousandths = divmod(value.numerator * 1000 // value.denominator, 1000)
    decimals = f".{thousandths:03d}".rstrip("0").rstrip(".")
    assert loc(x) == ("-" if math.copysign(1, x) < 0 else "") + grouped(str(whole)) + decimals


@given(st.text(alphabet="0123456789.eExXoObB+-_ \u00a0\u0085InfintyNa１٣", max_size=8))
def test_parse_number_never_raises(text: str) -> None:
    got = parse_number(text)
    assert type(got) is float
    if not math.isnan(got):
        assert text.isascii() or "\u00a0" in text
        assert "_" not in text


def test_long_digits_are_read_in_bounded_time() -> None:
    assert parse_number("1" * 200_000) == math.inf
    assert parse_number("0x" + "f" * 200_000) == math.inf
    assert parse_number("0." + "3" * 200_000) == 1 / 3
