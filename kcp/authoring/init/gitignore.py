"""The patterns of .gitignore files, as gitignore(5) describes them.

Not pathspec: it turns patterns into regular expressions, and one line with ten stars in somebody's repository
keeps those busy for minutes. Here matching takes at most the pattern's length times that of the name. The
tests compare with git itself.
"""

from __future__ import annotations

from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    Accepts = Callable[[Any], bool]
    Pattern = list[Accepts | None]  # None stands for any run, of nothing too

MAX_LINE = 1024
MAX_RULES = 10_000
_CLASSES: dict[str, Accepts] = {
    "alpha": lambda c: c.isascii() and c.isalpha(),
    "digit": lambda c: c.isascii() and c.isdigit(),
    "alnum": lambda c: c.isascii() and c.isalnum(),
    "lower": lambda c: c.isascii() and c.islower(),
    "upper": lambda c: c.isascii() and c.isupper(),
    "space": lambda c: c in " \t\n\v\f\r",
    "blank": lambda c: c in " \t",
    "punct": lambda c: c.isascii() and c.isprintable() and not c.isalnum() and c != " ",
    "xdigit": lambda c: c in "0123456789abcdefABCDEF",
}


class Rule(Record):
    """One line: `steps` match the path from the file's folder on, or, unless `anchored`, a name anywhere."""

    steps: Any
    anchored: bool
    folders_only: bool
    keeps: bool

    def matches(self, path: tuple[str, ...], *, is_folder: bool) -> bool:
        """Whether the rule speaks of a path relative to the file's folder."""
        if self.folders_only and not is_folder:
            return False
        return covers(self.steps, path if self.anchored else path[-1:])


def parse_rules(text: str) -> tuple[Rule, ...]:
    """The rules of a file, in order; lines that can match nothing, and those beyond the bounds, are none."""
    found = []
    for line in text.removeprefix("\ufeff").split("\n"):
        rule = _parse_line(line.removesuffix("\r"))
        if rule is not None:
            found.append(rule)
        if len(found) == MAX_RULES:
            break
    return tuple(found)


def covers(pattern: Sequence[Accepts | None], items: Sequence[Any]) -> bool:
    """Whether a pattern covers all items; the last star before a mismatch takes one more and tries again."""
    at = place = tried = 0
    star = -1
    while at < len(items):
        accepts = pattern[place] if place < len(pattern) else _nothing
        if accepts is None:
            star, tried = place, at
            place += 1
        elif accepts(items[at]):
            at, place = at + 1, place + 1
        elif star >= 0:
            tried += 1
            at, place = tried, star + 1
        else:
            return False
    return all(accepts is None for accepts in pattern[place:])


def _nothing(_item: object) -> bool:
    return False


def _anything(_item: object) -> bool:
    return True


def _parse_line(line: str) -> Rule | None:
    if len(line) > MAX_LINE or line.startswith("#"):
        return None
    line = _trimmed(line)
    keeps = line.startswith("!")
    line = line[1:] if keeps else line
    folders_only = line.endswith("/")
    line = line[:-1] if folders_only else line
    anchored = "/" in line
    words = line.removeprefix("/").split("/")
    if not any(words):
        return None
    steps: Pattern = []
    for place, written in enumerate(words):
        last = place == len(words) - 1
        # A slash with a backslash before it separates all the same.
        escaped = not last and _ends_escaped(written)
        word = written[:-1] if escaped else written
        if word == "**" and anchored:
            # At the end it stands for what is inside: one step at least. So it does before such a slash.
            steps += [_anything, None] if last or escaped else [None]
            continue
        step = _parse_word(word)
        if step is None:
            return None
        steps.append(step)
    return Rule(steps, anchored, folders_only, keeps)


def _trimmed(line: str) -> str:
    """Without the blanks at the end, but for one that a backslash stands before."""
    bare = line.rstrip(" ")
    return bare + " " if _ends_escaped(bare) and len(bare) < len(line) else bare


def _ends_escaped(text: str) -> bool:
    """Whether a backslash at the end speaks of what follows."""
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


def _parse_word(word: str) -> Accepts | None:
    """What a step of the path must look like; None where no name does."""
    pattern: Pattern = []
    at = 0
    while at < len(word):
        char = word[at]
        at += 1
        if char == "*":
            if pattern[-1:] != [None]:
                pattern.append(None)
        elif char == "?":
            pattern.append(_anything)
        elif char == "[":
            accepts, at = _parse_set(word, at)
            if accepts is None:
                return None
            pattern.append(accepts)
        else:
            if char == "\\":
                if at == len(word):
                    return None
                char = word[at]
                at += 1
            pattern.append(char.__eq__)
    return lambda name: covers(pattern, name)


def _parse_set(word: str, at: int) -> tuple[Accepts | None, int]:
    """The characters that a bracket stands for, and where it ends; None where it does not end."""
    negated = word[at : at + 1] in ("!", "^")
    at += negated
    members: list[Accepts] = []
    first = True
    while at < len(word) and (word[at] != "]" or first):
        first = False
        end = word.find(":]", at + 2) if word.startswith("[:", at) else -1
        if end >= 0:
            named = _CLASSES.get(word[at + 2 : end])
            if named is None:
                return None, at
            members.append(named)
            at = end + 2
            continue
        low, at = _set_char(word, at)
        high = low
        if word[at : at + 1] == "-" and at + 1 < len(word) and word[at + 1] != "]":
            high, at = _set_char(word, at + 1)
        members.append(_between(low, high))
    if at >= len(word):
        return None, at
    return (lambda char: any(accepts(char) for accepts in members) != negated), at + 1


def _between(low: str, high: str) -> Accepts:
    # As git has it, the first character counts where the range is empty.
    return lambda char: char == low or low <= char <= high


def _set_char(word: str, at: int) -> tuple[str, int]:
    if word[at] == "\\" and at + 1 < len(word):
        at += 1
    return word[at], at + 1
