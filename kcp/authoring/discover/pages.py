"""What a web page says: title, headings, first paragraph, links."""

from __future__ import annotations

from html.parser import HTMLParser

from kcp.authoring.yaml_lines import visible
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.network.fetcher import Fetched

MAX_BYTES = 512 * 1024
MAX_TEXT = 500
MAX_HEADINGS, MAX_LINKS = 100, 1000
HTML_TYPES = ("text/html", "application/xhtml+xml")
_HEADINGS = frozenset({"h1", "h2", "h3"})
_SKIPPED = frozenset({"script", "style", "template", "noscript", "svg", "math", "nav", "footer", "textarea"})
# An open paragraph ends where one of these begins.
_BLOCKS = frozenset(
    "address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header "
    "hr main nav ol p pre section table ul".split()
)


class Page(Record):
    """A page; `url` is the final one, `path` what a unit for it would be called. Texts are one line each."""

    url: str
    title: str
    headings: tuple[str, ...]
    first_paragraph: str
    path: str


class Content(Record):
    """What the markup of a page holds; `base` is where its links start, if not at its URL."""

    title: str
    headings: tuple[str, ...]
    first_paragraph: str
    links: tuple[str, ...]
    base: str | None


def is_html(fetched: Fetched) -> bool:
    """Whether the server calls it a web page."""
    return (fetched.content_type or "").partition(";")[0].strip().lower() in HTML_TYPES


def read_page(data: bytes) -> Content:
    """The content of a page, of which no more than the first half megabyte is read; no markup is refused."""
    data = data[:MAX_BYTES].removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        cut = len(data) == MAX_BYTES and error.start >= MAX_BYTES - 3
        text = data[: error.start].decode("utf-8") if cut else data.decode("latin-1")
    reader = _Reader()
    # Not closed: what is incomplete at the end is not worth the time that broken markup makes it take.
    reader.feed(text)
    reader.end()
    return Content(
        reader.title, tuple(reader.headings), reader.first_paragraph, tuple(reader.links), reader.base
    )


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self.headings: list[str] = []
        self.first_paragraph = ""
        self.links: dict[str, None] = {}
        self.base: str | None = None
        self._open: str | None = None  # the element whose text is being taken
        self._text: list[str] = []
        self._skipping: list[str] = []

    def parse_marked_section(self, i: int, report: int = 1) -> int:  # noqa: ARG002 — the inherited signature
        """Skip `<![…>`; what is inherited raises where HTML knows no error."""
        end = self.rawdata.find(">", i)
        return end + 1 or -1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SKIPPED:
            self._skipping.append(tag)
        if tag == "a":
            self._add_link(dict(attrs).get("href"))
        elif tag == "base" and self.base is None:
            self.base = dict(attrs).get("href")
        if self._skipping:
            return
        if self._open == "p" and tag in _BLOCKS:
            self.end()
        if self._open is None and (tag in _HEADINGS or tag in ("title", "p")):
            self._open = tag
        elif tag == "br":
            self._text.append(" ")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # `<svg/>` opens nothing that an end tag would close.
        if tag not in _SKIPPED:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._skipping:
            while self._skipping.pop() != tag:
                pass
        elif tag == self._open:
            self.end()

    def handle_data(self, data: str) -> None:
        if self._open is not None and not self._skipping:
            self._text.append(data[:MAX_TEXT])

    def end(self) -> None:
        """Keep the text of the element that is open."""
        text = visible("".join(self._text))
        if len(text) > MAX_TEXT:
            text = text[:MAX_TEXT].rpartition(" ")[0] or text[:MAX_TEXT]
        if self._open == "title":
            self.title = self.title or text
        elif self._open == "p":
            self.first_paragraph = self.first_paragraph or text
        elif self._open is not None and text and len(self.headings) < MAX_HEADINGS:
            self.headings.append(text)
        self._open = None
        self._text = []

    def _add_link(self, target: str | None) -> None:
        if target and len(self.links) < MAX_LINKS:
            self.links[target] = None
