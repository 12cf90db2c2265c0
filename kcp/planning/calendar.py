"""Days before and after a date, without a clock or a calendar library."""

from __future__ import annotations

_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _parts(text: str) -> tuple[int, int, int] | None:
    pieces = text[:10].split("-")
    if len(text) < 10 or [len(piece) for piece in pieces] != [4, 2, 2]:
        return None
    if not all(piece.isascii() and piece.isdigit() for piece in pieces):
        return None
    year, month, day = map(int, pieces)
    return (year, month, day) if 1 <= month <= 12 and 1 <= day <= month_length(year, month) else None


def month_length(year: int, month: int) -> int:
    """The number of days of a month, 1 to 12."""
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return _LENGTHS[month - 1] + leap


def day_after(date: str) -> str | None:
    """The day after the date that a text starts with, or None where it starts with none."""
    parts = _parts(date)
    if parts is None:
        return None
    year, month, day = parts
    if day < month_length(year, month):
        return f"{year:04}-{month:02}-{day + 1:02}"
    if month < 12:
        return f"{year:04}-{month + 1:02}-01"
    return f"{year + 1:04}-01-01" if year < 9999 else None


def day_before(date: str) -> str | None:
    """The day before the date that a text starts with, or None where it starts with none."""
    parts = _parts(date)
    if parts is None:
        return None
    year, month, day = parts
    if day > 1:
        return f"{year:04}-{month:02}-{day - 1:02}"
    if month > 1:
        return f"{year:04}-{month - 1:02}-{month_length(year, month - 1):02}"
    return f"{year - 1:04}-12-31" if year > 0 else None


def is_date(text: str) -> bool:
    """Whether a text is exactly a calendar date, `YYYY-MM-DD`."""
    return len(text) == 10 and _parts(text) is not None
