"""The operator's keyring file as it is managed: listed, searched, and changed under a lock.

Whoever can write the file decides what is trusted, so one that others can write is never changed as if it
were the operator's own. A change keeps the file's comments and is put in place at once.
"""

from __future__ import annotations

import os
import stat

from kcp.errors import KcpError, UsageError
from kcp.reading.locate import shown
from kcp.reading.source import read_bytes
from kcp.records import Record
from kcp.trust.keyring import MAX_KEYRING_BYTES, KeyringEntry, read_keyring
from kcp.trust.keys import fingerprint, spki_text
from kcp.trust.origins import UNKNOWN, covers, normalise_origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

NEW_FILE = b"version: 1\nkeys: []\n"
_OTHERS_WRITE = 0o022


class NoSuchKeyError(KcpError):
    """A key that the file does not hold, or that it holds already."""

    exit_code = 1


class StoredKey(Record):
    """One key of the file; `index` is its place. `origins` are normalised, None for any origin."""

    index: int
    key_id: str
    public_key: str
    fingerprint: str
    origins: tuple[str, ...] | None = None
    source_url: str | None = None
    added: str | None = None


def open_to_others(path: str) -> str | None:
    """What is wrong with the permissions of a file that decides what is trusted; None where nothing is."""
    if os.name == "nt":
        return None
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return None
    if not mode & _OTHERS_WRITE:
        return None
    who = "anyone" if mode & stat.S_IWOTH else "its group"
    return f"{shown(path)} can be written by {who}; make it yours alone: chmod go-w"


def list_keys(path: str) -> tuple[StoredKey, ...]:
    """The keys of a file; KcpError where it is missing or no keyring."""
    return _stored(read_bytes(path, MAX_KEYRING_BYTES, "keyring"), path)


def find_key(keys: tuple[StoredKey, ...], wanted: str, path: str) -> StoredKey:
    """The one key of an id or a fingerprint; NoSuchKeyError where none is, UsageError where several are."""
    found = [key for key in keys if wanted in (key.key_id, key.fingerprint)]
    if not found:
        raise NoSuchKeyError(f"no key '{shown(wanted)}' in {shown(path)}")
    if len(found) > 1:
        raise UsageError(
            f"{len(found)} keys are called '{shown(wanted)}'", hint="name one by its fingerprint, sha256:…"
        )
    return found[0]


def read_origin(text: str) -> str:
    """An origin as scopes hold it; UsageError where a text is none."""
    origin = normalise_origin(text)
    if origin is None or origin == UNKNOWN:
        raise UsageError(f"'{shown(text)}' is no origin such as example.org/team")
    return origin


def add_key(path: str, entry: KeyringEntry, added: str, source_url: str | None = None) -> None:
    """Put a key on the list, in a new file where there is none; `added` is the day, YYYY-MM-DD."""
    from kcp.trust.keyfile_edits import add_entry

    members: dict[str, Any] = {
        "key_id": entry.key_id,
        "method": "jws",
        "algorithm": "EdDSA",
        "public_key": spki_text(entry.key),
    }
    if source_url is not None:
        members["source_url"] = source_url
    members["added"] = added
    if entry.domains is not None:
        members["scope"] = {"domains": list(entry.domains)}

    def edit(data: bytes) -> bytes:
        for key in _stored(data, path):
            if (key.key_id, key.public_key) == (entry.key_id, members["public_key"]):
                raise NoSuchKeyError(
                    f"key '{key.key_id}' is in {shown(path)} already; add origins with: keys pin"
                )
        return add_entry(data, members)

    _change(path, edit, create=True)


def remove_key(path: str, wanted: str) -> tuple[StoredKey, tuple[str, ...]]:
    """Take a key off the list; returns it, and the origins that no key pins any more."""
    from kcp.trust.keyfile_edits import remove_entry

    outcome: list[tuple[StoredKey, tuple[str, ...]]] = []

    def edit(data: bytes) -> bytes:
        keys = _stored(data, path)
        removed = find_key(keys, wanted, path)
        pinned = [each for key in keys if key is not removed for each in key.origins or ()]
        lost = [each for each in removed.origins or () if not any(covers(other, each) for other in pinned)]
        outcome.append((removed, tuple(lost)))
        return remove_entry(data, removed.index)

    _change(path, edit)
    return outcome[0]


def pin_origins(path: str, wanted: str, origins: tuple[str, ...]) -> tuple[StoredKey, tuple[str, ...]]:
    """Add normalised origins to a key's scope; returns the key as it was, and those that were new."""
    from kcp.trust.keyfile_edits import add_origin

    outcome: list[tuple[StoredKey, tuple[str, ...]]] = []

    def edit(data: bytes) -> bytes:
        key = find_key(_stored(data, path), wanted, path)
        held = list(key.origins or ())
        new = []
        for origin in origins:
            if not any(covers(each, origin) for each in held):
                held.append(origin)
                new.append(origin)
                data = add_origin(data, key.index, origin)
        outcome.append((key, tuple(new)))
        return data

    _change(path, edit)
    return outcome[0]


def _change(path: str, edit: Callable[[bytes], bytes], *, create: bool = False) -> None:
    """Change a file under its lock; what is written has been read as a keyring again."""
    from kcp.files import refuse_link, write_atomically
    from kcp.locks import FileLock

    if not create and not os.path.lexists(path):
        raise KcpError(f"keyring not found: {shown(path)}")
    refuse_link(path)
    _make_folder(os.path.dirname(os.path.realpath(path)))
    with FileLock(path):
        is_new = create and not os.path.lexists(path)
        fault = open_to_others(path)
        if fault is not None:
            raise KcpError(f"not changed: {fault}")
        before = NEW_FILE if is_new else read_bytes(path, MAX_KEYRING_BYTES, "keyring")
        after = edit(before)
        if after != before:
            read_keyring(after, path)
            write_atomically(path, after, 0o600)


def _make_folder(folder: str) -> None:
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or "input/output error").lower()
        raise KcpError(f"cannot make {shown(folder)}: {reason}") from None


def _stored(data: bytes, path: str) -> tuple[StoredKey, ...]:
    from kcp.reading.yaml12 import read_yaml

    entries = read_keyring(data, path).entries
    raw = read_yaml(data).root["keys"]
    return tuple(
        [
            StoredKey(
                index,
                entry.key_id,
                spki_text(entry.key),
                fingerprint(entry.key),
                entry.domains,
                _text(raw[index].get("source_url")),
                _text(raw[index].get("added")),
            )
            for index, entry in enumerate(entries)
        ]
    )


def _text(value: object) -> str | None:
    return str(value) if isinstance(value, str) else None
