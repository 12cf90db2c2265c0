"""What reading did not take as written, collected while it goes on (decisions B1–B5)."""

from __future__ import annotations

from kcp.reading.coerce import text, text_list
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Path = tuple[str | int, ...]


class Note(Record):
    """A problem before its place in the text is looked up; `path` leads to the node."""

    rule: str
    owner: tuple[str, int]
    message: str
    path: Path


class Notes:
    """A shared list of notes, seen from one owner: the manifest, a unit or a reference."""

    __slots__ = ("collected", "owner")

    def __init__(self, collected: list[Note] | None = None, owner: tuple[str, int] = ("manifest", 0)) -> None:
        self.collected: list[Note] = [] if collected is None else collected
        self.owner = owner

    def of(self, kind: str, index: int) -> Notes:
        """The same list for the `index`-th kept unit or reference."""
        return Notes(self.collected, (kind, index))

    def add(self, rule: str, path: Path, message: str) -> None:
        """Note a problem at a node."""
        self.collected.append(Note(rule, self.owner, message, path))

    def listed(self, value: Any, path: Path, field: str) -> tuple[str, ...]:
        """A list of strings under decision B3: a scalar is one entry, a mapping none; both are noted."""
        if value is None:
            return ()
        if type(value) is not list:
            self.add("B3", path, f"{field} must be a list — read as one entry")
            return () if type(value) is dict else (text(value),)
        return text_list(value)
