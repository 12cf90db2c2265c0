"""Scalars of the manifest dialect: YAML 1.2 core, JavaScript's numbers, dates as written (contract §3)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any

MAX_DIGITS = 400
_EXACT = 2**53

_CONSTANTS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INFINITIES = {
    sign + word: float(sign + "inf") for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")
}
_NANS = (".nan", ".NaN", ".NAN")
_BASES = {"0b": (2, "01"), "0o": (8, "01234567"), "0x": (16, "0123456789abcdefABCDEF")}
_DECIMAL = "0123456789"

# A plain scalar that starts with none of these is text; the composer looks here first.
_LETTERS = frozenset("nNtTfF")
SPECIAL_STARTS = frozenset(["", "~", "+", "-", ".", *_LETTERS, *_DECIMAL])

_compiled: list[re.Pattern[str]] = []


class DateText(str):
    """A plain scalar that YAML 1.1 would have read as a date; kept as the text it is (decision B1)."""

    __slots__ = ()


def resolve_plain(text: str) -> str | bool | int | float | None:
    """The value of a plain, untagged scalar. ValueError for an integer of more than 400 digits."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] in _LETTERS or text[0] == "~":
        return text
    number = to_int(text)
    if number is None:
        number = to_float(text)
    if number is not None:
        return number
    return DateText(text) if is_timestamp(text) else text


def is_text(text: str) -> bool:
    """Whether a plain scalar is surely text. False for the few that need a closer look, text or not."""
    return text[:1] not in SPECIAL_STARTS or (text[0:1] in _LETTERS and text not in _CONSTANTS)


def to_null(text: str) -> bool:
    """Whether the text spells null. An empty one does only where nothing at all was written."""
    return text != "" and text in _CONSTANTS and _CONSTANTS[text] is None


def to_bool(text: str) -> bool | None:
    """The boolean that the text spells, or None."""
    return _CONSTANTS.get(text)


def to_int(text: str) -> int | float | None:
    """The integer that the text spells as a double, or None where it spells none or overflows."""
    unsigned = text[1:] if text[:1] in ("+", "-") else text
    base, allowed = _BASES.get(unsigned[:2], (10, _DECIMAL))
    digits = unsigned if base == 10 else unsigned[2:]
    if not digits or digits.strip(allowed):
        return None
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"integer of {len(digits):,} digits; at most {MAX_DIGITS} are read")
    number = int(digits, base)
    negative = text[0] == "-"
    if number <= _EXACT and (number or not negative):
        return -number if negative else number
    try:
        double = float(number)
    except OverflowError:
        return None
    return -double if negative else double


def to_float(text: str) -> int | float | None:
    """The number that the text spells in decimal notation, or None where it spells none or overflows."""
    if text in _INFINITIES:
        return _INFINITIES[text]
    if text in _NANS:
        return float("nan")
    if not _is_decimal(text):
        return None
    number = float(text)
    if number in (float("inf"), float("-inf")):
        return None
    if number.is_integer() and -_EXACT <= number <= _EXACT and (number or text[0] != "-"):
        return int(number)
    return number


def _is_decimal(text: str) -> bool:
    signed = text[:1] in ("+", "-")
    unsigned = text[1:] if signed else text
    mantissa, marker, exponent = unsigned.partition("e" if "e" in unsigned else "E")
    if marker and not _all_digits(exponent[1:] if exponent[:1] in ("+", "-") else exponent):
        return False
    whole, _point, fraction = mantissa.partition(".")
    if fraction and not _all_digits(fraction):
        return False
    return _all_digits(whole) if whole else bool(fraction) and not signed


def _all_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def is_timestamp(text: str) -> bool:
    """Whether the text has the form of a YAML 1.1 date or timestamp."""
    if not (_all_digits(text[:4]) and text[4:5] == "-"):
        return False
    if len(text) == 10:
        return text[7] == "-" and _all_digits(text[5:7]) and _all_digits(text[8:])
    if not _compiled:
        import re

        _compiled.append(
            re.compile(
                r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
                r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?"
            )
        )
    return _compiled[0].fullmatch(text) is not None


def key_text(key: Any) -> str:
    """A mapping key as text: S() of contract §4. ValueError for a list inside a list."""
    if isinstance(key, str):
        return str(key)
    if isinstance(key, dict):
        return "[object Object]"
    if isinstance(key, list):
        if any(isinstance(item, list) for item in key):
            raise ValueError("nested arrays are not supported inside keys")
        return ",".join("" if item is None else key_text(item) for item in key)
    if key is None:
        return "null"
    if isinstance(key, bool):
        return "true" if key else "false"
    from kcp.wire.numbers import num

    return num(key)
