"""Renders kept for the next time, outside every work tree (render contract §17).

`<source digest>.yaml` is the artifact; `<source digest>.inputs` beside it holds the digest of every other
input, for the tier depends on who renders, and that of the artifact. Only where both are equal is it used.
A cache that is not the user's own alone is as good as none.
"""

from __future__ import annotations

import os
import stat

from kcp.reading.source import sha256_hex
from kcp.wire.jsontext import compact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from kcp.render.pipeline import Gathered

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_FLAGS |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_MAX_BYTES = 64 * 2**20


class RenderCache:
    """The cache in a folder, which is made when something is first kept."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def find(self, gathered: Gathered) -> bytes | None:
        """The artifact that the same inputs gave before."""
        if not _is_private(self._folder, stat.S_ISDIR):
            return None
        stem = self._stem(gathered)
        artifact, inputs = _read(f"{stem}.yaml"), _read(f"{stem}.inputs")
        if artifact is None or inputs is None:
            return None
        return artifact if inputs == _inputs(gathered, artifact) else None

    def keep(self, gathered: Gathered, artifact: bytes) -> None:
        """Keep an artifact; where that is not possible, nothing is lost."""
        try:
            os.makedirs(self._folder, 0o700, exist_ok=True)
            if not _is_private(self._folder, stat.S_ISDIR) or _in_work_tree(self._folder):
                return
            stem = self._stem(gathered)
            for name, data in (("yaml", artifact), ("inputs", _inputs(gathered, artifact))):
                _replace(f"{stem}.{name}", data)
        except (OSError, ValueError):
            return

    def _stem(self, gathered: Gathered) -> str:
        return os.path.join(self._folder, gathered.frame.source_sha256)


def default_folder() -> str | None:
    """Where renders of the user are kept; None where there is no home."""
    home = os.path.expanduser("~")
    return os.path.join(home, ".kcp", "render-cache") if os.path.isabs(home) else None


def _inputs(gathered: Gathered, artifact: bytes) -> bytes:
    digest = sha256_hex(compact(gathered.inputs).encode("utf-8", "surrogatepass"))
    return f"{digest} {sha256_hex(artifact)}\n".encode("ascii")


def _replace(path: str, data: bytes) -> None:
    """Put a file in its place at once; a link there goes. What a crash loses is rendered again."""
    temporary = f"{path}.{os.urandom(6).hex()}.tmp"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _read(path: str) -> bytes | None:
    try:
        handle = os.open(path, _FLAGS)
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(handle)
        if not _is_own(status, stat.S_ISREG) or status.st_size > _MAX_BYTES:
            return None
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(_MAX_BYTES)
    except OSError:
        return None
    finally:
        os.close(handle)


def _is_private(path: str, kind: Callable[[int], bool]) -> bool:
    try:
        return _is_own(os.lstat(path), kind)
    except (OSError, ValueError):
        return False


def _is_own(status: os.stat_result, kind: Callable[[int], bool]) -> bool:
    """Whether something is of a kind, and the user's own alone, where the system knows of users."""
    if not kind(status.st_mode):
        return False
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o077)


def _in_work_tree(folder: str) -> bool:
    place = os.path.realpath(folder)
    while not os.path.lexists(os.path.join(place, ".git")):
        parent = os.path.dirname(place)
        if parent == place:
            return False
        place = parent
    return True
