"""One round of `watch`: read, check, plan, compare."""

from __future__ import annotations

import time

from kcp.authoring.validate.check import unreadable_report
from kcp.authoring.validate.findings import Finding, make_report
from kcp.errors import KcpError
from kcp.planning.diff import diff_plans, digest
from kcp.planning.planner import make_plan
from kcp.reading.load import parse_bytes
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from kcp.authoring.validate.findings import Report
    from kcp.authoring.watch.looking import Files, Remote
    from kcp.options import PlanOptions
    from kcp.planning.diff import Diff
    from kcp.planning.results import Plan
    from kcp.reading.sources import ManifestBytes, Sources


class Round(Record):
    """What one round came to.

    `timestamp` is ISO 8601, UTC, with milliseconds. `plan` is there where a task is pinned and the manifest
    could be read, `diff` where changes are asked for and there was a plan before.
    """

    timestamp: str
    report: Report
    plan: Plan | None = None
    diff: Diff | None = None

    def events(self) -> list[dict[str, Any]]:
        """The events of the round as JSON members, in order."""
        from kcp.wire.encode import to_wire

        said = [("validate", self.report), ("plan", self.plan), ("diff", self.diff)]
        return [
            {"type": kind, "timestamp": self.timestamp, "data": to_wire(data)}
            for kind, data in said
            if data is not None
        ]


class Watched:
    """A manifest that is looked at again and again, and the plan that the next one is compared with.

    `options` makes the options of a round, so that a day that ends while watching counts. Without a `task`
    nothing is planned; `compare` asks for changes.
    """

    def __init__(
        self,
        location: str,
        sources: Sources,
        *,
        task: str | None = None,
        options: Callable[[], PlanOptions] | None = None,
        compare: bool = False,
        now_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        self.location = location
        self.sources = sources
        self._task = task
        self._options = options
        self._compare = compare
        self._now_ns = now_ns
        self._last_plan: Plan | None = None

    def round(self, looking: Files | Remote | None = None) -> Round:
        """Read the manifest as it is now, check it, plan it; whatever goes wrong is a finding.

        `looking` is told what was read before anything is concluded from it.
        """
        timestamp = iso_timestamp(self._now_ns())
        try:
            return self._round(timestamp, looking)
        except Exception as error:  # noqa: BLE001 - the next change may mend it
            message = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
            report = make_report(self.location, None, [Finding("error", "watch", message)])
            return Round(timestamp, report.replace(read=False))

    def _round(self, timestamp: str, looking: Files | Remote | None) -> Round:
        from kcp.api import validate

        read, failure = self._read()
        if looking is not None:
            looking.saw(None if read is None else read.data)
        if read is None:
            return Round(timestamp, unreadable_report(self.location, failure))
        try:
            manifest = parse_bytes(read, self.sources.max_bytes)
        except KcpError as error:
            return Round(timestamp, unreadable_report(self.location, f"does not parse: {error}"))
        if looking is not None:
            looking.follow(manifest)
        report = validate(manifest, sources=self.sources)
        if self._task is None or self._options is None:
            return Round(timestamp, report)
        plan, last = make_plan(manifest, self._task, self._options()), self._last_plan
        self._last_plan = plan
        changes = diff_plans(digest(last), digest(plan)) if self._compare and last is not None else None
        return Round(timestamp, report, plan, changes)

    def _read(self) -> tuple[ManifestBytes | None, str]:
        try:
            return self.sources.read_manifest(self.location), ""
        except KcpError as error:
            return None, str(error)


def iso_timestamp(now_ns: int) -> str:
    """A moment since the epoch as `2026-07-06T12:00:00.123Z`."""
    seconds, rest = divmod(now_ns, 10**9)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest // 10**6:03d}Z"
