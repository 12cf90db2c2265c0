"""The task's search terms (planner contract §5)."""

from __future__ import annotations

from kcp.text.casing import lower, words
from kcp.text.utf16 import utf16_length

STOPWORDS = frozenset(
    "the a an is are was were do does how what why when where which who to of in on for and or i we you it "
    "this that with my our can should will be get getting".split()
)


def task_terms(task: str) -> tuple[str, ...]:
    """The words of a task worth searching for, lower-cased, in order, repeats kept."""
    return tuple([word for word in words(lower(task)) if utf16_length(word) > 2 and word not in STOPWORDS])
