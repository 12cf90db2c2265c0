"""What the rest of the program knows of the network: something that fetches a URL."""

from __future__ import annotations

from kcp.errors import FetchError
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object


class Fetched(Record):
    """What a URL gave: the final URL after redirects, serialised as WHATWG does, and the raw bytes.

    `content_type` is what the server calls them, None where it does not say.
    """

    url: str
    data: bytes
    content_type: str | None = None


class StatusError(FetchError):
    """A server that was reached and answered with a status that is neither success nor redirect."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Fetcher(Protocol):
    """One method. Tests and embedders give their own; it may be called from several threads at once."""

    def fetch(self, url: str) -> Fetched:
        """The bytes that an http(s) URL gives. Raises `FetchError` and nothing else."""
        raise NotImplementedError


class OfflineFetcher(Fetcher):
    """Refuses every use of the network (`--offline`)."""

    def fetch(self, url: str) -> Fetched:
        """Always raises `FetchError`."""
        raise FetchError(f"offline: refused to fetch {one_line(url)} (--offline)")


def one_line(text: str) -> str:
    """Foreign text as it may stand in an error message: without control characters or line breaks."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "\ufffd" for c in text)
