"""The store's files: opened safely, read bounded, written whole or not at all, one writer at a time."""

from __future__ import annotations

import os
import stat
import time

from kcp.errors import KcpError
from kcp.locks import SAFE, open_regular, try_lock
from kcp.reading.locate import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

LOCK_NAME = ".lock"
LOCK_SECONDS = 30.0
_PENDING_NAME = ".writing"
_PAUSE = 0.005
_ATTEMPTS = 100
_CHUNK = 2**20
_READ = os.O_RDONLY | SAFE


class StoreError(KcpError):
    """A memory location that cannot be used."""


class UnreadableError(Exception):
    """One file of the store that cannot be read; its text says why."""


def open_folder(path: str, *, create: bool) -> None:
    """See that a folder can be listed; one that is missing is made with `create`. StoreError otherwise (B21).

    What memory holds may come from restricted units, so a new folder is its owner's alone.
    """
    try:
        if create:
            os.makedirs(path, mode=0o700, exist_ok=True)
        with os.scandir(path):
            pass
    except (OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError) and not create:
            raise StoreError(f"no episode store at {shown(path)}") from None
        raise store_error(path, error) from None


def require_writable(path: str) -> None:
    """See that files can be made in a folder; StoreError otherwise (B21)."""
    with Lock(path):
        pass


def store_error(path: str, error: OSError | ValueError) -> StoreError:
    """The error for a memory location that the system refuses."""
    reason = (getattr(error, "strerror", None) or "not a path").lower()
    return StoreError(f"cannot use the memory at {shown(path)}: {reason}")


def read_file(path: str, max_bytes: int) -> bytes:
    """The content of a regular file, links not followed; FileNotFoundError or UnreadableError."""
    try:
        handle = os.open(path, _READ)
    except FileNotFoundError:
        raise
    except OSError as error:
        if os.path.islink(path):
            raise UnreadableError("a link, not a regular file") from None
        raise UnreadableError((error.strerror or "input/output error").lower()) from None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableError("not a regular file")
        if status.st_size > max_bytes:
            raise UnreadableError(f"larger than {max_bytes:,} bytes")
        return _read_all(handle, status.st_size, max_bytes)
    except OSError as error:
        raise UnreadableError((error.strerror or "input/output error").lower()) from None
    finally:
        os.close(handle)


def _read_all(handle: int, size: int, max_bytes: int) -> bytes:
    data = os.read(handle, size + 1)
    if len(data) == size:
        return data
    # The file is growing, or the system hands it out in parts.
    parts, total = [data], len(data)
    while data and total <= max_bytes:
        data = os.read(handle, _CHUNK)
        parts.append(data)
        total += len(data)
    if total > max_bytes:
        raise UnreadableError(f"larger than {max_bytes:,} bytes")
    return b"".join(parts)


def write_file(folder: str, name: str, data: bytes) -> None:
    """Write a file whole; whoever reads meanwhile sees the old one or the new one. Hold the lock."""
    pending = os.path.join(folder, _PENDING_NAME)
    handle = open_regular(pending, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666, name=_PENDING_NAME)
    try:
        _write_all(handle, data)
        os.fsync(handle)
    finally:
        os.close(handle)
    _replace(pending, os.path.join(folder, name))


def append_line(folder: str, name: str, line: str) -> None:
    """Add a line to a file. Hold the lock."""
    path = os.path.join(folder, name)
    handle = open_regular(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666, name=name)
    try:
        _write_all(handle, line.encode() + b"\n")
        os.fsync(handle)
    finally:
        os.close(handle)


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _replace(pending: str, path: str) -> None:
    """Put a file in place. On Windows a reader that has the old one open is in the way for a moment."""
    for _ in range(_ATTEMPTS):
        try:
            return os.replace(pending, path)
        except PermissionError:
            if os.name != "nt":
                raise
            time.sleep(_PAUSE)
    return os.replace(pending, path)


class Lock:
    """The store's lock, held within a `with`: exclusive for writers, `shared` for a moment's listing.

    StoreError where it cannot be had within `LOCK_SECONDS`, or where the folder is not writable.
    """

    __slots__ = ("_handle", "folder", "shared")

    def __init__(self, folder: str, *, shared: bool = False) -> None:
        self.folder = folder
        self.shared = shared
        self._handle = -1

    def __enter__(self) -> Self:
        path = os.path.join(self.folder, LOCK_NAME)
        try:
            self._handle = open_regular(path, os.O_RDWR | os.O_CREAT, 0o666, name=LOCK_NAME)
        except OSError as error:
            raise store_error(self.folder, error) from None
        deadline = time.monotonic() + LOCK_SECONDS
        while not try_lock(self._handle, self.shared):
            if time.monotonic() > deadline:
                self.__exit__()
                raise StoreError(f"the memory at {shown(self.folder)} is locked by another process")
            time.sleep(_PAUSE)
        return self

    def __exit__(self, *_error: object) -> None:
        os.close(self._handle)
        self._handle = -1
