"""robots.txt as RFC 9309 has it.

Neither `urllib.robotparser`, which knows no wildcards and lets the first rule win over the longest, nor
protego, which misses groups for `kcp-agent/1.0`, misreads files with a byte order mark, and obeys groups for
agents whose name begins alike. Matching takes time linear in the URL, whatever the pattern.
"""

from __future__ import annotations

import re

from kcp.records import Record

MAX_BYTES = 500 * 1024  # what RFC 9309 §2.5 asks for at least
MAX_RULES = 10_000
AGENT = "kcp-agent"
_TOKEN = re.compile(r"[a-z_-]+", re.ASCII)
_SAFE = "!#$%&'()*+,/:;=?@[]~-._"


class PathRule(Record):
    """A rule; `pattern` is as written, in one encoding."""

    allows: bool
    pattern: str


class Robots(Record):
    """The rules for one agent; the longest that matches decides, Allow where two are equally long."""

    rules: tuple[PathRule, ...] = ()
    delay: float | None = None
    closed: bool = False

    def allows(self, target: str) -> bool:
        """Whether a path, with its query, may be read."""
        if self.closed:
            return False
        target = _normal(target)
        best: tuple[int, bool] = (-1, True)
        for rule in self.rules:
            rank = (len(rule.pattern), rule.allows)
            if rank > best and _matches(rule.pattern, target):
                best = rank
        return best[1]

    @property
    def disallowed(self) -> tuple[str, ...]:
        """The patterns that must not be read, in order."""
        return ("/",) if self.closed else tuple([rule.pattern for rule in self.rules if not rule.allows])


OPEN, CLOSED = Robots(), Robots(closed=True)


def parse_robots(data: bytes, agent: str = AGENT) -> Robots:
    """The rules of a file for an agent: all groups that name it, or else all groups for `*`."""
    text = data[:MAX_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
    groups: dict[str, list[PathRule]] = {}
    delays: dict[str, float] = {}
    named: list[str] = []
    naming = False
    for line in text.splitlines():
        key, colon, value = line.partition("#")[0].partition(":")
        key, value = key.strip().lower(), value.strip()
        if not colon:
            continue
        if key == "user-agent":
            if not naming:
                named = []
            named.append(_product(value))
            groups.setdefault(named[-1], [])
            naming = True
        elif key in ("allow", "disallow"):
            naming = False
            for name in named:
                if value and len(groups[name]) < MAX_RULES:
                    groups[name].append(PathRule(key == "allow", _normal(value)))
        elif key == "crawl-delay":
            naming = False
            for name in named:
                delays.setdefault(name, _seconds(value))
    name = agent if agent in groups else "*"
    return Robots(tuple(groups.get(name, ())), delays.get(name))


def _product(value: str) -> str:
    """The product token of an agent's name: what comes before a version."""
    if value.startswith("*"):
        return "*"
    match = _TOKEN.match(value.lower())
    return "" if match is None else match.group()


def _seconds(value: str) -> float:
    digits = value.partition(".")[0]
    return float(digits) if digits.isascii() and digits.isdigit() and len(digits) < 6 else 0.0


def _normal(text: str) -> str:
    """One spelling: what need not be escaped is not, everything beyond ASCII is, hexadecimal in capitals."""
    from urllib.parse import quote

    parts, at = [], 0
    while (found := text.find("%", at)) >= 0:
        parts.append(quote(text[at:found], safe=_SAFE, errors="replace"))
        digits = text[found + 1 : found + 3]
        if len(digits) == 2 and all(digit in "0123456789abcdefABCDEF" for digit in digits):
            char = chr(int(digits, 16))
            plain = char.isascii() and (char.isalnum() or char in "-._~")
            parts.append(char if plain else f"%{digits.upper()}")
            at = found + 3
        else:
            parts.append("%")
            at = found + 1
    return "".join([*parts, quote(text[at:], safe=_SAFE, errors="replace")])


def _matches(pattern: str, target: str) -> bool:
    """Whether a pattern covers the beginning of a target, or with `$` at its end all of it."""
    whole = pattern.endswith("$")
    first, *pieces = (pattern[:-1] if whole else pattern).split("*")
    if not target.startswith(first):
        return False
    at = len(first)
    last = pieces.pop() if whole and pieces else None
    for piece in pieces:
        found = target.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    if last is not None:
        return target.endswith(last) and len(target) - len(last) >= at
    return not whole or at == len(target)
