"""Where conformance cases come from: vector files and JSON-lines corpora, plain or gzipped."""

from __future__ import annotations

import errno
import os
import stat

from kcp.errors import ArtifactError, ManifestError
from kcp.evidence.artifacts import files_below, read_artifact
from kcp.reading.source import read_bytes
from kcp.wire.decode import decode_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, BinaryIO

CASE_FILES = (".json", ".jsonl", ".jsonl.gz")
MAX_LINE = 16 * 1024 * 1024


def find_files(paths: list[str]) -> list[str]:
    """Case files at the paths, folders searched in depth, in byte order of their names."""
    files = []
    for path in paths:
        files += list(files_below(path, CASE_FILES)) if os.path.isdir(path) else [path]
    return files


def read_cases(path: str) -> Iterator[dict[str, Any]]:
    """The cases of one file, each with an `id`; ArtifactError where there are none."""
    if not path.endswith((".jsonl", ".jsonl.gz")):
        yield _case(read_artifact(path), path)
        return
    count = 0
    with _open(path) as file, _unpacked(file, path) as lines:
        while line := _next_line(lines, path):
            count += 1
            if line.strip():
                name = f"{path}, line {count}"
                yield _case(decode_json(line, name), name)


def _case(value: object, name: str) -> dict[str, Any]:
    if not isinstance(value, dict) or "expect" not in value:
        raise ArtifactError(f"{name}: not a conformance case (no 'expect')")
    identifier = value.get("id", value.get("name"))
    if not isinstance(identifier, str):
        raise ArtifactError(f"{name}: not a conformance case (neither 'id' nor 'name')")
    return {**value, "id": identifier}


def _open(path: str) -> BinaryIO:
    try:
        return open(path, "rb", opener=_open_regular)
    except (OSError, ValueError) as error:
        raise ArtifactError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None


def _open_regular(path: str, flags: int) -> int:
    handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # a pipe is not waited for
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "not a regular file")
    return handle


def _unpacked(file: BinaryIO, path: str) -> BinaryIO:
    if not path.endswith(".gz"):
        return file
    import gzip

    return gzip.open(file, "rb")  # type: ignore[return-value]


def _next_line(lines: BinaryIO, path: str) -> bytes:
    try:
        line = lines.readline(MAX_LINE + 1)
    except (OSError, EOFError) as error:
        raise ArtifactError(f"cannot read {path}: {error}") from None
    if len(line) > MAX_LINE:
        raise ArtifactError(f"{path}: a line is longer than {MAX_LINE:,} bytes")
    return line


def read_skips(path: str) -> dict[str, str]:
    """Ids not to run and why: one a line, `id`, a tab, the reason; `#` starts a comment line."""
    try:
        lines = read_bytes(path, MAX_LINE, "skip file").decode("utf-8").splitlines()
    except ManifestError as error:
        raise ArtifactError(error.message) from None
    except UnicodeDecodeError as error:
        raise ArtifactError(f"cannot read {path}: {error}") from None
    skips = {}
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            identifier, _, reason = line.partition("\t")
            if not reason.strip():
                raise ArtifactError(f"{path}:{number}: a skip needs an id, a tab and a reason")
            skips[identifier] = reason.strip()
    return skips
