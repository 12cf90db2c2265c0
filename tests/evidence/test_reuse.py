"""Reuse (evidence contract §5): candidates, the decision table, and what B17 asks for beyond it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kcp.evidence.census import Census, EpisodeTrust
from kcp.evidence.recall import Freshness
from kcp.evidence.reuse import (
    Decision,
    Today,
    Wanted,
    decide,
    find_episode,
    same_manifest,
    served,
)
from kcp.evidence.signed import sign_entry
from kcp.evidence.store import Stored
from kcp.options import Capabilities
from tests.evidence.episode_cases import KEY, SHA, answer, entry, plan, store_of, with_credentials
from tests.evidence.test_gates import BERTHING, plan_of
from tests.trust.support import pair

TASK, SOURCE = "where to berth", "h/knowledge.yaml"
WANTED = Wanted(TASK, SOURCE, KEY)
OTHER_KEY = KEY.replace('"follow":false', '"follow":true')
VALID = Freshness("valid", "fine")
TODAY = Today((plan_of(BERTHING),), Capabilities())


def search(folder: Path, wanted: Wanted = WANTED, trust: EpisodeTrust | None = None) -> dict[str, Any] | None:
    found = find_episode(Census(store_of(folder), trust or EpisodeTrust()), wanted)
    return None if found is None else found.entry


def stored(artifact: dict[str, Any] | None = None) -> Stored:
    return Stored("x.json", entry(answer() if artifact is None else artifact, key=KEY), 1)


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted("Where to berth", SOURCE, KEY),
        Wanted(TASK, "H/knowledge.yaml", KEY),
        Wanted(TASK, None, KEY),
        Wanted(TASK, SOURCE, OTHER_KEY),
        Wanted(TASK, SOURCE, ""),
        Wanted(TASK, SOURCE, KEY, "grounded-answer"),
    ],
)
def test_everything_must_match_exactly(tmp_path: Path, wanted: Wanted):
    store_of(tmp_path, entry(key=KEY))
    assert search(tmp_path) is not None
    assert search(tmp_path, Wanted(TASK, SOURCE, KEY, "plan")) is not None
    assert search(tmp_path, wanted) is None


def test_no_key_is_the_empty_key(tmp_path: Path):
    store_of(tmp_path, entry())
    assert search(tmp_path) is None
    assert search(tmp_path, Wanted(TASK, SOURCE, "")) is not None


def test_only_the_newest_is_tried(tmp_path: Path):
    times = [f"2026-07-0{day}T10:00:00.000Z" for day in (2, 4, 3)]
    for day, at in enumerate(times):
        store_of(tmp_path, entry(plan(warnings=[str(day)]), at, KEY))
    found = search(tmp_path)
    assert found is not None
    assert found["recordedAt"] == times[1]


def test_alternating_keys_hit_each_time(tmp_path: Path):
    """Row 14: the reference's one file for an id made this always miss."""
    store_of(tmp_path, entry(key=KEY))
    for key in (OTHER_KEY, KEY, OTHER_KEY):
        store_of(tmp_path, entry(key=key))
        for recorded in (KEY, OTHER_KEY):
            assert search(tmp_path, Wanted(TASK, SOURCE, recorded)) is not None


def test_an_edited_options_key_is_never_found(tmp_path: Path):
    """Row 9: an answer made with credentials cannot be passed off as one made without."""
    forged = {**entry(answer(with_credentials("vault"))), "optionsKey": KEY}
    store_of(tmp_path, forged)
    assert search(tmp_path) is None


@pytest.mark.parametrize("state", ["unsigned", "unknown-key", "bad-signature", "verified"])
def test_once_a_key_is_trusted_only_its_episodes_are_reused(tmp_path: Path, state: str):
    made = entry(key=KEY)
    if state != "unsigned":
        made = sign_entry(made, None, pair(2 if state == "unknown-key" else 1))
    if state == "bad-signature":
        made["recordedAt"] = "2027-07-06T10:00:00.000Z"
    store_of(tmp_path, made)
    found = search(tmp_path, trust=EpisodeTrust((pair(1).public,)))
    assert (found is not None) == (state == "verified")


def test_an_unsigned_newer_episode_does_not_hide_a_signed_one(tmp_path: Path):
    signed = sign_entry(entry(key=KEY), None, pair(1))
    store_of(tmp_path, signed, entry(plan(warnings=["newer"]), "2026-07-09T10:00:00.000Z", KEY))
    assert search(tmp_path, trust=EpisodeTrust((pair(1).public,))) == signed


def hook(status: str) -> Any:
    return lambda _entry: Freshness(status, "the hook's detail")


TABLE: list[tuple[Any, str, str]] = [
    (
        None,
        "unverifiable",
        "no replay hook — cannot confirm the manifest is unchanged; refusing reuse (fail-closed)",
    ),
    (
        hook("unverifiable"),
        "unverifiable",
        "could not verify freshness: the hook's detail; refusing reuse",
    ),
    (hook("drifted"), "drifted", "the hook's detail"),
    (hook("valid"), "reuse", "the hook's detail"),
    (hook("something else"), "drifted", "the hook's detail"),
]


def test_no_candidate():
    detail = "no prior episode for this task + manifest + options"
    assert decide(None, hook("valid"), TODAY) == Decision("miss", detail)


@pytest.mark.parametrize(("freshness", "status", "detail"), TABLE)
def test_the_decision_table(freshness: Any, status: str, detail: str):
    found = stored()
    decision = decide(found, freshness, TODAY)
    assert (decision.status, decision.detail) == (status, detail)
    assert decision.entry == found.entry
    assert decision.artifact == (found.entry["artifact"] if status == "reuse" else None)


def test_without_todays_plans_nothing_is_served():
    decision = decide(stored(), hook("valid"), None)
    assert (decision.status, decision.artifact) == ("reuse", None)


@pytest.mark.parametrize(
    ("today", "detail"),
    [
        (Today((), Capabilities()), "unit 'berthing' is not selected today"),
        (
            Today((plan_of(f"{BERTHING}, access: restricted"),), Capabilities()),
            "unit 'berthing' is not load-eligible today",
        ),
        (
            Today((plan_of(BERTHING.replace("berthing.md", "b.md")),), Capabilities()),
            "unit 'berthing' lies at another path today",
        ),
        (
            Today((plan_of(BERTHING),), Capabilities(role="auditor")),
            "recorded with role 'agent', which the caller does not present",
        ),
    ],
)
def test_todays_gates_shut_what_freshness_opens(today: Today, detail: str):
    decision = decide(stored(), hook("valid"), today)
    assert (decision.status, decision.detail, decision.artifact) == ("drifted", detail, None)


def test_an_answer_that_does_not_say_what_it_was_made_from_is_not_served():
    made = answer()
    del made["synthesis"]["unitsLoaded"]
    decision = decide(stored(made), hook("valid"), TODAY)
    assert (decision.status, decision.artifact) == ("unverifiable", None)
    assert "which units it was made from; refusing reuse" in decision.detail


def test_a_plan_needs_no_units():
    assert decide(stored(plan()), hook("valid"), Today((), Capabilities())).status == "reuse"


def test_how_plans_are_compared():
    made = entry()
    assert same_manifest(SHA)(made) == Freshness("valid", f"manifest@{SHA[:12]}… unchanged")
    today = "cd" * 32
    drifted = f"manifest drifted: episode {SHA[:12]}… ≠ today {today[:12]}…"
    assert same_manifest(today)(made) == Freshness("drifted", drifted)
    assert same_manifest(None)(made).detail == f"manifest drifted: episode {SHA[:12]}… ≠ today ?…"
    bare = entry(plan(manifest={"project": "p"}))
    assert same_manifest(None)(bare) == Freshness("drifted", "manifest drifted: episode ?… ≠ today ?…")


def test_what_is_printed_for_a_reused_answer():
    decision = decide(stored(), hook("valid"), TODAY)
    wire = served(decision)
    assert list(wire) == ["reused", "plan", "synthesis", "grounding"]
    assert wire["reused"] == {"id": stored().entry["id"]}
