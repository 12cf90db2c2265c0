"""Writing files so that a reader meets the old content or the new, never a part of it."""

from __future__ import annotations

import os
import stat

from kcp.errors import KcpError

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
_NEW |= getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class WriteError(KcpError):
    """A file that could not be written; nothing at its path has changed."""


def write_atomically(path: str, data: bytes, mode: int = 0o644) -> None:
    """Put a file's new content in its place at once; WriteError where that is not possible.

    A file that is there keeps its permissions; a symbolic link is refused. `mode` is for a new file and is
    narrowed by the umask.
    """
    refuse_link(path)
    try:
        kept = _mode_of(path)
        temporary = os.path.join(
            os.path.dirname(path), f".{os.path.basename(path)[:100]}.{os.urandom(6).hex()}.tmp"
        )
        try:
            _write_new(temporary, data, mode)
            if kept is not None:
                os.chmod(temporary, kept)
            os.replace(temporary, path)
        except BaseException:
            _remove(temporary)
            raise
    except (OSError, ValueError) as error:
        raise _error(path, error) from None


def write_exclusively(path: str, data: bytes, mode: int) -> None:
    """Make a file that must not be there yet; WriteError where it is, or cannot be made whole."""
    try:
        _write_new(path, data, mode)
    except FileExistsError:
        raise WriteError(f"{path} exists already; nothing is overwritten") from None
    except (OSError, ValueError) as error:
        raise _error(path, error) from None


def refuse_link(path: str) -> None:
    """WriteError where a file to be written is a symbolic link.

    Who made the link may be another than who has the file written, and it may lead anywhere.
    """
    if os.path.islink(path):
        raise WriteError(
            f"cannot write {path}: it is a symbolic link; remove it, or name the file that it leads to"
        )


def _mode_of(path: str) -> int | None:
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise OSError(0, "not a regular file")
    return stat.S_IMODE(mode)


def _write_new(path: str, data: bytes, mode: int) -> None:
    handle = os.open(path, _NEW, mode)
    try:
        try:
            remaining = memoryview(data)
            while remaining:
                remaining = remaining[os.write(handle, remaining) :]
            os.fsync(handle)
        finally:
            os.close(handle)
    except BaseException:
        _remove(path)
        raise


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass


def _error(path: str, error: OSError | ValueError) -> WriteError:
    reason = getattr(error, "strerror", None) or "not a valid path"
    return WriteError(f"cannot write {path}: {reason[:1].lower() + reason[1:]}")
