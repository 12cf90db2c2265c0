"""A location becomes a `Manifest`: located, read once, hashed, parsed (planner contract §2)."""

from __future__ import annotations

from kcp.reading.parse import parse_manifest
from kcp.reading.source import MAX_BYTES, sha256_hex
from kcp.reading.sources import Sources
from kcp.reading.yaml12 import read_yaml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.model import Manifest
    from kcp.network.fetcher import Fetcher
    from kcp.reading.sources import ManifestBytes


def parse_bytes(read: ManifestBytes, max_bytes: int = MAX_BYTES, *, located: bool = True) -> Manifest:
    """The manifest that bytes spell, with their `source` and `sha256`; ManifestError where there is none.

    Problems have positions unless not `located`, as planning needs none.
    """
    document = read_yaml(read.data, max_bytes=max_bytes)
    return parse_manifest(document, source=read.source, sha256=sha256_hex(read.data), located=located)


def load_manifest(location: str, *, max_bytes: int = MAX_BYTES, fetcher: Fetcher | None = None) -> Manifest:
    """The manifest at a file, in a directory, or at a URL where a `fetcher` is given.

    Raises `ManifestError` (not found, unreadable, larger than `max_bytes`, not YAML 1.2, not a mapping) or
    `FetchError`.
    """
    return parse_bytes(Sources(fetcher, max_bytes=max_bytes).read_manifest(location), max_bytes)
