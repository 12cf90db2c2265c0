"""What counts as a change of a file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kcp.authoring.watch.looking import RECENT_NS, Files
from kcp.reading.load import parse_bytes
from kcp.reading.sources import ManifestBytes, Sources
from tests.authoring.watch.processes import save, versioned


class Clock:
    def __init__(self) -> None:
        self.ahead = 0

    def __call__(self) -> int:
        import time

        return time.time_ns() + self.ahead


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def files(folder: Path, clock: Clock) -> Files:
    made = Files(str(folder), Sources(), clock)
    made.remember()
    source = str(folder / "knowledge.yaml")
    made.follow(parse_bytes(ManifestBytes(source, versioned(0).encode())))
    return made


def test_nothing_happened(files: Files):
    assert [files.changed() for _ in range(5)] == [False] * 5


def test_change_is_told_once(files: Files, folder: Path):
    save(folder / "knowledge.yaml", versioned(1))
    assert [files.changed(), files.changed()] == [True, False]
    (folder / "berth.md").unlink()
    assert [files.changed(), files.changed()] == [True, False]
    (folder / "other.md").write_text("x", "utf-8")
    assert not files.changed()


def test_reading_is_no_change(files: Files, folder: Path):
    (folder / "knowledge.yaml").read_bytes()
    os.utime(folder / "berth.md", ns=(1, (folder / "berth.md").stat().st_mtime_ns))
    # The time of the change of status differs, which is a change, once.
    files.changed()
    assert not files.changed()


def test_content_is_compared_as_long_as_the_time_stamp_may_deceive(
    files: Files, folder: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    manifest = folder / "knowledge.yaml"
    stopped = os.stat(manifest)
    real = os.stat

    def frozen(path: str, *more: object, **named: object) -> os.stat_result:
        same = os.fspath(path) == str(manifest)
        return stopped if same else real(path, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "stat", frozen)
    manifest.write_text(versioned(7), "utf-8")
    assert files.changed()
    assert not files.changed()
    clock.ahead = 2 * RECENT_NS
    assert not files.changed()


def test_paths_that_lead_out_of_the_folder_are_not_looked_at(folder: Path):
    (folder.parent / "secret").write_text("1", "utf-8")
    text = versioned(0).replace("berth.md", "../secret")
    made = Files(str(folder / "knowledge.yaml"), Sources())
    made.remember()
    made.follow(parse_bytes(ManifestBytes(str(folder / "knowledge.yaml"), text.encode())))
    (folder.parent / "secret").write_text("22", "utf-8")
    assert not made.changed()
    assert made.folders() == (str(folder),)


def test_folders_that_are_there(files: Files, folder: Path):
    assert files.folders() == (str(folder),)
    (folder / ".well-known").mkdir()
    assert files.folders() == (str(folder), str(folder / ".well-known"))
