"""The episode store: a folder of entries, one file each (evidence contract §4).

Whatever lies there is checked before it counts. What is no sound entry is passed over, with the reason, and
never stops anything. Writers take turns; readers always see whole files.
"""

from __future__ import annotations

import os

from kcp.errors import ArtifactError, KcpError
from kcp.evidence.episodes import MAX_ENTRY_BYTES, fault_of, file_names
from kcp.evidence.files import (
    Lock,
    StoreError,
    UnreadableError,
    open_folder,
    read_file,
    require_writable,
    store_error,
    write_file,
)
from kcp.records import Record
from kcp.wire.decode import MAX_DEPTH, decode_json
from kcp.wire.jsontext import encode_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kcp.evidence.episodes import Entry
    from kcp.trust.keys import KeyPair

SUFFIX = ".json"

_decoder: list[Callable[[str], object]] = []


class Stored(Record):
    """A sound entry, the file it lies in, and that file's size in bytes."""

    name: str
    entry: Entry
    size: int


class Passed(Record):
    """A file that holds no sound entry, and why."""

    name: str
    reason: str


class Recorded(Record):
    """An entry as written, and the file it lies in now."""

    name: str
    entry: Entry


class EpisodeStore:
    """The store in a folder. Opening makes the folder unless told otherwise: only who records wants that.

    With `writes` it is also seen that files can be made there. StoreError where it cannot be used (B21).
    """

    def __init__(self, folder: str, *, create: bool = True, writes: bool = False) -> None:
        open_folder(folder, create=create)
        if writes:
            require_writable(folder)
        self.folder = folder

    def files(self, *, locked: bool = False) -> list[os.DirEntry[str]]:
        """The files that may hold entries, in the order of their names; say so where you hold the lock."""
        if locked:
            return self._list()
        try:
            with Lock(self.folder, shared=True):
                return self._list()
        except StoreError:
            return self._list()  # a folder that may only be read has no lock to take

    def _list(self) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self.folder) as found:
                files = [(each.name, each) for each in found if each.name.endswith(SUFFIX)]
        except OSError as error:
            raise store_error(self.folder, error) from None
        return [entry for _name, entry in sorted(files, key=lambda file: file[0])]

    def read(self, name: str, *, strict: bool = True) -> Stored | Passed | None:
        """The entry in a file, or why it is none; None where there is no such file.

        Without `strict` a member given twice goes unnoticed, the last counting, and numbers beyond a double
        keep their digits: enough to find entries, at half the cost.
        """
        try:
            data = read_file(os.path.join(self.folder, name), MAX_ENTRY_BYTES)
        except FileNotFoundError:
            return None
        except UnreadableError as error:
            return Passed(name, str(error))
        try:
            entry = decode_json(data, name) if strict else _decode_quickly(data, name)
        except ArtifactError as error:
            return Passed(name, error.message.removeprefix(f"{name}: "))
        fault = fault_of(entry)
        if fault is None:
            assert isinstance(entry, dict)
            if name in file_names(entry["id"], entry.get("optionsKey", "")):
                return Stored(name, entry, len(data))
            fault = "its name is not that of its id and options"
        return Passed(name, fault)

    def scan(self, *, locked: bool = False) -> Iterator[Stored | Passed]:
        """Every file's entry, or why it is none, one at a time; say so where you hold the lock."""
        for file in self.files(locked=locked):
            found = self.read(file.name, strict=False)
            if found is not None:
                yield found

    def append(self, entry: Entry, pair: KeyPair | None = None) -> Recorded:
        """Write an entry, signed where a key pair is given; one with its id and options key makes way.

        Without a key a signed episode is not replaced: KcpError.
        """
        with Lock(self.folder):
            name, old = self._place(entry)
            try:
                if pair is not None:
                    from kcp.evidence.ledger import write_signed

                    return Recorded(name, write_signed(self, name, entry, old, pair))
                if old is not None and "integrity" in old:
                    hint = "record it with --sign-key, so that the chain of signed episodes stays whole"
                    raise KcpError(f"a signed episode is in the way: {name}", hint=hint)
                self.write(name, entry)
            except OSError as error:
                raise store_error(self.folder, error) from None
        return Recorded(name, entry)

    def write(self, name: str, entry: Entry) -> None:
        """Write an entry to a file. Hold the lock."""
        data = encode_json(entry).encode()
        if len(data) > MAX_ENTRY_BYTES:
            raise KcpError(f"the episode is larger than {MAX_ENTRY_BYTES:,} bytes")
        write_file(self.folder, name, data)

    def _place(self, entry: Entry) -> tuple[str, Entry | None]:
        """The file for an entry, and the sound entry that it replaces there."""
        plain, keyed = file_names(entry["id"], entry.get("optionsKey", ""))
        for name in (keyed, plain):
            there = self.read(name)
            if isinstance(there, Stored) and _same_key(there.entry, entry):
                return name, there.entry
            if name is plain and isinstance(there, Stored):
                return keyed, None
        return plain, None


def _same_key(a: Entry, b: Entry) -> bool:
    return bool(a.get("optionsKey", "") == b.get("optionsKey", ""))


def _decode_quickly(data: bytes, name: str) -> object:
    try:
        text = data.decode("utf-8")
        if text.count("[") + text.count("{") <= MAX_DEPTH:
            decode = _decoder[0] if _decoder else _make_decoder()
            return decode(text)
    except (ValueError, RecursionError):
        pass
    return decode_json(data, name)


def _make_decoder() -> Callable[[str], object]:
    from json import JSONDecoder

    decode = JSONDecoder(parse_constant=_refuse).decode
    _decoder[:] = [decode]
    return decode


def _refuse(constant: str) -> object:
    raise ValueError(constant)
