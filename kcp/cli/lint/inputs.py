"""The words of a command line become manifests: files, folders, patterns, URLs, standard input."""

from __future__ import annotations

import os
import stat
import sys

from kcp.errors import KcpError, ManifestError
from kcp.reading.locate import MANIFEST_NAMES, is_remote, join, shown
from kcp.reading.source import too_large
from kcp.reading.sources import ManifestBytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.reading.sources import Sources

STANDARD_INPUT = "-"
STDIN_NAME = "(standard input)"
MAX_FOLDERS = 100_000
_WELL_KNOWN = ".well-known"
_SKIPPED = frozenset({"node_modules", "__pycache__"})


def expand(words: list[str]) -> list[str]:
    """The locations that words name, in order: every manifest below a folder, every match of a pattern.

    A word that names nothing stays as it is, and a folder that cannot be listed is named: reading it says so.
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
    """The manifests in a folder and below, and the folders that cannot be listed.

    Links to folders and hidden folders are not entered.
    """
    waiting, entered = [folder], 0
    while waiting:
        here = waiting.pop()
        entered += 1
        if entered > MAX_FOLDERS:
            raise KcpError(f"more than {MAX_FOLDERS:,} folders below {shown(folder)}; name fewer")
        found = next((name for name in MANIFEST_NAMES if _may_be_file(os.path.join(here, name))), None)
        folders = _folders_in(here)
        if folders is None:
            yield here
        if found is not None and (folders is not None or os.path.isfile(os.path.join(here, found))):
            yield join(here, found)
        waiting += folders or []


def _may_be_file(path: str) -> bool:
    """Whether a file is there, or whether one is cannot be told."""
    try:
        return not stat.S_ISDIR(os.stat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        return True


def _folders_in(folder: str) -> list[str] | None:
    """The folders to search in a folder; None where it cannot be listed."""
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
        return None


def require_listed(location: str) -> None:
    """ManifestError for a local folder that cannot be listed: what is in it has not been found."""
    if is_remote(location) or not os.path.isdir(location):
        return
    try:
        with os.scandir(location):
            pass
    except PermissionError:
        raise ManifestError(f"permission denied: {shown(location)}") from None
    except OSError as error:
        reason = (error.strerror or "input/output error").lower()
        raise ManifestError(f"cannot read {shown(location)}: {reason}") from None


def read_named(location: str, sources: Sources) -> ManifestBytes:
    """The manifest at one of the locations that `expand` gives; ManifestError or FetchError."""
    require_listed(location)
    return sources.read_manifest(location)


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
