"""A manifest for a command that plans, with the contract's words for failures (surfaces contract §1.3)."""

from __future__ import annotations

from kcp.errors import FetchError, KcpError, ManifestError
from kcp.reading.load import parse_bytes
from kcp.reading.source import MAX_BYTES
from kcp.reading.sources import Sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.model import Manifest


def load_for_plan(location: str, max_bytes: int | None) -> Manifest:
    """The manifest at a location.

    FetchError `{location}: fetch failed: …` where its bytes cannot be had, ManifestError
    `{location}: parse failed: … ({file}:{line}:{column})` where they are not a manifest.
    """
    limit = MAX_BYTES if max_bytes is None else max_bytes
    try:
        read = Sources(max_bytes=limit).read_manifest(location)
    except KcpError as error:
        raise FetchError(f"{location}: fetch failed: {error.message}", hint=error.hint) from None
    try:
        return parse_bytes(read, limit)
    except ManifestError as error:
        place = "" if error.line is None else f" ({read.source}:{error.line}:{error.column})"
        raise ManifestError(f"{location}: parse failed: {error.message}{place}", hint=error.hint) from None
