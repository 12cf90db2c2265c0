"""A certificate authority of the test run's own, servers that it vouches for, and fetchers that trust it."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import trustme

from kcp.network.guard import GuardedFetcher
from tests.network.servers import PUBLIC, Answer, Server

NAME = "manifests.test"


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="session")
def ca_file(authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("authority") / "ca.pem"
    authority.cert_pem.write_to_path(path)
    return str(path)


def always(*addresses: str) -> Callable[[str, int], list[str]]:
    """A resolver to which every name has the same addresses."""

    def resolve(host: str, port: int) -> list[str]:
        return list(addresses)

    return resolve


def server_context(certificate: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    return context


@pytest.fixture
def serve(authority: trustme.CA) -> Iterator[Callable[..., Server]]:
    """`serve({path: answer}, names…)`: an https server whose certificate is for the names."""
    with ExitStack() as stack:

        def start(answers: dict[str, Answer], *names: str, host: str = "127.0.0.1") -> Server:
            context = server_context(authority.issue_cert(*(names or (NAME,))))
            return stack.enter_context(Server(answers, context, host))

        yield start


@pytest.fixture
def serve_clear() -> Iterator[Callable[..., Server]]:
    """`serve_clear({path: answer})`: an http server."""
    with ExitStack() as stack:

        def start(answers: dict[str, Answer], host: str = "127.0.0.1") -> Server:
            return stack.enter_context(Server(answers, None, host))

        yield start


@pytest.fixture
def local(ca_file: str) -> Callable[..., GuardedFetcher]:
    """A fetcher for servers on loopback: private hosts allowed, every name is 127.0.0.1."""

    def make(**options: object) -> GuardedFetcher:
        settings: dict[str, object] = {
            "allow_private_hosts": True,
            "ca_file": ca_file,
            "resolver": always("127.0.0.1"),
            "timeout": 20.0,
        }
        return GuardedFetcher(**(settings | options))  # type: ignore[arg-type]

    return make


class Wire:
    """Stands in for the Internet: notes the addresses that are dialled and connects to a test's server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.dialled: list[tuple[str, int]] = []

    def __call__(self, address: str, port: int, timeout: float) -> socket.socket:
        self.dialled.append((address, port))
        return socket.create_connection(("127.0.0.1", self.server.port), timeout)


@pytest.fixture
def public(ca_file: str) -> Callable[..., tuple[GuardedFetcher, Wire]]:
    """A fetcher with the default policy, whose connections to public addresses land on a server here."""

    def make(server: Server, **options: object) -> tuple[GuardedFetcher, Wire]:
        wire = Wire(server)
        settings: dict[str, object] = {
            "ca_file": ca_file,
            "resolver": always(PUBLIC),
            "dial": wire,
            "timeout": 20.0,
        }
        return GuardedFetcher(**(settings | options)), wire  # type: ignore[arg-type]

    return make
