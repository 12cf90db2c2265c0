"""The reader for manifests that nobody vouches for: tighter limits, scalars as written (render contract §17).

No byte order mark, no tags, no aliases, no merge keys (`<<` is an ordinary key), keys of plain text, and
tighter bounds than the planner's reader has. Numbers come back as `NumberText`, so `1.0` is not `1`.
"""

from __future__ import annotations

from yaml.error import YAMLError
from yaml.events import AliasEvent, MappingEndEvent, MappingStartEvent, ScalarEvent, SequenceEndEvent

from kcp.errors import ManifestError
from kcp.reading.characters import decode
from kcp.reading.composer import MORE_DOCUMENTS, Composer, fail
from kcp.reading.events import event_source
from kcp.reading.scalars import SPECIAL_STARTS, resolve_plain
from kcp.reading.source import too_large
from kcp.reading.syntax import explain
from kcp.text.written import NumberText

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_STRICT_BYTES = 2**20
MAX_STRICT_DEPTH = 32
MAX_STRING_BYTES = 4096
_BOM = b"\xef\xbb\xbf"


def read_strict(data: bytes, *, pure: bool = False) -> Any:
    """The value that the bytes spell, or ManifestError with line and column.

    It is made of `dict` with `str` keys in document order, `list`, `str` (`DateText` and `NumberText` for
    plain dates and numbers), `bool` and `None`. `pure` takes PyYAML's Python parser.
    """
    if len(data) > MAX_STRICT_BYTES:
        raise too_large(MAX_STRICT_BYTES, "untrusted manifest")
    if data.startswith(_BOM):
        message = "a byte order mark is not read here; save the manifest without it"
        raise ManifestError(message, line=1, column=1)
    composer = _StrictComposer(event_source(decode(data), pure=pure))
    try:
        return composer.document()
    except YAMLError as error:
        raise explain(error, decode(data), MORE_DOCUMENTS if composer.complete else None) from None
    except UnicodeError:
        raise ManifestError("a tag holds an escape that is not UTF-8") from None


class _StrictComposer(Composer):
    """Without aliases the nodes are no more than the bytes, so only depth and text need bounds."""

    def node(self, event: Any, depth: int, *, in_sequence: bool = False) -> Any:  # noqa: ARG002
        """As in the base class, within this reader's limits."""
        kind = type(event)
        if kind is AliasEvent:
            raise fail("aliases are not read here; write the value out", event)
        if event.tag is not None:
            raise fail("tags are not read here; write plain text, lists and mappings", event)
        if kind is ScalarEvent:
            return _scalar(event)
        if depth > MAX_STRICT_DEPTH:
            raise fail(f"nesting exceeded maxDepth ({MAX_STRICT_DEPTH})", event)
        return self._pairs(depth) if kind is MappingStartEvent else self._items(depth)

    def _items(self, depth: int) -> list[Any]:
        items: list[Any] = []
        while type(event := self.next_event()) is not SequenceEndEvent:
            items.append(self.node(event, depth + 1))
        return items

    def _pairs(self, depth: int) -> dict[str, Any]:
        pairs: dict[str, Any] = {}
        while type(event := self.next_event()) is not MappingEndEvent:
            if type(event) is not ScalarEvent or event.tag is not None:
                raise fail("a key must be plain text", event)
            key = _bounded(event)
            if key in pairs:
                raise fail("duplicated mapping key", event)
            pairs[key] = self.node(self.next_event(), depth + 1)
        return pairs


def _scalar(event: Any) -> Any:
    text = _bounded(event)
    if event.style or text[:1] not in SPECIAL_STARTS:
        return text
    try:
        value = resolve_plain(text)
    except ValueError as error:
        raise fail(str(error), event) from None
    return NumberText(text) if type(value) in (int, float) else value


def _bounded(event: Any) -> str:
    text: str = event.value
    # No character takes more than four bytes, so most texts need no encoding.
    if len(text) * 4 > MAX_STRING_BYTES and len(text.encode("utf-8", "surrogatepass")) > MAX_STRING_BYTES:
        raise fail(f"a text is longer than {MAX_STRING_BYTES:,} bytes", event)
    return text
