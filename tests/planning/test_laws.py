"""What holds of every manifest, task and agent (laws of the decision procedure)."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from kcp.authoring.validate.check import check_manifest
from kcp.errors import ManifestError
from kcp.model import Manifest, Unit
from kcp.options import Action, Budget, Capabilities, PlanOptions
from kcp.planning.cascade import GATES, Verdict, World, judge
from kcp.planning.diff import diff_plans, digest
from kcp.planning.planner import Run, make_plan
from kcp.planning.trace import make_trace
from kcp.reading.parse import parse_manifest
from kcp.reading.yaml12 import read_yaml
from tests.planning.estates import (
    ACTIONS,
    CREDENTIALS,
    METHODS,
    OPTIONS,
    PROVIDERS,
    TASKS,
    UNIT,
    Raw,
    manifests,
    read_raw,
)


def verdicts(manifest: Manifest, task: str, options: PlanOptions) -> list[Verdict]:
    world = World(manifest, task, options)
    return [judge(unit, world) for unit in manifest.units]


# A plan is a function of its inputs


@given(manifests(), TASKS, OPTIONS)
def test_the_same_inputs_give_the_same_bytes(raw, task, options):
    first, again = read_raw(raw), read_raw(json.loads(json.dumps(raw)))
    assert first == again
    assert make_plan(first, task, options).to_json() == make_plan(again, task, options).to_json()
    assert make_trace(first, task, options).to_json() == make_trace(again, task, options).to_json()
    report = check_manifest(first, "k.yaml", options.as_of)
    assert report.to_json() == check_manifest(again, "k.yaml", options.as_of).to_json()


@given(manifests(), TASKS, OPTIONS)
def test_planning_leaves_its_inputs_alone(raw, task, options):
    manifest = read_raw(raw)
    before = repr(manifest), repr(options)
    make_trace(manifest, task, options)
    assert (repr(manifest), repr(options)) == before


# Default deny


@given(manifests(), TASKS, OPTIONS)
def test_a_procedure_without_a_literal_grant_is_never_eligible(raw, task, options):
    granted = [unit.get("load_eligible") is True for unit in raw["units"]]
    for literal, verdict in zip(granted, verdicts(read_raw(raw), task, options), strict=True):
        if verdict.unit.kind in ("skill", "playbook") and not literal:
            assert verdict.failed is not None or not verdict.eligible


@given(manifests(), TASKS, OPTIONS)
def test_a_playbook_is_eligible_only_with_every_unit_that_its_steps_use(raw, task, options):
    first: dict[str, Raw] = {}
    for each in raw["units"]:
        first.setdefault(each["id"], each)
    for verdict in verdicts(read_raw(raw), task, options):
        if verdict.unit.kind == "playbook" and verdict.failed is None and verdict.eligible:
            used = {step.uses for step in verdict.unit.steps or () if step.uses}
            assert all(first[name].get("load_eligible") is True for name in used if name in first)


@given(manifests(), TASKS, OPTIONS)
def test_a_unit_with_a_malformed_block_is_never_eligible(raw, task, options):
    for each, verdict in zip(raw["units"], verdicts(read_raw(raw), task, options), strict=True):
        escalations = [step.get("escalation") for step in each.get("steps", ())]
        if each.get("action_scope", {}).get("spend") == 5 or True in escalations:
            assert verdict.failed is not None or not verdict.eligible


@given(manifests(), TASKS, OPTIONS)
def test_strict_mode_selects_eligible_units_only(raw, task, options):
    strict = make_plan(read_raw(raw), task, options.replace(strict=True))
    assert all(unit.load_eligible for unit in strict.selected)


# Deny wins


def denies(unit: Unit | None, action: Action) -> bool:
    """Whether the unit's own scope denies the action; paths by the globs that `estates` uses."""
    scope = unit.action_scope.deny if unit is not None and unit.action_scope is not None else None
    if scope is None:
        return False
    path = action.path or ""
    covered = {
        "**": True,
        "src/*": path.startswith("src/") and path.count("/") == 1,
        "src/**": path.startswith("src/"),
        "etc/passwd": path == "etc/passwd",
        "*.md": False,
    }
    return (
        action.tool in scope.tools
        or action.capability in scope.capabilities
        or (action.path is not None and any(covered[glob] for glob in scope.paths))
    )


@given(manifests(), TASKS, OPTIONS, ACTIONS)
def test_deny_wins_over_allow_from_either_source(raw, task, options, action):
    manifest = read_raw(raw)
    first: dict[str, Unit] = {}
    for unit in manifest.units:
        first.setdefault(unit.id, unit)
    for verdict in verdicts(manifest, task, options.replace(action=action)):
        unit = verdict.unit
        if unit.kind == "playbook" and unit.steps is not None:
            denied = any(
                denies(unit, action) or (bool(step.uses) and denies(first.get(step.uses or ""), action))
                for step in unit.steps
            )
        else:
            denied = denies(unit, action)
        if verdict.failed is None:
            assert not (denied and verdict.eligible)
            assert (verdict.prohibited is not None) == denied


@given(manifests(), TASKS, OPTIONS, ACTIONS)
def test_an_action_or_a_spend_never_opens_a_unit(raw, task, options, action):
    manifest = read_raw(raw)
    quiet = options.replace(strict=False, action=None, spend=None)
    without = verdicts(manifest, task, quiet)
    asking = verdicts(manifest, task, quiet.replace(action=action, spend=options.spend))
    for before, after in zip(without, asking, strict=True):
        assert after.failed == before.failed
        assert not after.eligible or before.eligible


# More of what an agent holds never closes a unit


def richer(held: Capabilities) -> st.SearchStrategy[Capabilities]:
    """The same agent with one more credential, payment method or attestation."""
    methods = held.payment_methods
    ways = [
        st.sampled_from(CREDENTIALS).map(lambda one: held.replace(credentials=(*held.credentials, one))),
        st.sampled_from(METHODS).map(lambda one: held.replace(payment_methods=(*methods, one))),
        st.sampled_from(METHODS).map(lambda one: held.replace(payment_methods=(one, *methods))),
    ]
    if held.attestation_provider is None:
        ways.append(st.sampled_from(PROVIDERS).map(lambda one: held.replace(attestation_provider=one)))
    return st.one_of(ways)


@given(manifests(), TASKS, OPTIONS, st.data())
def test_one_more_credential_method_or_attestation_closes_nothing(raw, task, options, data):
    manifest = read_raw(raw)
    more = options.replace(capabilities=data.draw(richer(options.capabilities)))
    for before, after in zip(verdicts(manifest, task, options), verdicts(manifest, task, more), strict=True):
        if before.failed is None and before.eligible:
            assert after.failed is None
            assert after.eligible
        if before.failed != "strict":
            assert after.failed == before.failed


# More money or context never removes an affordable prefix


def prefix(manifest: Manifest, task: str, options: PlanOptions) -> tuple[list[str], list[str]]:
    """The survivors in order, and the longest run of them from the start that is accepted whole."""
    admissions = Run(manifest, task, options).selection.admissions
    accepted: list[str] = []
    for admission in admissions:
        if admission.failed is not None:
            break
        accepted.append(admission.verdict.unit.id)
    return [admission.verdict.unit.id for admission in admissions], accepted


def is_kept(manifest: Manifest, task: str, smaller: PlanOptions, larger: PlanOptions) -> None:
    order, before = prefix(manifest, task, smaller)
    same_order, after = prefix(manifest, task, larger)
    assert order == same_order
    assert after[: len(before)] == before


MORE = st.sampled_from([0, 1e-9, 0.05, 0.1, 1, 100])


@given(manifests(), TASKS, OPTIONS, MORE)
def test_more_money_keeps_the_affordable_prefix(raw, task, options, more):
    budget = options.budget or Budget(0.3)
    larger = options.replace(budget=budget.replace(amount=budget.amount + more))
    is_kept(read_raw(raw), task, options.replace(budget=budget), larger)
    is_kept(read_raw(raw), task, options.replace(budget=budget), options.replace(budget=None))


@given(manifests(), TASKS, OPTIONS, MORE)
def test_more_context_keeps_the_affordable_prefix(raw, task, options, more):
    ceiling = options.context_budget or 0
    manifest = read_raw(raw)
    larger = options.replace(context_budget=ceiling + more * 100)
    is_kept(manifest, task, options.replace(context_budget=ceiling), larger)
    is_kept(manifest, task, options.replace(context_budget=ceiling), options.replace(context_budget=None))


@given(manifests(), TASKS, OPTIONS)
def test_budgets_hold(raw, task, options):
    made = make_plan(read_raw(raw), task, options)
    assert len(made.selected) <= options.max_units
    if options.budget is not None and made.budget.projected_spend:
        spent = options.budget.spent or 0
        assert spent + made.budget.projected_spend <= options.budget.amount + 2e-6
    if options.context_budget is not None and made.context.projected_tokens:
        assert made.context.projected_tokens <= options.context_budget + 1e-6


# Trace and plan agree


@given(manifests(unique=True), TASKS, OPTIONS)
def test_trace_and_plan_agree(raw, task, options):
    manifest = read_raw(raw)
    made = make_trace(manifest, task, options)
    plan = make_plan(manifest, task, options)
    assert made.plan == plan
    selected = {unit.id: unit for unit in plan.selected}
    skipped = {unit.id: unit.reason for unit in plan.skipped}
    assert not selected.keys() & skipped.keys()
    assert [unit.id for unit in made.units] == [unit["id"] for unit in raw["units"]]
    for unit in made.units:
        assert (unit.outcome == "selected") == (unit.id in selected)
        names = [result.gate for result in unit.gates]
        assert names == list(GATES[: len(names)])
        assert all(result.passed for result in unit.gates[:-1])
        last = unit.gates[-1]
        assert unit.rejected_by == (None if last.passed else last.gate)
        assert (unit.rejected_by is None) == (unit.id in selected)
        if last.gate in GATES[:6]:
            assert skipped[unit.id] == last.detail
        elif unit.rejected_by in ("money_budget", "context_budget"):
            assert last.detail in skipped[unit.id]
        elif unit.rejected_by == "max_units":
            assert unit.id not in skipped
        elif unit.rejected_by is not None:
            assert options.strict
            assert unit.id in skipped
        closed = any("(loadEligible=false)" in result.detail for result in unit.gates)
        if unit.id in selected:
            assert closed == (not selected[unit.id].load_eligible)
            assert unit.score == selected[unit.id].score
    for count in made.gate_summary:
        results = [r.passed for unit in made.units for r in unit.gates if r.gate == count.gate]
        assert (count.passed, count.failed) == (results.count(True), results.count(False))


@given(manifests(), TASKS, OPTIONS)
def test_every_unit_is_selected_skipped_or_counted_beyond(raw, task, options):
    made = make_plan(read_raw(raw), task, options)
    beyond = len(raw["units"]) - len(made.selected) - len(made.skipped)
    warned = [warning for warning in made.warnings if "beyond maxUnits" in warning]
    assert warned == (
        [f"{beyond} relevant unit(s) beyond maxUnits={options.max_units} not selected"] if beyond else []
    )


# Supersession and deprecation


@given(manifests(unique=True), TASKS, OPTIONS)
def test_deprecated_units_are_never_planned_and_displace_nobody(raw, task, options):
    deprecated = {unit["id"] for unit in raw["units"] if unit.get("deprecated") is True}
    made = make_plan(read_raw(raw), task, options)
    assert not deprecated & {unit.id for unit in made.selected}
    for unit in made.skipped:
        assert not any(unit.reason == f"superseded by {name} (successor active)" for name in deprecated)


@given(manifests(unique=True), TASKS, OPTIONS)
def test_a_unit_and_its_active_successor_are_never_both_planned(raw, task, options):
    successors = {unit["id"]: unit.get("temporal", {}).get("superseded_by") for unit in raw["units"]}
    selected = {unit.id for unit in make_plan(read_raw(raw), task, options).selected}
    assert not any(successors[name] in selected for name in selected)


# Units that do not matter, and the order of those that do


@given(manifests(unique=True), TASKS, OPTIONS, st.data())
def test_an_irrelevant_unit_changes_nothing_for_others(raw, task, options, data):
    stranger = data.draw(UNIT) | {"id": "zz", "path": "zz", "intent": "", "triggers": []}
    place = data.draw(st.integers(0, len(raw["units"])))
    more = raw | {"units": [*raw["units"][:place], stranger, *raw["units"][place:]]}
    before = make_plan(read_raw(raw), task, options)
    after = make_plan(read_raw(more), task, options)
    assert after.replace(skipped=()) == before.replace(skipped=())
    assert [unit for unit in after.skipped if unit.id != "zz"] == list(before.skipped)
    assert len(after.skipped) == len(before.skipped) + 1


@given(manifests(unique=True), TASKS, OPTIONS, st.randoms(use_true_random=False))
def test_the_order_of_units_shows_only_in_the_order_of_skips(raw, task, options, random):
    shuffled = raw | {"units": random.sample(raw["units"], len(raw["units"]))}
    before = make_plan(read_raw(raw), task, options)
    after = make_plan(read_raw(shuffled), task, options)
    assert after.replace(skipped=()) == before.replace(skipped=())
    assert sorted(after.skipped, key=repr) == sorted(before.skipped, key=repr)


# Diff


@given(manifests(unique=True), TASKS, OPTIONS)
def test_a_plan_does_not_differ_from_itself(raw, task, options):
    """Where ids are unique: one that is both selected and skipped reads as a move, as in the reference."""
    made = digest(make_plan(read_raw(raw), task, options))
    assert diff_plans(made, made).identical


def mirrored(value: Any) -> Any:
    """A diff's wire form as it reads from the other side."""
    turned = {"a_only": "b_only", "selected_to_skipped": "skipped_to_selected"}
    turned |= {after: before for before, after in turned.items()}
    swapped = {"before": "after", "from": "to", "a": "b", "added": "removed"}
    swapped |= {after: before for before, after in swapped.items()}
    if isinstance(value, dict):
        return {
            swapped.get(key, key): -member if key == "delta" else mirrored(member)
            for key, member in value.items()
        }
    if isinstance(value, list):
        return [mirrored(item) for item in value]
    return turned.get(value, value) if isinstance(value, str) else value


def repr_of(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def in_any_order(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: in_any_order(member) for key, member in value.items()}
    return sorted(map(in_any_order, value), key=repr_of) if isinstance(value, list) else value


@given(manifests(unique=True), manifests(unique=True), TASKS, OPTIONS, OPTIONS)
def test_a_diff_reads_the_same_from_the_other_side(raw, other, task, options, changed):
    a = digest(make_plan(read_raw(raw), task, options))
    b = digest(make_plan(read_raw(other), task, changed))
    there, back = json.loads(diff_plans(a, b).to_json()), json.loads(diff_plans(b, a).to_json())
    assert in_any_order(back) == in_any_order(mirrored(there))
    assert there["identical"] == (a.replace(label=b.label) == b or is_reordered(a, b))


def is_reordered(a: Any, b: Any) -> bool:
    """Whether two digests differ in order alone."""
    return all(
        sorted(getattr(a, field), key=repr) == sorted(getattr(b, field), key=repr)
        for field in ("selected", "skipped")
    ) and (a.figures, sorted(set(a.warnings))) == (b.figures, sorted(set(b.warnings)))


# Reading never yields a grant that the text does not spell as `true`

SPELLED = ("true", "True", "TRUE")
SCALARS = st.sampled_from(
    [
        *SPELLED,
        *[f"{quote}{word}{quote}" for word in ("true", "True") for quote in "'\""],
        *["false", "yes", "on", "y", "tRue", "tru", "truee", "1", "0", "1.0", "~", "", "null", "!!str true"],
        *["!!null true", "[true]", "{true}", "'tr' # true", "|-\n   true", "2026-07-01", "!!int 1", ".true"],
    ]
)
# How a value may reach the member: as it stands, by an alias, by a merge key, and one shadowed by it.
SHAPES = st.sampled_from(
    [
        "units:\n- load_eligible: {}\n",
        "x: &v {}\nunits:\n- load_eligible: *v\n",
        "units:\n- <<:\n   load_eligible: {}\n",
        "x: &m\n  load_eligible: {}\nunits:\n- <<: *m\n",
        "x: &m\n  load_eligible: {}\nunits:\n- <<: [{{a: 1}}, *m, {{load_eligible: false}}]\n",
        "x: &m {{load_eligible: true}}\nunits:\n- <<: *m\n  load_eligible: {}\n",
        "x: &m {{load_eligible: true}}\nunits:\n- load_eligible: {}\n  <<: *m\n",
        "x: &m {{load_eligible: true}}\nunits:\n- '<<': *m\n  load_eligible: {}\n",
        "units:\n- Load_eligible: true\n  load_eligible: {}\n",
        "units:\n- ? load_eligible\n  : {}\n",
    ]
)


@given(SHAPES, SCALARS)
def test_a_grant_is_read_only_where_the_value_is_spelled_true(shape, value):
    text = shape.format(value)
    try:
        manifest = parse_manifest(read_yaml(text.encode()))
    except ManifestError:
        assume(value not in SPELLED)
        return
    (unit,) = manifest.units
    assert (unit.load_eligible is True) == (value in SPELLED)
    if value not in (*SPELLED, "false", "~", "", "null"):
        assert unit.load_eligible is None


PARTS = [*"truTeu\"'{}[],#~|>1 ", "load_eligible", ": ", "\n", "- ", "units", "yes", "on", "*a", "&a ", "<<"]
PARTS += ["!!bool ", "!!str ", "  ", "? ", "\\x74"]
GRANT_FREE = "units:\n- id: u\n  kind: skill\n  load_eligible: no\n  action_scope: {tools: [x]}\n- id: v\n"


@given(st.lists(st.tuples(st.integers(0, len(GRANT_FREE)), st.sampled_from(PARTS)), max_size=6))
def test_no_change_to_a_text_without_true_yields_a_grant(changes):
    text = GRANT_FREE
    for place, part in changes:
        text = text[:place] + part + text[place:]
    assume("true" not in text.lower() and "\\x74" not in text)
    try:
        manifest = parse_manifest(read_yaml(text.encode()))
    except ManifestError:
        return
    assert not any(unit.load_eligible is True for unit in manifest.units)
