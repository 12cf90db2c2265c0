"""Eligibility, composition, the authority ceiling and malformed blocks (gates 7a–7c, decision B4)."""

from __future__ import annotations

import pytest

from kcp.planning.results import Authority
from tests.support import MATCH, UNIT, gate, manifest, plan, read, selected, skipped, trace, verdict

NO_GRANT = "kind: {} not invoke-eligible: no explicit eligibility grant"
GAP = (
    "step '{}' uses '{}', which is not invoke-eligible — a grant on a playbook does not compose to the units "
    "its steps name (§4.3c)"
)
ABOVE = "step '{}' requires '{}' authority, above the resolved ceiling '{}' (bound by {}) — §3.13"
PLAYBOOK = f"{UNIT}, kind: playbook, load_eligible: true"


@pytest.mark.parametrize("kind", ["skill", "playbook"])
@pytest.mark.parametrize(
    ("grant", "granted"),
    [("true", True), ("True", True), ("false", False), ("null", False), ("'true'", False), ("1", False)],
)
def test_gate_7a_governed_kinds_need_a_literal_grant(kind, grant, granted):
    judged = verdict(f"{UNIT}, kind: {kind}, load_eligible: {grant}")
    assert judged.eligible is granted
    assert judged.reasons == MATCH + ([] if granted else [NO_GRANT.format(kind)])


@pytest.mark.parametrize("kind", ["skill", "playbook"])
def test_gate_7a_no_member_is_no_grant(kind):
    assert verdict(f"{UNIT}, kind: {kind}").reasons == [*MATCH, NO_GRANT.format(kind)]


@pytest.mark.parametrize("kind", ["knowledge", "Skill", "skills", "executable", "''"])
def test_gate_7a_other_kinds_need_none(kind):
    assert verdict(f"{UNIT}, kind: {kind}, load_eligible: false").eligible


@pytest.mark.parametrize(
    ("target", "composes"),
    [
        ("id: t, kind: skill, load_eligible: true", True),
        ("id: t, load_eligible: true", True),
        ("id: t", False),
        ("id: t, kind: knowledge, load_eligible: false", False),
        ("id: t, load_eligible: 'true'", False),
        ("id: t, load_eligible: true, steps: 5", False),
        ("id: other", True),
    ],
)
def test_gate_7b_composition(target, composes):
    of = manifest(f"{PLAYBOOK}, steps: [{{id: a}}, {{id: b, uses: ''}}, {{id: c, uses: t}}]", target)
    judged = verdict(of)
    assert judged.eligible is composes
    assert judged.reasons == MATCH + ([] if composes else [GAP.format("c", "t")])


def test_gate_7b_names_the_first_gap_and_asks_the_first_unit_of_an_id():
    steps = "steps: [{id: a, uses: y}, {id: b, uses: x}, {id: c, uses: z}]"
    of = manifest(f"{PLAYBOOK}, {steps}", "id: x", "id: x, load_eligible: true", "id: z")
    assert verdict(of).reasons == [*MATCH, GAP.format("b", "x")]


def test_gate_7b_is_for_playbooks_that_are_still_eligible():
    steps = "steps: [{id: a, uses: t}]"
    assert verdict(manifest(f"{UNIT}, kind: skill, load_eligible: true, {steps}", "id: t")).eligible
    assert verdict(manifest(f"{UNIT}, {steps}", "id: t")).eligible
    judged = verdict(manifest(f"{UNIT}, kind: playbook, {steps}", "id: t"))
    assert judged.reasons == [*MATCH, NO_GRANT.format("playbook")]


@pytest.mark.parametrize(
    ("level", "ceiling", "authority"),
    [
        (None, None, None),
        ("suggest", None, ("suggest", "playbook authority_level")),
        (None, "suggest", ("suggest", "agent grant_ceiling")),
        ("commit", "explain", ("explain", "agent grant_ceiling")),
        ("observe", "commit", ("observe", "playbook authority_level")),
        ("prepare", "prepare", ("prepare", "playbook authority_level")),
        ("unknown", "observe", ("unknown", "playbook authority_level")),
        ("observe", "unknown", ("unknown", "agent grant_ceiling")),
        ("", "observe", ("", "playbook authority_level")),
    ],
)
def test_gate_7c_the_lowest_source_binds(level, ceiling, authority):
    member = "" if level is None else f", authority_level: '{level}'"
    judged = verdict(f"{PLAYBOOK}{member}, steps: []", grant_ceiling=ceiling)
    assert judged.authority == (None if authority is None else Authority(*authority))
    assert judged.eligible


@pytest.mark.parametrize(
    ("ceiling", "steps", "violator"),
    [
        ("suggest", "[{id: a, authority_level: suggest}, {id: b}]", None),
        (
            "suggest",
            "[{id: a, authority_level: observe}, {id: b, authority_level: prepare}]",
            ("b", "prepare"),
        ),
        ("suggest", "[{id: a, authority_level: odd}, {id: b, authority_level: commit}]", ("a", "odd")),
        ("odd", "[{id: a, authority_level: observe}]", ("a", "observe")),
        ("commit", "[{id: a, authority_level: ''}]", ("a", "")),
        (None, "[{id: a, authority_level: commit}]", None),
    ],
)
def test_gate_7c_steps_above_the_ceiling_close_the_playbook(ceiling, steps, violator):
    judged = verdict(f"{PLAYBOOK}, steps: {steps}", grant_ceiling=ceiling)
    reason = violator and ABOVE.format(*violator, ceiling, "agent grant_ceiling")
    assert judged.reasons == MATCH + ([reason] if reason else [])
    assert judged.eligible is (violator is None)


def test_gate_7c_the_scale_of_the_specification():
    scale = ["observe", "explain", "suggest", "prepare", "commit"]
    for rank, ceiling in enumerate(scale):
        for asked, level in enumerate(scale):
            judged = verdict(
                f"{PLAYBOOK}, steps: [{{id: a, authority_level: {level}}}]", grant_ceiling=ceiling
            )
            assert judged.eligible is (asked <= rank)


def test_gate_7c_the_manifest_may_bring_its_own_scale():
    steps = "steps: [{id: a, authority_level: low}]"
    scale = {"authority_level_scale": "[low, high, low]"}
    assert verdict(manifest(f"{PLAYBOOK}, {steps}", **scale), grant_ceiling="high").eligible
    assert verdict(manifest(f"{PLAYBOOK}, {steps}", **scale), grant_ceiling="low").eligible
    above = manifest(f"{PLAYBOOK}, steps: [{{id: a, authority_level: high}}]", **scale)
    assert verdict(above, grant_ceiling="low").reasons[-1] == ABOVE.format(
        "a", "high", "low", "agent grant_ceiling"
    )
    nothing = manifest(
        f"{PLAYBOOK}, steps: [{{id: a, authority_level: observe}}]", authority_level_scale="[]"
    )
    assert not verdict(nothing, grant_ceiling="commit").eligible


def test_gate_7c_records_no_authority_for_others():
    for members in (
        f"{UNIT}, kind: playbook, steps: []",
        PLAYBOOK,
        f"{UNIT}, kind: skill, load_eligible: true, steps: []",
        f"{UNIT}, steps: []",
    ):
        assert verdict(f"{members}, authority_level: observe", grant_ceiling="observe").authority is None


# Decision B4

MALFORMED = {
    "action_scope.spend": "action_scope: {spend: 5}",
    "action_scope.deny": "action_scope: {deny: [rm]}",
    "steps": "steps: {a: 1}",
    "escalation": "steps: [{id: s, escalation: true}]",
}


@pytest.mark.parametrize("block", MALFORMED)
@pytest.mark.parametrize("kind", ["knowledge", "skill", "playbook"])
def test_a_malformed_block_closes_any_unit(block, kind):
    members = f"{UNIT}, kind: {kind}, load_eligible: true, {MALFORMED[block]}"
    reason = f"{block} is malformed — fail-closed"
    out = selected(plan(members))
    assert out.load_eligible is False
    assert list(out.reasons) == [*MATCH, reason]
    assert gate(trace(members), "skill_eligibility") == (True, f"{reason} (loadEligible=false)")
    assert gate(trace(members, strict=True), "skill_eligibility") == (False, reason)
    assert skipped(plan(members, strict=True)).reason == reason


def test_malformed_blocks_come_in_order_and_before_gate_7a():
    of = read(
        """
        units:
        - id: u
          intent: deploy
          kind: playbook
          steps: [{id: s, escalation: 1}, {id: t, escalation: {}}]
          action_scope: {deny: no, tools: [x], spend: none}
        - {id: v, intent: deploy, kind: skill, action_scope: {deny: [], spend: 1}, steps: never}
        """
    )
    tail = "is malformed — fail-closed"
    made = plan(of)
    assert list(selected(made).reasons) == [
        *MATCH,
        f"action_scope.spend {tail}",
        f"action_scope.deny {tail}",
        f"escalation {tail}",
        NO_GRANT.format("playbook"),
    ]
    assert list(selected(made, "v").reasons) == [
        *MATCH,
        f"action_scope.spend {tail}",
        f"action_scope.deny {tail}",
        f"steps {tail}",
        NO_GRANT.format("skill"),
    ]
    first = f"action_scope.spend {tail} (loadEligible=false)"
    assert gate(trace(of), "skill_eligibility") == (True, first)
    assert gate(trace(of), "skill_eligibility", "v") == (True, first)


def test_the_echoed_action_scope_omits_a_malformed_block():
    sound = "action_scope: {tools: [x], spend: {max_spend: 1}, deny: {tools: [rm]}}"
    both = selected(plan(f"{UNIT}, {sound}")).action_scope
    assert (both.spend.max_spend, both.deny.tools) == (1, ("rm",))
    spend = selected(plan(f"{UNIT}, {sound.replace('{max_spend: 1}', '1')}")).action_scope
    assert spend == both.replace(spend=None)
    deny = selected(plan(f"{UNIT}, {sound.replace('{tools: [rm]}', 'rm')}")).action_scope
    assert deny == both.replace(deny=None)
    made = plan(f"{UNIT}, {sound.replace('{tools: [rm]}', 'rm')}").to_json()
    assert '"deny"' not in made
    assert '"max_spend": 1' in made


@pytest.mark.parametrize(
    "block", ["action_scope: {spend: null, deny: ~}", "steps: null", "steps: [{id: s, escalation: }]"]
)
def test_null_is_absent_not_malformed(block):
    assert verdict(f"{UNIT}, {block}").eligible


@pytest.mark.parametrize(
    "block", ["action_scope: {spend: {allowed_vendors: {a: 1}}}", "action_scope: {deny: {paths: {a: 1}}}"]
)
def test_a_mapping_for_a_list_of_a_scope_makes_the_scope_malformed(block):
    judged = verdict(f"{UNIT}, {block}")
    assert not judged.eligible
    assert judged.reasons[-1].endswith("is malformed — fail-closed")
