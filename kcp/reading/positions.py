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
from kcp.reading.scalars import key_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.reading.composer import Composer

    Path = tuple[str | int, ...]


class Place:
    """A node's place, with the places of what it holds: a list of items, or key → (key's place, place)."""

    __slots__ = ("line", "column", "items", "pairs")

    def __init__(self, mark: Any) -> None:
        self.line: int = mark.line + 1
        self.column: int = mark.column + 1
        self.items: list[Place] | None = None
        self.pairs: dict[str, tuple[Place, Place]] | None = None


class PositionIndex:
    """The places of a document that the composer has accepted, so nothing is checked again here."""

    def __init__(self, composer: Composer) -> None:
        self._composer = composer
        self._next_event = composer.next_event
        self._anchors: dict[str, Place] = {}
        self._root = self._document()

    def value(self, path: Path) -> Position:
        """The position of the value at a path, or of the nearest enclosing one where there is none."""
        return self._find(path, of_key=False)

    def key(self, path: Path) -> Position:
        """The position of the key at a path; of the value where the last step is a list index."""
        return self._find(path, of_key=True)

    def _find(self, path: Path, *, of_key: bool) -> Position:
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
        found = key if of_key else place
        return Position(found.line, found.column)

    def _document(self) -> Place:
        self._next_event()
        event = self._next_event()
        if type(event) is not StreamEndEvent:
            event = self._next_event()
        return self._node(event)[0] if type(event) is not StreamEndEvent else Place(event.start_mark)

    def _node(self, event: Any) -> tuple[Place, Any]:
        """The node's place and, for scalars and the lists and mappings of a key, its value."""
        kind = type(event)
        place = Place(event.start_mark)
        if kind is AliasEvent:
            target = self._anchors.get(event.anchor)
            if target is not None:
                place.items, place.pairs = target.items, target.pairs
            return place, self._composer.named(event.anchor)
        if event.anchor is not None:
            self._anchors[event.anchor] = place
        if kind is ScalarEvent:
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
        return values

    def _pairs(self, place: Place) -> dict[str, Any]:
        pairs = place.pairs = {}
        while type(event := self._next_event()) is not MappingEndEvent:
            key_place, key = self._node(event)
            value_place, _value = self._node(self._next_event())
            if self._composer.is_merge_key(event):
                for source in [value_place] if value_place.items is None else value_place.items:
                    for name, pair in (source.pairs or {}).items():
                        if name not in pairs:
                            pairs[name] = pair
            else:
                pairs[key_text(key)] = key_place, value_place
        return {}
