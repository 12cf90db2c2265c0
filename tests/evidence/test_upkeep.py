"""Counting and pruning the episodes of a store."""

from __future__ import annotations

from pathlib import Path

import pytest

from kcp.errors import UsageError
from kcp.evidence.census import Census, EpisodeTrust
from kcp.evidence.episodes import timestamp
from kcp.evidence.signed import sign_entry
from kcp.evidence.store import EpisodeStore
from kcp.evidence.upkeep import DAY, StoreStats, count_episodes, prune, read_age
from tests.evidence.episode_cases import answer, entry, names, plan, store_of
from tests.trust.support import pair

NOW = 1_783_332_000 * 10**9


def days_ago(days: float) -> str:
    return timestamp(NOW - int(days * DAY))


@pytest.fixture
def store(tmp_path: Path) -> EpisodeStore:
    """Episodes of different ages, one of them signed, and a file that holds none."""
    made = store_of(
        tmp_path,
        entry(plan("t 0"), days_ago(0.5)),
        entry(plan("t 1"), days_ago(2)),
        entry(answer(), days_ago(10)),
        entry(plan("t 3", manifest={"project": "p"}), days_ago(50)),
        sign_entry(entry(plan("t 4"), days_ago(200)), None, pair(1)),
        entry(plan("t 5"), days_ago(300)),
    )
    (tmp_path / "x.json").write_text("null", encoding="utf-8")
    return made


def test_counts(store: EpisodeStore, tmp_path: Path):
    census = Census(store, EpisodeTrust((pair(1).public,)))
    stats = count_episodes(census, NOW)
    size = sum([(tmp_path / name).stat().st_size for name in names(tmp_path)]) - len("null")
    assert stats == StoreStats(
        episodes=6,
        size=size,
        kinds={"plan": 5, "grounded-answer": 1},
        ages={"day": 1, "week": 1, "month": 1, "quarter": 1, "older": 2},
        manifests={"h/knowledge.yaml": 5, "(none)": 1},
        integrity={"unsigned": 5, "verified": 1},
        oldest=days_ago(300),
        newest=days_ago(0.5),
    )
    assert census.passed_count == 1


def test_counts_of_nothing(tmp_path: Path):
    stats = count_episodes(Census(store_of(tmp_path), EpisodeTrust()), NOW)
    assert (stats.episodes, stats.size, stats.oldest, stats.newest) == (0, 0, None, None)


@pytest.mark.parametrize("dry_run", [True, False])
def test_pruning(store: EpisodeStore, tmp_path: Path, dry_run: bool):
    before = names(tmp_path)
    pruned = prune(store, days_ago(30), None, dry_run=dry_run)
    assert (len(pruned.names), pruned.left, pruned.signed_left) == (2, 4, 1)
    assert set(pruned.names) == {
        f"{entry(plan('t 5'))['id']}.json",
        *[name for name in pruned.names if name in before],
    }
    assert names(tmp_path) == (before if dry_run else [name for name in before if name not in pruned.names])
    assert (tmp_path / "x.json").exists()


def test_signed_episodes_go_with_a_key(store: EpisodeStore, tmp_path: Path):
    pruned = prune(store, days_ago(30), pair(1), dry_run=False)
    assert (len(pruned.names), pruned.left, pruned.signed_left) == (3, 3, 0)


def test_an_episode_recorded_anew_meanwhile_stays(
    store: EpisodeStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    found = list(store.scan())
    store.append(entry(plan("t 5"), days_ago(0)))
    monkeypatch.setattr(EpisodeStore, "scan", lambda _store: iter(found))
    pruned = prune(store, days_ago(30), None, dry_run=False)
    assert len(pruned.names) == 1
    assert f"{entry(plan('t 5'))['id']}.json" in names(tmp_path)


@pytest.mark.parametrize(("text", "age"), [("90d", 90 * DAY), ("12h", DAY // 2), ("4w", 28 * DAY), ("0d", 0)])
def test_ages(text: str, age: int):
    assert read_age("--older-than", text) == age


@pytest.mark.parametrize("text", ["", "d", "90", "-1d", "1.5d", "9m", "٣d", "1000000d", "90 d", "90D"])
def test_what_is_no_age(text: str):
    with pytest.raises(UsageError, match="--older-than must be hours, days or weeks"):
        read_age("--older-than", text)
