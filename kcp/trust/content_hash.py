"""Hashes of unit content: a file's bytes, or a directory's listing of hashes (render contract §12)."""

from __future__ import annotations

import os
import stat

from kcp.errors import KcpError
from kcp.reading.locate import shown
from kcp.reading.sources import is_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ALGORITHMS = {"sha256": 64, "sha384": 96, "sha512": 128}  # name → hexadecimal digits
MAX_FILES = 10_000
MAX_CONTENT_BYTES = 256 * 2**20
_CHUNK = 2**20
# The file was looked at before; what took its place since must not be followed or waited for.
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_FLAGS |= getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class Budget:
    """What is left of the caps: entries of folders, and bytes. Several hashes may share one."""

    __slots__ = ("entries", "content")

    def __init__(self) -> None:
        self.entries = MAX_FILES
        self.content = MAX_CONTENT_BYTES

    def take_entry(self) -> None:
        self.entries -= 1
        if self.entries < 0:
            raise KcpError(f"more than {MAX_FILES:,} files and folders to hash")

    def take_content(self, size: int) -> None:
        self.content -= size
        if self.content < 0:
            raise KcpError(f"more than {MAX_CONTENT_BYTES:,} bytes to hash")


def content_hash(algorithm: str, root: str, path: str, budget: Budget | None = None) -> str:
    """The lower-case hexadecimal hash of the file or directory at `path` below `root`.

    KcpError where the algorithm is none of `ALGORITHMS`, or the content is missing, outside the root, a link,
    neither a regular file nor a directory, or beyond the caps.
    """
    if algorithm not in ALGORITHMS:
        raise KcpError(f"unsupported hash algorithm '{algorithm}'; use {', '.join(ALGORITHMS)}")
    target = os.path.join(root, path)
    budget = budget or Budget()
    try:
        if not is_within(os.path.realpath(root), target):
            raise KcpError(f"{shown(path)} is outside the manifest's folder")
        mode = os.lstat(target).st_mode
        if stat.S_ISREG(mode):
            return _file_hash(algorithm, target, budget)
        if stat.S_ISDIR(mode):
            return _directory_hash(algorithm, target, budget)
    except OSError as error:
        reason = (error.strerror or "input/output error").lower()
        raise KcpError(f"cannot read {shown(path)}: {reason}") from None
    except ValueError:
        raise KcpError(f"{shown(path)} is not a valid path") from None
    raise KcpError(f"{shown(path)} is neither a regular file nor a directory")


def _directory_hash(algorithm: str, folder: str, budget: Budget) -> str:
    import hashlib

    entries = []
    for file in _regular_files(folder, budget):
        name = os.fsencode(os.path.relpath(file, folder).replace(os.sep, "/"))
        entries.append(name + b"\0" + _file_hash(algorithm, file, budget).encode() + b"\n")
    return hashlib.new(algorithm, b"".join(sorted(entries))).hexdigest()


def _regular_files(folder: str, budget: Budget) -> Iterator[str]:
    """All regular files below a folder, in no order; links are neither followed nor listed."""
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as found:
            for entry in found:
                budget.take_entry()
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    yield entry.path


def _file_hash(algorithm: str, file: str, budget: Budget) -> str:
    import hashlib

    digest = hashlib.new(algorithm)
    handle = os.open(file, _FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise KcpError(f"{shown(file)} is not a regular file")
        while chunk := os.read(handle, _CHUNK):
            budget.take_content(len(chunk))
            digest.update(chunk)
    finally:
        os.close(handle)
    return digest.hexdigest()
