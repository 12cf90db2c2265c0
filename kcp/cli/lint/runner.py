"""Many manifests in one process or two; results come in the order of the locations."""

from __future__ import annotations

import os

from kcp.authoring.validate.lint import lint, unread
from kcp.cli.lint.inputs import STANDARD_INPUT, STDIN_NAME, read_standard_input
from kcp.errors import KcpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.validate.lint import LintOptions, LintResult
    from kcp.reading.sources import Sources

MANY_FILES = 100  # from here on two processes are faster than one
_PART = 16


class Job:
    """One location to check, as a function that can be sent to another process."""

    def __init__(self, options: LintOptions, sources: Sources) -> None:
        self.options = options
        self.sources = sources

    def __call__(self, location: str) -> LintResult:
        """What the rules find there; a location that cannot be read has one finding."""
        sources, options = self.sources, self.options
        try:
            if location == STANDARD_INPUT:
                location, options = STDIN_NAME, options.replace(disk=False)
                read = read_standard_input(sources.max_bytes)
            else:
                read = sources.read_manifest(location)
        except KcpError as error:
            return unread(location, error)
        return lint(read, options, sources.max_bytes)


def run_all(
    locations: list[str], options: LintOptions, sources: Sources, workers: int = 2
) -> list[LintResult]:
    """The results for all locations, in order."""
    job = Job(options, sources)
    if len(locations) < MANY_FILES or workers < 2 or STANDARD_INPUT in locations or not _can_fork():
        return [job(location) for location in locations]
    from multiprocessing import get_context

    with get_context("fork").Pool(workers) as pool:
        return pool.map(job, locations, chunksize=_PART)


def _can_fork() -> bool:
    import sys

    return hasattr(os, "fork") and sys.platform != "darwin" and (os.cpu_count() or 1) > 1
