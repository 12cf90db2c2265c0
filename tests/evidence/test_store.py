"""The episode store (evidence contract §4): layout, what is passed over, and writers that take turns."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kcp.errors import KcpError
from kcp.evidence import files
from kcp.evidence.episodes import digest_of
from kcp.evidence.files import Lock, StoreError
from kcp.evidence.store import EpisodeStore, Passed, Stored
from tests.evidence.episode_cases import AT, KEY, entry, names, plan, store_of

OTHER_KEY = KEY.replace('"follow":false', '"follow":true')
INTERCHANGE = json.loads((Path(__file__).parent / "interchange.json").read_text(encoding="utf-8"))
LATER = "2026-07-07T10:00:00.000Z"


def found(store: EpisodeStore) -> tuple[list[Stored], list[Passed]]:
    everything = list(store.scan())
    stored = [each for each in everything if isinstance(each, Stored)]
    return stored, [each for each in everything if isinstance(each, Passed)]


def test_an_entry_is_a_file_of_indented_json_without_a_final_newline(tmp_path: Path):
    made = entry()
    store_of(tmp_path / "m", made)
    (path,) = (tmp_path / "m").glob("*.json")
    assert path.name == f"{made['id']}.json"
    assert path.read_text(encoding="utf-8") == json.dumps(made, indent=2, ensure_ascii=False)


def test_a_store_of_the_reference_is_read_and_written_alike(tmp_path: Path):
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    theirs.mkdir()
    for case in INTERCHANGE:
        (theirs / case["file"]).write_bytes(case["text"].encode())
    stored, passed = found(EpisodeStore(str(theirs)))
    assert [each.name for each in stored] == names(theirs)
    assert passed == []
    store_of(ours, *[EpisodeStore(str(theirs)).read(each.name).entry for each in stored])  # type: ignore[union-attr]
    for name in names(theirs):
        assert (ours / name).read_bytes() == (theirs / name).read_bytes()


def test_one_record_for_an_id_and_key_and_the_newest_stays(tmp_path: Path):
    store_of(tmp_path, entry(key=KEY), entry(at=LATER, key=KEY))
    ((stored,), _) = found(EpisodeStore(str(tmp_path)))
    assert stored.entry["recordedAt"] == LATER


def test_further_keys_get_files_of_their_own_and_alternating_overwrites_neither(tmp_path: Path):
    made = entry(key=KEY)
    for key in (KEY, OTHER_KEY, KEY, OTHER_KEY, None, KEY):
        store_of(tmp_path, entry(key=key))
    identifier = made["id"]
    assert names(tmp_path) == sorted(
        [
            f"{identifier}.json",
            f"{identifier}-{digest_of(OTHER_KEY)[:12]}.json",
            f"{identifier}-{digest_of('')[:12]}.json",
        ]
    )
    stored, passed = found(EpisodeStore(str(tmp_path)))
    assert [each.entry.get("optionsKey") for each in stored if each.name == f"{identifier}.json"] == [KEY]
    assert passed == []


def test_a_further_key_stays_where_it_is_when_the_first_is_gone(tmp_path: Path):
    store_of(tmp_path, entry(key=KEY), entry(key=OTHER_KEY))
    (tmp_path / f"{entry()['id']}.json").unlink()
    store_of(tmp_path, entry(at=LATER, key=OTHER_KEY))
    ((stored,), _) = found(EpisodeStore(str(tmp_path)))
    assert stored.entry["recordedAt"] == LATER


def test_a_damaged_file_makes_way(tmp_path: Path):
    made = entry()
    (tmp_path / f"{made['id']}.json").write_text("{", encoding="utf-8")
    store_of(tmp_path, made)
    ((stored,), passed) = found(EpisodeStore(str(tmp_path)))
    assert (stored.entry, passed) == (made, [])


def hostile(made: dict[str, Any]) -> dict[str, bytes]:
    """Files that hold no sound entry, by the reason that is given."""
    deep = b"[" * 5000 + b"]" * 5000
    return {
        "expected a value, found the end of the text (1:1)": b"",
        "not an object": b"null",
        "holds no artifact": b"{}",
        "not UTF-8": b'{"id": "\xff"}',
        "its id is not the digest of its artifact": json.dumps({**made, "id": "0" * 64}).encode(),
        "its name is not that of its id and options": json.dumps(made).encode(),
        "starts with a byte order mark": b"\xef\xbb\xbf" + json.dumps(made).encode(),
        "levels deep": b'{"artifact": ' + deep + b"}",
        "NaN": json.dumps({**made, "x": float("nan")}).encode(),
    }


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("reason", list(hostile(entry())))
def test_what_holds_no_sound_entry_is_passed_over_with_the_reason(tmp_path: Path, reason: str, strict: bool):
    (tmp_path / "x.json").write_bytes(hostile(entry())[reason])
    passed = EpisodeStore(str(tmp_path)).read("x.json", strict=strict)
    assert isinstance(passed, Passed)
    assert reason in passed.reason
    assert "x.json" not in passed.reason


def test_foreign_files_do_not_stop_a_scan(tmp_path: Path):
    made = entry()
    store = store_of(tmp_path, made)
    for number, content in enumerate(hostile(made).values()):
        (tmp_path / f"{number}.json").write_bytes(content)
    (tmp_path / "notes.txt").write_text("no entry", encoding="utf-8")
    (tmp_path / "folder.json").mkdir()
    stored, passed = found(store)
    assert [each.entry for each in stored] == [made]
    assert len(passed) == len(hostile(made)) + 1


def test_too_large_a_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    store = store_of(tmp_path, entry())
    monkeypatch.setattr("kcp.evidence.store.MAX_ENTRY_BYTES", 100)
    (_, (passed,)) = found(store)
    assert passed.reason == "larger than 100 bytes"
    with pytest.raises(KcpError, match="the episode is larger than 100 bytes"):
        store.append(entry(plan("another task")))


@pytest.mark.skipif(os.name == "nt", reason="links and pipes are a privilege there")
def test_links_and_pipes_are_not_followed(tmp_path: Path):
    made = entry()
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps(made), encoding="utf-8")
    folder = tmp_path / "m"
    store = EpisodeStore(str(folder))
    (folder / f"{made['id']}.json").symlink_to(outside)
    os.mkfifo(folder / "pipe.json")
    _, passed = found(store)
    assert [each.reason for each in passed] == ["a link, not a regular file", "not a regular file"]
    # Recording puts a file in the link's place, and leaves alone what it led to.
    store.append(entry(at=LATER))
    assert json.loads(outside.read_text(encoding="utf-8")) == made


def test_a_member_given_twice_is_refused_where_it_counts(tmp_path: Path):
    made = entry()
    name = f"{made['id']}.json"
    text = json.dumps(made)
    (tmp_path / name).write_text(text[:-1] + f', "recordedAt": "{AT}"}}', encoding="utf-8")
    store = EpisodeStore(str(tmp_path))
    assert isinstance(store.read(name, strict=False), Stored)
    assert isinstance(store.read(name), Passed)


def test_opening_makes_the_folder_for_its_owner_alone(tmp_path: Path):
    folder = tmp_path / "a" / "b"
    EpisodeStore(str(folder))
    assert folder.is_dir()
    if os.name != "nt":
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_locations_that_cannot_be_a_store(tmp_path: Path):
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    for location in (str(file), str(file / "below"), "a\0b"):
        with pytest.raises(StoreError, match="cannot use the memory at"):
            EpisodeStore(location)
    with pytest.raises(StoreError, match="no episode store at"):
        EpisodeStore(str(tmp_path / "missing"), create=False)
    assert not (tmp_path / "missing").exists()


def test_a_locked_store_is_waited_for_but_not_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    store = store_of(tmp_path, entry())
    monkeypatch.setattr(files, "LOCK_SECONDS", 0)
    with Lock(str(tmp_path)):
        with pytest.raises(StoreError, match="is locked by another process"):
            store.append(entry(plan("another task")))
        # Reading goes on: files are whole at any time.
        assert len(list(store.scan())) == 1
    store.append(entry(plan("another task")))


def test_a_write_that_fails_leaves_the_old_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    store = store_of(tmp_path, entry())

    def fail(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StoreError, match="no space left on device"):
        store.append(entry(at=LATER))
    ((stored,), passed) = found(store)
    assert (stored.entry["recordedAt"], passed) == (AT, [])


WRITER = """
import sys
sys.path.insert(0, {root!r})
from kcp.evidence.store import EpisodeStore
from tests.evidence.episode_cases import entry, plan
store = EpisodeStore(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
for number in range({count}):
    store.append(entry(plan(f"task {{sys.argv[2]}} {{number}}")))
    store.append(entry(plan("the same task")))
"""
COUNT = 40


def test_two_processes_record_while_this_one_lists_and_nothing_is_lost(tmp_path: Path, repository: Path):
    program = WRITER.format(root=str(repository), count=COUNT)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("one", "two")
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    store = EpisodeStore(str(tmp_path))
    seen: set[str] = set()
    while any(writer.poll() is None for writer in writers):
        stored, passed = found(store)
        assert passed == []
        listed = {each.name for each in stored}
        assert seen <= listed
        seen = listed
    for writer in writers:
        writer.communicate()
        assert writer.returncode == 0
    stored, passed = found(store)
    tasks = {each.entry["task"] for each in stored}
    assert tasks == {"the same task", *[f"task {name} {n}" for name in ("one", "two") for n in range(COUNT)]}
    assert len(stored) == 2 * COUNT + 1
    assert passed == []
