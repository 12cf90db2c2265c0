"""Events become values: our composer over a YAML parser's event stream (contract §3, decision B20).

PyYAML's own composer and constructor are never used: they speak YAML 1.1, keep the last of two equal keys
and expand aliases without a bound.
"""

from __future__ import annotations

from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from kcp.errors import ManifestError
from kcp.reading.scalars import SPECIAL_STARTS, is_text, key_text, resolve_plain
from kcp.reading.tags import check_collection_tag, resolve_tagged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_DEPTH = 100
MAX_NODES = 1_000_000
MAX_MERGED_KEYS = 10_000
MAX_REPEATED = 16 * 2**20  # characters that aliases may repeat in all
TOO_DEEP = f"nesting exceeded maxDepth ({MAX_DEPTH})"
_NOTHING: frozenset[str] | set[str] = frozenset()
MORE_DOCUMENTS = "expected a single document in the stream, but found more"
BAD_MERGE = "cannot merge mappings; the provided source object is unacceptable"


class Anchored:
    """What an anchor names: its value, and once the node is complete (size 0 before) how large it is.

    `size` counts nodes, `height` levels, `length` characters, each with what aliases in it repeat.
    """

    __slots__ = ("height", "length", "size", "value")

    def __init__(self, value: Any, size: int, height: int, length: int = 0) -> None:
        self.value = value
        self.size = size
        self.height = height
        self.length = length


def fail(message: str, event: Any) -> ManifestError:
    """A ManifestError at the start of an event."""
    mark = event.start_mark
    return ManifestError(message, line=mark.line + 1, column=mark.column + 1)


class Composer:
    """Composes one document of the events that `next_event` gives."""

    def __init__(self, next_event: Callable[[], Any]) -> None:
        self.next_event = next_event
        self.complete = False
        self._anchors: dict[str, Anchored] = {}
        self._texts: dict[str, str] = {}
        self._nodes = 1
        self._deepest = 0
        self._merged_keys = 0
        self._repeated = 0

    def document(self) -> Any:
        """The value of the only document; None for an empty stream."""
        next_event = self.next_event
        next_event()
        event = next_event()
        if type(event) is StreamEndEvent:
            return None
        self.check_start(event)
        event = next_event()
        value = self.node(event, 1, in_sequence=False)
        next_event()
        self.complete = True
        event = next_event()
        if type(event) is not StreamEndEvent:
            raise fail(MORE_DOCUMENTS, event)
        return value

    @staticmethod
    def check_start(event: Any) -> None:
        """Refuses YAML versions other than 1.1 and 1.2."""
        if type(event) is DocumentStartEvent and event.version not in (None, (1, 1), (1, 2)):
            raise fail("only %YAML 1.1 and 1.2 are read", event)

    def node(self, event: Any, depth: int, *, in_sequence: bool) -> Any:
        """The value of the node that starts with `event`; `depth` counts the root as 1."""
        kind = type(event)
        if kind is ScalarEvent:
            return self.scalar(event)
        if kind is AliasEvent:
            return self._alias(event, depth, in_sequence)
        return self._collection(event, depth)

    def scalar(self, event: Any) -> Any:
        """The value of a scalar of any style and tag."""
        text = event.value
        try:
            if event.tag is not None:
                value = resolve_tagged(event.tag, text, plain=not event.style)
            elif event.style:
                value = text
            else:
                value = resolve_plain(text)
        except ValueError as error:
            raise fail(str(error), event) from None
        if event.anchor is not None:
            self._anchors[event.anchor] = Anchored(value, 1, 0, len(text))
        return value

    def is_merge_key(self, event: Any) -> bool:
        """Whether a mapping key is a plain `<<`; quoted or tagged it is an ordinary one."""
        return type(event) is ScalarEvent and event.value == "<<" and not event.style and event.tag is None

    def name(self, anchor: str, value: Any) -> None:
        """Lets an anchor stand for a value, for a caller that walks the events itself."""
        self._anchors[anchor] = Anchored(value, 1, 0)

    def named(self, anchor: str) -> Any:
        """What an anchor stands for; None where it stands for nothing yet."""
        anchored = self._anchors.get(anchor)
        return None if anchored is None else anchored.value

    def _alias(self, event: Any, depth: int, in_sequence: bool) -> Any:
        name = event.anchor
        anchored = self._anchors.get(name)
        if anchored is None:
            raise fail(f'unidentified alias "{name}"', event)
        if not anchored.size:
            # A list that lists itself can only be an entry that no field takes; anything else has no reading.
            if in_sequence and type(anchored.value) is list:
                return f"*{name}"
            raise fail(f'alias "{name}" stands inside the node that it names', event)
        reach = depth + anchored.height
        if reach > MAX_DEPTH:
            raise fail(TOO_DEEP, event)
        self._deepest = max(self._deepest, reach)
        self._count(anchored.size - 1, event)
        self._repeated += anchored.length
        if self._repeated > MAX_REPEATED:
            raise fail(f"aliases repeat more than {MAX_REPEATED:,} characters", event)
        return anchored.value

    def _count(self, nodes: int, event: Any) -> None:
        self._nodes += nodes
        if self._nodes > MAX_NODES:
            raise self._too_many(event)

    @staticmethod
    def _too_many(event: Any) -> ManifestError:
        return fail(f"more than {MAX_NODES:,} nodes, counting what aliases repeat", event)

    def _collection(self, event: Any, depth: int) -> Any:
        is_mapping = type(event) is MappingStartEvent
        if event.tag is not None:
            try:
                check_collection_tag(event.tag, mapping=is_mapping)
            except ValueError as error:
                raise fail(str(error), event) from None
        value: Any = {} if is_mapping else []
        fill = self._fill_mapping if is_mapping else self._fill_sequence
        if event.anchor is None:
            fill(value, depth)
            self._reach(depth, value)
            return value
        anchored = self._anchors[event.anchor] = Anchored(value, 0, 0)
        nodes_before, deepest_before, repeated_before = self._nodes, self._deepest, self._repeated
        self._deepest = depth
        end = fill(value, depth)
        self._reach(depth, value)
        anchored.size = self._nodes - nodes_before + 1
        anchored.height = self._deepest - depth
        anchored.length = end - event.start_mark.index + self._repeated - repeated_before
        self._deepest = max(self._deepest, deepest_before)
        return value

    def _reach(self, depth: int, value: Any) -> None:
        self._deepest = max(self._deepest, depth + 1 if value else depth)

    def _first_event(self, depth: int, end: type) -> Any:
        event = self.next_event()
        if depth >= MAX_DEPTH and type(event) is not end:
            raise fail(TOO_DEEP, event)
        return event

    def _fill_sequence(self, items: list[Any], depth: int) -> int:
        """Fill a list; returns where in the text it ends."""
        next_event, append, special = self.next_event, items.append, SPECIAL_STARTS
        event = self._first_event(depth, SequenceEndEvent)
        for count in range(MAX_NODES + 1):
            kind = type(event)
            if kind is ScalarEvent:
                text = event.value
                if event.tag is None and event.anchor is None and (event.style or text[:1] not in special):
                    append(text)
                else:
                    append(self.scalar(event))
            elif kind is SequenceEndEvent:
                self._count(count, event)
                return int(event.end_mark.index)
            else:
                append(self.node(event, depth + 1, in_sequence=True))
            event = next_event()
        raise self._too_many(event)

    def _fill_mapping(self, pairs: dict[str, Any], depth: int) -> int:
        """Fill a mapping; returns where in the text it ends."""
        next_event, special, texts = self.next_event, SPECIAL_STARTS, self._texts
        below = depth + 1
        replaceable = _NOTHING
        event = self._first_event(depth, MappingEndEvent)
        for count in range(MAX_NODES // 2 + 1):
            kind = type(event)
            if kind is ScalarEvent and event.anchor is None and event.tag is None and event.value in texts:
                key: str | None = texts[event.value]
            elif kind is MappingEndEvent:
                self._count(2 * count, event)
                return int(event.end_mark.index)
            else:
                key = self._key(event, below)
            if key in pairs and key not in replaceable:
                raise fail("duplicated mapping key", event)
            event = next_event()
            kind = type(event)
            if key is None:
                source = self.node(event, below, in_sequence=False)
                replaceable = replaceable | self._merge(pairs, source, event)
                event = next_event()
                continue
            if kind is ScalarEvent:
                text = event.value
                if event.tag is None and event.anchor is None and (event.style or text[:1] not in special):
                    pairs[key] = text
                else:
                    pairs[key] = self.scalar(event)
            else:
                pairs[key] = self.node(event, below, in_sequence=False)
            if replaceable:
                replaceable -= {key}
            event = next_event()
        raise self._too_many(event)

    def _key(self, event: Any, depth: int) -> str | None:
        """The text of a mapping key; None for a merge key."""
        key = self.node(event, depth, in_sequence=False)
        if key == "<<":
            return None if self.is_merge_key(event) else "<<"
        if type(key) is str:
            # Keys repeat from unit to unit; one object for each text keeps them small. `<<` never enters.
            return self._texts.setdefault(key, key) if type(event) is ScalarEvent and is_text(key) else key
        try:
            return key_text(key)
        except ValueError as error:
            raise fail(str(error), event) from None

    def _merge(self, pairs: dict[str, Any], source: Any, event: Any) -> set[str]:
        """Adds what the source has and the mapping lacks; the keys added may still be written explicitly."""
        added: set[str] = set()
        sources = source if type(source) is list else [source]
        for mapping in sources:
            if type(mapping) is not dict:
                raise fail(BAD_MERGE, event)
            self._merged_keys += max(1, len(mapping))
            if self._merged_keys > MAX_MERGED_KEYS:
                raise fail(f"merge keys exceeded maxTotalMergeKeys ({MAX_MERGED_KEYS})", event)
            for key, value in mapping.items():
                if key not in pairs:
                    pairs[key] = value
                    added.add(key)
        return added
