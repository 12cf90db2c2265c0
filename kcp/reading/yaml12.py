"""Bytes → plain values: the one reader of YAML (contract §2–3, decisions B1, B8, B20, C)."""

from __future__ import annotations

from yaml.error import YAMLError

from kcp.errors import ManifestError
from kcp.reading.characters import decode
from kcp.reading.composer import MORE_DOCUMENTS, Composer
from kcp.reading.events import event_source
from kcp.reading.source import MAX_BYTES, too_large
from kcp.reading.syntax import explain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.model import Position
    from kcp.reading.positions import Path, PositionIndex, Span


class Document:
    """One YAML document.

    `root` is made of `dict` with `str` keys in document order, `list`, `str` (`DateText` for an unquoted
    date), `bool`, `None`, and numbers: `int` where a double is integral and at most 2**53, else `float`.
    Aliases and merge keys share values, so nothing in it may be changed.
    """

    __slots__ = ("root", "_data", "_pure", "_index")

    def __init__(self, root: Any, data: bytes, *, pure: bool = False) -> None:
        self.root = root
        self._data = data
        self._pure = pure
        self._index: PositionIndex | None = None

    @property
    def text(self) -> str:
        """The text without its byte order mark."""
        return decode(self._data)

    def position(self, path: Path) -> Position:
        """Where the value at a path of keys and indices starts, or the nearest enclosing one that exists.

        The first call walks the whole text again.
        """
        return self._positions().value(path)

    def key_position(self, path: Path) -> Position:
        """As `position`, of the key that ends the path; a merged key stands where its mapping has it."""
        return self._positions().key(path)

    def span(self, path: Path, *, of_key: bool = False) -> Span:
        """As `position` and `key_position`, with the end."""
        return self._positions().span(path, of_key=of_key)

    def scalars(self) -> list[Span]:
        """Where the scalars of the text are, in order."""
        return self._positions().scalars()

    def _positions(self) -> PositionIndex:
        if self._index is None:
            from kcp.reading.positions import PositionIndex

            self._index = PositionIndex(_composer(self._data, pure=self._pure))
        return self._index


def read_yaml(data: bytes, *, max_bytes: int = MAX_BYTES, pure: bool = False) -> Document:
    """The document that the bytes spell, or ManifestError with line and column.

    `pure` takes PyYAML's Python parser even where libyaml is there; the results are the same.
    """
    if len(data) > max_bytes:
        raise too_large(max_bytes)
    composer = _composer(data, pure=pure)
    try:
        root = composer.document()
    except YAMLError as error:
        # Whatever follows the first document is too much, even where it is not valid itself.
        raise explain(error, decode(data), MORE_DOCUMENTS if composer.complete else None) from None
    except UnicodeError:
        # An escape in a tag that is no UTF-8; PyYAML meets it when it makes the event.
        raise ManifestError("a tag holds an escape that is not UTF-8") from None
    return Document(root, data, pure=pure)


def read_manifest_mapping(data: bytes, *, max_bytes: int = MAX_BYTES) -> Document:
    """As `read_yaml`; ManifestError unless the root is a mapping."""
    document = read_yaml(data, max_bytes=max_bytes)
    if type(document.root) is not dict:
        raise ManifestError("manifest is not a YAML mapping")
    return document


def _composer(data: bytes, *, pure: bool) -> Composer:
    return Composer(event_source(decode(data), pure=pure))
