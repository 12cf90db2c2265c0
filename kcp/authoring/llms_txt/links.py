"""Links as Markdown writes them, found in one line of text.

CommonMark's rules for the parts (brackets that balance, destinations in angle brackets, titles, escapes,
entities), but a grammar of lines of our own: the files are read line by line (surfaces contract §7), and an
item that a CommonMark parser takes for code or for the end of a paragraph is a link here. A parser would have
to be corrected in most of what it says, would take a quarter of a second to import and add a megabyte to the
program.
"""

from __future__ import annotations

import re

from kcp.authoring.yaml_lines import visible
from kcp.records import Record

MAX_DEPTH = 32
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_URL = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
_MARKED = re.compile(r"(?<![\w*])(\*{1,3}|`{1,3})(?=\S)([^*`]{1,400})(?<=\S)\1(?![\w*])")
_TRAILING = ".,;:!?'\""


class Link(Record):
    """A link: `target` as written, `end` the place behind it."""

    text: str
    target: str
    end: int


def link_at(line: str, at: int) -> Link | None:
    """The link `[text](target "title")` that starts at a place, or None."""
    if line[at : at + 1] != "[":
        return None
    close = _closing(line, at, "[", "]")
    if close is None or line[close + 1 : close + 2] != "(":
        return None
    text = line[at + 1 : close]
    start = close + 2
    while line[start : start + 1].isspace():
        start += 1
    if line[start : start + 1] == "<":
        end = line.find(">", start)
        if end < 0:
            return None
        target, rest = line[start + 1 : end], end + 1
    else:
        end = _destination_end(line, start)
        target, rest = line[start:end], end
    close = _title_end(line, rest)
    if close is None:
        return None
    return Link(unmarked(text), unescaped(target.strip()), close + 1)


def bare_link_at(line: str, at: int) -> Link | None:
    """The URL, in angle brackets or not, that starts at a place, or None; its text is empty."""
    bracket = line[at : at + 1] == "<"
    match = _URL.match(line, at + bracket)
    if match is None:
        return None
    target, end = match.group(), match.end()
    if bracket:
        return Link("", target, end + 1) if line[end : end + 1] == ">" else None
    while target[-1] in _TRAILING or (target[-1] == ")" and target.count(")") > target.count("(")):
        target = target[:-1]
    return Link("", target, at + len(target))


def plain(text: str) -> str:
    """Running text: links and images are their text, escapes and entities are resolved, marks stay."""
    return visible(unescaped(_without_links(text)))


def unmarked(text: str) -> str:
    """The text of a title, as `plain`, without marks of emphasis and code."""
    return plain(_MARKED.sub(r"\2", text))


def unescaped(text: str) -> str:
    """Without the backslashes before punctuation, entities resolved."""
    from html import unescape

    return unescape(_ESCAPED.sub(r"\1", text))


def _without_links(text: str) -> str:
    parts, at = [], 0
    while (found := text.find("[", at)) >= 0:
        link = link_at(text, found) if "](" in text[found:] else None
        if link is None:
            parts.append(text[at : found + 1])
            at = found + 1
            continue
        image = found > 0 and text[found - 1] == "!"
        parts += [text[at : found - image], link.text]
        at = link.end
    return "".join([*parts, text[at:]])


def _closing(line: str, at: int, opening: str, closing: str) -> int | None:
    """The bracket that closes the one at a place; what a backslash stands before does not count."""
    depth = 0
    while at < len(line):
        char = line[at]
        if char == "\\":
            at += 1
        elif char == opening:
            depth += 1
            if depth > MAX_DEPTH:
                return None
        elif char == closing:
            depth -= 1
            if depth == 0:
                return at
        at += 1
    return None


def _destination_end(line: str, at: int) -> int:
    """Where a destination ends: at a blank, or at the bracket that closes the link."""
    depth = 0
    while at < len(line) and not line[at].isspace():
        char = line[at]
        if char == "\\":
            at += 1
        elif char == "(":
            depth += 1
        elif char == ")":
            if depth == 0:
                break
            depth -= 1
        at += 1
    return min(at, len(line))


def _title_end(line: str, at: int) -> int | None:
    """The closing bracket behind a destination, with a title in between or not."""
    rest = line[at:].lstrip()
    at = len(line) - len(rest)
    if rest.startswith(("'", '"')):
        end = rest.find(rest[0], 1)
        if end < 0:
            return None
        rest = rest[end + 1 :].lstrip()
        at = len(line) - len(rest)
    return at if rest[:1] == ")" else None
