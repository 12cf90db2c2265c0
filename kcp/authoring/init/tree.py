"""What of a project's folder `init` may look at: nothing outside, nothing ignored, and not much of it."""

from __future__ import annotations

import os
import stat

from kcp.authoring.init.ignored import Ignored
from kcp.errors import KcpError
from kcp.reading.locate import shown
from kcp.reading.sources import is_within
from kcp.records import Record

MAX_ENTRIES = 100_000
HEAD_BYTES = 64 * 1024
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
# What tools leave behind, whether it is ignored or not.
_CACHES = frozenset({"__pycache__", "node_modules", "bower_components", "venv", "site-packages"})
_CACHE_ENDS = (".egg-info", ".dist-info", ".pyc", "~")


class Listing(Record):
    """The names in a folder, in byte order."""

    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


class Tree:
    """A project's folder; paths are relative to it and written with `/`.

    A link counts as what it leads to where that lies in the folder. Hidden entries, caches, what .gitignore
    files ignore, and names that are not UTF-8 or not printable are not there.
    """

    def __init__(self, folder: str) -> None:
        self.root = os.path.realpath(folder)
        if not os.path.isdir(self.root):
            raise KcpError(f"no such folder: {shown(folder)}")
        self._ignored = Ignored(self.root)
        self._listings: dict[str, Listing] = {}

    def listing(self, folder: str = "") -> Listing:
        """What is in a folder; nothing where there is none."""
        listing = self._listings.get(folder)
        if listing is None:
            known = not folder or self.is_folder(folder)
            listing = self._listings[folder] = self._read(folder) if known else Listing()
        return listing

    def is_file(self, path: str) -> bool:
        """Whether there is such a file."""
        folder, _, name = path.rpartition("/")
        return name in self.listing(folder).files

    def is_folder(self, path: str) -> bool:
        """Whether there is such a folder."""
        folder, _, name = path.rpartition("/")
        return name in self.listing(folder).folders

    def text(self, path: str, most: int = HEAD_BYTES) -> str:
        """The start of a file that was listed, as text; empty where it cannot be read or is not UTF-8."""
        data = self._head(path, most)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            # The cut may have gone through a character.
            if len(data) < most or error.start < len(data) - 3:
                return ""
            text = data[: error.start].decode("utf-8")
        return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")

    def _head(self, path: str, most: int) -> bytes:
        try:
            handle = os.open(os.path.join(self.root, path), _FLAGS)
        except OSError:
            return b""
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                return b""
            with os.fdopen(handle, "rb", closefd=False) as file:
                return file.read(most)
        except OSError:
            return b""
        finally:
            os.close(handle)

    def _read(self, folder: str) -> Listing:
        at = os.path.join(self.root, folder)
        steps = tuple(folder.split("/")) if folder else ()
        files: list[str] = []
        folders: list[str] = []
        try:
            with os.scandir(at) as entries:
                for count, entry in enumerate(entries):
                    if count == MAX_ENTRIES:
                        raise KcpError(f"more than {MAX_ENTRIES:,} entries in {shown(at)}")
                    names = self._place(entry, files, folders)
                    if names is not None:
                        names.append(entry.name)
        except OSError:
            return Listing()
        self._ignored.enter(at)
        return Listing(
            tuple([n for n in _sorted(files) if not self._ignored.ignores((*steps, n), is_folder=False)]),
            tuple([n for n in _sorted(folders) if not self._ignored.ignores((*steps, n), is_folder=True)]),
        )

    def _place(self, entry: os.DirEntry[str], files: list[str], folders: list[str]) -> list[str] | None:
        """Where an entry belongs; None for what is not to be looked at."""
        name = entry.name
        if name.startswith(".") or name in _CACHES or name.endswith(_CACHE_ENDS):
            return None
        if not name.isprintable() or "\\" in name:
            return None
        try:
            if entry.is_symlink() and not is_within(self.root, entry.path):
                return None
            if entry.is_dir():
                return folders
            return files if entry.is_file() else None
        except OSError:
            return None


def _sorted(names: list[str]) -> list[str]:
    return sorted(names, key=str.encode)
