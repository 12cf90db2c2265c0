"""Replay of plans, trees and traces (evidence contract §2, §13 rows 1–5, decision B9)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from kcp.errors import ArtifactError
from kcp.evidence.comparison import same
from kcp.evidence.episodes import make_entry
from kcp.evidence.plan_replay import NEEDS_PIN, NO_OPTIONS, NO_SOURCE
from kcp.evidence.saved import read_limits, read_tree
from kcp.federation import Walk, WalkLimits
from kcp.network.fetcher import Fetched, Fetcher
from kcp.options import Action, Budget, SpendProposal
from kcp.planning.trace import make_trace
from kcp.reading.load import load_manifest
from kcp.reading.sources import Sources
from kcp.trust.policy import TrustPolicy
from kcp.trust.signature import PinnedKey
from tests.evidence.replaying import (
    ROOT,
    Raw,
    again,
    asked,
    edited,
    harbour,
    replayed,
    saved,
    statuses,
    verdicts,
)
from tests.trust.support import b64, pair, signature_b64, spki_b64


@pytest.fixture
def quay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with three manifests."""
    harbour(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def plan(quay: Path) -> Raw:
    return saved("knowledge.yaml")


@pytest.fixture
def tree(quay: Path) -> Raw:
    return saved("knowledge.yaml", options=asked(budget=Budget(1), capabilities=PAYING), depth=1)


PAYING = asked().capabilities.replace(payment_methods=("free", "x402"))
IDENTICAL = "2 selected, 1 skipped — plan reproduced byte-identically, manifest sha256 matches"


def test_a_plan_that_still_follows(plan: Raw) -> None:
    report = replayed(plan)
    assert report.ok
    (check,) = report.checks
    assert (check.source, check.project, check.status) == ("knowledge.yaml", "quay", "identical")
    assert check.detail == IDENTICAL
    assert (check.fields, check.moved) == (None, None)


@pytest.mark.parametrize(
    "options",
    [
        {"context_budget": 100},
        {"action": Action(tool="x")},
        {"max_units": float("nan")},
        {"env": "prod"},
        {"strict": True, "max_units": 1},
        {"budget": Budget(1, "EUR", 0.5)},
        {"spend": SpendProposal(1, "v", "EUR"), "grant_ceiling": "observe"},
    ],
)
def test_every_echoed_option_is_passed_back(quay: Path, options: dict[str, Any]) -> None:
    assert statuses(saved("knowledge.yaml", options=asked(**options))) == ["identical"]


def test_the_whole_envelope_is_stripped(plan: Raw) -> None:
    assert statuses({**plan, "correlationId": "c", "schemaVersion": 1, "kind": "plan"}) == ["identical"]
    assert statuses({"plan": plan, "synthesis": {}, "correlationId": "c"}) == ["identical"]


def test_the_order_of_members_does_not_count(plan: Raw) -> None:
    assert statuses(dict(reversed(plan.items()))) == ["identical"]


def test_a_changed_manifest(quay: Path, plan: Raw) -> None:
    before = plan["manifest"]["sha256"]
    (quay / "knowledge.yaml").write_text(ROOT + "# one more byte\n")
    ((status, detail),) = verdicts(plan)
    assert status == "drifted"
    assert detail.startswith("manifest bytes changed: sha256 ")
    assert detail.endswith(f"… ≠ saved {before[:12]}…")
    (quay / "knowledge.yaml").write_text("units: [")
    assert statuses(plan) == ["drifted"]
    assert statuses(edited(plan, "manifest", "sha256"))[0] == "error"
    (quay / "knowledge.yaml").unlink()
    assert verdicts(plan) == [("error", "fetch failed: manifest not found: knowledge.yaml")]


def test_a_plan_without_pinned_bytes_is_never_identical(plan: Raw) -> None:
    for unpinned in (edited(plan, "manifest", "sha256"), edited(plan, "manifest", "sha256", to=5)):
        assert verdicts(unpinned) == [("unpinned", "saved artifact pins no manifest bytes")]
        assert not replayed(unpinned).ok
    assert statuses(edited(edited(plan, "manifest", "sha256"), "signature")) == ["unpinned"]


@pytest.mark.parametrize(
    ("path", "value", "fields"),
    [
        (("budget", "note"), "x", ("budget",)),
        (("selected", 0, "score"), 99, ("selected",)),
        (("selected", 0, "loadEligible"), 1, ("selected",)),
        (("trust",), None, ("trust",)),
        (("extra",), None, ("extra",)),
        (("warnings",), ["x"], ("warnings",)),
        (("signature", "status"), "verified", ("signature",)),
        (("serving",), {"status": "bound", "detail": "d"}, ("serving",)),
        (("manifest", "version"), "9", ("manifest",)),
        (("options", "maxUnits"), 1, ("budget", "context", "options", "selected", "warnings")),
    ],
)
def test_an_edited_plan_names_what_differs(plan: Raw, path: Any, value: Any, fields: tuple[str, ...]) -> None:
    (check,) = replayed(edited(plan, *path, to=value)).checks
    assert check.status == "drifted"
    named = set(check.fields or ())
    assert set(fields) >= named if path[0] == "options" else named == set(fields)
    assert check.detail == f"plan differs in: {', '.join(check.fields or ())}"
    assert check.moved is not None


def test_a_lost_signature_drifts_unless_none_is_asked_for(plan: Raw) -> None:
    lost = edited(plan, "signature")
    assert verdicts(lost) == [("drifted", "plan differs in: signature")]
    assert statuses(lost, verify=False) == ["identical"]
    assert statuses(plan, verify=False) == ["identical"]


def test_what_cannot_be_replayed(plan: Raw) -> None:
    for path in (("manifest", "source"), ("manifest",)):
        ((status, detail),) = verdicts(edited(plan, *path))
        assert (status, detail) == ("error", NO_SOURCE)
    assert replayed(edited(plan, "manifest", "source")).checks[0].source == "(none)"
    assert verdicts(edited(plan, "options")) == [("error", NO_OPTIONS)]
    for broken in (
        edited(plan, "options", to=[]),
        edited(plan, "options", "maxUnits", to="5"),
        edited(plan, "options", "unknown", to=1),
        edited(plan, "asOf"),
        edited(plan, "environment", to=5),
    ):
        ((status, detail),) = verdicts(broken)
        assert status == "error"
        assert detail.startswith("re-plan failed: saved plan: options") or "options must be" in detail


@pytest.mark.parametrize("value", [None, [], {}, "x", 5, True, {"plan": None}, {"plan": []}, {"task": "t"}])
def test_what_is_no_artifact(value: object) -> None:
    with pytest.raises(ArtifactError, match=r"^unrecognized artifact"):
        replayed(value)


def test_wrappers_do_not_nest_for_ever(plan: Raw) -> None:
    value: Raw = plan
    for _ in range(150):
        value = {"plan": value}
    with pytest.raises(ArtifactError, match="unrecognized"):
        replayed(value)
    node: Raw = {"location": "x", "notFollowed": [], "children": [], "error": "e"}
    for _ in range(150):
        node = {"location": "x", "notFollowed": [], "children": [node], "error": "e"}
    with pytest.raises(ArtifactError, match="levels deep"):
        replayed(node)


def test_a_tree_is_walked_again(tree: Raw) -> None:
    report = replayed(tree)
    assert report.ok
    assert [(check.project, check.status) for check in report.checks] == [
        ("quay", "identical"),
        ("pilots", "identical"),
    ]
    assert tree["children"][0]["notFollowed"][0]["reason"] == "beyond max depth 1"


@pytest.mark.parametrize("depth", [0, 1, 2, 5])
def test_the_depth_is_found_out(quay: Path, depth: int) -> None:
    assert set(statuses(saved("knowledge.yaml", depth=depth))) == {"identical"}


@pytest.mark.parametrize("nodes", [1, 2, 3, 64])
def test_the_node_limit_is_found_out(quay: Path, nodes: int) -> None:
    node = Walk("berth", asked(), Sources(), TrustPolicy(), WalkLimits(3, nodes)).run("knowledge.yaml")
    assert set(statuses(again(node.to_json()))) == {"identical"}


def test_limits_never_exceed_what_the_tree_has_by_much(tree: Raw) -> None:
    refusals = [
        {"id": "a", "url": "a", "reason": "beyond max depth 999999999"},
        {"id": "a", "url": "a", "reason": "beyond max nodes 999999999 (fan-out cap)"},
    ]
    tree = edited(tree, "children", 0, "notFollowed", to=[])
    assert read_limits(read_tree(edited(tree, "notFollowed", to=refusals)), 3) == (100, 66)
    fetches = [{"id": "a", "url": "a", "reason": "beyond max fetches 30 (fan-out cap)"}]
    assert read_limits(read_tree(edited(tree, "notFollowed", to=fetches)), 3) == (2, 10)
    assert read_limits(read_tree(edited(tree, "notFollowed", to=[{"reason": 5}, {}])), 3) == (2, 66)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("children", 0, "plan", "options", "budget", "spent"), 0),
        (("children", 0, "plan", "budget", "alreadyCommitted"), 0),
        (("children", 0, "location"), "elsewhere"),
        (("children", 0, "signature", "status"), "verified"),
        (("children", 0, "signature"), ...),
        (("children", 0, "extra"), 1),
        (("children", 0, "error"), "e"),
        (("children", 0, "refId"), "other"),
        (("children", 0, "notFollowed"), []),
        (("children", 0, "notFollowed", 0, "reason"), "x"),
        (("children",), []),
        (("notFollowed",), []),
        (("notFollowed", 0, "id"), True),
        (("location",), "elsewhere"),
        (("refId",), "x"),
        (("signature", "detail"), "x"),
        (("plan", "signature"), ...),
    ],
)
def test_an_edited_tree_drifts(tree: Raw, path: Any, value: Any) -> None:
    report = replayed(edited(tree, *path, to=value))
    assert not report.ok
    assert "drifted" in {check.status for check in report.checks}


def test_nodes_over_the_ceiling_together(quay: Path) -> None:
    """Each node alone would replay; the ledger shows that they cannot all have been paid for (row 3)."""
    one = saved("knowledge.yaml", options=asked(budget=Budget(0.25), capabilities=PAYING), depth=1)
    assert one["children"][0]["plan"]["budget"]["alreadyCommitted"] == 0.1
    alone = saved("pilots/knowledge.yaml", options=asked(budget=Budget(0.25), capabilities=PAYING))
    for member in ("schemaVersion", "kind"):
        del alone[member]
    forged = edited(one, "children", 0, "plan", to=alone)
    assert statuses(forged) == ["identical", "drifted"]


def test_nodes_that_came_and_went(quay: Path, tree: Raw) -> None:
    assert verdicts(edited(tree, "children", to=[]))[-1] == (
        "drifted",
        "reference 'pilots' is followed now",
    )
    (quay / "pilots" / "knowledge.yaml").unlink()
    assert verdicts(tree)[1] == ("error", "fetch failed: manifest not found: pilots/knowledge.yaml")
    gone = saved("knowledge.yaml", depth=1)
    assert gone["children"][0]["error"].startswith("fetch failed")
    assert statuses(gone) == ["identical"]
    moved = edited(gone, "children", 0, "location", to="x")
    assert verdicts(moved)[1] == ("drifted", "node differs in: location")
    harbour(quay)
    assert verdicts(gone)[1] == ("drifted", "node changed: it can be planned now")
    extra = edited(tree, "children", to=[*tree["children"], tree["children"][0]])
    assert verdicts(extra)[-1] == ("drifted", "reference 'pilots' is not followed any more")


def test_a_tree_without_signatures_was_made_without_verifying(quay: Path) -> None:
    quiet = saved("knowledge.yaml", depth=1, trust=TrustPolicy(verify=False))
    assert "signature" not in quiet
    assert set(statuses(quiet)) == {"identical"}


def test_traces(quay: Path) -> None:
    manifest = load_manifest("knowledge.yaml")
    trace = again(make_trace(manifest, "berth", asked()).to_json())
    trace["plan"]["signature"] = {"status": "unsigned", "detail": "manifest declares no signature"}
    assert statuses(trace) == ["identical"]
    for path, value in (
        (("units", 0, "outcome"), "skipped"),
        (("gateSummary", 0, "passed"), 7),
        (("taskTerms",), []),
        (("extra",), 1),
    ):
        ((status, detail),) = verdicts(edited(trace, *path, to=value))
        assert (status, detail) == ("drifted", f"trace differs in: {path[0]}")
    reference = edited(edited(trace, "plan", "signature"), "plan", "manifest", "sha256")
    assert statuses(reference) == ["unpinned"]
    assert verdicts(edited(reference, "units", 0, "path", to="x"))[0][0] == "drifted"


@pytest.fixture
def trace(quay: Path) -> Raw:
    """The trace that `plan --trace --json` prints."""
    made = again(make_trace(load_manifest("knowledge.yaml"), "berth", asked()).to_json())
    made["plan"]["signature"] = {"status": "unsigned", "detail": "manifest declares no signature"}
    return made


@pytest.mark.parametrize("value", [..., None, {}, "x", 5])
def test_a_tree_does_not_pass_for_what_wraps_a_plan(tree: Raw, value: object) -> None:
    with pytest.raises(ArtifactError, match=r"^kind is 'tree', but .*: a list 'children'$"):
        replayed(edited(tree, "children", to=value))
    with pytest.raises(ArtifactError, match="no list 'children'"):
        replayed(edited(edited(tree, "kind"), "children", to=value))
    for kind in ("plan", "trace"):
        with pytest.raises(ArtifactError, match=f"kind is '{kind}', but"):
            replayed({**tree, "kind": kind})


@pytest.mark.parametrize("value", [..., None, {}, "x"])
@pytest.mark.parametrize("member", ["units", "gateSummary"])
def test_a_trace_does_not_pass_for_what_wraps_a_plan(trace: Raw, member: str, value: object) -> None:
    broken = edited(trace, member, to=value)
    with pytest.raises(ArtifactError, match=r"^kind is 'trace', but .*'units' and 'gateSummary'$"):
        replayed(broken)
    # Without its kind it is known by its members, and all of them count.
    del broken["kind"]
    assert verdicts(broken) == [("drifted", f"trace differs in: {member}")]
    assert verdicts({"plan": broken}) == [("drifted", f"trace differs in: {member}")]


@pytest.mark.parametrize("member", ["taskTerms", "capabilities", "asOf", "gateSummary", "units", "task"])
@pytest.mark.parametrize("kind", [True, False])
def test_every_member_of_a_trace_counts(trace: Raw, member: str, kind: bool) -> None:
    if not kind:
        del trace["kind"], trace["schemaVersion"]
    for forged in (edited(trace, member, to=[]), {"plan": edited(trace, member, to=[])}):
        assert verdicts(forged) == [("drifted", f"trace differs in: {member}")]


def test_the_plan_of_a_trace_is_a_plan_itself(trace: Raw) -> None:
    wrapped = edited(trace, "plan", to={"plan": trace["plan"], "more": 1})
    with pytest.raises(ArtifactError, match="kind is 'trace', but"):
        replayed(wrapped)
    with pytest.raises(ArtifactError, match="the saved trace has a 'plan' that is none"):
        replayed(edited(wrapped, "kind"))


NOW = "2026-07-06T00:00:00.000Z"
KINDS: list[object] = [
    None,
    True,
    1,
    {},
    [],
    "",
    "Plan",
    "plans",
    "explanation",
    "grounded-answer",
    "x" * 999,
    "\ud800",
]
VERSIONS: list[object] = [None, True, False, 0, 2, 99, -1, 1.5, float("inf"), {}, [], "1", "x"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind)[:20].encode("ascii", "replace").decode())
def test_a_kind_is_one_of_three(plan: Raw, tree: Raw, kind: object) -> None:
    nested = (edited(tree, "plan", "kind", to=kind), edited(tree, "children", 0, "plan", "kind", to=kind))
    for forged in ({**plan, "kind": kind}, {**tree, "kind": kind}, {"plan": {**plan, "kind": kind}}, *nested):
        with pytest.raises(ArtifactError, match=r"^kind must be 'plan', 'tree' or 'trace', not ") as caught:
            replayed(forged)
        assert len(caught.value.message) < 100


@pytest.mark.parametrize("version", VERSIONS, ids=str)
def test_a_schema_version_is_the_number_1(plan: Raw, tree: Raw, trace: Raw, version: object) -> None:
    wrappers = ({"plan": plan}, {"basePlans": [plan], "finalPlans": [plan]})
    for artifact in (plan, tree, trace, *wrappers, again(make_entry(plan, NOW))):
        with pytest.raises(ArtifactError, match=r"^schemaVersion must be "):
            replayed({**artifact, "schemaVersion": version})


def test_envelopes_that_are_right_or_absent(plan: Raw, tree: Raw, trace: Raw) -> None:
    for artifact in (plan, tree, trace):
        assert replayed({**artifact, "schemaVersion": 1.0}).ok
        bare = edited(edited(artifact, "kind"), "schemaVersion")
        for value in (bare, {"plan": bare, "synthesis": {}}, {"plan": artifact, "synthesis": {}}):
            assert set(statuses(value)) == {"identical"}


SIGNED = (
    "project: p\nversion: '1'\nunits: [{id: u, path: u.md, intent: berth}]\nsigning: {signature: k.sig}\n"
)


@pytest.fixture
def signed(quay: Path) -> Path:
    (quay / "k.yaml").write_text(SIGNED)
    (quay / "k.sig").write_text(signature_b64(1, SIGNED.encode()))
    return quay


def test_a_pinned_key_is_needed_again(signed: Path) -> None:
    pins = (PinnedKey("pinned key", pair(1).public),)
    verified = saved("k.yaml", trust=TrustPolicy(pinned=pins))
    assert verified["signature"]["status"] == "verified"
    assert verdicts(verified) == [("error", NEEDS_PIN)]
    assert statuses(verified, pinned=pins) == ["identical"]
    several = (PinnedKey("pinned key a.pub", pair(2).public), PinnedKey("pinned key b.pub", pair(1).public))
    assert statuses(verified, pinned=several) == ["identical"]
    renamed = edited(verified, "signature", "detail", to="ed25519 signature verified (declared key)")
    assert verdicts(renamed, pinned=pins) == [("drifted", "plan differs in: signature")]
    assert statuses(verified, verify=False) == ["identical"]
    other = (PinnedKey("pinned key", pair(2).public),)
    ((status, detail),) = verdicts(verified, pinned=other)
    assert (status, detail) == ("error", "signature invalid: ed25519 signature does not match manifest bytes")
    tree = saved("k.yaml", trust=TrustPolicy(pinned=pins), depth=1)
    assert verdicts(tree) == [("error", NEEDS_PIN)]
    assert statuses(tree, pinned=several) == ["identical"]


def test_signatures_are_verified_again(signed: Path) -> None:
    (signed / "k.yaml").write_text(SIGNED.replace("k.sig}", f"k.sig, public_key: {spki_b64(1)}}}"))
    data = (signed / "k.yaml").read_bytes()
    (signed / "k.sig").write_text(signature_b64(1, data))
    plan = saved("k.yaml")
    assert statuses(plan) == ["identical"]
    (signed / "k.sig").write_text(b64(bytes(64)))
    ((status, detail),) = verdicts(plan)
    assert status == "error"
    assert detail.startswith("signature invalid")
    (signed / "k.sig").unlink()
    assert verdicts(plan)[0] == ("drifted", "plan differs in: signature")


def test_required_signatures_stay_required(quay: Path) -> None:
    (quay / "knowledge.yaml").write_text(SIGNED + "manifests: [{id: c, url: pilots/knowledge.yaml}]\n")
    (quay / "k.sig").write_text(signature_b64(1, (quay / "knowledge.yaml").read_bytes()))
    pins = (PinnedKey("pinned key", pair(1).public),)
    tree = saved("knowledge.yaml", depth=1, trust=TrustPolicy(require=True, pinned=pins))
    assert tree["children"][0]["error"].startswith("signature required but unsigned")
    assert statuses(tree, pinned=pins) == ["identical"]


def test_stricter_decisions_are_named(quay: Path) -> None:
    (quay / "knowledge.yaml").write_text(ROOT + "  - {id: x, path: x, intent: y, triggers: berth}\n")
    plan = saved("knowledge.yaml")
    ((_, detail),) = verdicts(edited(plan, "warnings", to=["w"]))
    assert detail == "plan differs in: warnings (decisions B3)"


class Web(Fetcher):
    def __init__(self, **pages: str) -> None:
        self.pages = pages
        self.asked: list[str] = []

    def fetch(self, url: str) -> Fetched:
        self.asked.append(url)
        return Fetched(url, self.pages[url.rpartition("/")[2].partition(".")[0]].encode())


def test_a_hostile_tree_leads_nowhere_far() -> None:
    """However many manifests a site invents, the walk ends soon after it has drifted."""
    endless = "project: p\nversion: '1'\nmanifests:\n" + "".join(
        f"  - {{id: r{place}, url: 'https://h.example/k.yaml?{place}'}}\n" for place in range(500)
    )
    web = Web(k=endless)
    sources = Sources(web)
    tree = saved("https://h.example/k.yaml", depth=0, sources=sources)
    forged = edited(tree, "notFollowed", to=[])
    assert replayed(forged, sources=sources).ok is False
    assert len(web.asked) < 1000


def test_a_base_replaces_the_working_directory(
    quay: Path, plan: Raw, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = saved("knowledge.yaml", depth=2)
    monkeypatch.chdir("/")
    assert statuses(plan) == ["error"]
    based = Sources(base=str(quay))
    assert statuses(plan, sources=based) == ["identical"]
    assert set(statuses(tree, sources=based)) == {"identical"}
    monkeypatch.chdir(quay.parent)
    relative = Sources(base=os.path.relpath(quay))
    assert set(statuses(tree, sources=relative)) == {"identical"}
    (quay / "knowledge.yaml").unlink()
    assert verdicts(plan, sources=based) == [("error", "fetch failed: manifest not found: knowledge.yaml")]


def test_values_that_are_written_alike_are_the_same() -> None:
    assert same({"a": 1, "b": [None]}, {"b": [float("nan")], "a": 1.0})
    assert same(2**60, float(2**60))
    assert same(2**60 + 1, float(2**60))
    assert not same(1, True)
    assert not same([1], [1, 1])
    assert not same("1", 1)
    assert not same(None, 0)
    assert not same("null", None)
    assert not same({"a": None}, {})
