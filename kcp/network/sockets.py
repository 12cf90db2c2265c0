"""Names to addresses, addresses to connections, connections to TLS: each step within one deadline."""

from __future__ import annotations

import io
import socket
import threading

from kcp.errors import FetchError
from kcp.network.addresses import is_plain_address
from kcp.network.deadline import Deadline, timed_out
from kcp.network.fetcher import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterable

    from _typeshed import ReadableBuffer, WriteableBuffer

    Resolver = Callable[[str, int], Iterable[str]]
    Dial = Callable[[str, int, float], socket.socket]


def system_resolver(host: str, port: int) -> list[str]:
    """All addresses of a name, in the order in which the system would try them."""
    # As bytes: a text would go through the `idna` codec, which the URL parser has already replaced.
    found = socket.getaddrinfo(host.encode("ascii"), port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def resolve(host: str, port: int, resolver: Resolver, deadline: Deadline) -> list[str]:
    """The addresses of a host, asked for once. An address stands for itself.

    A resolver cannot be interrupted, so it runs in a thread that is left behind when time is up.
    """
    if is_plain_address(host):
        return [host]
    answer: list[list[str] | Exception] = []

    def ask() -> None:
        try:
            answer.append(list(resolver(host, port)))
        except Exception as error:  # noqa: BLE001 - handed to the thread that waits
            answer.append(error)

    thread = threading.Thread(target=ask, name="kcp-resolver", daemon=True)
    thread.start()
    thread.join(deadline.remaining())
    if not answer:
        raise timed_out()
    if isinstance(answer[0], (OSError, UnicodeError)):
        raise FetchError(f"cannot resolve host '{host}': getaddrinfo ENOTFOUND {host}") from answer[0]
    if isinstance(answer[0], Exception):
        raise answer[0]
    if not answer[0]:
        raise FetchError(f"host '{host}' resolved to no addresses")
    return answer[0]


def dial(address: str, port: int, timeout: float) -> socket.socket:
    """A TCP connection to an address, which is never looked up."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.settimeout(timeout)
        sock.connect((address, port))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        sock.close()
        raise
    return sock


def dial_first(addresses: list[str], port: int, connect: Dial, deadline: Deadline) -> socket.socket:
    """A connection to the first address that answers.

    Each gets an even share of the time that is left, so that a silent one does not use up that of the others.
    """
    failure: OSError | None = None
    for place, address in enumerate(addresses):
        try:
            return connect(address, port, deadline.remaining() / (len(addresses) - place))
        except OSError as error:
            failure = error
    raise connection_failure(failure, deadline)


def start_tls(sock: socket.socket, name: str, context: ssl.SSLContext, deadline: Deadline) -> socket.socket:
    """TLS over a connection; the certificate must be for `name`, which is also what SNI says."""
    try:
        sock.settimeout(deadline.remaining())
        return context.wrap_socket(sock, server_hostname=name)
    except OSError as error:
        raise connection_failure(error, deadline) from error


def connection_failure(error: Exception | None, deadline: Deadline) -> FetchError:
    """The error of a connection that could not be made or broke; the hint says how."""
    if deadline.passed:
        return timed_out()
    reason = getattr(error, "verify_message", None) or getattr(error, "strerror", None) or str(error)
    what = "certificate refused: " if hasattr(error, "verify_message") else ""
    return FetchError("fetch failed", hint=one_line(f"{what}{reason}")[:300])


class TimedSocket:
    """What `http.client` needs of a socket, with every read and write bound to a deadline.

    `budget` is how many more bytes may be read; `overrun` makes the error of exceeding it. The underlying
    socket stays its owner's to close.
    """

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock = sock
        self._deadline = deadline
        self.budget = 0
        self.overrun: Callable[[], FetchError] = timed_out

    def sendall(self, data: ReadableBuffer) -> None:
        """Write all of it."""
        self._sock.settimeout(self._deadline.remaining())
        self._sock.sendall(data)

    def recv_into(self, buffer: WriteableBuffer) -> int:
        """Read what is there, at most the buffer's length; 0 at the end."""
        view = memoryview(buffer).cast("B")
        self._sock.settimeout(self._deadline.remaining())
        try:
            count = self._sock.recv_into(view)
        except TimeoutError:
            raise timed_out() from None
        self.budget -= count
        if self.budget < 0:
            raise self.overrun()
        return count

    def makefile(self, _mode: str) -> io.BufferedReader:
        """A buffered reader over the connection."""
        return io.BufferedReader(_Raw(self))

    def settimeout(self, seconds: float | None) -> None:
        """Nothing: the deadline decides."""

    def close(self) -> None:
        """Nothing: the owner of the socket closes it."""


class _Raw(io.RawIOBase):
    def __init__(self, source: TimedSocket) -> None:
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        return self._source.recv_into(buffer)
