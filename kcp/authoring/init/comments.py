"""What a source file says of itself at its beginning (surfaces contract §6, "Leading comment")."""

from __future__ import annotations

import re

from kcp.authoring.yaml_lines import visible

SHORTEST, LONGEST = 11, 199
_BLOCK = re.compile(r"/\*\*(?!/)(.*?)\*/", re.DOTALL)
_DOCSTRING = re.compile(r"[rRuU]?(\"\"\"|'''|\"|')")
_HASH_LANGUAGES = frozenset({"py", "rb", "sh"})
# A block that begins like this says nothing of what the file is for.
_BOILERPLATE = re.compile(
    r"copyright|\(c\)|©|spdx-|@?licen[sc]e|eslint|prettier|jshint|tslint|-\*-|vim:|coding[:=]|pylint|mypy:"
    r"|ruff:|noqa|type:|frozen_string_literal|go:build|\+build|code generated|shellcheck|<reference",
    re.IGNORECASE,
)


def leading_comment(text: str, extension: str) -> str | None:
    """The first with 11–199 characters of: a `/** */` block, the docstring's first line, the comment."""
    for found in (_block(text, extension), _docstring(text, extension), _line(text, extension)):
        comment = visible(found or "")
        if SHORTEST <= len(comment) <= LONGEST and not _BOILERPLATE.match(comment):
            return comment
    return None


def _block(text: str, extension: str) -> str | None:
    if extension in _HASH_LANGUAGES:
        return None
    match = _BLOCK.search(text)
    if match is None:
        return None
    return " ".join([line.strip().removeprefix("*").strip() for line in match.group(1).split("\n")])


def _docstring(text: str, extension: str) -> str | None:
    """The first line of a Python module's docstring, which only comments may stand before."""
    if extension != "py":
        return None
    lines = text.split("\n")
    at = next((n for n, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), None)
    match = None if at is None else _DOCSTRING.match(lines[at])
    if at is None or match is None:
        return None
    mark = match.group(1)
    body = "\n".join(lines[at : at + 50])[match.end() :]
    end = body.find(mark)
    if end < 0 or (len(mark) == 1 and "\n" in body[:end]):
        return None
    first = body[:end].strip().split("\n", 1)[0]
    return first.rstrip("\\")


def _line(text: str, extension: str) -> str | None:
    """The first line of the comment that a file starts with; a `#!` line and boilerplate are passed over."""
    mark = "#" if extension in _HASH_LANGUAGES else "//"
    for number, line in enumerate(text.split("\n")[:50]):
        line = line.strip()
        if (number == 0 and line.startswith("#!")) or not line:
            continue
        if not line.startswith(mark):
            return None
        said = line.lstrip("/#!").strip()
        if said and not _BOILERPLATE.match(said):
            return said
    return None


def first_heading(text: str) -> str | None:
    """The first heading of the first level in Markdown; front matter and code are passed over."""
    lines = text.split("\n")
    if lines[0].rstrip() == "---" and "---" in [line.rstrip() for line in lines[1:200]]:
        lines = lines[[line.rstrip() for line in lines].index("---", 1) + 1 :]
    fence = ""
    for line in lines:
        bare = line.strip()
        if fence:
            fence = "" if bare.startswith(fence) and not bare.strip(fence[0]) else fence
        elif bare.startswith(("```", "~~~")):
            fence = bare[:3]
        elif bare.startswith("# "):
            heading = visible(re.sub(r"\s#+\s*\Z", "", bare[2:]).strip())
            if heading:
                return heading[:LONGEST]
    return None
