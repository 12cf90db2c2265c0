"""Explain: suggestions hold when applied, are smallest, and name the gate that nothing opens."""

from __future__ import annotations

import time
from itertools import chain, combinations
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kcp.cli.command_table import find_command
from kcp.cli.parser import parse
from kcp.cli.planning_options import plan_options
from kcp.model import Manifest
from kcp.options import Action, Budget, PlanOptions, SpendProposal
from kcp.planning.explain import CLOSED, OPEN, Explanation, Suggestion, explain
from kcp.planning.planner import make_plan
from kcp.planning.trace import make_trace
from tests.planning.command_lines import words_of
from tests.planning.estates import IDS, OPTIONS, TASKS, manifests, read_raw
from tests.support import AS_OF, UNIT, manifest, options

PLAN = find_command("plan")


def explained(of: Manifest | str, unit: str = "u", task: str = "deploy", **changes: Any) -> Explanation:
    found = explain(manifest(of) if isinstance(of, str) else of, unit, task, options(**changes))
    assert found is not None
    return found


def shown(suggestion: Suggestion) -> str:
    """The suggestion as the words that a command line would change."""
    words = [
        " ".join(change.arguments) if change.arguments else f"without {' '.join(change.leave_out or ())}"
        for change in suggestion.changes
    ]
    return "; ".join(words)


def suggestions(of: Manifest | str, unit: str = "u", task: str = "deploy", **changes: Any) -> list[str]:
    return [shown(suggestion) for suggestion in explained(of, unit, task, **changes).suggestions]


def obstacle(of: Manifest | str, **changes: Any) -> tuple[str, str]:
    found = explained(of, **changes)
    assert (found.note, found.suggestions) == (CLOSED, ())
    assert found.obstacle is not None
    return found.obstacle.gate, found.obstacle.detail


def applied(task: str, asked: PlanOptions, suggestion: Suggestion) -> tuple[str, PlanOptions]:
    """The task and options of the command line that a suggestion makes of another."""
    words = words_of(task, asked)
    for change in suggestion.changes:
        for flag in change.leave_out or ():
            del words[flag]
        arguments = change.arguments or ()
        for place, word in enumerate(arguments):
            if word.startswith("--"):
                flag = word.partition("=")[0]
                words[flag] = (word,) if "=" in word else (word, arguments[place + 1])
    assert PLAN is not None
    line = parse(PLAN, [word for each in words.values() for word in each])
    return line.text("--task") or "", plan_options(line, AS_OF)


def opens(of: Manifest, place: int, task: str, asked: PlanOptions) -> bool:
    """Whether a plan selects the unit at a place of the manifest load-eligible; ids are unique."""
    wanted = of.units[place].id
    return any(unit.id == wanted and unit.load_eligible for unit in make_plan(of, task, asked).selected)


ASKED = OPTIONS.map(
    lambda asked: asked if asked.budget is None else asked.replace(budget=asked.budget.replace(spent=None))
)


@given(manifests(unique=True), TASKS, ASKED, st.integers(0, 4))
@settings(max_examples=300)
def test_every_suggestion_holds_when_its_words_are_given(
    raw: dict[str, Any], task: str, asked: PlanOptions, place: int
) -> None:
    read = read_raw(raw)
    assume(place < len(read.units) and task)
    found = explain(read, read.units[place].id, task, asked)
    assert found is not None
    open_already = opens(read, place, task, asked)
    assert (found.note == OPEN) == open_already
    assert not (open_already and found.suggestions)
    assert open_already or bool(found.suggestions) != (found.obstacle is not None)
    assert len({len(suggestion.changes) for suggestion in found.suggestions}) <= 1
    for suggestion in found.suggestions:
        new_task, new_options = applied(task, asked, suggestion)
        assert opens(read, place, new_task, new_options), shown(suggestion)
        plan = make_plan(read, new_task, new_options)
        unit = plan.selected[suggestion.position - 1]
        assert (unit.id, unit.score) == (read.units[place].id, suggestion.score)
        for change in suggestion.changes:
            assert change.before != change.after
    assert explain(read, read.units[place].id, task, asked) == found


@given(manifests(), TASKS, OPTIONS, st.sampled_from(IDS))
def test_the_gates_are_those_of_the_trace(
    raw: dict[str, Any], task: str, asked: PlanOptions, unit: str
) -> None:
    read = read_raw(raw)
    found = explain(read, unit, task, asked)
    traced = [each for each in make_trace(read, task, asked).units if each.id == unit]
    assert (found is None) == (not traced)
    if found is not None:
        assert found.gates == traced[0].gates
        assert found.to_json()


def single_changes(read: Manifest, asked: PlanOptions) -> list[tuple[str, PlanOptions]]:
    """What any one thing could be instead, but for the task: the thing and the options with it changed."""
    able = asked.capabilities
    roles = dict.fromkeys(["agent", "human", *[role for unit in read.units for role in unit.audience]])
    able_changes = [
        *[("role", able.replace(role=role)) for role in roles],
        *[
            ("payment methods", able.replace(payment_methods=(*able.payment_methods, method)))
            for method in ("free", "x402", "subscription", "voucher")
        ],
        *[("attestation", able.replace(attestation_provider=each)) for each in ("attest-one", "attest-two")],
    ]
    if not able.credentials:
        able_changes.append(("credentials", able.replace(credentials=("key",))))
    changed = [(what, asked.replace(capabilities=each)) for what, each in able_changes]
    days = ("01-01", "07-04", "07-05", "07-06", "07-07", "07-08", "12-31")
    dates = [f"{year}-{day}" for year in range(2024, 2028) for day in days]
    changed += [("date", asked.replace(as_of=date)) for date in dates]
    changed += [("max units", asked.replace(max_units=many)) for many in range(9)]
    changed += [("grant ceiling", asked.replace(grant_ceiling=each)) for each in ("observe", "commit", None)]
    changed += [("context budget", asked.replace(context_budget=None))]
    changed += [("budget", asked.replace(budget=None))]
    changed += [("proposed spend", asked.replace(spend=None))]
    if asked.action is not None:
        for field in ("tool", "path", "capability"):
            left = asked.action.replace(**{field: None})
            changed.append((f"proposed {field}", asked.replace(action=left)))
    return changed


LOOKS_AT = {
    "audience": ("role",),
    "temporal": ("date",),
    "supersession": ("date", "role"),
    "skill_eligibility": ("grant ceiling", "proposed spend", "proposed tool", "proposed path"),
    "attestation": ("attestation",),
    "payment": ("payment methods",),
    "access": ("credentials",),
    "max_units": ("max units",),
    "money_budget": ("budget",),
    "context_budget": ("context budget",),
}


@given(manifests(unique=True), TASKS, ASKED, st.integers(0, 4))
@settings(max_examples=300)
def test_no_single_change_does_what_takes_several(
    raw: dict[str, Any], task: str, asked: PlanOptions, place: int
) -> None:
    """Changes elsewhere, which let the unit in by shutting others out, are not what is looked for."""
    read = read_raw(raw)
    assume(place < len(read.units) and task)
    found = explain(read, read.units[place].id, task, asked)
    assert found is not None
    assume(found.note != OPEN)
    if found.suggestions and len(found.suggestions[0].changes) == 1:
        return
    blocking = {gate.gate for gate in found.gates if not gate.passed}
    ineligible = {gate.gate for gate in found.gates if "(loadEligible=false)" in gate.detail}
    looked_at = {what for gate in blocking | ineligible for what in LOOKS_AT.get(gate, ())}
    for what, other in single_changes(read, asked):
        if what in looked_at:
            assert not opens(read, place, task, other), what


@pytest.mark.parametrize(
    ("unit", "changes", "expected"),
    [
        ("audience: [human, ops]", {}, ["--role human", "--role ops"]),
        ("audience: ['-x y']", {}, ["--role=-x y"]),
        ("audience: ['']", {}, []),
        ("access: restricted, auth_scope: vault", {}, ["--credentials vault"]),
        ("access: restricted", {}, ["--credentials credential"]),
        ("access: restricted, auth_scope: 'a,b'", {}, ["--credentials credential"]),
        ("payment: {methods: [{type: subscription}]}", {}, ["--methods free,subscription"]),
        (
            "payment: {methods: [{type: 'a,b'}, {type: x402}, {type: voucher}]}",
            {"payment_methods": ("card",)},
            ["--methods card,voucher"],
        ),
        ("temporal: {valid_from: 2026-08-01}", {}, ["--as-of 2026-08-01"]),
        ("temporal: {valid_from: '2026-08-01T10:00'}", {}, ["--as-of 2026-08-02"]),
        ("temporal: {valid_until: 2026-02-28}", {}, ["--as-of 2026-02-28"]),
        (
            "temporal: {valid_from: 2024-02-01, valid_until: 2024-03-01}",
            {},
            ["--as-of 2024-03-01", "--as-of 2024-02-01"],
        ),
        (
            "temporal: {valid_from: 2027-02-01, valid_until: 2027-03-01}",
            {},
            ["--as-of 2027-02-01", "--as-of 2027-03-01"],
        ),
        ("kind: skill, load_eligible: true, audience: [human]", {"strict": True}, ["--role human"]),
    ],
)
def test_one_gate(unit: str, changes: dict[str, Any], expected: list[str]) -> None:
    assert suggestions(f"{UNIT}, {unit}", **changes) == expected


@pytest.mark.parametrize(
    ("unit", "gate", "detail"),
    [
        ("deprecated: true", "deprecated", "deprecated"),
        (
            "kind: skill",
            "skill_eligibility",
            "kind: skill not invoke-eligible: no explicit eligibility grant",
        ),
        (
            "kind: playbook, load_eligible: true, steps: x",
            "skill_eligibility",
            "steps is malformed — fail-closed",
        ),
        ("temporal: {valid_from: soon}", "temporal", "not active until soon"),
        (
            "temporal: {valid_from: 2027-01-01, valid_until: 2026-01-01}",
            "temporal",
            "not active until 2027-01-01",
        ),
        ("payment: {methods: [{type: x402}]}", "payment", "unaffordable: needs x402"),
        ("audience: [human], deprecated: true", "deprecated", "deprecated"),
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_what_only_the_manifest_can_change(unit: str, gate: str, detail: str, strict: bool) -> None:
    assert obstacle(f"{UNIT}, {unit}", strict=strict) == (gate, detail)


def test_no_word_of_its_own() -> None:
    assert obstacle("id: u, path: x, intent: of it")[0] == "relevance"


def test_attestation() -> None:
    trust = "{agent_requirements: {require_attestation: true, trusted_providers: ['', a.example, b.example]}}"
    read = manifest(f"{UNIT}, access: restricted", trust=trust)
    assert suggestions(read, credentials=("c",)) == ["--attest a.example", "--attest b.example"]
    assert suggestions(read)[0] == "--attest a.example; --credentials credential"
    none = trust.replace("a.example, b.example", "''")
    assert explained(manifest(f"{UNIT}, access: restricted", trust=none)).obstacle is not None


def test_words_prefer_the_publishers_triggers() -> None:
    read = manifest("id: u, path: q.md, intent: How to rotate keys, triggers: [rotation, secrets, the]")
    assert suggestions(read) == [f"--task deploy {word}" for word in ("rotation", "secrets", "rotate")]
    several = manifest(
        "id: u, path: q.md, intent: zzz, triggers: [rotation]", *["id: a, intent: rotation"] * 2
    )
    assert suggestions(several, max_units=1)[0] == "--task deploy rotation"


def test_words_the_unit_does_not_serve_are_taken_out() -> None:
    read = manifest("id: u, path: q.md, intent: rotate keys, not_for: [billing, keys]")
    assert suggestions(read, task="rotate billing now") == ["--task rotate now"]
    assert suggestions(read, task="billing") == ["--task rotate"]
    closed = ", ".join([f"closed{place}" for place in range(9)])
    unit = f"id: u, path: q.md, intent: of it, not_for: [{closed}], triggers: [{closed}, good]"
    assert suggestions(unit) == ["--task deploy good"]


def test_a_successor_is_avoided_by_date_or_role() -> None:
    successor = (
        "id: v, path: v.md, audience: [agent], temporal: {valid_from: 2026-07-01, valid_until: 2026-08-01}"
    )
    read = manifest(f"{UNIT}, temporal: {{superseded_by: v}}", successor, "id: w, audience: [ops]")
    assert suggestions(read) == ["--as-of 2026-06-30", "--as-of 2026-08-02", "--role ops"]
    ended = manifest(f"{UNIT}, temporal: {{superseded_by: v, valid_until: 2026-07-03}}", successor)
    assert suggestions(ended) == ["--as-of 2026-06-30"]


PLAYBOOK = "id: u, path: u.md, intent: deploy, kind: playbook, load_eligible: true"


def test_grant_ceilings() -> None:
    steps = "steps: [{id: s, authority_level: suggest}, {id: t, authority_level: prepare}]"
    unit = f"{PLAYBOOK}, {steps}"
    assert suggestions(unit, grant_ceiling="observe") == ["--grant-ceiling prepare"]
    bound = f"{PLAYBOOK}, authority_level: explain, {steps}"
    assert obstacle(bound, grant_ceiling="observe")[0] == "skill_eligibility"
    odd = f"{PLAYBOOK}, steps: [{{id: s, authority_level: odd}}]"
    assert suggestions(odd, grant_ceiling="commit") == ["without --grant-ceiling"]


def test_proposed_spends() -> None:
    scope = "action_scope: {spend: {max_spend: 5, allowed_vendors: [acme, zed], currency: EUR}}"
    unit = f"{UNIT}, {scope}"
    asked = {"amount": 9, "vendor": "acme", "currency": "EUR"}
    without = "without --spend --spend-vendor --spend-currency"
    assert suggestions(unit, spend=asked) == ["--spend 5", without]
    other = {**asked, "amount": 1, "vendor": "x"}
    assert suggestions(unit, spend=other) == ["--spend-vendor acme", "--spend-vendor zed", without]
    foreign = {**asked, "amount": 1, "currency": "USD"}
    assert suggestions(unit, spend=foreign) == ["--spend-currency EUR", without]
    assert suggestions(unit, spend={"amount": 9}) == ["--spend 5", "without --spend"]


def test_proposed_actions() -> None:
    scope = "action_scope: {deny: {tools: [rm], paths: [etc/**]}}"
    asked = {"tool": "rm", "path": "etc/passwd"}
    assert suggestions(f"{UNIT}, {scope}", action=asked) == ["without --action-tool; without --action-path"]
    assert suggestions(f"{UNIT}, {scope}", action=Action(tool="rm")) == ["without --action-tool"]


def priced(name: str, price: str, intent: str = "deploy", currency: str = "USDC") -> str:
    method = f"{{type: x402, price_per_request: '{price}', currency: {currency}}}"
    return f"id: {name}, path: {name}.md, intent: {intent}, payment: {{methods: [{method}]}}"


def test_the_least_money_that_suffices() -> None:
    read = manifest(priced("a", "3"), priced("b", "2"), priced("c", "1"), priced("u", "0.1"))
    paid: dict[str, Any] = {"payment_methods": ("x402",)}
    # 3.1 buys a and u; less than that buys b, or b and c, and then not u.
    assert suggestions(read, budget={"amount": 2}, **paid)[0] == "--budget 2.1"
    assert suggestions(read, budget={"amount": 3}, **paid)[0] == "--budget 3.1"
    held = {"amount": 3, "currency": "USDC", "spent": 1}
    assert suggestions(read, budget=held, **paid)[0] == "--budget 3.1 --currency USDC"


def test_amounts_are_rounded_up_to_millionths() -> None:
    paid: dict[str, Any] = {"payment_methods": ("x402",), "budget": {"amount": 0}}
    assert suggestions(priced("u", "0.0000012"), **paid) == ["--budget 0.000002"]
    assert suggestions(priced("u", "0.0000018"), **paid) == ["--budget 0.000002"]
    assert suggestions(priced("u", "1"), **paid) == ["--budget 1"]


def test_currencies() -> None:
    paid: dict[str, Any] = {"payment_methods": ("x402",)}
    assert suggestions(priced("u", "2", currency="EUR"), budget={"amount": 1}, **paid) == [
        "--budget 2 --currency EUR"
    ]
    nameless = priced("u", "2").replace(", currency: USDC", "")
    assert suggestions(nameless, budget={"amount": 1}, **paid) == ["without --budget"]


def test_the_least_context_that_suffices() -> None:
    read = manifest(*[f"id: {name}, intent: deploy, size_tokens: 100" for name in ("a", "b", "u")])
    assert suggestions(read, context_budget=100)[0] == "--context-budget 300"
    assert suggestions(read, context_budget=100, max_units=1)[0] == "--context-budget 300; --max-units 3"
    assert suggestions(UNIT, context_budget=100, strict=True) == ["without --context-budget"]


def test_room_for_one_more_or_a_better_rank() -> None:
    units = [f"id: {name}, path: x, intent: deploy" for name in "abcdefgh"]
    read = manifest(*units, "id: u, path: x, intent: deploy, triggers: [rotation]")
    assert suggestions(read) == ["--max-units 9", "--task deploy rotation"]
    assert suggestions(UNIT, max_units=0) == ["--max-units 1"]


def test_a_repeated_id_is_its_first_unit() -> None:
    read = manifest("id: u, intent: deploy, audience: [human]", "id: u, intent: deploy")
    assert suggestions(read) == ["--role human"]
    assert explain(read, "nope", "deploy", options()) is None


def test_everything_at_once() -> None:
    trust = "{agent_requirements: {require_attestation: true, trusted_providers: [a.example]}}"
    unit = (
        "id: u, path: u.md, intent: rotate, access: restricted, audience: [ops], size_tokens: 900, temporal: "
        "{valid_from: 2027-01-01}, payment: {methods: [{type: x402, price_per_request: '2', currency: EUR}]}"
    )
    read = manifest(unit, "id: a, intent: deploy rotate now, size_tokens: 300, audience: [ops]", trust=trust)
    (only,) = suggestions(read, max_units=1, context_budget=100, budget={"amount": 1}, strict=True)
    assert only == (
        "--role ops; --as-of 2027-01-01; --task deploy rotate; --attest a.example; --methods free,x402; "
        "--credentials credential; --budget 2 --currency EUR; --context-budget 1200; --max-units 2"
    )


@pytest.mark.parametrize("subset", list(chain.from_iterable(combinations(range(3), n) for n in range(1, 4))))
def test_any_of_the_limits(subset: tuple[int, ...]) -> None:
    ranked = [f"{priced(name, '1')}, size_tokens: 100" for name in ("a", "b", "u")]
    limits: list[dict[str, Any]] = [{"max_units": 1}, {"budget": Budget(1)}, {"context_budget": 100}]
    asked = {key: value for place in subset for key, value in limits[place].items()}
    found = explained(manifest(*ranked), payment_methods=("x402",), **asked)
    assert 1 <= len(found.suggestions[0].changes) <= len(subset)


def test_a_large_manifest_is_explained_in_reasonable_time() -> None:
    units = [
        f"id: u{place}, path: {place}.md, intent: deploy and release, size_tokens: 100"
        for place in range(2000)
    ]
    read = manifest(*units, "id: last, path: z.md, intent: deploy, access: restricted, size_tokens: 10")
    start = time.process_time()
    found = explained(read, unit="last", context_budget=100)
    assert found.suggestions
    assert time.process_time() - start < 5


def test_spend_without_anything_is_no_spend() -> None:
    assert explained(UNIT, spend=SpendProposal()).note == OPEN
