"""What is in each file of a store, kept so that a search need not read them all.

A row counts only while its file is the very one it was made of: same inode, size and times. Files touched
moments ago are read again, for one more change might not show in their times. Whatever a search picks is
read from its file and checked anyway, and a reader who trusts keys never asks here.
"""

from __future__ import annotations

import os
import time

from kcp.errors import KcpError
from kcp.evidence.episodes import digest_of
from kcp.evidence.files import Lock, UnreadableError, read_file, write_file
from kcp.evidence.signed import BAD_SIGNATURE, integrity_of
from kcp.evidence.store import Passed, Stored
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from kcp.evidence.store import EpisodeStore

INDEX_NAME = ".index"
VERSION = 1
WORTH_KEEPING = 100  # files read anew before the index is written again
MAX_INDEX_BYTES = 128 * 2**20
MOST_FILES = 200_000  # beyond them the index would take more memory than a search may
_SETTLED = 2 * 10**9  # nanoseconds after which a file's times tell one change from the next


class Summary(Record):
    """What a search asks of an entry."""

    name: str
    kind: str
    task: str
    manifest_source: str | None
    key_digest: str
    recorded_at: str


def summaries(store: EpisodeStore) -> Iterator[Summary | Passed]:
    """What every file of a store holds, in the order of their names."""
    started = time.time_ns()
    known = _load(store.folder)
    rows: dict[str, Any] = {}
    unread = 0
    for name, identity, touched in _files(store):
        row = known.get(name)
        if row is None or row[0] != identity:
            unread += 1
            found = store.read(name, strict=False)
            if found is None:
                continue
            row = [identity, *_summarise(found)]
        if len(rows) < MOST_FILES and touched < started - _SETTLED:
            rows[name] = row
        yield Passed(name, row[1]) if len(row) == 2 else Summary(name, *row[1:])
    if unread >= WORTH_KEEPING and len(rows) < MOST_FILES:
        _save(store.folder, rows)


def candidates(store: EpisodeStore, task: str, manifest_source: str | None, key_digest: str) -> list[str]:
    """The files that may hold an episode of a task, manifest and options key; each is to be read and checked.

    A file is named after the digest of its artifact, which settles task and manifest: only what else a file
    may hold by now, its options key, is worth a look at the file's times.
    """
    known = _load(store.folder)
    about = [task, manifest_source]
    found, unread = [], 0
    for file in store.files():
        row = known.get(file.name)
        if row is None or len(row) == 2:
            unread += 1
            found.append(file.name)
        elif row[2:4] == about and (row[4] == key_digest or _is_another(file, row[0])):
            found.append(file.name)
    if unread < WORTH_KEEPING:
        return found
    wanted = (task, manifest_source, key_digest)
    # Faults are reported by whoever reads the files again.
    return [
        each.name
        for each in summaries(store)
        if isinstance(each, Passed) or (each.task, each.manifest_source, each.key_digest) == wanted
    ]


def _files(store: EpisodeStore) -> Iterator[tuple[str, str, int]]:
    """The files that may hold entries: what tells one from another, and when it was last touched."""
    for file in store.files():
        try:
            identity, touched = _touched(file)
        except OSError:
            continue  # gone since the folder was listed
        yield file.name, identity, touched


def _is_another(file: os.DirEntry[str], identity: str) -> bool:
    try:
        return _touched(file)[0] != identity
    except OSError:
        return True


def _touched(file: os.DirEntry[str]) -> tuple[str, int]:
    # On Windows only the full call knows the inode.
    status = os.lstat(file.path) if os.name == "nt" else file.stat(follow_symlinks=False)
    changed, made = status.st_mtime_ns, status.st_ctime_ns
    return f"{status.st_ino} {status.st_size} {changed} {made}", max(changed, made)


def _summarise(found: Stored | Passed) -> list[str | None]:
    if isinstance(found, Passed):
        return [found.reason]
    integrity = integrity_of(found.entry, ())
    if integrity.state == BAD_SIGNATURE:
        return [f"bad signature: {integrity.fault}"]
    return list(summary_of(found).values()[1:])


def summary_of(found: Stored) -> Summary:
    """What a search asks of a sound entry."""
    entry = found.entry
    key = digest_of(entry.get("optionsKey", ""))
    source = entry.get("manifestSource")
    return Summary(found.name, entry["kind"], entry["task"], source, key, entry["recordedAt"])


def _load(folder: str) -> dict[str, Any]:
    """The rows by file name; none where the index is missing, damaged or of another version."""
    from json import loads

    try:
        book = loads(read_file(os.path.join(folder, INDEX_NAME), MAX_INDEX_BYTES))
    except (FileNotFoundError, UnreadableError, ValueError, RecursionError):
        return {}
    rows = book.get("files") if isinstance(book, dict) and book.get("version") == VERSION else None
    if not isinstance(rows, dict):
        return {}
    return {name: row for name, row in rows.items() if _is_row(row)}


def _is_row(row: object) -> bool:
    if type(row) is not list or len(row) not in (2, 6):
        return False
    texts = row if len(row) == 2 or row[3] is not None else row[:3] + row[4:]
    return set(map(type, texts)) == {str}


def _save(folder: str, rows: dict[str, Any]) -> None:
    from json import dumps

    data = dumps({"version": VERSION, "files": rows}, separators=(",", ":")).encode()
    if len(data) > MAX_INDEX_BYTES:
        return
    try:
        with Lock(folder):
            write_file(folder, INDEX_NAME, data)
    except (OSError, KcpError):
        pass  # a folder that may only be read has no index
