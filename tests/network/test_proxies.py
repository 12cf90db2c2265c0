"""Proxies of the environment are ignored, unless the operator asks for them."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable

import pytest

from kcp.errors import FetchError
from kcp.network.guard import GuardedFetcher
from tests.network.conftest import NAME
from tests.network.servers import Server, Visit, ok

Local = Callable[..., GuardedFetcher]
Serve = Callable[..., Server]


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def copy(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)


def tunnel_to(server: Server, seen: list[bytes]) -> Callable[[Visit], None]:
    """A proxy that tunnels everything to one server."""

    def serve(visit: Visit) -> None:
        visit.read_head()
        seen.append(visit.head)
        visit.sock.sendall(b"HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n")
        with socket.create_connection(("127.0.0.1", server.port), 10) as onward:
            back = threading.Thread(target=copy, args=(onward, visit.sock))
            back.start()
            copy(visit.sock, onward)
            back.join(10)

    return serve


@pytest.mark.parametrize("name", ["https_proxy", "HTTPS_PROXY", "all_proxy", "http_proxy"])
def test_environment_proxies_are_ignored(
    serve: Serve, serve_clear: Serve, local: Local, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    proxy = serve_clear({})
    visits: list[Visit] = []
    proxy.on_connect = visits.append
    monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
    server = serve({"/": ok(b"direct")})
    assert local().fetch(f"https://{NAME}:{server.port}/").data == b"direct"
    assert visits == []


def test_proxy_is_used_when_asked_for(
    serve: Serve, serve_clear: Serve, local: Local, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proxy gets the name, not an address; the certificate is still checked here, for the name."""
    server, proxy, seen = serve({"/": ok(b"through")}), serve_clear({}), []  # type: ignore[var-annotated]
    proxy.on_connect = tunnel_to(server, seen)
    monkeypatch.setenv("https_proxy", f"http://us%65r:secret@127.0.0.1:{proxy.port}")

    def unknown(host: str, port: int) -> list[str]:
        raise OSError("only the proxy knows names")

    fetcher = local(use_proxy_env=True, resolver=unknown, allow_private_hosts=False)
    assert fetcher.fetch(f"https://{NAME}/").data == b"through"
    assert seen == [
        f"CONNECT {NAME}:443 HTTP/1.1\r\nHost: {NAME}:443\r\n"
        "Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=\r\n\r\n".encode()
    ]
    assert server.names == [NAME]
    with pytest.raises(FetchError, match=r"^fetch failed$"):
        fetcher.fetch("https://other.test/")


def test_proxy_does_not_reach_private_addresses(local: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    fetcher = local(use_proxy_env=True, allow_private_hosts=False)
    with pytest.raises(FetchError, match=r"^refused private/loopback/link-local address 10\.0\.0\.1 "):
        fetcher.fetch("https://10.0.0.1/")
    with pytest.raises(FetchError, match="includes credentials"):
        fetcher.fetch("https://u:p@a.test/")


def test_no_proxy_goes_direct_with_every_check(
    serve: Serve, local: Local, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", ".test")
    server = serve({"/": ok(b"direct")})
    assert local(use_proxy_env=True).fetch(f"https://{NAME}:{server.port}/").data == b"direct"
    with pytest.raises(FetchError, match=r"^refused private/"):
        local(use_proxy_env=True, allow_private_hosts=False).fetch(f"https://{NAME}:{server.port}/")


@pytest.mark.parametrize(
    "named", ["https://proxy.test:3128", "socks5://proxy.test", "http://", "http://[::1"]
)
def test_other_proxies_are_refused(local: Local, monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv("https_proxy", named)
    with pytest.raises(FetchError) as failure:
        local(use_proxy_env=True).fetch(f"https://{NAME}/")
    assert failure.value.hint == "https_proxy must name an http:// proxy"


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (
            b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
            "the proxy answered: HTTP/1.1 407 Proxy Auth",
        ),
        (b"nonsense\r\n\r\n", "the proxy answered: nonsense"),
        (b"", "the proxy closed the connection"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"y" * 20000, "the proxy's answer is too long"),
    ],
)
def test_proxy_that_gives_no_tunnel(
    serve_clear: Serve, local: Local, monkeypatch: pytest.MonkeyPatch, answer: bytes, hint: str
) -> None:
    def refuse(visit: Visit) -> None:
        visit.read_head()
        visit.sock.sendall(answer)
        visit.sock.shutdown(socket.SHUT_WR)

    proxy = serve_clear({})
    proxy.on_connect = refuse
    monkeypatch.setenv("https_proxy", f"127.0.0.1:{proxy.port}")
    with pytest.raises(FetchError) as failure:
        local(use_proxy_env=True).fetch(f"https://{NAME}/")
    assert failure.value.message == "fetch failed"
    assert (failure.value.hint or "").startswith(hint)
