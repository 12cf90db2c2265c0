"""Number text: how a double is printed, rounded and read (planner contract §1, §4 "Number(string)").

Every number of the product is an IEEE double, held as a `float` or as an `int` of at most 2**53 in size; a
larger `int` stands for the double nearest to it. All rounding is done on integers, so it is exact.
"""

from __future__ import annotations

_EXACT = 2**53
_INFINITY = float("inf")
_NAN = float("nan")
_BLANKS = "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
_BLANKS += "\u2028\u2029\u202f\u205f\u3000\ufeff"
_DECIMAL = frozenset("0123456789.eE+-")
_RADIX = {
    "0x": (16, frozenset("0123456789abcdefABCDEF")),
    "0o": (8, frozenset("01234567")),
    "0b": (2, frozenset("01")),
}


def num(x: float) -> str:
    """Shortest text that reads back as `x`: `2`, `0.1`, `1e-7`, `1e+21`, `NaN`, `-Infinity`; -0 gives `0`."""
    if type(x) is int and -_EXACT <= x <= _EXACT:
        return str(x)
    x = _double(x)
    text = repr(x)
    if "e" not in text and "n" not in text:
        if text.endswith(".0"):
            return text[:-2] if x else "0"
        return text
    if not _finite(x):
        return "Infinity" if x > 0 else "-Infinity" if x < 0 else "NaN"
    digits, point = _shortest(x)
    sign = "-" if x < 0 else ""
    if 0 < point <= 21:
        return sign + digits.ljust(point, "0")
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{point - 1:+d}"


def json_number(x: float) -> str:
    """`num(x)`, but `null` for the non-finite numbers that JSON has no text for."""
    if type(x) is int and -_EXACT <= x <= _EXACT:
        return str(x)
    x = _double(x)
    return num(x) if _finite(x) else "null"


def money(x: float) -> float:
    """`x` rounded to six decimal places on its exact value, ties away from zero; in no unit of its own."""
    x = _double(x)
    if not _finite(x):
        return x
    numerator, denominator = abs(x).as_integer_ratio()
    millionths = (2_000_000 * numerator + denominator) // (2 * denominator)
    return -(millionths / 1_000_000) if x < 0 else millionths / 1_000_000


def tok(x: float) -> str:
    """`x` as a whole number in groups of three: `1,240`; halves go up, [-0.5, 0) gives `-0`."""
    if type(x) is int and -_EXACT <= x <= _EXACT:
        return f"{x:,}"
    x = _double(x)
    if not _finite(x):
        return _grouped_non_finite(x)
    if abs(x) > _EXACT:
        return loc(x)
    numerator, denominator = x.as_integer_ratio()
    whole = (2 * numerator + denominator) // (2 * denominator)
    return f"{whole:,}" if whole else _zero(x)


def loc(x: float) -> str:
    """`x` in groups of three with at most three decimals, halves away from zero on its shortest text."""
    if type(x) is int and -_EXACT <= x <= _EXACT:
        return f"{x:,}"
    x = _double(x)
    if not _finite(x):
        return _grouped_non_finite(x)
    digits, point = _shortest(x)
    surplus = len(digits) - point - 3
    if surplus > 0:
        thousandths = (int(digits) + 5 * 10 ** (surplus - 1)) // 10**surplus
    else:
        thousandths = int(digits) * 10**-surplus
    whole, fraction = divmod(thousandths, 1000)
    decimals = f"{fraction:03d}".rstrip("0")
    sign = "-" if x < 0 or _is_negative_zero(x) else ""
    return f"{sign}{whole:,}.{decimals}" if decimals else f"{sign}{whole:,}"


def parse_number(text: str) -> float:
    """The number that `text` spells by the contract's Number(string), or NaN; empty text is 0."""
    text = text.strip(_BLANKS)
    if not text:
        return 0.0
    if _DECIMAL.issuperset(text):
        try:
            return float(text)
        except ValueError:
            return _NAN
    if text in ("Infinity", "+Infinity"):
        return _INFINITY
    if text == "-Infinity":
        return -_INFINITY
    base, alphabet = _RADIX.get(text[:2].lower(), (0, frozenset()))
    digits = text[2:]
    if not base or not digits or not alphabet.issuperset(digits):
        return _NAN
    return _double(int(digits, base))


def _double(x: float) -> float:
    try:
        return float(x)
    except OverflowError:
        return _INFINITY if x > 0 else -_INFINITY


def _finite(x: float) -> bool:
    return -_INFINITY < x < _INFINITY


def _shortest(x: float) -> tuple[str, int]:
    """The shortest digits of a finite |x|, without outer zeros, and the place of the decimal point."""
    mantissa, _, exponent = repr(abs(x)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    significant = digits.lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(digits) - len(significant))
    return (significant.rstrip("0"), point) if significant else ("0", 1)


def _grouped_non_finite(x: float) -> str:
    return "∞" if x > 0 else "-∞" if x < 0 else "NaN"


def _zero(x: float) -> str:
    return "-0" if x < 0 or _is_negative_zero(x) else "0"


def _is_negative_zero(x: float) -> bool:
    return x == 0 and repr(x) == "-0.0"
