"""A line on standard error while something takes long; only where a person is watching."""

from __future__ import annotations

import sys
import time

DELAY = 1.0  # seconds before the first line
INTERVAL = 0.1  # seconds between lines


class Progress:
    """Counts steps; from the second second on, shows how many and the latest, in one line that is erased."""

    def __init__(self, doing: str, steps: str = "manifests") -> None:
        self._doing = doing
        self._unit = steps
        self._start = time.monotonic()
        self._last = 0.0
        self._steps = 0
        self._shown = False
        isatty = getattr(sys.stderr, "isatty", None)
        self._watched = isatty is not None and isatty()

    def __enter__(self) -> Progress:
        return self

    def step(self, what: str) -> None:
        """One more step begins."""
        self._steps += 1
        now = time.monotonic()
        if not self._watched or now - self._start < DELAY or now - self._last < INTERVAL:
            return
        from kcp.cli.show.escape import escape

        self._last, self._shown = now, True
        line = escape(f"{self._doing}… {self._steps} {self._unit}, at {what}")
        sys.stderr.write(f"\r\x1b[K{line[:100]}")
        sys.stderr.flush()

    def __exit__(self, *_exception: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
