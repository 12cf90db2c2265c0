"""Connections go to the checked address under the original name, and only to who can prove the name."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha1
from pathlib import Path

import pytest
import trustme
from cryptography.x509 import load_pem_x509_certificate

from kcp._version import __version__
from kcp.errors import FetchError
from kcp.network.fetcher import Fetched
from kcp.network.guard import GuardedFetcher
from tests.network.conftest import NAME, Wire, always, server_context
from tests.network.servers import PUBLIC, Server, Visit, ok

Local = Callable[..., GuardedFetcher]
Public = Callable[..., tuple[GuardedFetcher, Wire]]
Serve = Callable[..., Server]


def failed(fetcher: GuardedFetcher, url: str) -> FetchError:
    with pytest.raises(FetchError) as failure:
        fetcher.fetch(url)
    return failure.value


def test_bytes_arrive_as_sent(serve: Serve, local: Local) -> None:
    body = bytes(range(256)) * 300
    server = serve({"/a/k.yaml?x=1": ok(body)})
    url = f"https://{NAME}:{server.port}/a/k.yaml?x=1"
    assert local().fetch(url) == Fetched(url, body)


def test_final_url_is_serialised(serve: Serve, local: Local) -> None:
    server = serve({"/k.yaml": ok(b"x")})
    assert local().fetch(f"HTTPS://{NAME.upper()}:{server.port}/a/../k.yaml").url == (
        f"https://{NAME}:{server.port}/k.yaml"
    )


def test_request_names_the_host_and_the_tool(serve: Serve, local: Local) -> None:
    server = serve({"/": ok(b"")})
    local().fetch(f"https://{NAME}:{server.port}/")
    (visit,) = server.visits
    assert visit.head.startswith(b"GET / HTTP/1.1\r\n")
    assert visit.headers == {
        "host": f"{NAME}:{server.port}",
        "user-agent": f"kcp-agent/{__version__}",
        "accept": "*/*",
        "accept-encoding": "identity",
        "connection": "close",
    }
    assert server.names == [NAME]


def test_public_host_is_dialled_by_address_and_asked_by_name(serve: Serve, public: Public) -> None:
    server = serve({"/k.yaml": ok(b"public")})
    fetcher, wire = public(server)
    assert fetcher.fetch(f"https://{NAME}/k.yaml").data == b"public"
    assert wire.dialled == [(PUBLIC, 443)]
    assert server.names == [NAME]
    assert server.visits[0].headers["host"] == NAME


def test_rebinding_resolver_is_asked_once(serve: Serve, public: Public) -> None:
    """A name that is public when checked and private when looked up again."""
    asked: list[tuple[str, int]] = []

    def rebinding(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return [PUBLIC] if len(asked) == 1 else ["127.0.0.1"]

    fetcher, wire = public(serve({"/": ok(b"x")}), resolver=rebinding)
    assert fetcher.fetch(f"https://{NAME}/").data == b"x"
    assert asked == [(NAME, 443)]
    assert wire.dialled == [(PUBLIC, 443)]


def test_connecting_looks_nothing_up(serve: Serve, local: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve({"/": ok(b"x")})

    def looked_up(*arguments: object, **options: object) -> None:
        pytest.fail(f"looked up {arguments}")

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    assert local().fetch(f"https://{NAME}:{server.port}/").data == b"x"


def test_addresses_are_tried_in_order(serve: Serve, local: Local) -> None:
    server = serve({"/": ok(b"x")})
    dialled = []

    def dial(address: str, port: int, timeout: float) -> socket.socket:
        dialled.append(address)
        if address != "127.0.0.3":
            raise ConnectionRefusedError(111, "Connection refused")
        return socket.create_connection(("127.0.0.1", port), timeout)

    fetcher = local(dial=dial, resolver=always("::1", "127.0.0.2", "127.0.0.3", "127.0.0.4"))
    assert fetcher.fetch(f"https://{NAME}:{server.port}/").data == b"x"
    assert dialled == ["::1", "127.0.0.2", "127.0.0.3"]


def test_silent_address_leaves_time_for_the_next(local: Local) -> None:
    shares = []

    def dial(address: str, port: int, timeout: float) -> socket.socket:
        shares.append(timeout)
        raise TimeoutError("timed out")

    fetcher = local(dial=dial, timeout=12.0, resolver=always("127.0.0.1", "127.0.0.2", "127.0.0.3"))
    assert failed(fetcher, f"https://{NAME}/").message == "fetch failed"
    assert shares == [pytest.approx(4, abs=1), pytest.approx(6, abs=1), pytest.approx(12, abs=1)]


def test_nobody_listens(local: Local) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        error = failed(local(), f"https://{NAME}:{port}/")
    assert error.message == "fetch failed"
    assert error.hint
    assert error.exit_code == 3


def test_host_written_as_an_address(serve: Serve, local: Local) -> None:
    server = serve({"/": ok(b"x")}, "127.0.0.1")
    assert local().fetch(f"https://127.0.0.1:{server.port}/").data == b"x"
    assert server.names == [None]


def test_ipv6_loopback(serve: Serve, local: Local) -> None:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError as error:
        pytest.skip(f"no IPv6 loopback: {error}")
    server = serve({"/": ok(b"six")}, "::1", host="::1")
    assert local().fetch(f"https://[::1]:{server.port}/").data == b"six"
    assert server.visits[0].headers["host"] == f"[::1]:{server.port}"


def test_trailing_dot_of_a_name_is_not_part_of_the_certificate(serve: Serve, local: Local) -> None:
    server = serve({"/": ok(b"x")})
    assert local().fetch(f"https://{NAME}.:{server.port}/").data == b"x"
    assert server.names == [NAME]


def refused_certificate(error: FetchError) -> str:
    assert error.message == "fetch failed"
    assert error.hint is not None
    assert error.hint.startswith("certificate refused: ")
    return error.hint


@pytest.mark.parametrize(
    "names", [["other.test"], ["sub.manifests.test"], ["*.manifests.test"], ["127.0.0.1"]]
)
def test_certificate_for_another_name(serve: Serve, local: Local, names: list[str]) -> None:
    server = serve({"/": ok(b"x")}, *names)
    assert "ostname mismatch" in refused_certificate(failed(local(), f"https://{NAME}:{server.port}/"))
    assert server.visits == []


def test_certificate_for_a_name_does_not_serve_its_address(serve: Serve, local: Local) -> None:
    server = serve({"/": ok(b"x")})
    refused_certificate(failed(local(), f"https://127.0.0.1:{server.port}/"))


def test_certificate_of_an_unknown_authority(local: Local) -> None:
    context = server_context(trustme.CA().issue_cert(NAME))
    with Server({"/": ok(b"x")}, context) as server:
        refused_certificate(failed(local(), f"https://{NAME}:{server.port}/"))
    assert server.visits == []


def test_test_authority_is_not_in_the_system_trust_store(serve: Serve, local: Local) -> None:
    server = serve({"/": ok(b"x")})
    refused_certificate(failed(local(ca_file=None), f"https://{NAME}:{server.port}/"))


def test_expired_certificate(authority: trustme.CA, local: Local) -> None:
    now = datetime.now(UTC)
    leaf = authority.issue_cert(NAME, not_before=now - timedelta(days=9), not_after=now - timedelta(days=1))
    with Server({"/": ok(b"x")}, server_context(leaf)) as server:
        hint = refused_certificate(failed(local(), f"https://{NAME}:{server.port}/"))
    assert "expired" in hint


def test_certificate_that_is_not_yet_valid(authority: trustme.CA, local: Local) -> None:
    now = datetime.now(UTC)
    leaf = authority.issue_cert(NAME, not_before=now + timedelta(days=1), not_after=now + timedelta(days=9))
    with Server({"/": ok(b"x")}, server_context(leaf)) as server:
        refused_certificate(failed(local(), f"https://{NAME}:{server.port}/"))


def test_old_tls_is_refused(authority: trustme.CA, local: Local) -> None:
    context = server_context(authority.issue_cert(NAME))
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    with Server({"/": ok(b"x")}, context) as server:
        assert failed(local(), f"https://{NAME}:{server.port}/").message == "fetch failed"
    assert server.visits == []


def test_server_that_speaks_no_tls(serve_clear: Serve, local: Local) -> None:
    server = serve_clear({"/": ok(b"x")})
    server.on_connect = lambda visit: visit.sock.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    assert failed(local(), f"https://{NAME}:{server.port}/").message == "fetch failed"


def test_ssl_cert_file_names_the_trust_store(
    serve: Serve, local: Local, ca_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve({"/": ok(b"x")})
    monkeypatch.setenv("SSL_CERT_FILE", ca_file)
    assert local(ca_file=None).fetch(f"https://{NAME}:{server.port}/").data == b"x"


def test_ssl_cert_dir_names_the_trust_store(
    serve: Serve, local: Local, authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of certificates under their hashed names, as `openssl rehash` leaves it."""
    pem = authority.cert_pem.bytes()
    (tmp_path / f"{subject_hash(pem)}.0").write_bytes(pem)
    server = serve({"/": ok(b"x")})
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    assert local(ca_file=None).fetch(f"https://{NAME}:{server.port}/").data == b"x"


def subject_hash(pem: bytes) -> str:
    """The name under which OpenSSL looks for a certificate: SHA-1 of the subject, texts in lower case."""

    def der(tag: int, content: bytes) -> bytes:
        return bytes([tag, len(content)]) + content

    digest = sha1()
    for part in load_pem_x509_certificate(pem).subject:
        kind = der(0x06, bytes([0x55, 4, int(part.oid.dotted_string.rpartition(".")[2])]))
        text = der(0x0C, str(part.value).lower().encode("ascii"))
        digest.update(der(0x31, der(0x30, kind + text)))
    return digest.digest()[3::-1].hex()


def test_cleartext_loopback_with_the_switch(serve_clear: Serve, local: Local) -> None:
    server = serve_clear({"/k.yaml": ok(b"clear")})
    url = f"http://localhost:{server.port}/k.yaml"
    assert local().fetch(url) == Fetched(url, b"clear")
    assert server.visits[0].headers["host"] == f"localhost:{server.port}"


def test_cleartext_loopback_without_the_switch(serve_clear: Serve, local: Local) -> None:
    server = serve_clear({"/k.yaml": ok(b"clear")})
    error = failed(local(allow_private_hosts=False), f"http://localhost:{server.port}/k.yaml")
    assert error.message.startswith("refused private/loopback/link-local address 127.0.0.1 for 'localhost'")
    assert server.visits == []


def test_handshake_that_never_ends(serve_clear: Serve, local: Local) -> None:
    server = serve_clear({})
    server.on_connect = Visit.hold
    error = failed(local(timeout=0.1), f"https://{NAME}:{server.port}/")
    assert error.message == "The operation was aborted due to timeout"


def test_handshake_drop_by_drop(serve_clear: Serve, local: Local) -> None:
    """A TLS record that announces 16 KiB and arrives one octet at a time."""
    server = serve_clear({})
    server.on_connect = lambda visit: visit.drip(b"\x16\x03\x03\x40\x00" + bytes(1000))
    error = failed(local(timeout=0.3), f"https://{NAME}:{server.port}/")
    assert error.message == "The operation was aborted due to timeout"


def test_one_fetcher_serves_many_threads(serve: Serve, local: Local) -> None:
    from concurrent.futures import ThreadPoolExecutor

    paths = [f"/{number}" for number in range(24)]
    server = serve({path: ok(path.encode()) for path in paths})
    fetcher = local()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda path: fetcher.fetch(f"https://{NAME}:{server.port}{path}").data, paths))
    assert found == [path.encode() for path in paths]
