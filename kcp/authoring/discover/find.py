"""Asking a site for its manifest place by place, then for llms.txt, then its pages (surfaces contract §8)."""

from __future__ import annotations

import time

from kcp.authoring.discover.places import (
    DISCOVERY_DOCUMENT,
    LLMS_TXT,
    WELL_KNOWN,
    ManifestFacts,
    forge_places,
    manifest_facts,
    manifest_named,
    pointed_at,
)
from kcp.errors import KcpError, UsageError
from kcp.network.fetcher import StatusError, one_line
from kcp.records import Record
from kcp.text.weburl import parse_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from kcp.authoring.discover.crawl import Crawl
    from kcp.network.fetcher import Fetched, Fetcher
    from kcp.text.weburl import WebUrl

MAX_PAGES_EVER = 100
UNREACHED_TWICE = 2


class Attempt(Record):
    """A place that was asked and did not help, and why."""

    url: str
    reason: str


class Found(Record):
    """A manifest; `url` is the final one."""

    found: bool
    url: str
    manifest: ManifestFacts


class ListedPages(Record):
    """An llms.txt: where it is and how many links it lists."""

    url: str
    links: int
    title: str | None = None


class FoundList(Record):
    """No manifest, but an llms.txt that converts to one."""

    found: bool
    llms_txt: ListedPages


class Drafted(Record):
    """No manifest, but pages, and the draft they make."""

    crawl: Crawl
    yaml: str


class Nothing(Record):
    """Neither manifest nor pages; `reached` is false where not one server answered."""

    found: bool
    reached: bool
    tried: tuple[Attempt, ...]


class Discovery:
    """One search.

    `fetcher` is the guard, `pause(seconds)` keeps the crawl slow, `on_step(url)` is told of every request.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        today: str,
        *,
        max_pages: int = 20,
        delay: float = 1.0,
        project: str | None = None,
        pause: Callable[[float], None] = time.sleep,
        on_step: Callable[[str], None] | None = None,
    ) -> None:
        self._fetcher = fetcher
        self._today = today
        self._max_pages = min(max(max_pages, 1), MAX_PAGES_EVER)
        self._delay = delay
        self._project = project
        self._pause = pause
        self._on_step = on_step
        self._reached = False
        self._unreached: dict[str, int] = {}
        self._tried: list[Attempt] = []

    def run(self, text: str) -> Found | FoundList | Drafted | Nothing:
        """What a site has; UsageError where the text is no http(s) URL."""
        url = parse_url(text)
        if url is None or "://" not in text:
            raise UsageError(
                f"not a valid URL: {one_line(text)}", hint="write it in full: https://example.org"
            )
        if url.credentials:
            raise UsageError("a URL with credentials is not asked; leave them out")
        found = self._by_document(url) or self._first([url.origin + place for place in WELL_KNOWN])
        if found is not None:
            return found
        listed = self._by_list(url)
        if isinstance(listed, Found):
            return listed
        found = self._first(forge_places(url))
        return found or listed or self._by_pages(url)

    def _by_document(self, url: WebUrl) -> Found | None:
        place = url.origin + DISCOVERY_DOCUMENT
        fetched = self._fetch(place)
        if fetched is None:
            return None
        try:
            return self._probe(manifest_named(fetched.data, fetched.url))
        except KcpError as error:
            self._failed(place, error)
            return None

    def _by_list(self, url: WebUrl) -> Found | FoundList | None:
        """llms.txt: its header may point at a manifest, or else it may list pages."""
        from kcp.authoring.llms_txt.lines import parse_llms_txt
        from kcp.authoring.llms_txt.read import decode

        place = url.origin + LLMS_TXT
        fetched = self._fetch(place)
        if fetched is None:
            return None
        try:
            llms = parse_llms_txt(decode(fetched.data, place, fetched.content_type))
        except KcpError as error:
            self._failed(place, error)
            return None
        pointer = pointed_at(fetched.url, llms.knowledge) if llms.knowledge else None
        found = None if pointer is None else self._probe(pointer)
        if found is not None:
            return found
        if not llms.links:
            self._tried.append(Attempt(place, "lists no links"))
            return None
        return FoundList(False, ListedPages(fetched.url, len(llms.links), llms.title))

    def _by_pages(self, url: WebUrl) -> Drafted | Nothing:
        from kcp.authoring.discover.crawl import Crawler
        from kcp.authoring.discover.draft import draft_site

        if self._unreached.get(url.origin, 0) < UNREACHED_TWICE:
            crawler = Crawler(
                self._fetcher,
                self._pause,
                max_pages=self._max_pages,
                delay=self._delay,
                on_page=self._on_step,
                on_failure=self._failed,
            )
            crawl = crawler.crawl(url)
            if crawl.pages:
                return Drafted(crawl, draft_site(crawl.pages, self._today, self._project).text)
            if crawl.robots_disallowed:
                self._tried.append(Attempt(f"{url.origin}/robots.txt", "keeps robots out"))
        return Nothing(False, self._reached, tuple(self._tried))

    def _first(self, places: list[str] | tuple[str, ...]) -> Found | None:
        for place in places:
            found = self._probe(place)
            if found is not None:
                return found
        return None

    def _probe(self, place: str) -> Found | None:
        """The manifest at a place, parsed, or None."""
        fetched = self._fetch(place)
        if fetched is None:
            return None
        try:
            return Found(True, fetched.url, manifest_facts(fetched.data))
        except KcpError as error:
            self._failed(place, error)
            return None

    def _fetch(self, place: str) -> Fetched | None:
        """What a place gives; a site that twice could not be reached is left alone."""
        url = parse_url(place)
        origin = place if url is None else url.origin
        if self._unreached.get(origin, 0) >= UNREACHED_TWICE:
            return None
        if self._on_step is not None:
            self._on_step(place)
        try:
            fetched = self._fetcher.fetch(place)
        except KcpError as error:
            self._failed(place, error)
            if not isinstance(error, StatusError):
                self._unreached[origin] = self._unreached.get(origin, 0) + 1
            return None
        self._reached = True
        return fetched

    def _failed(self, place: str, error: KcpError) -> None:
        self._reached |= isinstance(error, StatusError)
        self._tried.append(
            Attempt(place, error.message if error.hint is None else f"{error.message}: {error.hint}")
        )
