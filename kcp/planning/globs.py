"""Path globs of action scopes (planner contract §6 gate 7e, decision B6).

`**` stands for any run without line terminators, `*` for any run without `/`; every other character, `?`
included, stands for itself, and a pattern covers the whole path. A run of stars reads as pairs from the left.
"""

from __future__ import annotations

_LINE_ENDS = "\n\r\u2028\u2029"


def path_matches(pattern: str, path: str) -> bool:
    """Whether `pattern` equals `path` or covers it as a glob; takes time linear in `path`."""
    if pattern == path:
        return True
    first = pattern.find("*")
    if first < 0 or not path.startswith(pattern[:first]):
        return False
    last = pattern.rindex("*") + 1
    suffix = pattern[last:]
    end = len(path) - len(suffix)
    if end < first or not path.endswith(suffix):
        return False
    return _simulate(_tokens(pattern[first:last]), path[first:end])


def _tokens(pattern: str) -> list[str]:
    """The pattern as literal characters, `*` and `**`, a repeated star once (`****` is `**`)."""
    tokens: list[str] = []
    at = 0
    while at < len(pattern):
        token = "**" if pattern.startswith("**", at) else pattern[at]
        if token[0] != "*" or tokens[-1:] != [token]:
            tokens.append(token)
        at += len(token)
    return tokens


def _simulate(tokens: list[str], path: str) -> bool:
    """Run all readings side by side: bit i is set while the first i tokens cover the path so far."""
    literals: dict[str, int] = {}
    star = globstar = 0
    for place, token in enumerate(tokens):
        if token == "*":
            star |= 1 << place
        elif token == "**":
            globstar |= 1 << place
        else:
            literals[token] = literals.get(token, 0) | 1 << place
    anywhere = star | globstar
    live = _skip_stars(1, anywhere)
    for char in path:
        stay = star if char in _LINE_ENDS else globstar if char == "/" else anywhere
        live = _skip_stars(live & stay | (live & literals.get(char, 0)) << 1, anywhere)
        if not live:
            return False
    return bool(live >> len(tokens))


def _skip_stars(live: int, stars: int) -> int:
    """A star may stand for nothing; two in a row (`***`) are the most that `_tokens` leaves side by side."""
    live |= (live & stars) << 1
    return live | (live & stars) << 1
