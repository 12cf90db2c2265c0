"""Locks between processes: one writer of a file at a time."""

from __future__ import annotations

import os
import sys
import time

from kcp.errors import KcpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

LOCK_SECONDS = 30.0
_PAUSE = 0.005
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)


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
            self._handle = os.open(f"{os.path.realpath(self.path)}.lock", _FLAGS, 0o600)
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
