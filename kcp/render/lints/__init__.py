"""Lint sets: what a text may not say. Each set is a module; `lint_for` puts together those asked for.

A set is a `LintSet`: an id, and `find(text, role)`, which gives the first `Hit` or None. `role` says what
the text is: `prose`, `token` (an id or a word of a vocabulary), `path` or `url`. A set beyond the base is
registered by one line in `EXTRA_SETS`. A `find` must take time linear in the text, which is at most 4 KiB.
"""

from __future__ import annotations

from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Find = Callable[[str, str], "Hit | None"]

PROSE, TOKEN, PATH, URL = "prose", "token", "path", "url"

# Modules with a `LINT_SET`, in the order in which they look at a text after the base set.
EXTRA_SETS: tuple[str, ...] = ("kcp.render.lints.kcpagent",)


class Hit(Record):
    """Why a text is withheld: a reason of the artifact, and the rule of the set that found it."""

    reason: str
    rule: str


def _no_work() -> int:
    return 0


class LintSet(Record):
    """Some rules under one version; the id of an extra set is `name-number`; `work` counts what it does."""

    id: str
    find: Find
    work: Callable[[], int] = _no_work


# What the extra sets may do in one render. No manifest needs so much that is not made to be slow.
MOST_WORK, WORK_OF_A_TEXT = 2_300_000, 20
TOO_MUCH = Hit("too_much_text", "not-looked-at")


class Lint:
    """The sets that a render applies, base set first; remembers texts, as manifests repeat themselves."""

    def __init__(self, sets: tuple[LintSet, ...]) -> None:
        self.id = "+".join([each.id for each in sets])
        base, *self._extra = sets
        self._base = base.find
        self._known: dict[tuple[str, str], Hit | None] = {}
        self._left = MOST_WORK

    def find(self, text: str, role: str) -> Hit | None:
        """The first hit of the first set that has one; what is too much to look at is a hit, too."""
        key = text, role
        if key in self._known:
            return self._known[key]
        hit = self._base(text, role)
        if hit is None and self._extra:
            if self._left <= 0:
                return TOO_MUCH
            self._left -= WORK_OF_A_TEXT
            for each in self._extra:
                before = each.work()
                hit = hit or each.find(text, role)
                self._left -= each.work() - before
        self._known[key] = hit
        return hit


def lint_for(level: str) -> Lint:
    """The sets of a level: `base` is the protocol's own rules alone, `full` adds every extra set."""
    from kcp.render.lints.base import LINT_SET

    sets = [LINT_SET]
    if level == "full":
        from importlib import import_module

        sets += [import_module(name).LINT_SET for name in EXTRA_SETS]
    return Lint(tuple(sets))
