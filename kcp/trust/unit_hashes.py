"""Whether the content hashes that a manifest declares are those of its units (render contract §12, §18)."""

from __future__ import annotations

import os

from kcp.errors import KcpError
from kcp.reading.locate import shown
from kcp.reading.sources import is_within
from kcp.records import Record
from kcp.trust.content_hash import ALGORITHMS, content_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Path = tuple[str | int, ...]


class StaleHash(Record):
    """A declared hash that is not the content's; `path` leads to its value in the document."""

    unit: str
    content: str
    path: Path
    declared: str
    observed: str


def check_units(
    document: dict[str, Any], root: str, outputs: tuple[str, ...]
) -> tuple[list[StaleHash], list[str]]:
    """The stale hashes of a manifest's units, and what is wrong with its units' paths and hash blocks.

    `root` is the manifest's folder, `outputs` the files that signing writes: no hash can cover them.
    """
    units = document.get("units")
    stale: list[StaleHash] = []
    problems: list[str] = []
    for index, unit in enumerate(units if type(units) is list else []):
        if type(unit) is not dict:
            continue
        name = shown(unit["id"]) if isinstance(unit.get("id"), str) else f"#{index + 1}"
        try:
            found = _check_unit(unit, name, index, root, outputs)
        except KcpError as error:
            problems.append(f"unit '{name}': {error}")
        else:
            stale += [] if found is None else [found]
    return stale, problems


def _check_unit(
    unit: dict[str, Any], name: str, index: int, root: str, outputs: tuple[str, ...]
) -> StaleHash | None:
    path, declared = unit.get("path"), unit.get("content_hash")
    if isinstance(path, str) and not _lies_within(root, path):
        raise KcpError(f"{shown(path)} is outside the manifest's folder")
    if declared is None:
        return None
    algorithm, value = _read_block(declared)
    if not isinstance(path, str) or not path:
        raise KcpError("content_hash without a path")
    target = os.path.realpath(os.path.join(root, path))
    if any(is_within(target, output) for output in outputs):
        raise KcpError(f"content_hash of {shown(path)} would cover the manifest or its signature")
    observed = content_hash(algorithm, root, path)
    if value.lower() == observed:
        return None
    return StaleHash(name, shown(path), ("units", index, "content_hash", "value"), value, observed)


def _read_block(declared: Any) -> tuple[str, str]:
    if type(declared) is not dict:
        raise KcpError("content_hash must be a mapping of algorithm and value")
    algorithm, value = declared.get("algorithm"), declared.get("value")
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise KcpError(f"content_hash.algorithm must be one of {', '.join(ALGORITHMS)}")
    if not isinstance(value, str):
        raise KcpError("content_hash.value must be text; put it in quotes")
    return algorithm, value


def _lies_within(root: str, path: str) -> bool:
    try:
        return is_within(os.path.realpath(root), os.path.join(root, path))
    except ValueError:
        return False
