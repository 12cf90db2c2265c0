"""Noticing change: the marks of files, or what a URL gives."""

from __future__ import annotations

import os
import time

from kcp.errors import KcpError
from kcp.reading.locate import MANIFEST_NAMES
from kcp.reading.source import read_bytes, sha256_hex
from kcp.reading.sources import is_unsafe_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from kcp.model import Manifest
    from kcp.reading.sources import Sources

    Mark = tuple[int, ...] | None

# Within this time a second change may leave the same time stamp on a file, even on coarse file systems.
RECENT_NS = 2_500_000_000


class Files:
    """The manifest of a local location and the files of its units.

    Paths are looked up anew each time, so neither the replacement of a file nor its absence ends the
    watching. Where the location is a folder, every place in it where a manifest may lie is looked at.
    """

    def __init__(self, location: str, sources: Sources, now_ns: Callable[[], int] = time.time_ns) -> None:
        self._location = location
        self._max_bytes = sources.max_bytes
        self._now_ns = now_ns
        self._units: tuple[str, ...] = ()
        self._marks: dict[str, Mark] = {}
        self._digests: dict[str, str] = {}

    def remember(self) -> None:
        """What is there now is known; to be called before it is read."""
        self._digests = {}
        self._marks = self._look()
        for path in self._manifests():
            self._has_new_content(path)

    def saw(self, data: bytes | None) -> None:
        """Nothing: what is there was remembered before it was read."""

    def follow(self, manifest: Manifest) -> None:
        """Look at the units of this manifest from now on."""
        folder = os.path.dirname(manifest.source or "")
        units = [unit.path for unit in manifest.units if not is_unsafe_path(unit.path)]
        self._units = tuple(dict.fromkeys([os.path.join(folder, path) for path in units]))
        for path in self._units:
            self._marks.setdefault(path, _mark(path))

    def changed(self) -> bool:
        """Whether anything differs from what is known; it is known from then on."""
        marks = self._look()
        changed = any(marks[path] != self._marks.get(path, marks[path]) for path in marks)
        self._marks = marks
        for path in self._manifests():
            changed |= self._has_new_content(path)
        return changed

    def folders(self) -> tuple[str, ...]:
        """The folders that there are of what is looked at, for whoever is told of changes by the system."""
        parents = [os.path.dirname(path) or "." for path in self._paths()]
        return tuple(sorted({parent for parent in parents if os.path.isdir(parent)}))

    def _look(self) -> dict[str, Mark]:
        return {path: _mark(path) for path in self._paths()}

    def _paths(self) -> tuple[str, ...]:
        return (*self._manifests(), *self._units)

    def _manifests(self) -> tuple[str, ...]:
        if os.path.isdir(self._location):
            return tuple([os.path.join(self._location, name) for name in MANIFEST_NAMES])
        return (self._location,)

    def _has_new_content(self, path: str) -> bool:
        """Whether a manifest that was touched just now has changed under the same mark."""
        mark = self._marks.get(path)
        if mark is None or not any(abs(self._now_ns() - stamp) <= RECENT_NS for stamp in mark[-2:]):
            self._digests.pop(path, None)
            return False
        try:
            digest = sha256_hex(read_bytes(path, self._max_bytes))
        except KcpError:
            digest = ""
        before = self._digests.get(path)
        self._digests[path] = digest
        return before is not None and before != digest


class Remote:
    """A manifest at a URL."""

    def __init__(self, location: str, sources: Sources) -> None:
        self._location = location
        self._sources = sources
        self._known: str | None = None

    def remember(self) -> None:
        """Nothing: what was seen last stays known until something else is seen."""

    def saw(self, data: bytes | None) -> None:
        """These bytes are known; None stands for a failure to read any."""
        self._known = _digest(data)

    def follow(self, manifest: Manifest) -> None:
        """Nothing: the units of a remote manifest are not looked at."""

    def changed(self) -> bool:
        """Whether something else comes than was known; it is known from then on. All failures are one."""
        try:
            seen = _digest(self._sources.read_manifest(self._location).data)
        except KcpError:
            seen = None
        changed = seen != self._known
        self._known = seen
        return changed

    def folders(self) -> tuple[str, ...]:
        """None."""
        return ()


def _digest(data: bytes | None) -> str | None:
    return None if data is None else sha256_hex(data)


def _mark(path: str) -> Mark:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return (
        status.st_dev, status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns,
    )  # fmt: skip
