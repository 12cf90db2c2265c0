"""A drafted manifest of the pages of a site (surfaces contract §8, "Draft")."""

from __future__ import annotations

from kcp.authoring.drafts import DraftUnit, UniqueIds, finish, slug, trigger_words, unit_lines, version_line
from kcp.authoring.yaml_lines import comment, quoted, scalar
from kcp.text.casing import lower
from kcp.text.weburl import parse_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.discover.pages import Page
    from kcp.authoring.drafts import Draft

MAX_UNITS = 30
MAX_TRIGGERS = 15
INTENT_LENGTH = 100


def draft_site(pages: tuple[Page, ...], today: str, project: str | None = None) -> Draft:
    """The draft for pages, of which there is at least one; pages that share a path are one unit."""
    first: dict[str, Page] = {}
    for page in pages:
        first.setdefault(page.path, page)
    ids = UniqueIds()
    units = tuple([_unit(page, ids) for page in _richest(list(first.values()))])
    lines = [
        comment("Drafted by kcp-agent discover from the pages of a site that has no manifest."),
        comment("TODO: review ids, intents and triggers, and keep only what agents should find."),
        version_line(),
        f"project: {scalar(project or _name(pages[0]))}",
        f"version: {quoted('1.0.0')}",
        *unit_lines(units),
    ]
    return finish(lines, units, today)


def _richest(pages: list[Page]) -> list[Page]:
    if len(pages) <= MAX_UNITS:
        return pages
    return sorted(
        pages, key=lambda page: -len(page.headings) - bool(page.first_paragraph) - bool(page.title)
    )[:MAX_UNITS]


def _name(page: Page) -> str:
    url = parse_url(page.url)
    host = "" if url is None else url.host.removeprefix("www.").partition(".")[0]
    return page.title or host or "website"


def _unit(page: Page, ids: UniqueIds) -> DraftUnit:
    folder, slash, name = page.path.rpartition("/")
    title = page.title or next(iter(page.headings), "") or page.path
    wanted = slug(folder + slash + (name.rpartition(".")[0] or name)) or "index"
    words = trigger_words(page.headings, MAX_TRIGGERS) or trigger_words((title,), MAX_TRIGGERS)
    return DraftUnit(
        ids.take(wanted),
        page.path,
        _shortened(f"{title} — {page.first_paragraph}" if page.first_paragraph else title),
        triggers=words or (lower(title),),
    )


def _shortened(text: str) -> str:
    """Cut at a word where it is longer than about 100 characters."""
    if len(text) <= INTENT_LENGTH:
        return text
    return (text[:INTENT_LENGTH].rpartition(" ")[0] or text[:INTENT_LENGTH]).rstrip(" —,;:") + "..."
