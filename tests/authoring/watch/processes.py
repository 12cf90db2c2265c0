"""A `watch --json` process whose events a test waits for, with a deadline and without sleeping."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.cli.conftest import START

DEADLINE = 60.0  # seconds; the machine is shared

MANIFEST = """\
project: harbour
version: "{version}"
kcp_version: "0.32"
units:
  - {{id: berth, path: berth.md, intent: How a ship berths, triggers: [berth], audience: [agent]}}
"""


def save(path: Path, text: str) -> None:
    """Replace a file as editors do: a new file is renamed over it."""
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text(text, "utf-8")
    os.replace(temporary, path)


def versioned(version: object) -> str:
    """A sound manifest of that version."""
    return MANIFEST.format(version=version)


def command_line(root: Path, *words: str) -> list[str]:
    """The words that start the program of a checkout as a process."""
    return [sys.executable, "-I", "-c", START.format(root=str(root)), *words]


class Watching:
    """The process; its events are read as they come."""

    def __init__(self, line: list[str], folder: Path) -> None:
        self.process = subprocess.Popen(
            line,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PATH": os.environ.get("PATH", "")},
        )
        self.events: list[dict[str, Any]] = []
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(DEADLINE)
        self._reader.join(DEADLINE)
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next event of that kind; those before it are kept in `events`."""
        end = time.monotonic() + DEADLINE
        while True:
            line = self._lines.get(timeout=max(0.01, end - time.monotonic()))
            assert line is not None, "the process ended"
            assert line.endswith(b"\n")
            event = json.loads(line)
            self.events.append(event)
            if wanted(event):
                return event

    def next(self, kind: str = "validate") -> dict[str, Any]:
        """The next event of a type."""
        return self.until(lambda event: event["type"] == kind)

    def interrupt(self) -> tuple[int, bytes]:
        """Press Ctrl-C: the exit code, and what was said on standard error."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.stderr is not None
        said = self.process.stderr.read()
        return self.process.wait(DEADLINE), said
