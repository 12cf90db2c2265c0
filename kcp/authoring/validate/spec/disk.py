"""The folder of a local manifest, for the rules that look into it. Nothing outside it is ever read."""

from __future__ import annotations

import os

from kcp.errors import KcpError
from kcp.reading.sources import is_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_INCLUDES = 50


class Disk:
    """The folder that holds a manifest; `name` is the manifest's own file name."""

    def __init__(self, folder: str, name: str = "knowledge.yaml") -> None:
        self.folder = folder
        self.name = name
        self._real = os.path.realpath(folder)
        self._included: dict[str, tuple[bytes, dict[str, Any]] | None] = {}

    def exists(self, path: str) -> bool:
        """Whether something is at a path."""
        try:
            return os.path.exists(os.path.join(self.folder, path))
        except ValueError:  # a NUL in the path
            return False

    def is_hidden(self, path: str) -> bool:
        """Whether the system does not tell what is at a path."""
        try:
            os.stat(os.path.join(self.folder, path))
        except PermissionError:
            return True
        except (OSError, ValueError):
            return False
        return False

    def is_outside(self, path: str) -> bool:
        """Whether a path leads out of the folder once links are followed."""
        try:
            return not is_within(self._real, os.path.join(self.folder, path))
        except ValueError:
            return False

    def digest(self, algorithm: str, path: str) -> str:
        """The hash of a unit's content; KcpError where it cannot be had."""
        from kcp.trust.content_hash import content_hash

        return content_hash(algorithm, self._real, path)

    def include(self, path: str) -> tuple[bytes, dict[str, Any]] | None:
        """The bytes and the content of a manifest in the folder; None where there is none to read.

        Each is read once, and no more than MAX_INCLUDES of them.
        """
        if path not in self._included:
            if len(self._included) >= MAX_INCLUDES:
                return None
            self._included[path] = self._read(path)
        return self._included[path]

    def _read(self, path: str) -> tuple[bytes, dict[str, Any]] | None:
        from kcp.reading.source import read_bytes
        from kcp.reading.yaml12 import read_manifest_mapping

        try:
            if not self.exists(path) or self.is_outside(path):
                return None
            data = read_bytes(os.path.join(self.folder, path))
            return data, read_manifest_mapping(data).root
        except KcpError:
            return None
