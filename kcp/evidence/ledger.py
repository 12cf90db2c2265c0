"""The signed store's own books: the head of the chain, and what was replaced or pruned (contract §14).

Neither confers trust. A head that was tampered with makes the next episode fork, and a removal counts by its
signature alone; both show when the chain is checked.
"""

from __future__ import annotations

import os

from kcp.errors import ArtifactError
from kcp.evidence.files import UnreadableError, append_line, read_file, write_file
from kcp.evidence.signed import integrity_of, read_removal, removal_record, sign_entry
from kcp.wire.decode import decode_json
from kcp.wire.jsontext import compact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from kcp.evidence.episodes import Entry
    from kcp.evidence.signed import Removal
    from kcp.evidence.store import EpisodeStore
    from kcp.trust.keys import KeyPair

HEAD_NAME, REMOVALS_NAME = ".head", ".removed"
MAX_BOOK_BYTES = 64 * 2**20


def write_signed(store: EpisodeStore, name: str, entry: Entry, old: Entry | None, pair: KeyPair) -> Entry:
    """Sign an entry as the chain's new head and write it. Hold the lock.

    What is about to happen is written down first, so that the next writer can finish it after a crash.
    """
    head = _settle_head(store)
    signed = sign_entry(entry, head, pair)
    digest = signed["integrity"]["digest"]
    intent = {"head": head, "next": digest, "name": name, "removal": _removal(old, pair)}
    _write_head(store, intent)
    store.write(name, signed)
    _finish(store, intent)
    return signed


def remove(store: EpisodeStore, name: str, entry: Entry, pair: KeyPair | None) -> None:
    """Delete an entry, and leave the statement that this was meant where it was signed. Hold the lock."""
    line = None if pair is None else _removal(entry, pair)
    if line is not None:
        append_line(store.folder, REMOVALS_NAME, compact(line))
    os.unlink(os.path.join(store.folder, name))


def read_removals(folder: str, trusted: tuple[bytes, ...]) -> Iterator[Removal]:
    """What trusted writers say was replaced or pruned; lines that say nothing are passed over."""
    data = _read(folder, REMOVALS_NAME)
    for line in data.split(b"\n"):
        if line:
            try:
                removal = read_removal(decode_json(line, REMOVALS_NAME), trusted)
            except ArtifactError:
                continue
            if removal is not None:
                yield removal


def _removal(entry: Entry | None, pair: KeyPair) -> dict[str, Any] | None:
    """The statement that an entry goes; none where the entry was not in the chain.

    It names the digest as computed: one that the entry only claims might be that of a stolen episode.
    """
    digest = None if entry is None else integrity_of(entry, ()).digest
    return None if entry is None or digest is None else removal_record(digest, entry.get("prev"), pair)


def _settle_head(store: EpisodeStore) -> str | None:
    """The digest of the last signed episode, after finishing what a crashed writer began."""
    try:
        book = decode_json(_read(store.folder, HEAD_NAME), HEAD_NAME)
    except ArtifactError:
        return _find_head(store)
    if not isinstance(book, dict) or not isinstance(book.get("head"), str | None):
        return _find_head(store)
    if "next" in book and _digest_at(store, book.get("name")) == book["next"]:
        _finish(store, book)
        return _text(book["next"])
    return _text(book.get("head"))


def _finish(store: EpisodeStore, intent: dict[str, Any]) -> None:
    # The statement was signed before: nothing is ever signed because a book asks for it.
    if intent.get("removal") is not None:
        append_line(store.folder, REMOVALS_NAME, compact(intent["removal"]))
    _write_head(store, {"head": intent["next"]})


def _find_head(store: EpisodeStore) -> str | None:
    """The head where the book of it is lost: the newest signed entry that no other names."""
    newest: dict[str, str] = {}
    named = set()
    for found in store.scan(locked=True):
        entry = getattr(found, "entry", {})
        digest = integrity_of(entry, ()).digest
        if digest is not None:
            newest[digest] = entry["recordedAt"]
            named.add(entry.get("prev"))
    tips = sorted([(recorded_at, digest) for digest, recorded_at in newest.items() if digest not in named])
    return tips[-1][1] if tips else None


def _digest_at(store: EpisodeStore, name: object) -> str | None:
    there = store.read(name) if isinstance(name, str) and os.path.basename(name) == name else None
    entry = getattr(there, "entry", None)
    return None if entry is None else integrity_of(entry, ()).digest


def _write_head(store: EpisodeStore, book: dict[str, Any]) -> None:
    write_file(store.folder, HEAD_NAME, compact(book).encode())


def _read(folder: str, name: str) -> bytes:
    try:
        return read_file(os.path.join(folder, name), MAX_BOOK_BYTES)
    except (FileNotFoundError, UnreadableError):
        return b""


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
