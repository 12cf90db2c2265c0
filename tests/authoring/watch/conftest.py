"""Processes that watch, and the folder they watch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.authoring.watch.processes import Watching, command_line, versioned


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a manifest of version 0 and its one unit."""
    made = tmp_path / "harbour"
    made.mkdir()
    (made / "knowledge.yaml").write_text(versioned(0), "utf-8")
    (made / "berth.md").write_text("text\n", "utf-8")
    return made


@pytest.fixture
def watching(folder: Path, repository: Path) -> Iterator[Callable[..., Watching]]:
    """Starts `kcp-agent watch --json …` in the folder."""
    with ExitStack() as stack:

        def start(*words: str) -> Watching:
            line = command_line(repository, "watch", "--json", *words)
            return stack.enter_context(Watching(line, folder))

        yield start
