"""The chain of signed episodes: deletion, rollback and loss of its end (evidence contract §14)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kcp.errors import KcpError
from kcp.evidence import ledger
from kcp.evidence.census import Census, EpisodeTrust
from kcp.evidence.chain import BROKEN, EMPTY, INTACT, Chain, Link, check_chain
from kcp.evidence.episodes import timestamp
from kcp.evidence.ledger import HEAD_NAME, REMOVALS_NAME
from kcp.evidence.signed import Removal
from kcp.evidence.store import EpisodeStore
from kcp.evidence.upkeep import prune
from tests.evidence.episode_cases import KEY, entry, names, plan
from tests.trust.support import pair

MINE, OTHER = pair(1), pair(2)
AFTER = "2026-08-01T00:00:00.000Z"


def record(folder: Path, number: int, at: int = 0, key: int | None = 1) -> str:
    """Record episode `number` and give its digest; `at` is in seconds."""
    made = entry(plan(f"task {number}"), timestamp(at * 10**9))
    recorded = EpisodeStore(str(folder)).append(made, None if key is None else pair(key))
    return str(recorded.entry.get("integrity", {}).get("digest"))


def path_of(folder: Path, number: int) -> Path:
    return folder / f"{entry(plan(f'task {number}'))['id']}.json"


def chain_of(folder: Path, expected: str | None = None, keys: tuple[bytes, ...] = (MINE.public,)) -> Chain:
    census = Census(EpisodeStore(str(folder)), EpisodeTrust(keys, expected_head=expected))
    for _ in census.scan():
        pass
    chain = census.chain()
    assert chain is not None
    return chain


@pytest.fixture
def heads(tmp_path: Path) -> list[str]:
    """The heads after each of five episodes."""
    return [record(tmp_path, number, at=number) for number in range(5)]


def test_recording_makes_one_line(tmp_path: Path, heads: list[str]):
    assert chain_of(tmp_path) == Chain(INTACT, heads[-1], 5)
    for head in heads:
        assert chain_of(tmp_path, head).state == INTACT


def test_an_empty_store_has_an_empty_chain(tmp_path: Path):
    assert chain_of(tmp_path) == Chain(EMPTY)
    record(tmp_path, 1, key=None)
    assert chain_of(tmp_path) == Chain(EMPTY)
    assert chain_of(tmp_path, "ab" * 32).state == BROKEN


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_deletion_inside_shows(tmp_path: Path, heads: list[str], number: int):
    path_of(tmp_path, number).unlink()
    chain = chain_of(tmp_path)
    assert chain.state == BROKEN
    assert f"episode {heads[number][:12]}… is missing" in chain.faults[0]


def test_loss_of_the_end_shows_against_an_expected_head(tmp_path: Path, heads: list[str]):
    path_of(tmp_path, 4).unlink()
    assert chain_of(tmp_path).state == INTACT
    chain = chain_of(tmp_path, heads[4])
    assert chain.state == BROKEN
    assert "its end was lost" in chain.faults[0]
    assert chain_of(tmp_path, heads[3]).state == INTACT


def test_a_changed_episode_shows(tmp_path: Path, heads: list[str]):
    path = path_of(tmp_path, 2)
    made = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**made, "recordedAt": AFTER}), encoding="utf-8")
    assert chain_of(tmp_path).state == BROKEN


def test_recording_again_replaces_an_episode_without_breaking_the_chain(tmp_path: Path, heads: list[str]):
    again = record(tmp_path, 2, at=10)
    assert chain_of(tmp_path, heads[2]) == Chain(INTACT, again, 5)
    newest = record(tmp_path, 2, at=11)
    assert chain_of(tmp_path, again) == Chain(INTACT, newest, 5)


def test_recording_again_under_a_further_key(tmp_path: Path):
    store, keys = EpisodeStore(str(tmp_path)), (KEY, KEY.replace('"follow":false', '"follow":true'))
    for number in range(3):
        for key in keys:
            recorded = store.append(entry(at=timestamp(number * 10**9), key=key), MINE)
    assert len(names(tmp_path)) == 2
    assert chain_of(tmp_path) == Chain(INTACT, recorded.entry["integrity"]["digest"], 2)
    with pytest.raises(KcpError, match="a signed episode is in the way"):
        store.append(entry(key=keys[1]))


def test_a_replaced_episode_put_back_shows(tmp_path: Path, heads: list[str]):
    old = path_of(tmp_path, 2).read_bytes()
    record(tmp_path, 2, at=10)
    path_of(tmp_path, 2).write_bytes(old)
    chain = chain_of(tmp_path)
    assert chain.state == BROKEN
    assert any("rolled back" in fault for fault in chain.faults)


def test_removals_without_a_trusted_signature_excuse_nothing(tmp_path: Path, heads: list[str]):
    path_of(tmp_path, 2).unlink()
    from kcp.evidence.signed import removal_record

    forged = removal_record(heads[2], heads[1], OTHER)
    (tmp_path / REMOVALS_NAME).write_text(json.dumps(forged) + "\n[]\n{\n\xff\n", encoding="utf-8")
    assert chain_of(tmp_path).state == BROKEN
    assert chain_of(tmp_path, keys=(MINE.public, OTHER.public)).state == INTACT


def test_losing_the_removals_shows(tmp_path: Path, heads: list[str]):
    record(tmp_path, 2, at=10)
    (tmp_path / REMOVALS_NAME).unlink()
    assert chain_of(tmp_path).state == BROKEN


def test_two_writers_keys_make_one_chain(tmp_path: Path):
    record(tmp_path, 0)
    record(tmp_path, 1, key=2)
    head = record(tmp_path, 2)
    both = (MINE.public, OTHER.public)
    assert chain_of(tmp_path, keys=both) == Chain(INTACT, head, 3)
    # Mine vouch for the other's by their digests, known or not.
    assert chain_of(tmp_path) == Chain(INTACT, head, 2)
    path_of(tmp_path, 1).unlink()
    assert chain_of(tmp_path).state == BROKEN


def test_strangers_episodes_neither_break_nor_mend_it(tmp_path: Path, heads: list[str]):
    record(tmp_path, 7, key=2)
    record(tmp_path, 8, key=None)
    assert chain_of(tmp_path) == Chain(INTACT, heads[-1], 5)


def test_requiring_signatures_leaves_the_chain_whole(tmp_path: Path):
    record(tmp_path, 0)
    record(tmp_path, 1, key=2)
    head = record(tmp_path, 2)
    census = Census(EpisodeStore(str(tmp_path)), EpisodeTrust((MINE.public,), require_signed=True))
    assert len(list(census.scan())) == 2
    assert census.chain() == Chain(INTACT, head, 2)


@pytest.mark.parametrize("book", [b"", b"{", b"[]", b'{"head": 7}', None])
def test_a_lost_head_is_found_again(tmp_path: Path, heads: list[str], book: bytes | None):
    if book is None:
        (tmp_path / HEAD_NAME).unlink()
    else:
        (tmp_path / HEAD_NAME).write_bytes(book)
    head = record(tmp_path, 9)
    assert chain_of(tmp_path) == Chain(INTACT, head, 6)


def test_a_head_turned_back_shows(tmp_path: Path, heads: list[str]):
    (tmp_path / HEAD_NAME).write_text(json.dumps({"head": heads[1]}), encoding="utf-8")
    record(tmp_path, 9)
    chain = chain_of(tmp_path)
    assert chain.state == BROKEN
    assert "2 episodes have no successor" in chain.faults[0]


class CrashError(Exception):
    """The process ends here."""


def crash(*_arguments: object) -> None:
    raise CrashError


@pytest.mark.parametrize("number", [2, 4, 9])
@pytest.mark.parametrize("before", ["write", "append", "head"])
def test_a_writer_that_crashed_breaks_nothing(
    tmp_path: Path, heads: list[str], monkeypatch: pytest.MonkeyPatch, before: str, number: int
):
    """Before the entry is written, before the removal is, and before the new head is."""
    with monkeypatch.context() as patch:
        if before == "write":
            patch.setattr(EpisodeStore, "write", crash)
        elif before == "append":
            patch.setattr(ledger, "append_line", crash)
            patch.setattr(ledger, "_finish", crash)
        else:
            patch.setattr(ledger, "_finish", crash)
        with pytest.raises(CrashError):
            record(tmp_path, number, at=20)
    head = record(tmp_path, 8, at=21)
    known = names(tmp_path)
    assert chain_of(tmp_path, heads[4]) == Chain(INTACT, head, len(known))


def test_a_forged_book_makes_nobody_sign_a_removal(tmp_path: Path, heads: list[str]):
    """A stolen episode cannot be passed off as replaced by writing so into the head's book."""
    path_of(tmp_path, 2).unlink()
    removal = {"digest": heads[2], "prev": heads[1]}
    book = {"head": heads[3], "next": heads[4], "name": path_of(tmp_path, 4).name, "removal": removal}
    (tmp_path / HEAD_NAME).write_text(json.dumps(book), encoding="utf-8")
    record(tmp_path, 9)
    assert chain_of(tmp_path).state == BROKEN


def test_an_entry_that_claims_a_stolen_ones_digest_makes_nobody_sign_its_removal(
    tmp_path: Path, heads: list[str]
):
    path_of(tmp_path, 2).unlink()
    path = path_of(tmp_path, 0)
    forged = json.loads(path.read_text("utf-8"))
    forged["integrity"]["digest"] = heads[2]
    path.write_text(json.dumps(forged), encoding="utf-8")
    record(tmp_path, 0, at=30)
    prune(EpisodeStore(str(tmp_path)), AFTER, MINE, dry_run=False)
    assert heads[2] not in [json.loads(line)["digest"] for line in removal_lines(tmp_path)]


def removal_lines(folder: Path) -> list[str]:
    return (folder / REMOVALS_NAME).read_text("utf-8").splitlines()


def test_without_a_key_a_signed_episode_is_not_replaced(tmp_path: Path, heads: list[str]):
    with pytest.raises(KcpError, match="a signed episode is in the way") as caught:
        record(tmp_path, 2, at=10, key=None)
    assert "--sign-key" in (caught.value.hint or "")
    assert chain_of(tmp_path).state == INTACT


def test_an_unsigned_episode_makes_way_for_a_signed_one(tmp_path: Path):
    record(tmp_path, 1, key=None)
    head = record(tmp_path, 1, at=1)
    assert len(names(tmp_path)) == 1
    assert chain_of(tmp_path) == Chain(INTACT, head, 1)
    assert not (tmp_path / REMOVALS_NAME).exists()


def test_pruning_with_a_key_keeps_the_chain(tmp_path: Path, heads: list[str]):
    pruned = prune(EpisodeStore(str(tmp_path)), timestamp(3 * 10**9), MINE, dry_run=False)
    assert len(pruned.names) == 3
    assert chain_of(tmp_path, heads[0]) == Chain(INTACT, heads[-1], 2)
    prune(EpisodeStore(str(tmp_path)), AFTER, MINE, dry_run=False)
    assert names(tmp_path) == []
    assert chain_of(tmp_path) == Chain(EMPTY)
    head = record(tmp_path, 9)
    assert chain_of(tmp_path, heads[4]) == Chain(INTACT, head, 1)


def test_a_link_to_itself_ends():
    """No digest leads to itself; a list that says so is still walked once."""
    links = [Link("a", "a", trusted=True)]
    assert check_chain(links, [Removal("b", "b")]).state in (INTACT, BROKEN)


def test_links_in_any_order(tmp_path: Path):
    links = [Link(str(n), str(n - 1) if n else None, trusted=True) for n in range(6)]
    expected = Chain(INTACT, "5", 6)
    assert check_chain(links, []) == expected
    assert check_chain(reversed(links), []) == expected
    assert check_chain(links[::2] + links[1::2], []) == expected


def wire(links: list[tuple[str, str | None]]) -> list[Any]:
    return [Link(digest, prev, trusted=True) for digest, prev in links]


def test_a_fork_has_two_ends():
    chain = check_chain(wire([("a", None), ("b", "a"), ("c", "a")]), [])
    assert (chain.state, chain.head) == (BROKEN, None)
