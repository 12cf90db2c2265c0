"""Recall (evidence contract §4): scores, order, the table of statuses, and rows 10, 11, 13, 15 and 16."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kcp.errors import ArtifactError
from kcp.evidence.census import Census, EpisodeTrust
from kcp.evidence.comparison import Check
from kcp.evidence.recall import Freshness, Hit, Recall, freshness
from kcp.evidence.reports import ClaimVerdict, GroundedReport, ReplayReport
from kcp.evidence.signed import sign_entry
from kcp.options import Capabilities
from tests.evidence.episode_cases import SHA, answer, entry, plan, store_of, with_credentials
from tests.trust.support import pair

CALLER = Capabilities()


def recall(folder: Path, *artifacts: dict[str, Any], caller: Capabilities = CALLER) -> Recall:
    store = store_of(folder, *[entry(artifact) for artifact in artifacts])
    return Recall(Census(store, EpisodeTrust()), caller)


def tasks(hits: Any) -> list[tuple[int, str]]:
    return [(hit.score, hit.entry["task"]) for hit in hits]


def test_the_score_counts_the_entrys_words_and_repeats_count(tmp_path: Path):
    asked = recall(
        tmp_path,
        plan("tide tide tide"),
        plan("Where do ships berth at the quay?"),
        plan("customs"),
        plan("the quay"),
    )
    assert tasks(asked.hits("QUAY tide berth, berth")) == [
        (3, "tide tide tide"),
        (2, "Where do ships berth at the quay?"),
        (1, "the quay"),
    ]
    assert asked.census.episodes == 4


def test_ties_come_in_the_order_of_the_store_and_the_limit_cuts(tmp_path: Path):
    made = [plan(f"quay {n}") for n in range(5)]
    by_id = [each["task"] for each in sorted([entry(one) for one in made], key=lambda each: str(each["id"]))]
    asked = recall(tmp_path, *made)
    assert [task for _, task in tasks(asked.hits("quay"))] == by_id
    assert [task for _, task in tasks(asked.hits("quay", 2))] == by_id[:2]
    assert list(asked.hits("quay", 0)) == []
    assert len(list(asked.hits("quay", 99))) == 5


def test_without_a_replay_nothing_is_claimed(tmp_path: Path):
    (hit,) = recall(tmp_path, plan()).hits("berth")
    assert hit == Hit(
        entry(), 1, "unverifiable", "not replayed — recall carries no freshness claim", "unsigned"
    )


def claims(*statuses: str, unreadable: bool = False) -> tuple[ClaimVerdict, ...]:
    return tuple([ClaimVerdict("c", "u", status, f"it is {status}", unreadable) for status in statuses])


def checks(*statuses: str) -> tuple[Check, ...]:
    return tuple([Check("s", "p", status, f"it is {status}") for status in statuses])


def grounded(
    of: tuple[ClaimVerdict, ...], behind: tuple[Check, ...] = (), *, ok: bool = False
) -> GroundedReport:
    return GroundedReport("a", of, (), ok, behind)


HOLDS = "every cited unit holds its pinned bytes"
PLAN_HOLDS = "plan re-verifies against the live manifest"
TABLE: list[tuple[object, str, str]] = [
    (grounded(claims("still-grounded"), ok=True), "valid", HOLDS),
    (grounded(claims("drifted", "still-grounded")), "drifted", "1 cited unit(s) drifted or gone"),
    (grounded(claims("drifted", "gone", "still-grounded")), "drifted", "2 cited unit(s) drifted or gone"),
    (grounded(claims("gone")), "drifted", "1 cited unit(s) drifted or gone"),
    (
        grounded(claims("still-grounded"), checks("drifted")),
        "drifted",
        "the plan behind the answer: it is drifted",
    ),
    (ReplayReport("a", checks("identical"), ok=True), "valid", PLAN_HOLDS),
    (
        ReplayReport("a", checks("identical", "drifted"), ok=False),
        "drifted",
        "1 node(s) drifted since recorded",
    ),
    (ReplayReport("a", checks("drifted", "error"), ok=False), "drifted", "2 node(s) drifted since recorded"),
    # Row 15: what could not be checked, or says nothing to check, has not drifted.
    (ReplayReport("a", checks("error"), ok=False), "unverifiable", "could not replay: it is error"),
    (ReplayReport("a", checks("unpinned"), ok=False), "unverifiable", "could not replay: it is unpinned"),
    (ReplayReport("a", (), ok=False), "unverifiable", "could not replay: nothing to check"),
    (grounded(()), "unverifiable", "no cited unit to verify"),
    (grounded(claims("gone"), checks("error")), "unverifiable", "could not replay: it is error"),
    (grounded(claims("gone", unreadable=True)), "unverifiable", "could not replay: it is gone"),
    (
        grounded(claims("drifted") + claims("gone", unreadable=True), checks("error")),
        "drifted",
        "2 cited unit(s) drifted or gone",
    ),
]


@pytest.mark.parametrize(("report", "status", "detail"), TABLE)
def test_the_table_of_statuses(report: Any, status: str, detail: str):
    made = entry(answer() if isinstance(report, GroundedReport) else plan())
    asked: list[tuple[object, str]] = []

    def replay(artifact: object, name: str) -> Any:
        asked.append((artifact, name))
        return report

    assert freshness(made, replay) == Freshness(status, detail)
    assert asked == [(made["artifact"], made["id"])]


def throw(_artifact: object, _name: object = None) -> Any:
    raise ArtifactError("it broke")


def test_a_replay_that_throws(tmp_path: Path):
    assert freshness(entry(), throw) == Freshness("unverifiable", "could not replay: it broke")


def test_todays_gates_count_for_answers_that_hold_otherwise():
    holds, moved = grounded(claims("still-grounded"), ok=True), grounded(claims("drifted"))

    def gates(_artifact: object) -> str | None:
        return "unit 'u' is not selected today"

    made = entry(answer())
    assert freshness(made, lambda _a, _n: holds, gates) == Freshness(
        "drifted", "unit 'u' is not selected today"
    )
    assert freshness(made, lambda _a, _n: holds, lambda _a: None).status == "valid"
    assert freshness(made, lambda _a, _n: moved, gates).detail == "1 cited unit(s) drifted or gone"
    assert freshness(made, lambda _a, _n: holds, throw) == Freshness(
        "unverifiable", "could not replay: it broke"
    )
    identical = ReplayReport("a", checks("identical"), ok=True)
    assert freshness(entry(), lambda _a, _n: identical, gates).status == "valid"


def made_with(**capabilities: Any) -> dict[str, Any]:
    made = plan()
    made["options"]["capabilities"].update(capabilities)
    return answer(made)


LACKING = [
    (made_with(role="auditor"), Capabilities(role="auditor"), "role 'auditor'"),
    (made_with(credentials=["a", "b"]), Capabilities(credentials=("b", "a", "c")), "credential 'a'"),
    (
        made_with(paymentMethods=["free", "x402"]),
        Capabilities(payment_methods=("x402", "free")),
        "payment method 'x402'",
    ),
    (
        made_with(attestationProvider="acme"),
        Capabilities(attestation_provider="acme"),
        "attestation by 'acme'",
    ),
    (made_with(credentials=None), None, "unknown credentials"),
    (made_with(paymentMethods=None), None, "unknown payment methods"),
    (answer({**plan(), "options": None}), None, "unknown capabilities"),
]


@pytest.mark.parametrize(("artifact", "caller", "what"), LACKING)
def test_answers_are_withheld_from_callers_who_lack_what_they_were_made_with(
    tmp_path: Path, artifact: dict[str, Any], caller: Capabilities | None, what: str
):
    asked = recall(tmp_path, artifact)
    assert list(asked.hits("berth")) == []
    assert asked.withheld == [what]
    if caller is not None:
        assert len(list(recall(tmp_path, caller=caller).hits("berth"))) == 1


def test_what_is_withheld_takes_no_place_under_the_limit(tmp_path: Path):
    asked = recall(tmp_path, answer(with_credentials("vault")), plan("berth"), caller=CALLER)
    assert tasks(asked.hits("where to berth", 1)) == [(1, "berth")]


def test_plans_are_no_secret(tmp_path: Path):
    assert len(list(recall(tmp_path, with_credentials("vault")).hits("berth"))) == 1


def test_an_ungrounded_answer_is_withheld_too(tmp_path: Path):
    made = {"plan": with_credentials("vault"), "synthesis": {"answer": "a", "unitsLoaded": []}}
    assert list(recall(tmp_path, made).hits("berth")) == []


def test_files_that_hold_no_entry_are_counted_and_do_not_stop_it(tmp_path: Path):
    asked = recall(tmp_path, plan())
    for number, text in enumerate(["", "null", "{", '{"id": 1}']):
        (tmp_path / f"{number}.json").write_text(text, encoding="utf-8")
    assert len(list(asked.hits("berth"))) == 1
    assert asked.census.passed_count == 4
    assert [passed.name for passed in asked.census.passed] == ["0.json", "1.json", "2.json", "3.json"]


def test_an_entry_that_goes_while_hits_are_shown(tmp_path: Path):
    asked = recall(tmp_path, plan("berth one"), plan("berth two"))
    hits = asked.hits("berth")
    next(hits)
    for path in tmp_path.glob("*.json"):
        path.unlink()
    assert list(hits) == []
    assert [passed.reason for passed in asked.census.passed] == ["gone since it was found"]


def test_reasons_are_kept_for_the_first_and_all_are_counted(tmp_path: Path):
    asked = recall(tmp_path)
    for number in range(30):
        (tmp_path / f"{number}.json").write_text("", encoding="utf-8")
    assert list(asked.hits("berth")) == []
    assert (asked.census.passed_count, len(asked.census.passed)) == (30, 20)


def signed_store(folder: Path) -> None:
    """One episode each: mine, a stranger's, nobody's, and mine but changed."""
    entries = [
        sign_entry(entry(plan("berth mine")), None, pair(1)),
        sign_entry(entry(plan("berth stranger")), None, pair(2)),
        entry(plan("berth nobody")),
        {**sign_entry(entry(plan("berth changed")), None, pair(1)), "recordedAt": "2027-07-06T10:00:00.000Z"},
    ]
    store_of(folder, *entries)


@pytest.mark.parametrize(
    ("trust", "states"),
    [
        (EpisodeTrust(), {"mine": "unknown-key", "stranger": "unknown-key", "nobody": "unsigned"}),
        (
            EpisodeTrust((pair(1).public,)),
            {"mine": "verified", "stranger": "unknown-key", "nobody": "unsigned"},
        ),
        (EpisodeTrust((pair(1).public,), require_signed=True), {"mine": "verified"}),
    ],
)
def test_who_recorded_an_episode_is_told(tmp_path: Path, trust: EpisodeTrust, states: dict[str, str]):
    signed_store(tmp_path)
    census = Census(store_of(tmp_path), trust)
    found = {hit.entry["task"].split()[1]: hit.integrity for hit in Recall(census, CALLER).hits("berth")}
    assert found == states
    assert census.passed_count == 4 - len(states)
    assert any("bad signature" in passed.reason for passed in census.passed)


def test_hits_hold_the_entry_that_the_id_stands_for(tmp_path: Path):
    (hit,) = recall(tmp_path, answer()).hits("berth")
    assert hit.entry["artifact"]["synthesis"]["unitsLoaded"][0]["sha256"] == SHA
