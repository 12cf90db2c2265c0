"""One deadline over everything that a fetch waits for."""

from __future__ import annotations

from time import monotonic

from kcp.errors import FetchError


class Deadline:
    """A point in time, and what happens when it has passed."""

    __slots__ = ("_end",)

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds

    @property
    def passed(self) -> bool:
        """Whether there is no time left."""
        return monotonic() >= self._end

    def remaining(self) -> float:
        """The seconds left, more than zero. Raises `FetchError` where there are none."""
        left = self._end - monotonic()
        if left <= 0:
            raise timed_out()
        return left


def timed_out() -> FetchError:
    """The error of an exchange that took too long (contract §14)."""
    return FetchError("The operation was aborted due to timeout")
