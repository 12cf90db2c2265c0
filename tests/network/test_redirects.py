"""Redirects are followed by hand, at most five, and each hop is checked like the first."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kcp.errors import FetchError
from kcp.network.fetcher import Fetched
from kcp.network.guard import GuardedFetcher
from tests.network.conftest import NAME, Wire
from tests.network.servers import PUBLIC, Server, ok, redirect

Local = Callable[..., GuardedFetcher]
Public = Callable[..., tuple[GuardedFetcher, Wire]]
Serve = Callable[..., Server]


def message(fetcher: GuardedFetcher, url: str) -> str:
    with pytest.raises(FetchError) as failure:
        fetcher.fetch(url)
    return failure.value.message


@pytest.mark.parametrize(
    "status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"]
)
def test_redirect_is_followed_to_the_final_url(serve: Serve, local: Local, status: str) -> None:
    server = serve({"/a/b": redirect("../c?d#e", status), "/c?d": ok(b"there")})
    base = f"https://{NAME}:{server.port}"
    assert local().fetch(f"{base}/a/b") == Fetched(f"{base}/c?d#e", b"there")


def test_redirect_that_repeats_the_scheme_without_a_host_is_relative(serve: Serve, local: Local) -> None:
    server = serve({"/a/b": redirect("https:c"), "/a/c": redirect("HTTPS:/d"), "/d": ok(b"there")})
    base = f"https://{NAME}:{server.port}"
    assert local().fetch(f"{base}/a/b") == Fetched(f"{base}/d", b"there")


def test_redirect_to_another_host_uses_its_name(serve: Serve, public: Public) -> None:
    server = serve({"/a": redirect("https://other.test/b"), "/b": ok(b"x")}, NAME, "other.test")
    asked = []

    def resolver(host: str, port: int) -> list[str]:
        asked.append(host)
        return [PUBLIC]

    fetcher, wire = public(server, resolver=resolver)
    assert fetcher.fetch(f"https://{NAME}/a") == Fetched("https://other.test/b", b"x")
    assert asked == server.names == [NAME, "other.test"]
    assert [visit.headers["host"] for visit in server.visits] == [NAME, "other.test"]
    assert wire.dialled == [(PUBLIC, 443)] * 2


def chain(length: int) -> dict[str, bytes]:
    return {f"/{step}": redirect(f"/{step + 1}") for step in range(length)} | {f"/{length}": ok(b"end")}


def test_five_redirects_are_followed(serve: Serve, local: Local) -> None:
    server = serve(chain(5))
    assert local().fetch(f"https://{NAME}:{server.port}/0").data == b"end"


def test_six_redirects_are_too_many(serve: Serve, local: Local) -> None:
    server = serve(chain(6))
    url = f"https://{NAME}:{server.port}/0"
    assert message(local(), url) == f"too many redirects (>5) starting at {url}"
    assert len(server.visits) == 6


def test_redirect_to_itself_ends(serve: Serve, local: Local) -> None:
    server = serve({"/": redirect("/")})
    url = f"https://{NAME}:{server.port}/"
    assert message(local(max_redirects=2), url) == f"too many redirects (>2) starting at {url}"
    assert len(server.visits) == 3


def test_no_redirects_at_all_can_be_asked_for(serve: Serve, local: Local) -> None:
    server = serve({"/": redirect("/x"), "/x": ok(b"x")})
    assert message(local(max_redirects=0), f"https://{NAME}:{server.port}/").startswith(
        "too many redirects (>0)"
    )


@pytest.mark.parametrize("status", ["300 Multiple Choices", "302 Found", "304 Not Modified", "399 Odd"])
@pytest.mark.parametrize("location", [None, ""])
def test_redirect_without_location(serve: Serve, local: Local, status: str, location: str | None) -> None:
    server = serve({"/k.yaml": redirect(location, status)})
    url = f"https://{NAME}:{server.port}/k.yaml"
    assert message(local(), url) == f"redirect with no Location from {url}"


@pytest.mark.parametrize("location", ["https://", "//[::1", "https://h:99999/", "https://a b/"])
def test_redirect_to_what_is_no_url(serve: Serve, local: Local, location: str) -> None:
    server = serve({"/": redirect(location)})
    assert message(local(), f"https://{NAME}:{server.port}/") == "Invalid URL"


@pytest.mark.parametrize("scheme", ["file", "ftp", "data", "javascript"])
def test_redirect_to_another_scheme(serve: Serve, local: Local, scheme: str) -> None:
    server = serve({"/": redirect(f"{scheme}:///etc/passwd")})
    expected = f"refused scheme '{scheme}:' (only http/https are fetched)"
    assert message(local(), f"https://{NAME}:{server.port}/") == expected


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "[::1]", "169.254.169.254", "0x7f.1", "[::ffff:10.0.0.1]", "[64:ff9b::a00:1]"]
)
@pytest.mark.parametrize("scheme", ["https", "http"])
def test_redirect_to_a_private_address(serve: Serve, public: Public, scheme: str, host: str) -> None:
    server = serve({"/": redirect(f"{scheme}://{host}/secret")})
    fetcher, wire = public(server)
    assert message(fetcher, f"https://{NAME}/").startswith("refused private/loopback/link-local address ")
    assert wire.dialled == [(PUBLIC, 443)]


def test_redirect_to_a_name_with_a_private_address(serve: Serve, public: Public) -> None:
    server = serve({"/": redirect("https://inside.test/")})
    names = {NAME: PUBLIC, "inside.test": "10.0.0.1"}
    fetcher, wire = public(server, resolver=lambda host, _port: [names[host]])
    assert message(fetcher, f"https://{NAME}/").startswith(
        "refused private/loopback/link-local address 10.0.0.1 for 'inside.test' "
    )
    assert len(wire.dialled) == 1


def test_redirect_back_to_a_name_that_has_turned_private(serve: Serve, public: Public) -> None:
    answers = [[PUBLIC], ["127.0.0.1"]]
    fetcher, wire = public(serve({"/": redirect("/again")}), resolver=lambda _host, _port: answers.pop(0))
    assert message(fetcher, f"https://{NAME}/").startswith(
        "refused private/loopback/link-local address 127.0.0.1"
    )
    assert len(wire.dialled) == 1


def test_redirect_to_cleartext(serve: Serve, public: Public) -> None:
    fetcher, wire = public(serve({"/": redirect(f"http://{NAME}/")}))
    expected = f"refused cleartext http:// for '{NAME}' (use https, or --allow-private-hosts for local)"
    assert message(fetcher, f"https://{NAME}/") == expected
    assert len(wire.dialled) == 1


def test_redirect_to_a_url_with_credentials(serve: Serve, public: Public) -> None:
    fetcher, wire = public(serve({"/": redirect(f"https://user:secret@{NAME}/x")}))
    assert message(fetcher, f"https://{NAME}/").startswith(
        "Request cannot be constructed from a URL that includes"
    )
    assert len(wire.dialled) == 1


def test_body_of_a_redirect_is_not_read(serve: Serve, local: Local) -> None:
    endless = b"HTTP/1.1 302 Found\r\nLocation: /end\r\nContent-Length: 99999999999\r\n\r\nx"
    server = serve({"/": endless, "/end": ok(b"end")})
    assert local().fetch(f"https://{NAME}:{server.port}/").data == b"end"


def test_location_is_read_as_utf_8(serve: Serve, local: Local) -> None:
    path = "/käse".encode().decode("latin-1")
    server = serve({"/": redirect(path), "/k%C3%A4se": ok(b"cheese")})
    assert local().fetch(f"https://{NAME}:{server.port}/").data == b"cheese"


def test_all_hops_share_one_deadline(serve: Serve, local: Local) -> None:
    """Each hop alone is quick; together they exceed the time. Sixteen hundredths of a second a hop."""
    from tests.network.servers import Visit

    def slow(visit: Visit) -> None:
        step = int(visit.target[1:])
        visit.drip(b"HTTP/1.1 302 F\r\n")
        visit.sock.sendall(f"Location: /{step + 1}\r\nContent-Length: 0\r\n\r\n".encode())

    server = serve({f"/{step}": slow for step in range(9)})
    error = message(local(timeout=0.5, max_redirects=8), f"https://{NAME}:{server.port}/0")
    assert error == "The operation was aborted due to timeout"
