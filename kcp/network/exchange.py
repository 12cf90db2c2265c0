"""One request and its response, read within its limits (planner contract §14)."""

from __future__ import annotations

from kcp._version import __version__
from kcp.errors import FetchError
from kcp.network.fetcher import StatusError, one_line
from kcp.network.sockets import TimedSocket, connection_failure
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket

    from urllib3.response import BaseHTTPResponse

    from kcp.network.deadline import Deadline
    from kcp.text.weburl import WebUrl

MAX_HEADER_BYTES = 64 * 1024
_CHUNK = 64 * 1024
_MAX_STATUS_TEXT = 200


class Response(Record):
    """What a server answered: a redirect's `location` or a success's `body`."""

    status: int
    location: str | None
    body: bytes
    content_type: str | None = None


def exchange(sock: socket.socket, url: WebUrl, max_bytes: int, deadline: Deadline) -> Response:
    """GET a URL over a connection that stands. Raises `FetchError` for a status that is neither 2xx nor 3xx,
    a body larger than `max_bytes` (as sent or decompressed), a broken response, or no time left."""
    from http.client import HTTPException

    from urllib3.exceptions import HTTPError

    timed = TimedSocket(sock, deadline)
    try:
        return _exchange(timed, url, max_bytes)
    except (OSError, HTTPException, HTTPError, ValueError) as error:
        raise connection_failure(error, deadline) from error


def _exchange(timed: TimedSocket, url: WebUrl, max_bytes: int) -> Response:
    from urllib3.connection import HTTPConnection

    connection = HTTPConnection(url.host)
    connection.sock = timed
    headers = {
        "Host": url.origin.partition("://")[2],
        "User-Agent": f"kcp-agent/{__version__}",
        "Accept": "*/*",
        "Accept-Encoding": "identity",
        "Connection": "close",
    }
    timed.budget = MAX_HEADER_BYTES
    timed.overrun = lambda: FetchError(
        "fetch failed", hint=f"response headers exceed {MAX_HEADER_BYTES} bytes"
    )
    target = url.path if url.query is None else f"{url.path}?{url.query}"
    connection.request("GET", target, headers=headers, preload_content=False, decode_content=False)
    response = connection.getresponse()
    if 300 <= response.status <= 399:
        return Response(response.status, _location(response), b"")
    if not 200 <= response.status <= 299:
        reason = one_line(response.reason or "")[:_MAX_STATUS_TEXT]
        raise StatusError(response.status, f"{response.status} {reason}")
    content_type = response.headers.get("Content-Type")
    return Response(response.status, None, _body(response, timed, url, max_bytes), content_type)


def _location(response: BaseHTTPResponse) -> str | None:
    """The Location header; header bytes are UTF-8 to browsers and Latin-1 to `http.client`."""
    location = response.headers.get("Location")
    return None if location is None else location.encode("latin-1", "replace").decode("utf-8", "replace")


def _body(response: BaseHTTPResponse, timed: TimedSocket, url: WebUrl, max_bytes: int) -> bytes:
    declared = (response.headers.get("Content-Length") or "").strip()
    if declared.isascii() and declared.isdigit():
        length = declared.lstrip("0") or "0"
        if len(length) > 18 or int(length) > max_bytes:
            raise FetchError(f"response too large: {length[:40]} bytes exceeds cap {max_bytes}")

    def too_large() -> FetchError:
        return FetchError(f"response too large: exceeded cap {max_bytes} bytes while reading {url.text}")

    # What the framing of chunks may add; without a bound, empty extensions and trailers could go on and on.
    timed.budget = 2 * max_bytes + MAX_HEADER_BYTES
    timed.overrun = too_large
    decoder = _decoder(response.headers.get("Content-Encoding") or "identity")
    received, body = 0, bytearray()
    while chunk := response.read(_CHUNK, decode_content=False):
        received += len(chunk)
        body += decoder.decode(chunk, max_bytes - len(body) + 1)
        if received > max_bytes or len(body) > max_bytes:
            raise too_large()
    decoder.finish()
    return bytes(body)


def _decoder(encoding: str) -> _Identity | _Gzip:
    """None was asked for, but storage services send what was stored compressed in no other way."""
    name = encoding.strip().lower()
    if name == "identity":
        return _Identity()
    if name in ("gzip", "x-gzip"):
        return _Gzip()
    raise FetchError("fetch failed", hint=f"content encoding '{one_line(name)[:40]}' was not asked for")


class _Identity:
    def decode(self, chunk: bytes, _limit: int) -> bytes:
        return chunk

    def finish(self) -> None:
        """There is nothing that could be missing."""


class _Gzip:
    """One gzip member, of which never more than the limit is unpacked."""

    def __init__(self) -> None:
        from zlib import decompressobj

        self._stream = decompressobj(31)

    def decode(self, chunk: bytes, limit: int) -> bytes:
        """At most `limit` bytes of what a chunk unpacks to; the caller stops at the limit."""
        from zlib import error

        try:
            data = self._stream.decompress(chunk, limit)
        except error as fault:
            raise FetchError("fetch failed", hint=f"gzip body is damaged: {fault}") from fault
        if self._stream.unused_data:
            raise FetchError("fetch failed", hint="data after the end of the gzip body")
        return data

    def finish(self) -> None:
        """Raises `FetchError` where the end is missing."""
        if not self._stream.eof:
            raise FetchError("fetch failed", hint="gzip body ends early")
