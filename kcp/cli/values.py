"""Values of flags: numbers (decision B7) and dates. Each error names the flag and what was given."""

from __future__ import annotations

from kcp.errors import UsageError
from kcp.planning.calendar import is_date
from kcp.wire.numbers import parse_number

_TIME = r"[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?)?(?:[Zz]|[+-](\d\d)(?::?(\d\d))?)?"
# Hours, minutes, seconds with a leap second, hours and minutes from UTC.
_MOST = (23, 59, 60, 23, 59)


def read_amount(flag: str, text: str) -> float:
    """A finite number, zero or more: an `int` where it is whole, else a `float`."""
    number = parse_number(text) if text.strip() else float("nan")
    if not 0 <= number < float("inf"):
        raise UsageError(f"{flag} must be a number, zero or more, not '{text}'")
    return int(number) if number == int(number) else number


def read_count(flag: str, text: str) -> int:
    """A whole number, zero or more."""
    try:
        number = read_amount(flag, text)
    except UsageError:
        number = -1
    if not isinstance(number, int) or number < 0:
        raise UsageError(f"{flag} must be a whole number, zero or more, not '{text}'")
    return number


def read_date(flag: str, text: str) -> str:
    """A day of the calendar, `YYYY-MM-DD`, with a time of day behind it or not; as written."""
    if not is_date(text[:10]) or not _is_time(text[10:]):
        raise UsageError(f"{flag} must be a date like 2026-07-01, not '{text}'")
    return text


def _is_time(text: str) -> bool:
    if not text:
        return True
    import re

    found = re.fullmatch(_TIME, text, re.ASCII)
    return found is not None and all(
        part is None or int(part) <= most for part, most in zip(found.groups(), _MOST, strict=True)
    )
