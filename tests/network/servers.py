"""A small web server on loopback that answers exactly the octets a test wants, over TLS or without."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

PUBLIC = "93.184.215.14"
"""An address that no rule refuses; tests dial it, and land on loopback."""

Answer = bytes | Callable[["Visit"], None]


def ok(body: bytes, *headers: str, status: str = "200 OK", length: int | None = None) -> bytes:
    """A whole response; `length` is what Content-Length says where it is not the truth."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}", *headers]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def redirect(location: str | None, status: str = "302 Found") -> bytes:
    """A redirect, or a broken one without a location."""
    return ok(b"", *([] if location is None else [f"Location: {location}"]), status=status)


class Visit:
    """One connection: what was asked, and ways to answer step by step."""

    def __init__(self, sock: socket.socket, closing: threading.Event) -> None:
        self.sock = sock
        self.closing = closing
        self.head = b""

    def read_head(self) -> None:
        while b"\r\n\r\n" not in self.head:
            data = self.sock.recv(4096)
            if not data:
                raise OSError("the client left")
            self.head += data

    @property
    def target(self) -> str:
        return self.head.split(b" ", 2)[1].decode("ascii")

    @property
    def headers(self) -> dict[str, str]:
        lines = self.head.decode("latin-1").split("\r\n")[1:-2]
        return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}

    def drip(self, data: bytes) -> None:
        """One octet each hundredth of a second, until the client has left or the test is over."""
        for place in range(len(data)):
            self.sock.sendall(data[place : place + 1])
            if self.closing.wait(0.01):
                return

    def pour(self, data: bytes, times: int) -> None:
        """The same octets many times, as fast as the client takes them."""
        for _ in range(times):
            self.sock.sendall(data)

    def hold(self) -> None:
        """Say nothing until the test is over."""
        self.closing.wait(30)


class Server:
    """Answers by path; counts visits and keeps what they asked. Use as a context manager."""

    def __init__(
        self,
        answers: dict[str, Answer],
        context: ssl.SSLContext | None = None,
        host: str = "127.0.0.1",
    ) -> None:
        self.answers = answers
        self.context = context
        self.visits: list[Visit] = []
        self.names: list[str | None] = []
        self.on_connect: Callable[[Visit], None] | None = None
        self._closing = threading.Event()
        self._threads: list[threading.Thread] = []
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.socket(family, socket.SOCK_STREAM)
        self._listener.bind((host, 0))
        self._listener.listen()
        self.port: int = self._listener.getsockname()[1]
        if context is not None:
            context.sni_callback = lambda _sock, name, _context: self.names.append(name)

    def __enter__(self) -> Self:
        thread = threading.Thread(target=self._accept)
        thread.start()
        self._threads.append(thread)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(10)

    def _accept(self) -> None:
        while not self._closing.is_set():
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(sock,))
            thread.start()
            self._threads.append(thread)

    def _serve(self, sock: socket.socket) -> None:
        # Clients leave in the middle of what they refuse; that is what the tests are about.
        with sock, contextlib.suppress(OSError):
            sock.settimeout(30)
            if self.on_connect is not None:
                self.on_connect(Visit(sock, self._closing))
            if self.context is None:
                self._answer(sock)
                return
            with self.context.wrap_socket(sock, server_side=True) as secure:
                self._answer(secure)

    def _answer(self, sock: socket.socket) -> None:
        visit = Visit(sock, self._closing)
        visit.read_head()
        self.visits.append(visit)
        answer = self.answers.get(visit.target, ok(b"", status="404 Not Found"))
        if isinstance(answer, bytes):
            sock.sendall(answer)
        else:
            answer(visit)
        # Closing with unread data would reset the connection and lose what was sent.
        with contextlib.suppress(OSError):
            sock.shutdown(socket.SHUT_WR)
