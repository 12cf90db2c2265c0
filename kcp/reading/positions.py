"""Where a value stands in the text, found by a second walk over the events, only when somebody asks."""

from __future__ import annotations

from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from kcp.model import Position
from kcp.reading.scalars import is_text, key_text
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.reading.composer import Composer

    Path = tuple[str | int, ...]


class Span(Record):
    """Where a node starts and ends, exclusive; a block collection ends where the next node starts."""

    start: Position
    end: Position


class Place:
    """A node's place, with the places of what it holds: a list of items, or key → (key's place, place).

    `end` is the mark after it.
    """

    __slots__ = ("column", "end", "items", "line", "pairs")

    def __init__(self, event: Any) -> None:
        mark = event.start_mark
        self.line: int = mark.line + 1
        self.column: int = mark.column + 1
        self.end: Any = event.end_mark
        self.items: list[Place] | None = None
        self.pairs: dict[str, tuple[Place, Place]] | None = None

    @property
    def span(self) -> Span:
        """The place from start to end."""
        end = self.end
        return Span(Position(self.line, self.column), Position(end.line + 1, end.column + 1))


class PositionIndex:
    """The places of a document that the composer has accepted, so nothing is checked again here."""

    def __init__(self, composer: Composer) -> None:
        self._composer = composer
        self._next_event = composer.next_event
        self._anchors: dict[str, Place] = {}
        self._scalars: list[Place] = []
        self._root = self._document()

    def value(self, path: Path) -> Position:
        """The position of the value at a path, or of the nearest enclosing one where there is none."""
        found = self._find(path, of_key=False)
        return Position(found.line, found.column)

    def key(self, path: Path) -> Position:
        """The position of the key at a path; of the value where the last step is a list index."""
        found = self._find(path, of_key=True)
        return Position(found.line, found.column)

    def span(self, path: Path, *, of_key: bool = False) -> Span:
        """From start to end, of the value at a path or of its key; what encloses it where there is none."""
        return self._find(path, of_key=of_key).span

    def scalars(self) -> list[Span]:
        """Where the scalars are, keys included, in the order of the text."""
        return [place.span for place in self._scalars]

    def _find(self, path: Path, *, of_key: bool) -> Place:
        place, key = self._root, self._root
        for step in path:
            if isinstance(step, str):
                pair = (place.pairs or {}).get(step)
                if pair is None:
                    break
                key, place = pair
            else:
                if place.items is None or not 0 <= step < len(place.items):
                    break
                key = place = place.items[step]
        return key if of_key else place

    def _document(self) -> Place:
        self._next_event()
        event = self._next_event()
        if type(event) is not StreamEndEvent:
            event = self._next_event()
        return self._place(event) if type(event) is not StreamEndEvent else Place(event)

    def _place(self, event: Any) -> Place:
        """The node's place; nothing asks for its value."""
        kind = type(event)
        if kind is AliasEvent or event.anchor is not None:
            return self._node(event)[0]
        place = Place(event)
        if kind is ScalarEvent:
            self._scalars.append(place)
        elif kind is MappingStartEvent:
            self._pairs(place)
        else:
            items = place.items = []
            while type(event := self._next_event()) is not SequenceEndEvent:
                items.append(self._place(event))
            place.end = event.end_mark
        return place

    def _node(self, event: Any) -> tuple[Place, Any]:
        """The node's place and, for scalars and the lists and mappings of a key, its value."""
        kind = type(event)
        place = Place(event)
        if kind is AliasEvent:
            target = self._anchors.get(event.anchor)
            if target is not None:
                place.items, place.pairs = target.items, target.pairs
            return place, self._composer.named(event.anchor)
        if event.anchor is not None:
            self._anchors[event.anchor] = place
        if kind is ScalarEvent:
            self._scalars.append(place)
            return place, self._composer.scalar(event)
        value: Any = self._pairs(place) if kind is MappingStartEvent else self._items(place)
        if event.anchor is not None:
            self._composer.name(event.anchor, value)
        return place, value

    def _items(self, place: Place) -> list[Any]:
        places = place.items = []
        values = []
        while type(event := self._next_event()) is not SequenceEndEvent:
            item, value = self._node(event)
            places.append(item)
            values.append(value)
        place.end = event.end_mark
        return values

    def _pairs(self, place: Place) -> dict[str, Any]:
        pairs = place.pairs = {}
        while type(event := self._next_event()) is not MappingEndEvent:
            if type(event) is ScalarEvent and is_text(event.value) and event.anchor is event.tag is None:
                key_place, key = self._place(event), event.value
            else:
                key_place, key = self._node(event)
            value_place = self._place(self._next_event())
            if self._composer.is_merge_key(event):
                for source in [value_place] if value_place.items is None else value_place.items:
                    for name, pair in (source.pairs or {}).items():
                        if name not in pairs:
                            pairs[name] = pair
            else:
                pairs[key_text(key)] = key_place, value_place
        place.end = event.end_mark
        return {}
