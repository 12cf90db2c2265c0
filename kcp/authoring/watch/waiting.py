"""Passing the time until something may have changed: by the clock, or woken by the system."""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Wait = Callable[[float, tuple[str, ...]], None]


def by_clock(seconds: float, _folders: tuple[str, ...]) -> None:
    """Wait that long."""
    time.sleep(seconds)


def best_wait() -> Wait:
    """The way that wakes up soonest: with the `watch` extra installed, that of the system."""
    try:
        return BySystem()
    except ImportError:
        return by_clock


class BySystem:
    """Waits until the system tells of a change in a folder, at most so long. Needs the package `watchfiles`.

    What changed is not asked: looking at the files tells that, the same way as without the package.
    """

    def __init__(self) -> None:
        import importlib

        self._watch: Any = importlib.import_module("watchfiles").watch
        self._folders: tuple[str, ...] = ()
        self._seconds = 0.0
        self._changes: Any = None

    def __call__(self, seconds: float, folders: tuple[str, ...]) -> None:
        """Wait; without folders, or where they cannot be watched, by the clock."""
        if not folders:
            by_clock(seconds, folders)
            return
        try:
            if (folders, seconds) != (self._folders, self._seconds):
                self._changes = self._watch(
                    *folders,
                    watch_filter=None,
                    debounce=1,
                    step=1,
                    rust_timeout=max(1, round(seconds * 1000)),
                    yield_on_timeout=True,
                    recursive=False,
                )
                self._folders, self._seconds = folders, seconds
            next(self._changes)
        except (OSError, RuntimeError, StopIteration):
            self._folders = ()
            by_clock(seconds, folders)
