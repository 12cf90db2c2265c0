"""Saved artifacts as typed values; whatever is not one is refused with the member that shows it."""

from __future__ import annotations

import os

from kcp.errors import ArtifactError, ManifestError
from kcp.planning.diff import FIGURES, PlanDigest, PlanLabel
from kcp.reading.locate import shown
from kcp.reading.source import read_bytes
from kcp.wire.decode import MAX_BYTES, decode_json, describe, member

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from kcp.planning.diff import Scalar

_WRAPPERS = 2  # a saved answer holds a tree, which holds the plan
_SCALAR = (str, int, float, bool, type(None))


def read_artifact(path: str, *, max_bytes: int = MAX_BYTES) -> object:
    """The value saved in the JSON file at `path`; ArtifactError if it cannot be read or is refused."""
    try:
        data = read_bytes(path, max_bytes, "artifact")
    except ManifestError as error:
        raise ArtifactError(error.message) from None
    return decode_json(data, path, max_bytes=max_bytes)


def plan_digest(artifact: object, name: str) -> PlanDigest:
    """What a diff compares of a saved plan, or of a trace, tree or answer by its `plan` (contract §15).

    ArtifactError, naming `name` and the member, where it is not a plan.
    """
    plan = plan_in(artifact, name)
    selected = _units(plan, "selected", "score", name)
    skipped = _units(plan, "skipped", "reason", name)
    manifest = _block(plan, "manifest", name)
    return PlanDigest(
        label=PlanLabel(
            _text(manifest, "project", name),
            _text(manifest, "version", name),
            _text(plan, "task", name),
            _text(plan, "asOf", name),
        ),
        selected=selected,
        skipped=skipped,
        figures=tuple([_figure(plan, path, name) for path in FIGURES]),
        warnings=_warnings(plan, name),
    )


def plan_in(artifact: object, name: str) -> dict[str, Any]:
    """The plan that a saved artifact is or wraps; ArtifactError where there is none."""
    plan = artifact
    for _ in range(_WRAPPERS):
        if isinstance(plan, dict) and "plan" in plan:
            plan = plan["plan"]
    if not isinstance(plan, dict):
        raise ArtifactError(f"{name}: not a saved plan: {describe(plan)}")
    for key in ("selected", "skipped"):
        if key not in plan:
            hint = "save one with: kcp-agent plan ... --json"
            raise ArtifactError(f"{name}: not a saved plan: member '{key}' is missing", hint=hint)
    return plan


def _units(plan: dict[str, Any], key: str, detail: str, name: str) -> tuple[tuple[str, Scalar], ...]:
    listed = member(plan, key, list, name)
    assert isinstance(listed, list)
    units = []
    for index, unit in enumerate(listed):
        where = f"{name}: {key}[{index}]"
        identifier = member(unit, "id", str, where)
        units.append((str(identifier), _scalar(unit, detail, where)))
    return tuple(units)


def _block(plan: dict[str, Any], key: str, name: str) -> dict[str, Any]:
    block = member(plan, key, dict, name) if key in plan else {}
    assert isinstance(block, dict)
    return block


def _figure(plan: dict[str, Any], path: str, name: str) -> Scalar:
    block, _, key = path.partition(".")
    return _scalar(_block(plan, block, name), key, f"{name}: {block}")


def _scalar(members: dict[str, Any], key: str, where: str) -> Scalar:
    if key not in members:
        return None
    value = member(members, key, _SCALAR, where)
    assert isinstance(value, _SCALAR)
    return value


def _text(members: dict[str, Any], key: str, name: str) -> str | None:
    value = member(members, key, str, name) if key in members else None
    assert value is None or isinstance(value, str)
    return value


def _warnings(plan: dict[str, Any], name: str) -> tuple[str, ...]:
    listed = member(plan, "warnings", list, name) if "warnings" in plan else []
    assert isinstance(listed, list)
    for index, warning in enumerate(listed):
        if not isinstance(warning, str):
            raise ArtifactError(f"{name}: warnings[{index}] must be a string, found {describe(warning)}")
    return tuple(listed)


def find_artifacts(path: str) -> list[str]:
    """The JSON files below a folder, in depth and in byte order of their names; a file stands for itself."""
    if not os.path.isdir(path):
        return [path]
    files = list(files_below(path, (".json",)))
    if not files:
        raise ArtifactError(f"no artifacts (*.json) found in {shown(path)}")
    return sorted(files)


def files_below(path: str, endings: tuple[str, ...]) -> Iterator[str]:
    """The files below a folder whose names end so, each folder's in order, before those of its subfolders.

    ArtifactError where a folder cannot be listed: what it holds would count as checked.
    """
    for folder, subfolders, names in os.walk(path, onerror=_refuse_folder):
        subfolders.sort()
        yield from [os.path.join(folder, name) for name in sorted(names) if name.endswith(endings)]


def _refuse_folder(error: OSError) -> None:
    reason = (error.strerror or "input/output error").lower()
    raise ArtifactError(f"cannot list {shown(str(error.filename))}: {reason}")
