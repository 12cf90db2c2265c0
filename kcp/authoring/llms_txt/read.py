"""llms.txt from a file, a folder or a URL."""

from __future__ import annotations

import os

from kcp.authoring.llms_txt.lines import parse_llms_txt
from kcp.errors import FetchError, KcpError
from kcp.reading.locate import is_remote, shown
from kcp.reading.source import read_bytes
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.llms_txt.lines import LlmsTxt
    from kcp.network.fetcher import Fetcher

MAX_BYTES = 8 * 2**20
FILE = "llms.txt"


class LlmsSource(Record):
    """A file as read; `location` is its URL after redirects, None for a local one."""

    content: LlmsTxt
    location: str | None


def read_llms_txt(location: str, fetcher: Fetcher) -> LlmsSource:
    """What a location holds; KcpError where it cannot be read or is no such file."""
    if is_remote(location):
        fetched = fetcher.fetch(location)
        return LlmsSource(
            parse_llms_txt(decode(fetched.data, fetched.url, fetched.content_type)), fetched.url
        )
    path = os.path.join(location, FILE) if os.path.isdir(location) else location
    return LlmsSource(parse_llms_txt(decode(read_bytes(path, MAX_BYTES, FILE), path, None)), None)


def decode(data: bytes, location: str, content_type: str | None) -> str:
    """The text of such a file; FetchError for a web page, which servers send for what is missing."""
    media_type = (content_type or "").partition(";")[0].strip().lower()
    start = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if media_type in ("text/html", "application/xhtml+xml") or start.startswith((b"<!doctype", b"<html")):
        raise FetchError(
            f"{shown(location)} is a web page, not an llms.txt file",
            hint="name the file itself, such as https://example.org/llms.txt",
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise KcpError(f"{shown(location)} is not text in UTF-8") from None
