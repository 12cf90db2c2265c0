"""The index of a store: never anything but what reading the files would give."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kcp.evidence import files, store_index
from kcp.evidence.episodes import digest_of
from kcp.evidence.files import Lock
from kcp.evidence.signed import sign_entry
from kcp.evidence.store import EpisodeStore, Stored
from kcp.evidence.store_index import INDEX_NAME, candidates, summaries
from tests.evidence.episode_cases import KEY, entry, names, plan, store_of
from tests.trust.support import pair

OLD = 1_600_000_000
SOURCE = "h/knowledge.yaml"


@pytest.fixture(autouse=True)
def _always_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few the files, and however short ago they were touched."""
    monkeypatch.setattr(store_index, "WORTH_KEEPING", 1)
    monkeypatch.setattr(store_index, "_SETTLED", -(10**12))


def read_all(store: EpisodeStore) -> list[Any]:
    """What the files give when there is no index."""
    (Path(store.folder) / INDEX_NAME).unlink(missing_ok=True)
    return list(summaries(store))


def only(store: EpisodeStore) -> Any:
    """The one summary of a store, found by a whole search."""
    (summary,) = list(summaries(store))
    return summary


def rows(folder: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads((folder / INDEX_NAME).read_bytes())["files"]
    return kept


def test_a_second_search_reads_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    store = store_of(tmp_path, *[entry(plan(f"task {n}"), key=KEY) for n in range(5)])
    (tmp_path / "x.json").write_text("null", encoding="utf-8")
    (tmp_path / "y.json").write_text(json.dumps(plan()), encoding="utf-8")
    first = read_all(store)
    assert len(first) == 7

    def fail(*_arguments: object, **_options: object) -> None:
        raise AssertionError("a file was read")

    monkeypatch.setattr(EpisodeStore, "read", fail)
    assert list(summaries(store)) == first


def test_a_changed_file_is_read_again_even_with_its_old_size_and_time(tmp_path: Path):
    store = store_of(tmp_path, entry())
    (name,) = names(tmp_path)
    path = tmp_path / name
    os.utime(path, (OLD, OLD))
    assert only(store).recorded_at == entry()["recordedAt"]
    later = "2027-07-06T10:00:00.000Z"
    path.write_text(path.read_text("utf-8").replace(entry()["recordedAt"], later), encoding="utf-8")
    os.utime(path, (OLD, OLD))
    assert only(store).recorded_at == later


def test_a_file_touched_moments_ago_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(store_index, "_SETTLED", 10**12)
    store = store_of(tmp_path, entry())
    assert len(list(summaries(store))) == 1
    assert rows(tmp_path) == {}


def test_few_files_are_not_worth_an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(store_index, "WORTH_KEEPING", 2)
    store = store_of(tmp_path, entry())
    list(summaries(store))
    assert not (tmp_path / INDEX_NAME).exists()


def test_an_entry_changed_after_signing_is_passed_over_from_the_index_too(tmp_path: Path):
    store = store_of(tmp_path)
    forged = {**sign_entry(entry(), None, pair(1)), "recordedAt": "2027-07-06T10:00:00.000Z"}
    store.append(forged)
    (passed,) = read_all(store)
    assert "bad signature" in passed.reason
    assert list(summaries(store)) == [passed]


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\xff",
        b'{"version": 1}',
        b'{"version": 1, "files": []}',
        b'{"version": 99, "files": {}}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_index_is_no_index(tmp_path: Path, damage: bytes):
    store = store_of(tmp_path, entry())
    expected = read_all(store)
    (tmp_path / INDEX_NAME).write_bytes(damage)
    assert list(summaries(store)) == expected


@pytest.mark.parametrize(
    "row", [None, 3, [], ["i"], ["i", 3], ["i", "plan", "t", None, "k", 5], ["i", "a", None, "b", "c", "d"]]
)
def test_a_damaged_row_is_no_row(tmp_path: Path, row: object):
    store = store_of(tmp_path, entry())
    expected = read_all(store)
    (name,) = names(tmp_path)
    identity = rows(tmp_path)[name][0]
    damaged = [identity, *row[1:]] if isinstance(row, list) and row else row
    (tmp_path / INDEX_NAME).write_text(json.dumps({"version": 1, "files": {name: damaged}}), encoding="utf-8")
    assert list(summaries(store)) == expected


def test_a_store_that_cannot_be_locked_is_searched_without_keeping_an_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    store = store_of(tmp_path, entry())
    monkeypatch.setattr(files, "LOCK_SECONDS", 0)
    with Lock(str(tmp_path)):
        assert len(list(summaries(store))) == 1
    assert not (tmp_path / INDEX_NAME).exists()


steps = st.lists(
    st.tuples(st.sampled_from(["append", "forge", "delete", "rekey", "search"]), st.integers(0, 3)),
    max_size=12,
)


def change_files(store: EpisodeStore, steps: list[tuple[str, int]]) -> None:
    """What recorders, forgers and the reference may do to a store."""
    folder = Path(store.folder)
    for action, number in steps:
        made = entry(plan(f"task {number}"))
        path = folder / f"{made['id']}.json"
        if action == "append":
            store.append(entry(plan(f"task {number}"), key=KEY if number % 2 else None))
        elif action == "forge":
            path.write_text(json.dumps({**made, "task": "forged"}), encoding="utf-8")
        elif action == "rekey" and path.exists():
            path.write_text(json.dumps({**made, "optionsKey": KEY}), encoding="utf-8")
        elif action == "delete":
            path.unlink(missing_ok=True)
        else:
            list(summaries(store))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=steps)
def test_whatever_happens_to_the_files_the_index_tells_the_same(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]
):
    store = store_of(tmp_path_factory.mktemp("m"))
    change_files(store, steps)
    with_index = list(summaries(store))
    assert with_index == read_all(store)


def found_by(store: EpisodeStore, task: str, key: str = "") -> set[str]:
    """The sound episodes among the candidates."""
    found = [store.read(name) for name in candidates(store, task, SOURCE, digest_of(key))]
    return {
        each.name
        for each in found
        if isinstance(each, Stored)
        and each.entry["task"] == task
        and each.entry.get("optionsKey", "") == key
        and each.entry.get("manifestSource") == SOURCE
    }


def test_candidates_are_few_once_there_is_an_index(tmp_path: Path):
    store = store_of(tmp_path, *[entry(plan(f"task {n}"), key=KEY) for n in range(5)], entry(plan("task 1")))
    (tmp_path / "x.json").write_text("null", encoding="utf-8")
    list(summaries(store))
    identifier = entry(plan("task 1"))["id"]
    assert candidates(store, "task 1", SOURCE, digest_of(KEY)) == [f"{identifier}.json", "x.json"]
    assert candidates(store, "task 1", "elsewhere", digest_of(KEY)) == ["x.json"]
    assert candidates(store, "task 9", SOURCE, digest_of(KEY)) == ["x.json"]


def test_a_key_changed_in_place_is_found(tmp_path: Path):
    """The reference overwrites `{id}.json`, whatever key it was recorded under."""
    store = store_of(tmp_path, entry(key=KEY))
    list(summaries(store))
    (name,) = names(tmp_path)
    other = KEY.replace('"follow":false', '"follow":true')
    (tmp_path / name).write_text(json.dumps(entry(key=other)), encoding="utf-8")
    assert found_by(store, "where to berth", other) == {name}
    assert found_by(store, "where to berth", KEY) == set()


def test_many_unknown_files_are_read_once_and_then_known(tmp_path: Path):
    store = store_of(tmp_path, *[entry(plan(f"task {n}")) for n in range(3)])
    assert not (tmp_path / INDEX_NAME).exists()
    assert len(candidates(store, "task 1", SOURCE, digest_of(""))) == 1
    assert (tmp_path / INDEX_NAME).exists()


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=steps)
def test_candidates_miss_nothing(tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]):
    folder = tmp_path_factory.mktemp("m")
    store = store_of(folder)
    change_files(store, steps)
    for number in range(4):
        for key in ("", KEY):
            with_index = found_by(store, f"task {number}", key)
            (folder / INDEX_NAME).unlink(missing_ok=True)
            assert with_index == found_by(store, f"task {number}", key)
