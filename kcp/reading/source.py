"""The bytes of a local file, read once and bounded, and their digest (planner contract §2)."""

from __future__ import annotations

import os
import stat

from kcp.errors import ManifestError
from kcp.reading.locate import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_BYTES = 8 * 2**20
_CHUNK = 2**20
_sha256: list[Any] = []  # the constructor, once it has been looked for
# Without O_NONBLOCK, opening a pipe that took the file's place would wait for a writer.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def read_bytes(
    path: str, max_bytes: int = MAX_BYTES, noun: str = "manifest", *, called: str | None = None
) -> bytes:
    """The content of a regular file. ManifestError where it is none, cannot be read or is larger.

    `noun` is what the messages call such a file, `called` the path they name in place of the real one.
    """
    name = shown(path if called is None else called)
    try:
        _check(os.stat(path), name, max_bytes, noun)
        handle = os.open(path, _FLAGS)
        try:
            _check(os.fstat(handle), name, max_bytes, noun)
            return _read(handle, max_bytes, noun)
        finally:
            os.close(handle)
    except FileNotFoundError:
        raise ManifestError(f"{noun} not found: {name}") from None
    except PermissionError:
        raise ManifestError(f"permission denied: {name}") from None
    except OSError as error:
        reason = (error.strerror or "input/output error").lower()
        raise ManifestError(f"cannot read {name}: {reason}") from None
    except ValueError:
        raise ManifestError(f"{noun} not found: {name}") from None


def too_large(max_bytes: int, noun: str = "manifest") -> ManifestError:
    """The error for more bytes than the cap, which only manifests can have raised."""
    remedy = "; raise the cap with --max-bytes" if noun == "manifest" else ""
    return ManifestError(f"{noun} is larger than {max_bytes:,} bytes{remedy}")


def _check(status: os.stat_result, name: str, max_bytes: int, noun: str) -> None:
    if stat.S_ISDIR(status.st_mode):
        article = "an" if noun[0] in "aeio" else "a"
        raise ManifestError(f"{name} is a directory, not {article} {noun}")
    if not stat.S_ISREG(status.st_mode):
        raise ManifestError(f"{name} is not a regular file")
    if status.st_size > max_bytes:
        raise too_large(max_bytes, noun)


def _read(handle: int, max_bytes: int, noun: str) -> bytes:
    chunks = []
    remaining = max_bytes + 1
    while remaining > 0 and (chunk := os.read(handle, min(_CHUNK, remaining))):
        chunks.append(chunk)
        remaining -= len(chunk)
    if remaining <= 0:
        raise too_large(max_bytes, noun)
    return b"".join(chunks)


def sha256_hex(data: bytes) -> str:
    """The lowercase hexadecimal SHA-256 of the bytes."""
    if not _sha256:
        _sha256.append(_load_sha256())
    digest: str = _sha256[0](data).hexdigest()
    return digest


def _load_sha256() -> Any:
    # The interpreter's own modules load in a quarter of a millisecond, hashlib with OpenSSL in three or four.
    for name in ("_sha2", "_sha256"):
        try:
            return __import__(name).sha256
        except (ImportError, AttributeError):
            continue
    import hashlib

    return hashlib.sha256
