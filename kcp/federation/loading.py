"""One manifest of a walk as it was read, before it is judged."""

from __future__ import annotations

from kcp.errors import KcpError
from kcp.reading.load import parse_bytes
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.model import Manifest
    from kcp.reading.sources import ManifestBytes, Sources


class Child(Record):
    """Where a reference leads; `fault` says why it cannot lead anywhere."""

    location: str
    identity: str
    remote: bool
    fault: str | None = None


class Loaded(Record):
    """A manifest that was read, or the error that its node reports; `read` is None where nothing was read.

    Until it is parsed there is neither a manifest nor an error.
    """

    location: str
    read: ManifestBytes | None = None
    manifest: Manifest | None = None
    error: str | None = None


def read_child(child: Child, sources: Sources) -> Loaded:
    """Read the manifest that a reference leads to; never raises for what is found there."""
    location = child.location
    if child.fault is not None:
        return Loaded(location, error=f"fetch failed: {child.fault}")
    try:
        return Loaded(location, sources.read_manifest(location))
    except KcpError as error:
        return Loaded(location, error=f"fetch failed: {error}")


def parsed(loaded: Loaded, sources: Sources) -> Loaded:
    """What was read, parsed; never raises for what is found there."""
    if loaded.read is None or loaded.manifest is not None or loaded.error is not None:
        return loaded
    try:
        return loaded.replace(manifest=parse_bytes(loaded.read, sources.max_bytes, located=False))
    except KcpError as error:
        return loaded.replace(error=f"parse failed: {error}")


def identity_of(location: str, sources: Sources) -> str:
    """What makes two locations one manifest (B22)."""
    try:
        return sources.identity(location)
    except ValueError:
        return location  # no file's name holds a NUL; reading it says so
