"""A location becomes a `Manifest`: located, read once, hashed, parsed (planner contract §2)."""

from __future__ import annotations

from kcp.reading.locate import locate
from kcp.reading.parse import parse_manifest
from kcp.reading.source import MAX_BYTES, read_bytes, sha256_hex
from kcp.reading.yaml12 import read_yaml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.model import Manifest


def load_manifest(location: str, *, max_bytes: int = MAX_BYTES) -> Manifest:
    """The manifest at a file or in a directory, with `source` as located and `sha256` of its raw bytes.

    Raises `ManifestError` (not found, unreadable, larger than `max_bytes`, not YAML 1.2, not a mapping) or
    `FetchError` (a remote location).
    """
    path = locate(location)
    data = read_bytes(path, max_bytes)
    return parse_manifest(read_yaml(data, max_bytes=max_bytes), source=path, sha256=sha256_hex(data))
