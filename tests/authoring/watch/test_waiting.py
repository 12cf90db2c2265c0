"""Waiting with and without the package `watchfiles`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from kcp.authoring.watch import waiting


class Events(ModuleType):
    """Stands in for `watchfiles`; notes what is watched and wakes at once."""

    def __init__(self, failure: Exception | None = None) -> None:
        super().__init__("watchfiles")
        self.failure = failure
        self.watched: list[tuple[tuple[str, ...], dict[str, Any]]] = []
        self.woken = 0

    def watch(self, *folders: str, **options: Any) -> Iterator[set[object]]:
        self.watched.append((folders, options))
        if self.failure is not None:
            raise self.failure
        while True:
            self.woken += 1
            yield set()


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    found: list[float] = []
    monkeypatch.setattr(waiting, "by_clock", lambda seconds, _folders: found.append(seconds))
    return found


def test_without_the_package_by_the_clock(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    assert waiting.best_wait() is waiting.by_clock
    waiting.by_clock(0, ())


def test_with_the_package_by_the_system(monkeypatch: pytest.MonkeyPatch, slept: list[float]):
    events = Events()
    monkeypatch.setitem(sys.modules, "watchfiles", events)
    wait = waiting.best_wait()
    wait(1.0, ("a",))
    wait(1.0, ("a",))
    wait(1.0, ("a", "b"))
    assert [folders for folders, _ in events.watched] == [("a",), ("a", "b")]
    assert all(
        options["rust_timeout"] == 1000 and options["recursive"] is False for _, options in events.watched
    )
    assert (events.woken, slept) == (3, [])
    wait(0.03, ())
    assert slept == [0.03]


@pytest.mark.parametrize(
    "failure", [OSError("limit of watches"), RuntimeError("rust"), FileNotFoundError("gone")]
)
def test_folder_that_cannot_be_watched(
    monkeypatch: pytest.MonkeyPatch, slept: list[float], failure: Exception
):
    monkeypatch.setitem(sys.modules, "watchfiles", Events(failure))
    wait = waiting.best_wait()
    wait(1.0, ("a",))
    wait(1.0, ("a",))
    assert slept == [1.0, 1.0]
