"""A small, polite crawl of one site (surfaces contract §8, third step)."""

from __future__ import annotations

from collections import deque

from kcp.authoring.discover.pages import Page, is_html, read_page
from kcp.authoring.discover.robots import CLOSED, OPEN, parse_robots
from kcp.authoring.llms_txt.convert import unit_path
from kcp.errors import FetchError
from kcp.network.fetcher import StatusError
from kcp.records import Record
from kcp.text.weburl import join_url, parse_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from kcp.authoring.discover.pages import Content
    from kcp.authoring.discover.robots import Robots
    from kcp.network.fetcher import Fetched, Fetcher
    from kcp.text.weburl import WebUrl

MAX_PAGES = 20
ATTEMPTS_PER_PAGE = 2
DELAY, LONGEST_DELAY = 1.0, 10.0  # seconds
MAX_WAITING = 2000
MAX_URL = 2000
ASSETS = frozenset("png jpg jpeg gif svg css js woff woff2 ttf eot ico pdf zip tar gz".split())


class Crawl(Record):
    """The pages of a site in the order in which they were read, and what its robots.txt closes."""

    pages: tuple[Page, ...]
    robots_disallowed: tuple[str, ...]


class Crawler:
    """Reads pages of one origin, breadth first.

    At most `max_pages` pages and twice as many requests; `pause(seconds)` is called before every request but
    the first. `on_failure(url, error)` and `on_page(url)` tell how it goes.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        pause: Callable[[float], None],
        *,
        max_pages: int = MAX_PAGES,
        delay: float = DELAY,
        on_page: Callable[[str], None] | None = None,
        on_failure: Callable[[str, FetchError], None] | None = None,
    ) -> None:
        self._fetcher = fetcher
        self._pause = pause
        self._max_pages = max_pages
        self._delay = delay
        self._on_page = on_page
        self._on_failure = on_failure
        self._attempts = 0
        self._robots: Robots = OPEN

    def crawl(self, start: WebUrl) -> Crawl:
        """The pages that can be reached from a URL; where it redirects to another origin, those of that."""
        origin = start.origin
        self._robots = self._read_robots(origin)
        pages: dict[str, Page] = {}
        waiting, known = deque([start]), {_key(start)}
        while waiting and len(pages) < self._max_pages and self._attempts < self._most_attempts:
            url = waiting.popleft()
            fetched = self._fetch(url) if self._robots.allows(_target(url)) else None
            final = None if fetched is None else parse_url(fetched.url)
            if fetched is None or final is None:
                continue
            if url is start and final.origin != origin:
                origin = final.origin
                self._robots = self._read_robots(origin)
            if final.origin != origin or _key(final) in pages or not is_html(fetched):
                continue
            path = unit_path(final.path)
            if path is None or not self._robots.allows(_target(final)):
                continue
            content = read_page(fetched.data)
            pages[_key(final)] = Page(
                final.replace(fragment=None).text,
                content.title,
                content.headings,
                content.first_paragraph,
                path,
            )
            for link in _links(content, final):
                if link.origin == origin and _key(link) not in known and len(waiting) < MAX_WAITING:
                    known.add(_key(link))
                    waiting.append(link)
        return Crawl(tuple(pages.values()), self._robots.disallowed)

    @property
    def _most_attempts(self) -> int:
        return self._max_pages * ATTEMPTS_PER_PAGE

    def _fetch(self, url: WebUrl) -> Fetched | None:
        delay = self._delay
        if self._robots.delay is not None and delay > 0:
            delay = min(max(delay, self._robots.delay), LONGEST_DELAY)
        if self._attempts and delay > 0:
            self._pause(delay)
        self._attempts += 1
        if self._on_page is not None:
            self._on_page(url.text)
        try:
            return self._fetcher.fetch(url.replace(fragment=None).text)
        except FetchError as error:
            if self._on_failure is not None:
                self._on_failure(url.text, error)
            return None

    def _read_robots(self, origin: str) -> Robots:
        """RFC 9309 §2.3.1: a file that is not there allows everything, one that cannot be read nothing."""
        try:
            return parse_robots(self._fetcher.fetch(f"{origin}/robots.txt").data)
        except StatusError as error:
            return OPEN if 400 <= error.status < 500 else CLOSED
        except FetchError:
            return CLOSED


def _links(content: Content, url: WebUrl) -> list[WebUrl]:
    base = join_url(url.text, content.base) if content.base else None
    found = []
    for target in content.links:
        joined = join_url(base or url.text, target)
        link = None if joined is None or len(joined) > MAX_URL else parse_url(joined)
        if link is not None and not link.credentials and not _is_asset(link):
            found.append(link)
    return found


def _is_asset(url: WebUrl) -> bool:
    return url.path.rpartition("/")[2].rpartition(".")[2].lower() in ASSETS


def _key(url: WebUrl) -> str:
    """What makes two URLs one page: neither a fragment nor a final slash."""
    query = "" if url.query is None else f"?{url.query}"
    return f"{url.origin}{url.path.rstrip('/')}{query}"


def _target(url: WebUrl) -> str:
    return url.path if url.query is None else f"{url.path}?{url.query}"
