"""Locks between processes: one writer of a file at a time."""

from __future__ import annotations

import errno
import os
import stat
import sys
import time

from kcp.errors import KcpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

LOCK_SECONDS = 30.0
_PAUSE = 0.005
# Links are not followed, and a pipe is not waited for.
SAFE = 0
for _flag in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):
    SAFE |= getattr(os, _flag, 0)


class FileLock:
    """Held within a `with`: nobody else who asks first changes the file at `path`.

    The lock is a file beside it, `PATH.lock`, which stays: to delete it would let two writers in. KcpError
    where it cannot be made, or not be had within `LOCK_SECONDS`.
    """

    __slots__ = ("_handle", "path")

    def __init__(self, path: str) -> None:
        self.path = path
        self._handle = -1

    def __enter__(self) -> Self:
        try:
            path = f"{os.path.realpath(self.path)}.lock"
            self._handle = open_regular(path, os.O_RDWR | os.O_CREAT, 0o600, name="its .lock file")
        except (OSError, ValueError) as error:
            reason = (getattr(error, "strerror", None) or "not a path").lower()
            raise KcpError(f"cannot lock {self.path}: {reason}") from None
        deadline = time.monotonic() + LOCK_SECONDS
        while not try_lock(self._handle):
            if time.monotonic() > deadline:
                self.__exit__()
                raise KcpError(f"{self.path} is locked by another process")
            time.sleep(_PAUSE)
        return self

    def __exit__(self, *_error: object) -> None:
        os.close(self._handle)
        self._handle = -1


def open_regular(path: str, flags: int, mode: int, *, name: str) -> int:
    """Open a regular file, links not followed; OSError, which calls it by `name`, where it is none."""
    try:
        handle = os.open(path, flags | SAFE, mode)
    except OSError as error:
        # A pipe that nobody reads, or a socket.
        raise (_not_regular(name) if error.errno == errno.ENXIO else error) from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise _not_regular(name)
    return handle


def _not_regular(name: str) -> OSError:
    return OSError(errno.EINVAL, f"{name} is not a regular file")


def try_lock(handle: int, shared: bool = False) -> bool:
    """Lock an open file until it is closed; False where another process has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
