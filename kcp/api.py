"""The library: what `from kcp import …` offers. Files and today's date are looked up here, nowhere deeper."""

from __future__ import annotations

import os
import time

from kcp.errors import KcpError
from kcp.options import PlanOptions
from kcp.reading.load import parse_bytes
from kcp.reading.locate import is_remote
from kcp.reading.sources import Sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from kcp.authoring.validate.findings import Report
    from kcp.model import Manifest
    from kcp.planning.diff import Diff
    from kcp.planning.results import Plan, Trace


def today() -> str:
    """Today's date, UTC, as `YYYY-MM-DD`."""
    return time.strftime("%Y-%m-%d", time.gmtime())


def plan(manifest: Manifest, task: str, options: PlanOptions | None = None) -> Plan:
    """The load plan of a manifest for a task; without `options` those of an agent with nothing, today."""
    from kcp.planning.planner import make_plan

    return make_plan(manifest, task, options or PlanOptions(as_of=today()))


def trace(manifest: Manifest, task: str, options: PlanOptions | None = None) -> Trace:
    """Every unit with its verdict at every gate, and the plan they lead to."""
    from kcp.planning.trace import make_trace

    return make_trace(manifest, task, options or PlanOptions(as_of=today()))


def validate(
    manifest: Manifest | str,
    *,
    as_of: str | None = None,
    sources: Sources | None = None,
    disk: bool = True,
) -> Report:
    """The findings on a manifest, or on the one at a location; one that cannot be read gives one error.

    `as_of` is the date expiry is judged by, today by default. Unit paths are looked up beside a local
    manifest, unless `disk` is false.
    """
    from kcp.authoring.validate.check import check_manifest, unreadable_report

    if isinstance(manifest, str):
        location = manifest
        try:
            sources = sources or Sources()
            read = sources.read_manifest(location)
        except KcpError as error:
            return unreadable_report(location, str(error))
        try:
            manifest = parse_bytes(read, sources.max_bytes)
        except KcpError as error:
            return unreadable_report(location, f"does not parse: {error}")
    source = manifest.source or "(text)"
    is_local = disk and manifest.sha256 is not None and not is_remote(source)
    path_exists = _path_lookup(source) if is_local else None
    return check_manifest(manifest, source, as_of or today(), path_exists)


def diff(a: Plan, b: Plan) -> Diff:
    """What changed from one plan to another."""
    from kcp.planning.diff import diff_plans, digest

    return diff_plans(digest(a), digest(b))


def _path_lookup(source: str) -> Callable[[str], bool]:
    """Whether something is at a path relative to the directory of a manifest file."""
    directory = os.path.dirname(source)

    def exists(path: str) -> bool:
        try:
            return os.path.exists(os.path.join(directory, path))
        except ValueError:  # a NUL in the path
            return False

    return exists
