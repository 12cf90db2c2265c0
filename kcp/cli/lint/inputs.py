"""The words of a command line become manifests: files, folders, patterns, URLs, standard input."""

from __future__ import annotations

import os
import sys

from kcp.errors import KcpError, ManifestError
from kcp.reading.locate import MANIFEST_NAMES, is_remote, join, shown
from kcp.reading.source import too_large
from kcp.reading.sources import ManifestBytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

STANDARD_INPUT = "-"
STDIN_NAME = "(standard input)"
MAX_FOLDERS = 100_000
_WELL_KNOWN = ".well-known"
_SKIPPED = frozenset({"node_modules", "__pycache__"})


def expand(words: list[str]) -> list[str]:
    """The locations that words name, in order: every manifest below a folder, every match of a pattern.

    A word that names nothing stays as it is, so that reading it says so.
    """
    return [location for word in words for location in _expand_one(word)]


def _expand_one(word: str) -> list[str]:
    if word == STANDARD_INPUT or is_remote(word):
        return [word]
    if os.path.isdir(word):
        return sorted(_manifests_below(word), key=_by_depth) or [word]
    if not os.path.lexists(word) and any(character in word for character in "*?["):
        return _matches(word) or [word]
    return [word]


def _matches(pattern: str) -> list[str]:
    from glob import iglob

    found = []
    for path in sorted(iglob(pattern, recursive=True)):
        found += _expand_one(path) if os.path.isdir(path) else [path]
    return found


def _by_depth(path: str) -> tuple[str, ...]:
    *folders, name = path.split("/")
    # What lies in a folder itself comes before what lies below it.
    return (*folders, "", name)


def _manifests_below(folder: str) -> Iterator[str]:
    """The manifests in a folder and below; links to folders and hidden folders are not entered."""
    waiting, entered = [folder], 0
    while waiting:
        here = waiting.pop()
        entered += 1
        if entered > MAX_FOLDERS:
            raise KcpError(f"more than {MAX_FOLDERS:,} folders below {shown(folder)}; name fewer")
        found = next((name for name in MANIFEST_NAMES if os.path.isfile(os.path.join(here, name))), None)
        if found is not None:
            yield join(here, found)
        waiting += _folders_in(here)


def _folders_in(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [
                join(folder, entry.name)
                for entry in entries
                if not entry.name.startswith(".")
                and entry.name not in _SKIPPED
                and entry.is_dir(follow_symlinks=False)
            ]
    except OSError:
        return []


def read_standard_input(max_bytes: int) -> ManifestBytes:
    """The manifest on standard input."""
    if sys.stdin is None:
        raise ManifestError("cannot read standard input: it is closed")
    try:
        data = sys.stdin.buffer.read(max_bytes + 1)
    except OSError as error:
        raise ManifestError(f"cannot read standard input: {error.strerror or error}") from None
    if len(data) > max_bytes:
        raise too_large(max_bytes)
    return ManifestBytes(STDIN_NAME, data)
