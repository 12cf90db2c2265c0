"""The proxy that the environment names, used only when the operator asks for it.

What changes then: the proxy looks names up and connects, so the check of addresses covers only hosts that
are written as addresses, and the proxy's own policy decides about the rest. Everything else stays: https
only, the certificate is checked here for the original name, redirects, sizes and the deadline.
"""

from __future__ import annotations

from kcp.errors import FetchError
from kcp.network.fetcher import one_line
from kcp.network.sockets import TimedSocket
from kcp.records import Record
from kcp.text.weburl import parse_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket

    from kcp.network.deadline import Deadline
    from kcp.text.weburl import WebUrl

_MAX_ANSWER = 16 * 1024


class Proxy(Record):
    """Where the proxy listens, and the user info of its URL as it is written there."""

    host: str
    port: int
    credentials: str


def proxy_for(url: WebUrl) -> Proxy | None:
    """What `https_proxy` and `no_proxy` (either case) say about an https URL."""
    from urllib import request

    named = request.getproxies_environment().get("https")
    place = url.origin.partition("://")[2]
    bypassed = request.proxy_bypass_environment(place)  # type: ignore[attr-defined]
    if not named or url.scheme != "https" or bypassed:
        return None
    proxy = parse_url(named if "://" in named else f"http://{named}")
    if proxy is None or proxy.scheme != "http":
        raise FetchError("fetch failed", hint="https_proxy must name an http:// proxy")
    return Proxy(proxy.host.strip("[]"), proxy.port or 80, proxy.credentials)


def open_tunnel(sock: socket.socket, proxy: Proxy, url: WebUrl, deadline: Deadline) -> None:
    """Ask the proxy for a tunnel to the URL's host. Raises `FetchError` where it does not give one."""
    place = f"{url.host}:{url.port or 443}"
    request = f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n"
    if proxy.credentials:
        from base64 import b64encode
        from urllib.parse import unquote_to_bytes

        secret = b64encode(unquote_to_bytes(proxy.credentials)).decode("ascii")
        request += f"Proxy-Authorization: Basic {secret}\r\n"
    timed = TimedSocket(sock, deadline)
    timed.budget = _MAX_ANSWER
    timed.overrun = lambda: FetchError("fetch failed", hint="the proxy's answer is too long")
    timed.sendall(f"{request}\r\n".encode("ascii"))
    answer, octet = bytearray(), bytearray(1)
    # Octet by octet: what follows the empty line belongs to TLS.
    while not answer.endswith(b"\r\n\r\n"):
        if timed.recv_into(octet) == 0:
            raise FetchError("fetch failed", hint="the proxy closed the connection")
        answer += octet
    status = answer.split(b"\r\n", 1)[0].decode("latin-1")
    if status.split(" ")[1:2] != ["200"]:
        raise FetchError("fetch failed", hint=f"the proxy answered: {one_line(status)[:200]}")
