"""An llms.txt file becomes a drafted manifest (surfaces contract §7, "Conversion")."""

from __future__ import annotations

from kcp.authoring.drafts import DraftUnit, UniqueIds, finish, slug, trigger_words, unit_lines, version_line
from kcp.authoring.yaml_lines import comment, quoted, scalar, visible
from kcp.errors import KcpError
from kcp.reading.sources import is_unsafe_path
from kcp.records import Record
from kcp.text.casing import lower
from kcp.text.weburl import join_url, parse_url, scheme_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.drafts import Draft
    from kcp.authoring.llms_txt.lines import ListedLink, LlmsTxt

LISTED_ELSEWHERE = 10
MAX_TRIGGERS = 8
MAX_ID = 48
_NOWHERE = "https://site.invalid/"


class NothingToConvertError(KcpError):
    """A file without links."""

    exit_code = 1


class Sorted(Record):
    """Links by what becomes of them: units with their paths, URLs elsewhere, and how many lead nowhere."""

    units: tuple[tuple[ListedLink, str], ...]
    elsewhere: tuple[str, ...]
    unusable: int


def convert(llms: LlmsTxt, today: str, *, publisher: str | None = None, location: str | None = None) -> Draft:
    """The draft that a file converts to; `location` is its URL, where relative links start.

    NothingToConvertError where no link leads to a page of the site. Nothing the file does not say is added:
    what a publisher has to decide is named in comments.
    """
    links = sort_links(llms.links, location)
    if not links.units:
        raise NothingToConvertError("llms.txt contains no links — nothing to convert")
    units = _units(links)
    name = visible(publisher or "")
    lines = [
        comment("Drafted by kcp-agent init from an llms.txt file; review it before you publish it."),
        version_line(),
        f"project: {scalar(llms.title or 'website')}",
        f"version: {quoted('1.0.0')}",
        *([f"publisher: {scalar(name)}"] if name else []),
        *([f"intent: {scalar(llms.summary)}"] if llms.summary else []),
        comment("TODO: signing: sign the manifest, so that agents can tell that it is yours."),
        comment("TODO: valid_from / valid_until: say how long units hold, where they do not hold for good."),
        comment("TODO: audience: say whom each unit serves; the lists below are a guess."),
        *unit_lines(units),
        *_elsewhere_lines(links.elsewhere),
    ]
    if links.unusable:
        lines.append(
            comment(f"{links.unusable} link(s) lead to no page that could be a unit and were left out.")
        )
    return finish(lines, units, today)


def sort_links(links: tuple[ListedLink, ...], location: str | None) -> Sorted:
    """Relative links and those of the site's origin are units, in order; others stay links."""
    base = location or _NOWHERE
    site = _site_origin(links)
    units: list[tuple[ListedLink, str]] = []
    elsewhere: list[str] = []
    unusable = 0
    for link in links:
        scheme = scheme_of(link.target)
        joined = join_url(base, link.target)
        url = None if joined is None else parse_url(joined)
        absolute = scheme is not None or link.target.startswith(("//", "\\\\"))
        if url is None or not link.target:
            unusable += 1
        elif absolute and url.origin != site:
            elsewhere.append(url.text)
        elif (path := unit_path(url.path)) is None:
            unusable += 1
        else:
            units.append((link, path))
    return Sorted(tuple(units), tuple(elsewhere), unusable)


def unit_path(url_path: str) -> str | None:
    """The path of a unit for the path of a URL: without outer slashes, escapes resolved; the root is `index`.

    None where it would lead out of the manifest's folder.
    """
    from urllib.parse import unquote_to_bytes

    kept = url_path.strip("/")
    try:
        decoded = unquote_to_bytes(kept).decode("utf-8")
    except UnicodeDecodeError:
        decoded = kept
    # An escaped slash is part of a name for the site and would be a folder here.
    escaped = kept.lower()
    path = kept if "%2f" in escaped or "%5c" in escaped or not decoded.isprintable() else decoded
    if not path:
        return "index"
    return None if is_unsafe_path(path) or "//" in path else path


def _site_origin(links: tuple[ListedLink, ...]) -> str | None:
    """The most frequent origin of absolute links, the first of those on a tie."""
    counts: dict[str, int] = {}
    for link in links:
        url = parse_url(link.target)
        if url is not None:
            counts[url.origin] = counts.get(url.origin, 0) + 1
    return max(counts, key=counts.__getitem__, default=None)


def _units(links: Sorted) -> tuple[DraftUnit, ...]:
    ids = UniqueIds()
    units = []
    for link, path in links.units:
        title = link.title or path
        words = trigger_words((link.section or "", title), MAX_TRIGGERS)
        units.append(
            DraftUnit(
                ids.take(slug(link.title)[:MAX_ID] or slug(link.target)[:MAX_ID] or "unit"),
                path,
                link.description or title,
                triggers=words or (lower(title),),
            )
        )
    return tuple(units)


def _elsewhere_lines(urls: tuple[str, ...]) -> list[str]:
    if not urls:
        return []
    lines = [
        comment(f"TODO: {len(urls)} link(s) point at other origins and are not units."),
        comment("Where such a site has a manifest of its own, name it under manifests: (id, url)."),
        *[comment(f"- {url}") for url in urls[:LISTED_ELSEWHERE]],
    ]
    if len(urls) > LISTED_ELSEWHERE:
        lines.append(comment(f"- and {len(urls) - LISTED_ELSEWHERE} more"))
    return lines
