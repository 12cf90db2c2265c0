"""llms.txt read line by line (surfaces contract §7, "Grammar", and what real files hold besides)."""

from __future__ import annotations

import re

from kcp.authoring.llms_txt.links import bare_link_at, link_at, plain, unescaped, unmarked
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LINKS = 5000
MAX_LINE = 8192
_BULLET = re.compile(r"(?:[-*+•]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_LOOSE_BULLET = re.compile(r"[-*+•](?=\[)")
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r"=+|-{3,}")
_FENCES = ("```", "~~~")
_TAIL_MARK = re.compile(r"\s*(?::|：|–|—|−|-+>?|→|\||·|•)?\s*")
_BETWEEN = re.compile(r"\s*(?:[,;|·/&]|and|or)?\s*(?=\[)")
_NAMED = re.compile(
    r"(?P<title>[^][]*?[^][\s*_])(?P<marks>[*_]*)\s*(?:[:：–—]|\s-|\()[*_]*\s*(?=<?https?://|/[^\s/]|\[)",
    re.IGNORECASE,
)
_LEADING_MARK = re.compile(r"[*_\s]*(?:[:：–—−|→]|-+>?\s)")
_POINTER = re.compile(r"knowledge\s*:\s*<?([^\s<>]+)>?\s*", re.IGNORECASE)


class ListedLink(Record):
    """A link, as written; `description` is None where there is none, `section` where it is above them all."""

    title: str
    target: str
    description: str | None = None
    section: str | None = None


class LlmsTxt(Record):
    """An llms.txt file; `knowledge` is the manifest that its header points at, as written."""

    title: str | None
    summary: str | None
    knowledge: str | None
    links: tuple[ListedLink, ...]


def parse_llms_txt(text: str) -> LlmsTxt:
    """What a file holds; no text is refused. Of more than 5,000 links the first ones count."""
    title = summary = section = knowledge = None
    links: list[ListedLink] = []
    for line in _lines(text):
        heading = _HEADING.fullmatch(line)
        if heading is not None:
            level, name = len(heading.group(1)), unmarked(heading.group(2))
            if level == 1 and title is None:
                title = name or None
            elif level == 2:
                section = name
        elif line.startswith(">"):
            quoted = line.lstrip("> \t")
            pointer = _POINTER.fullmatch(quoted)
            if section is None and pointer is not None:
                knowledge = knowledge or pointer.group(1)
            elif section is None and summary is None and quoted:
                summary = plain(quoted) or None
        else:
            # What points into the file itself is a table of contents.
            found = [link for link in _links(line) if not link.target.startswith("#")]
            links += [link.replace(section=section) for link in found]
            if len(links) >= MAX_LINKS:
                break
    return LlmsTxt(title, summary, knowledge, tuple(links[:MAX_LINKS]))


def _lines(text: str) -> Iterator[str]:
    """The lines that are not code or comments, trimmed; underlined headings in the form with `#`."""
    fence = ""
    hidden = False
    lines = _joined(text.removeprefix("\ufeff").splitlines())
    for place, line in enumerate(lines):
        if fence:
            fence = "" if line.startswith(fence) and not line.strip(fence[0]) else fence
        elif line.startswith(_FENCES):
            fence = line[:3]
        elif hidden or line.startswith("<!--"):
            hidden = "-->" not in line
        elif line and not (place and _UNDERLINE.fullmatch(line) and lines[place - 1]):
            following = lines[place + 1] if place + 1 < len(lines) else ""
            underlined = _UNDERLINE.fullmatch(following) and not line.startswith(("#", ">", "-", "*", "+"))
            yield (f"{'#' if following[0] == '=' else '##'} {line}") if underlined else line


def _joined(lines: list[str]) -> list[str]:
    """The lines, trimmed; those that are indented below a list item and go on with it are part of it."""
    joined: list[str] = []
    in_item = False
    for line in lines:
        trimmed = line.strip()[:MAX_LINE]
        is_item = _BULLET.match(trimmed) is not None
        goes_on = in_item and trimmed and line[:1].isspace() and not is_item
        if goes_on and not trimmed.startswith(("#", ">", "<!--", *_FENCES)):
            joined[-1] = f"{joined[-1]} {trimmed}"[:MAX_LINE]
            continue
        in_item = is_item
        joined.append(trimmed)
    return joined


def _links(line: str) -> Iterator[ListedLink]:
    """The links of a list item, or of a line of nothing but links; none of running text, and no badges."""
    bullet = _BULLET.match(line) or _LOOSE_BULLET.match(line)
    item = line[bullet.end() :] if bullet is not None else line
    lead = len(item) - len(item.lstrip("*_ \t"))
    first = link_at(item, lead)
    if first is not None and (bullet is not None or not item.startswith("[![")):
        tail = item[first.end :]
        if bullet is not None or not tail.strip("*_ \t") or _LEADING_MARK.match(tail) or _BETWEEN.match(tail):
            yield from _with_siblings(item, lead)
        return
    bare = bare_link_at(item, lead)
    if bare is not None and (bullet is not None or not item[bare.end :].strip()):
        yield ListedLink("", bare.target, _description(item[bare.end :]))
    elif bullet is not None:
        yield from _named(item)


def _with_siblings(item: str, at: int) -> Iterator[ListedLink]:
    """A link and those that follow it with at most a separator between; the last has the description."""
    marks = item[:at].strip()
    link = link_at(item, at)
    while link is not None:
        between = _BETWEEN.match(item, link.end)
        following = None if between is None else link_at(item, between.end())
        tail = "" if following is not None else item[link.end :]
        yield ListedLink(link.text, link.target, _description(_without(marks, tail)))
        link = following


def _without(marks: str, tail: str) -> str:
    """What stands behind a link that marks of emphasis open before, without those that close them."""
    if not marks:
        return tail
    return tail[len(marks) :] if tail.startswith(marks) else tail.rstrip().removesuffix(marks)


def _named(item: str) -> Iterator[ListedLink]:
    """`Title: url`, `Title – url`, `Title (url)`, with a URL, a path from the root, or a link."""
    match = _NAMED.match(item)
    if match is None:
        return
    title, rest = _label(match.group("title") + match.group("marks")), item[match.end() :]
    if rest.startswith("["):
        for link in _with_siblings(rest, 0):
            yield link.replace(title=title) if "://" in link.title or not link.title else link
        return
    bare = bare_link_at(rest, 0)
    if bare is not None:
        yield ListedLink(title, bare.target, _description(rest[bare.end :].lstrip(")")))
    elif not any(char.isspace() for char in rest) and "://" not in rest:
        yield ListedLink(title, unescaped(rest.rstrip(")")))


def _label(text: str) -> str:
    """A label without marks of emphasis, of which the closing ones may stand behind the colon."""
    opening = text[:2]
    if opening in ("**", "__") and text.count(opening) == 1 + text.endswith(opening):
        text = text[2:].removesuffix(opening)
    return unmarked(text)


def _description(tail: str) -> str | None:
    """What stands behind a link, without the mark that leads to it."""
    mark = _TAIL_MARK.match(tail)
    text = plain(tail[mark.end() :] if mark is not None else tail)
    if text.startswith("(") and text.endswith(")") and text.count("(") == 1:
        text = text[1:-1]
    return text or None
