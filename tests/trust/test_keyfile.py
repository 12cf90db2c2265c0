"""Changes to a keyring file: exactly what was asked, every comment kept, or nothing at all."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.errors import KcpError, UsageError
from kcp.reading.yaml12 import read_yaml
from kcp.trust.keyfile import (
    NoSuchKeyError,
    add_key,
    find_key,
    list_keys,
    open_to_others,
    pin_origins,
    read_origin,
    remove_key,
)
from kcp.trust.keyfile_edits import KeyFileEditError, add_entry, add_origin, remove_entry
from kcp.trust.keyring import KeyringEntry, read_keyring
from kcp.trust.keys import key_pair, spki_text

KEYS = [key_pair(bytes([number]) * 32).public for number in range(8)]
TEXTS = [spki_text(key) for key in KEYS]
NEW = {"key_id": "new", "method": "jws", "algorithm": "EdDSA", "public_key": TEXTS[7]}

BLOCK = f"""\
# mine
version: 1
keys:   # all of them
  # the first
  - key_id: one   # known since May
    method: jws
    algorithm: EdDSA
    public_key: {TEXTS[0]}
    scope:
      domains:
        - github.com/Acme   # the team
        # more to come
  - key_id: two
    public_key: {TEXTS[1]}
    # no scope yet
# the end
"""
FLOW = f"version: 1\nkeys: [{{key_id: one, public_key: {TEXTS[0]}, scope: {{domains: [a.example]}}}}]\n"
INDENTLESS = f"version: 1\nkeys:\n- key_id: one\n  public_key: {TEXTS[0]}\n  scope: {{domains: []}}\n"
JSON = f'{{"version": 1, "keys": [{{"key_id": "one", "public_key": "{TEXTS[0]}"}}]}}'
SHAPES = [
    BLOCK,
    FLOW,
    INDENTLESS,
    JSON,
    BLOCK.replace("\n", "\r\n"),
    "\ufeff" + INDENTLESS,
    BLOCK.rstrip("\n"),
]
EMPTY = [
    "version: 1\nkeys: []\n",
    "keys: []   # none yet\nversion: 1\n",
    "version: 1\nkeys: []",
    '{"version": 1, "keys": []}',
]


def root(data: bytes) -> Any:
    return read_yaml(data).root


def comments(text: str) -> list[str]:
    return [line.partition("#")[2].strip() for line in text.splitlines() if "#" in line]


@pytest.mark.parametrize("text", SHAPES)
def test_add_appends_and_keeps_the_rest(text: str):
    data = text.encode()
    changed = add_entry(data, NEW)
    assert root(changed) == root(data) | {"keys": [*root(data)["keys"], NEW]}
    assert comments(changed.decode()) == comments(text)
    assert changed.startswith(b"\xef\xbb\xbf") == data.startswith(b"\xef\xbb\xbf")
    assert (b"\r\n" in changed) == (b"\r\n" in data)
    assert changed.replace(b"\r\n", b"").count(b"\r") == 0
    assert [entry.key_id for entry in read_keyring(changed, "k").entries][-1] == "new"


@pytest.mark.parametrize("text", EMPTY[:3])
def test_add_to_an_empty_list(text: str):
    scoped = NEW | {"scope": {"domains": ["a.example", "b.example/x"]}}
    changed = add_entry(text.encode(), scoped)
    assert root(changed)["keys"] == [scoped]
    assert comments(changed.decode()) == comments(text)


def test_add_to_an_empty_list_in_json_is_refused():
    with pytest.raises(KeyFileEditError, match="change it by hand"):
        add_entry(EMPTY[3].encode(), NEW)


@pytest.mark.parametrize("text", SHAPES)
def test_pin_adds_one_origin(text: str):
    data = text.encode()
    for index in range(len(root(data)["keys"])):
        changed = add_origin(data, index, "new.example/x")
        entries = read_keyring(changed, "k").entries
        before = read_keyring(data, "k").entries
        assert entries[index].domains == (*(before[index].domains or ()), "new.example/x")
        assert entries[:index] == before[:index]
        assert entries[index + 1 :] == before[index + 1 :]
        assert comments(changed.decode()) == comments(text)


@pytest.mark.parametrize("scope", ["scope:", "scope: ~", "scope: null  # later"])
def test_pin_where_the_scope_is_null(scope: str):
    text = f"version: 1\nkeys:\n  - key_id: one\n    {scope}\n    public_key: {TEXTS[0]}\n"
    changed = add_origin(text.encode(), 0, "a.example")
    assert read_keyring(changed, "k").entries[0].domains == ("a.example",)
    assert comments(changed.decode()) == comments(text)


@pytest.mark.parametrize("text", SHAPES)
def test_remove_takes_one_key(text: str):
    data = text.encode()
    for index in range(len(root(data)["keys"])):
        changed = remove_entry(data, index)
        keys = root(data)["keys"]
        assert root(changed) == root(data) | {"keys": keys[:index] + keys[index + 1 :]}


def test_remove_keeps_comments_outside_the_key():
    changed = remove_entry(BLOCK.encode(), 0).decode()
    assert comments(changed) == [
        "mine",
        "all of them",
        "the first",
        "more to come",
        "no scope yet",
        "the end",
    ]
    assert (
        remove_entry(remove_entry(BLOCK.encode(), 1), 0)
        .decode()
        .startswith("# mine\nversion: 1\nkeys: []   # all")
    )


@pytest.mark.parametrize(
    "text",
    [
        f"version: 1\nkeys:\n  - &one\n    key_id: one\n    public_key: {TEXTS[0]}\n  - *one\n",
        f"version: 1\nkeys:\n  - key_id: one\n    public_key: {TEXTS[0]}\n    note: |\n      text\n...\n",
        f"version: 1\nkeys: &all\n  - key_id: one\n    public_key: {TEXTS[0]}\nother: *all\n",
    ],
)
def test_what_cannot_be_changed_safely_is_refused(text: str):
    data = text.encode()
    refusals = []
    for change in (remove_entry, add_origin, add_entry):
        arguments: tuple[Any, ...] = {remove_entry: (0,), add_origin: (0, "a.b"), add_entry: (NEW,)}[change]
        try:
            read_keyring(change(data, *arguments), "k")
        except KeyFileEditError as error:
            refusals.append(error)
    assert refusals
    assert {error.exit_code for error in refusals} == {1}
    assert all("by hand" in error.message for error in refusals)


@given(st.data())
def test_any_sequence_of_changes_is_what_it_says(data: st.DataObject):
    text = data.draw(st.sampled_from([*SHAPES[:3], EMPTY[0]])).encode()
    for number in range(data.draw(st.integers(1, 6))):
        entries = read_keyring(text, "k").entries
        what = data.draw(st.sampled_from(["add", "remove", "pin"] if entries else ["add"]))
        index = data.draw(st.integers(0, max(0, len(entries) - 1)))
        try:
            if what == "add":
                text = add_entry(text, NEW | {"key_id": f"k{number}"})
                assert [entry.key_id for entry in read_keyring(text, "k").entries] == [
                    *[entry.key_id for entry in entries],
                    f"k{number}",
                ]
            elif what == "remove":
                text = remove_entry(text, index)
                assert read_keyring(text, "k").entries == entries[:index] + entries[index + 1 :]
            else:
                text = add_origin(text, index, f"h{number}.example")
                assert read_keyring(text, "k").entries[index].covers(f"h{number}.example/x")
        except KeyFileEditError:
            continue


def test_new_file_is_its_owners_alone(tmp_path: Path):
    path = tmp_path / "new" / "keys.yaml"
    add_key(str(path), KeyringEntry("one", KEYS[0], ("a.example",)), "2026-05-01", "https://a.example/key")
    stored = list_keys(str(path))[0]
    assert (stored.key_id, stored.origins, stored.added) == ("one", ("a.example",), "2026-05-01")
    assert stored.source_url == "https://a.example/key"
    if os.name != "nt":
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name == "nt", reason="no such permissions")
@pytest.mark.parametrize(("mode", "who"), [(0o660, "its group"), (0o602, "anyone"), (0o666, "anyone")])
def test_file_that_others_can_write_is_not_changed(tmp_path: Path, mode: int, who: str):
    path = tmp_path / "keys.yaml"
    path.write_text(BLOCK)
    path.chmod(mode)
    assert who in (open_to_others(str(path)) or "")
    for change in (
        lambda: add_key(str(path), KeyringEntry("x", KEYS[5]), "2026-05-01"),
        lambda: remove_key(str(path), "one"),
        lambda: pin_origins(str(path), "one", ("a.example",)),
    ):
        with pytest.raises(KcpError, match="chmod go-w") as caught:
            change()
        assert caught.value.exit_code == 3
    assert path.read_text() == BLOCK


@pytest.mark.skipif(os.name == "nt", reason="no such permissions")
def test_permissions_are_kept(tmp_path: Path):
    path = tmp_path / "keys.yaml"
    path.write_text(BLOCK)
    path.chmod(0o644)
    assert open_to_others(str(path)) is None
    remove_key(str(path), "two")
    assert path.stat().st_mode & 0o777 == 0o644
    assert not [each for each in tmp_path.iterdir() if each.name.endswith(".tmp")]


def test_search_by_id_and_fingerprint(tmp_path: Path):
    path = tmp_path / "keys.yaml"
    for key in KEYS[:2]:
        add_key(str(path), KeyringEntry("same", key), "2026-05-01")
    with pytest.raises(NoSuchKeyError, match="already"):
        add_key(str(path), KeyringEntry("same", KEYS[0]), "2026-05-01")
    keys = list_keys(str(path))
    assert find_key(keys, keys[1].fingerprint, "f") == keys[1]
    with pytest.raises(UsageError, match="2 keys are called 'same'"):
        find_key(keys, "same", "f")
    with pytest.raises(NoSuchKeyError, match="no key 'other'"):
        find_key(keys, "other", "f")


def test_pin_skips_what_is_covered_and_remove_says_what_is_lost(tmp_path: Path):
    path = str(tmp_path / "keys.yaml")
    add_key(path, KeyringEntry("one", KEYS[0], ("a.example",)), "2026-05-01")
    add_key(path, KeyringEntry("two", KEYS[1], ("b.example",)), "2026-05-01")
    key, new = pin_origins(path, "one", ("a.example/team", "b.example/x", "b.example/x/y"))
    assert (key.origins, new) == (("a.example",), ("b.example/x",))
    assert list_keys(path)[0].origins == ("a.example", "b.example/x")
    assert remove_key(path, "one")[1] == ("a.example",)


@pytest.mark.parametrize("text", ["", "a b", "unknown", "a.example/../b", "https://", "ä.example"])
def test_no_origin(text: str):
    with pytest.raises(UsageError, match="no origin"):
        read_origin(text)


def test_origin_is_normalised():
    assert read_origin("https://user:pw@GitHub.com:443/Acme/lib.git/") == "github.com/Acme/lib"


def test_writers_wait_for_each_other(tmp_path: Path):
    path = str(tmp_path / "keys.yaml")
    threads = [
        threading.Thread(target=add_key, args=(path, KeyringEntry(f"k{number}", key), "2026-05-01"))
        for number, key in enumerate(KEYS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(key.key_id for key in list_keys(path)) == [f"k{number}" for number in range(8)]
