"""Many manifests in one process or two; results come in the order of the locations."""

from __future__ import annotations

import os

from kcp.authoring.validate.lint import lint, unread
from kcp.cli.lint.inputs import STANDARD_INPUT, STDIN_NAME, read_named, read_standard_input
from kcp.errors import KcpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from kcp.authoring.validate.lint import LintOptions, LintResult
    from kcp.reading.sources import Sources

MANY_FILES = 100  # from here on two processes are faster than one


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
                read = read_named(location, sources)
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
    reader, writer = os.pipe()
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _help(job, locations[1::2], writer, parent)
    os.close(writer)
    try:
        own = [job(location) for location in locations[::2]]
        with open(reader, "rb") as pipe:
            sent = pipe.read()
    except BaseException:
        os.kill(child, 9)
        raise
    finally:
        _, status = os.waitpid(child, 0)
    results: list[LintResult] = [*own, *own][: len(locations)]
    results[::2] = own
    # A helper that was killed has told nothing: its share is still to be done.
    results[1::2] = _received(sent) if status == 0 else [job(location) for location in locations[1::2]]
    return results


def _help(job: Job, locations: list[str], writer: int, parent: int) -> NoReturn:
    """Do a share in this child process and send the results; without its parent it ends."""
    code = 1
    try:
        import pickle

        results = []
        for location in locations:
            if os.getppid() != parent:
                break
            results.append(job(location))
        else:
            with open(writer, "wb") as pipe:
                pickle.dump(results, pipe)
            code = 0
    finally:
        os._exit(code)


def _received(sent: bytes) -> list[LintResult]:
    import pickle

    results: list[LintResult] = pickle.loads(sent)  # noqa: S301 — our own child's, through our own pipe
    return results


def _can_fork() -> bool:
    import sys

    return hasattr(os, "fork") and sys.platform != "darwin" and (os.cpu_count() or 1) > 1
