"""`watch` as a process, with real files (surfaces contract §5)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.authoring.watch.processes import command_line, save, versioned

pytestmark = pytest.mark.skipif(os.name != "posix", reason="interrupts a process with a POSIX signal")

BROKEN = "project: [\n"


def test_first_round_comes_at_once_then_one_for_a_change(watching: Callable, folder: Path):
    watch = watching(".")
    assert watch.next()["data"] == {
        "source": "knowledge.yaml",
        "project": "harbour",
        "findings": [],
        "ok": True,
    }
    save(folder / "knowledge.yaml", versioned(1).replace("harbour", "quay"))
    assert watch.next()["data"]["project"] == "quay"


def test_events_are_compact_lines_with_one_timestamp_a_round(watching: Callable, folder: Path):
    watch = watching(".", "--task", "berth", "--diff")
    watch.next("plan")
    save(folder / "knowledge.yaml", versioned(1).replace("triggers: [berth]", "triggers: [berth, ship]"))
    watch.next("diff")
    assert [event["type"] for event in watch.events] == ["validate", "plan", "validate", "plan", "diff"]
    stamps = [event["timestamp"] for event in watch.events]
    assert len(set(stamps[:2])) == len(set(stamps[2:])) == 1
    assert stamps[0] < stamps[2]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", stamp) for stamp in stamps)
    assert all(list(event) == ["type", "timestamp", "data"] for event in watch.events)
    assert watch.events[-1]["data"]["identical"] is True


def test_five_hundred_rapid_atomic_saves(watching: Callable, folder: Path):
    """All are survived, the last is seen, rounds do not overlap, and a burst is few rounds."""
    watch = watching(".", "--task", "berth")
    watch.next("plan")
    manifest = folder / "knowledge.yaml"
    for version in range(1, 501):
        save(manifest, versioned(version))
    watch.until(lambda event: event["type"] == "plan" and event["data"]["manifest"]["version"] == "500")
    types = [event["type"] for event in watch.events]
    assert types == ["validate", "plan"] * (len(types) // 2)
    assert len(types) // 2 < 100
    assert all(event["data"]["ok"] for event in watch.events if event["type"] == "validate")
    stamps = [event["timestamp"] for event in watch.events]
    assert stamps == sorted(stamps)
    # And it still watches.
    save(manifest, versioned("after"))
    watch.until(lambda event: event["type"] == "plan" and event["data"]["manifest"]["version"] == "after")


def test_unit_that_goes_and_comes_back(watching: Callable, folder: Path):
    watch = watching(".")
    watch.next()
    (folder / "berth.md").unlink()
    assert watch.next()["data"]["findings"][0]["message"] == "path 'berth.md' does not exist"
    (folder / "berth.md").write_text("again\n", "utf-8")
    assert watch.next()["data"]["findings"] == []


def test_unit_of_a_manifest_that_came_later(watching: Callable, folder: Path):
    watch = watching(".")
    watch.next()
    save(folder / "knowledge.yaml", versioned(1).replace("berth.md", "later.md"))
    assert not watch.next()["data"]["ok"]
    (folder / "later.md").write_text("new\n", "utf-8")
    assert watch.next()["data"]["ok"]


def test_manifest_that_goes_and_comes_back(watching: Callable, folder: Path):
    watch = watching(".")
    watch.next()
    (folder / "knowledge.yaml").unlink()
    lost = watch.next()["data"]
    assert lost["findings"][0]["message"] == "no knowledge.yaml found in ."
    (folder / ".well-known").mkdir()
    (folder / ".well-known" / "knowledge.yaml").write_text(versioned(2), "utf-8")
    assert watch.next()["data"]["source"] == ".well-known/knowledge.yaml"
    save(folder / "knowledge.yaml", versioned(3))
    assert watch.next()["data"]["source"] == "knowledge.yaml"


def test_folder_that_goes_and_comes_back(watching: Callable, folder: Path):
    watch = watching("sub/k.yaml")
    assert watch.next()["data"]["findings"][0]["message"] == "manifest not found: sub/k.yaml"
    sub = folder / "sub"
    sub.mkdir()
    save(sub / "k.yaml", versioned(1).replace("berth.md", "b.md"))
    watch.until(lambda event: event["data"].get("project") == "harbour")
    shutil.rmtree(sub)
    watch.until(lambda event: "project" not in event["data"])


def test_manifest_that_does_not_parse_is_reported_and_watching_goes_on(watching: Callable, folder: Path):
    watch = watching(".", "--task", "berth", "--diff")
    watch.next("plan")
    save(folder / "knowledge.yaml", BROKEN)
    broken = watch.next()["data"]
    assert broken["ok"] is False
    assert broken["findings"][0]["message"].startswith("does not parse: ")
    save(folder / "knowledge.yaml", versioned(1).replace("id: berth", "id: quay"))
    # The base of the comparison is the last plan there was.
    diff = watch.next("diff")["data"]
    assert {item["id"] for item in diff["presence"]} == {"berth", "quay"}
    assert [event["type"] for event in watch.events] == [
        *("validate", "plan"),
        "validate",
        *("validate", "plan", "diff"),
    ]


def test_same_size_in_the_same_moment(watching: Callable, folder: Path):
    """A change that leaves size, inode and, by `utime`, the time stamp as they were."""
    watch = watching(".", "--task", "berth")
    watch.next("plan")
    manifest = folder / "knowledge.yaml"
    for version in "123":
        status = manifest.stat()
        manifest.write_text(versioned(version), "utf-8")
        os.utime(manifest, ns=(status.st_atime_ns, status.st_mtime_ns))
        watch.until(lambda e, v=version: e["type"] == "plan" and e["data"]["manifest"]["version"] == v)


def test_interrupt(watching: Callable, folder: Path):
    watch = watching(".")
    watch.next()
    code, said = watch.interrupt()
    assert code == 130
    assert b"Traceback" not in said
    assert said.count(b"\n") <= 1


def test_nobody_reads_on(folder: Path, repository: Path):
    """`watch | head -1` ends at the next change, with the code of its verdict."""
    line = command_line(repository, "watch", str(folder), "--json")
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["data"]["ok"] is True
        process.stdout.close()
        save(folder / "knowledge.yaml", versioned(1))
        assert process.wait(60) == 0


def test_waiting_takes_no_time_of_the_processor(watching: Callable, folder: Path):
    """The loop sleeps: ten looks a second, at one file and one unit."""
    watch = watching(".")
    watch.next()
    before = _cpu_seconds(watch.process.pid)
    start = time.monotonic()
    # Rounds are the clock here: nothing else passes the time.
    for version in range(5):
        save(folder / "knowledge.yaml", versioned(version))
        watch.next()
    spent, passed = _cpu_seconds(watch.process.pid) - before, time.monotonic() - start
    assert spent < passed / 2


def _cpu_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        pytest.skip("no /proc here")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
