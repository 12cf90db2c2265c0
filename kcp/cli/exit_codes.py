"""What the program's exit codes mean. With several inputs the worst wins: 3, then 1, then 0."""

from __future__ import annotations

DONE = 0  # done, and what was asked holds
FAILED = 1  # done, and it does not hold: errors found, plans differ
USAGE = 2  # an unknown flag, a bad value, a missing argument
UNCHECKED = 3  # could not check: an input that cannot be read, an output that cannot be written
BUG = 70  # a bug in this program
INTERRUPTED = 130  # Ctrl-C

MEANINGS = (
    (DONE, "done, and what was asked holds"),
    (FAILED, "done, and it does not hold (validation errors, plans that differ)"),
    (USAGE, "wrong use: an unknown option, a bad value, a missing argument"),
    (UNCHECKED, "could not check: an input that cannot be read, an output that cannot be written"),
    (BUG, "a bug in this program"),
    (INTERRUPTED, "interrupted"),
)


def worst(codes: list[int]) -> int:
    """The code that several inputs amount to: "could not check" never looks like "clean"."""
    return max(codes, default=DONE)
