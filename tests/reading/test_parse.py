"""Documents become manifests (planner contract §4, decisions A, B1–B5)."""

from __future__ import annotations

import math

import pytest

from kcp.errors import ManifestError
from kcp.model import (
    ActionScope,
    AgentIdentity,
    AgentRequirements,
    DenyScope,
    Manifest,
    ManifestRef,
    Payment,
    PaymentMethod,
    Position,
    Problem,
    RateLimits,
    Serving,
    Signing,
    SpendScope,
    Step,
    Temporal,
    Tier,
    Trust,
    Unit,
)
from tests.support import manifest, read, unit


def problems(of: Manifest) -> list[tuple[str, str]]:
    return [(each.rule, each.message) for each in of.problems]


@pytest.mark.parametrize("text", ["", "null", "- a", "text", "5", "2026-07-01", "# only a comment"])
def test_a_root_that_is_no_mapping_is_refused(text):
    with pytest.raises(ManifestError, match=r"^manifest is not a YAML mapping$"):
        read(text)


def test_an_empty_mapping_has_the_defaults():
    assert read("{}") == Manifest(project="(unnamed)", version="0.0.0")
    nulls = "project: ~\nversion: null\nkcp_version:\nunits: ~\nmanifests: null\npayment:\nserving:"
    assert read(nulls) == Manifest(project="(unnamed)", version="0.0.0")


def test_empty_text_is_kept():
    assert read("{project: '', version: '', kcp_version: ''}").values()[:3] == ("", "", "")


def test_root_fields():
    of = read(
        """
        project: 12
        version: 1.0
        kcp_version: 0.32
        authority_level_scale: [low, 2, null]
        payment: {default_tier: gold, billing_contact: a@b.example, methods: [{type: free}]}
        rate_limits:
          default: {requests_per_minute: 60, requests_per_hour: '1e3', requests_per_day: unlimited}
          authenticated: {requests_per_minute: Unlimited, requests_per_day: true}
          premium: many
          backoff: exponential
        trust:
          agent_requirements: {require_attestation: 1, trusted_providers: [a, 1], attestation_url: u}
        signing: {scheme: ed25519, scope: s, public_key: k, signature: g, key_id: 7}
        serving: {manifest: [a, b], mcp: c}
        """,
        source="where",
    )
    assert of == Manifest(
        project="12",
        version="1",
        kcp_version="0.32",
        authority_level_scale=("low", "2", "null"),
        payment=Payment("gold", "a@b.example", (PaymentMethod("free"),)),
        rate_limits=RateLimits(Tier(60, 1000, "unlimited"), Tier(None, None, 1), None, "exponential"),
        trust=Trust(AgentRequirements(True, ("a", "1"), "u")),
        signing=Signing("ed25519", "s", "k", "g", "7"),
        serving=Serving(("a", "b"), None),
        source="where",
    )


@pytest.mark.parametrize("value", ["x", "[]", "5", "null"])
@pytest.mark.parametrize("member", ["payment", "rate_limits", "trust", "signing", "serving"])
def test_root_blocks_are_absent_unless_mappings(member, value):
    assert getattr(read(f"{member}: {value}"), member) is None


def test_trust_is_kept_only_as_its_agent_requirements():
    assert read("trust: {provenance: {publisher: x}}").trust is None
    assert read("trust: {agent_requirements: yes}").trust is None
    assert read("trust: {agent_requirements: {}}").trust == Trust(AgentRequirements(None, (), None))


def test_trusted_providers_and_scale_are_lists_or_nothing():
    of = read("trust: {agent_requirements: {trusted_providers: acme}}\nauthority_level_scale: low")
    assert of.trust == Trust(AgentRequirements())
    assert of.authority_level_scale is None
    assert of.problems == ()


# Signing as it was written before revision 0.21

OLD = "trust: {content_integrity: {signature_file: f, signing: {algorithm: eddsa, public_key: k, key_id: i}}}"


def test_the_older_place_of_the_signing_block():
    assert read(OLD).signing == Signing("eddsa", None, "k", "f", "i")
    other = "trust: {content_integrity: {signing: {scheme: s, signature: g, scope: x}}}"
    assert read(other).signing == Signing("s", None, None, "g", None)
    both = "trust: {content_integrity: {signature_file: f, signing: {algorithm: a, scheme: s, signature: g}}}"
    assert read(both).signing == Signing("a", None, None, "f", None)
    assert read("trust: {content_integrity: {signing: x}}").signing is None
    assert read("trust: {content_integrity: {signature_file: f}}").signing is None
    assert read("trust: {content_integrity: x}").signing is None


def test_a_signing_mapping_at_the_root_wins_even_when_empty():
    assert read(f"signing: {{}}\n{OLD}").signing == Signing()
    assert read(f"signing: x\n{OLD}").signing == Signing("eddsa", None, "k", "f", "i")


# Units


def test_unit_fields():
    made = unit(
        "id: 1, path: [a, b], intent: true, scope: s, access: 5, auth_scope: q, kind: skill, "
        "authority_level: 2, audience: [agent, 1], triggers: [], not_for: [x], deprecated: 'no', "
        "load_eligible: true, size_tokens: '12', bytes: 4.5, "
        "temporal: {valid_from: '2026', valid_until: 7, superseded_by: w}, "
        "rate_limits: {default: {requests_per_day: 3}}, payment: {methods: [{type: free}]}, "
        "action_scope: {tools: [t], paths: [p], capabilities: [c], "
        "spend: {max_spend: '5', allowed_vendors: [v], currency: USD}, deny: {tools: [x]}}"
    )
    assert made == Unit(
        id="1",
        path="a,b",
        intent="true",
        scope="s",
        access="5",
        auth_scope="q",
        kind="skill",
        authority_level="2",
        audience=("agent", "1"),
        triggers=(),
        not_for=("x",),
        deprecated=True,
        load_eligible=True,
        size_tokens=12,
        bytes=4.5,
        action_scope=ActionScope(
            ("t",), ("p",), ("c",), SpendScope(5, ("v",), "USD"), DenyScope(("x",), (), ())
        ),
        payment=Payment(methods=(PaymentMethod("free"),)),
        rate_limits=RateLimits(default=Tier(requests_per_day=3)),
        temporal=Temporal("2026", "7", "w"),
    )


def test_an_empty_unit():
    assert unit("") == Unit()
    assert unit("id: ~, path: , intent: null, access: ~, audience: null, temporal: ~, steps: ~") == Unit()


@pytest.mark.parametrize("field", ["temporal", "action_scope", "payment", "rate_limits"])
@pytest.mark.parametrize("value", ["x", "[]", "5", "true"])
def test_unit_blocks_are_absent_unless_mappings(field, value):
    of = manifest(f"{field}: {value}")
    assert getattr(unit(of), field) is None
    assert of.problems == ()


def test_members_of_an_action_scope_are_lists_or_nothing():
    of = manifest("action_scope: {tools: t, paths: 5, capabilities: {a: 1}}")
    assert unit(of).action_scope == ActionScope()
    assert of.problems == ()


def test_steps():
    made = unit(
        "steps: [{id: a, uses: t, action: x, authority_level: 1, success_condition: s, on_failure: f, "
        "timeout: 30, depends_on: [b, 2], escalation: [e, null]}, {id: null}, {id: 5, escalation: one}, "
        "{id: z, escalation: []}]"
    )
    assert made.steps == (
        Step("a", "t", "x", "1", "s", "f", "30", ("b", "2"), ("e", "null")),
        Step("null"),
        Step("5", escalation=("one",)),
        Step("z", escalation=()),
    )


def test_an_unquoted_date_as_escalation_is_text():
    assert unit("steps: [{id: a, escalation: 2026-07-01}]").steps[0].escalation == ("2026-07-01",)


def test_steps_that_are_no_mapping_or_have_no_id_are_dropped():
    of = manifest("steps: [a, {uses: t}, {id: b}, 5, null]")
    assert unit(of).steps == (Step("b"),)
    assert unit(of).malformed == ()
    numbers = [1, 2, 4, 5]
    assert problems(of) == [("dropped", f"step #{n} has no 'id' — ignored") for n in numbers]


def test_payment_methods():
    made = unit(
        "payment: {methods: [{type: x402, currency: USDC, price_per_request: 0.10, networks: [base, 1], "
        "wallet: w, provider: p, plans_url: u, upgrade_url: v, free_tier: 'no', free_requests_per_day: '5'}, "
        "text, {networks: base, free_requests_per_day: many}]}"
    )
    first, second, third = made.payment.methods
    assert first == PaymentMethod("x402", "USDC", "0.1", ("base", "1"), "w", "p", "u", "v", True, 5)
    assert second == PaymentMethod()
    assert third.networks is None
    assert math.isnan(third.free_requests_per_day)


@pytest.mark.parametrize(
    ("written", "price"),
    [("0.10", "0.1"), ("'0.10'", "0.10"), ("1e3", "1000"), ("017", "17"), ("0x10", "16")],
)
def test_prices_keep_the_numbers_text(written, price):
    made = unit(f"payment: {{methods: [{{type: x402, price_per_request: {written}}}]}}")
    assert made.payment.methods[0].price_per_request == price


# References


def test_references():
    of = manifest(
        manifests="[{id: 1, url: u, label: l, relationship: r, local_mirror: '', context: [a, null], "
        "agent_identity: {required: 'no', credential_hint: h, issuer_hint: i, docs_url: d}}, x, {}]"
    )
    assert of.manifests == (
        ManifestRef("1", "u", "l", "r", "", ("a", "null"), AgentIdentity(True, "h", "i", "d")),
        ManifestRef(),
    )
    assert problems(of) == [("dropped", "manifest ref #2 is not a mapping — ignored")]


def test_an_identity_that_is_no_mapping_is_absent():
    assert manifest(manifests="[{agent_identity: yes}]").manifests == (ManifestRef(),)


# What is dropped (decisions A)


def test_units_that_are_no_mapping_are_dropped_and_noted():
    of = read("units: [a, {id: b, load_eligible: 1}, null, {id: c, load_eligible: 2}]")
    assert [each.id for each in of.units] == ["b", "c"]
    assert [(each.rule, each.owner, each.message) for each in of.problems] == [
        ("dropped", ("manifest", 0), "unit #1 is not a mapping — ignored"),
        ("dropped", ("manifest", 0), "unit #3 is not a mapping — ignored"),
        ("B2", ("unit", 0), "load_eligible '1' is not a boolean — no grant is read"),
        ("B2", ("unit", 1), "load_eligible '2' is not a boolean — no grant is read"),
    ]


@pytest.mark.parametrize("member", ["units", "manifests"])
@pytest.mark.parametrize("value", ["x", "{a: 1}", "5", "false"])
def test_a_member_that_is_no_list_is_dropped_and_noted(member, value):
    of = read(f"{member}: {value}")
    assert getattr(of, member) == ()
    assert problems(of) == [("dropped", f"{member} is not a list — ignored")]


# Decisions B1–B5


@pytest.mark.parametrize("field", ["valid_from", "valid_until"])
@pytest.mark.parametrize(
    "date", ["2026-07-01", "2026-7-1T1:02:03", "2026-07-01 10:00:00.5 +02:00", "2026-02-30"]
)
def test_b1_an_unquoted_date_stays_as_written(field, date):
    of = manifest(f"temporal: {{{field}: {date}}}")
    value = getattr(unit(of).temporal, field)
    assert value == date
    assert type(value) is str
    assert problems(of) == [("B1", f"temporal.{field} is an unquoted date — quote it")]


@pytest.mark.parametrize("date", ["'2026-07-01'", '"2026-07-01"', "2026-07", "soon", "2026", "2026-7-1", "~"])
def test_b1_is_only_for_dates(date):
    assert manifest(f"temporal: {{valid_from: {date}}}").problems == ()


def test_b1_is_only_for_fields_that_are_dates():
    of = manifest("intent: 2026-07-01, temporal: {superseded_by: 2026-07-01}", version="2026-07-01")
    assert (of.version, unit(of).intent, unit(of).temporal.superseded_by) == ("2026-07-01",) * 3
    assert of.problems == ()


@pytest.mark.parametrize(
    ("value", "granted"), [("true", True), ("True", True), ("TRUE", True), ("false", False)]
)
def test_b2_booleans_are_read(value, granted):
    of = manifest(f"load_eligible: {value}")
    assert unit(of).load_eligible is granted
    assert of.problems == ()


@pytest.mark.parametrize("members", ["load_eligible: null", "load_eligible: ~", "load_eligible: "])
def test_b2_null_is_no_grant_and_no_finding(members):
    of = manifest(members)
    assert unit(of).load_eligible is False
    assert of.problems == ()


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ('"true"', "true"),
        ("'true'", "true"),
        ("yes", "yes"),
        ("tRUE", "tRUE"),
        ("on", "on"),
        ("1", "1"),
        ("0", "0"),
        ("1.0", "1"),
        ('"no"', "no"),
        ('""', ""),
        ("[true]", "true"),
        ("[]", ""),
        ("{true: true}", "[object Object]"),
        ("!!str true", "true"),
        ("2026-07-01", "2026-07-01"),
    ],
)
def test_b2_anything_else_is_no_grant(value, shown):
    of = manifest(f"load_eligible: {value}")
    assert unit(of).load_eligible is None
    assert problems(of) == [("B2", f"load_eligible '{shown}' is not a boolean — no grant is read")]


UNIT_LISTS = ["audience", "not_for", "triggers"]


@pytest.mark.parametrize("field", UNIT_LISTS)
@pytest.mark.parametrize(
    ("value", "read_as"),
    [
        ("x", ("x",)),
        ("''", ("",)),
        ("5", ("5",)),
        ("0", ("0",)),
        ("false", ("false",)),
        ("2026-07-01", ("2026-07-01",)),
        ("{a: 1}", ()),
        ("{}", ()),
    ],
)
def test_b3_a_scalar_is_one_entry_of_a_units_list(field, value, read_as):
    of = manifest(f"{field}: {value}")
    assert getattr(unit(of), field) == read_as
    assert problems(of) == [("B3", f"{field} must be a list — read as one entry")]


@pytest.mark.parametrize("field", UNIT_LISTS)
@pytest.mark.parametrize("value", ["null", "[]", "[a, [b]]"])
def test_b3_lists_and_null_are_as_they_are(field, value):
    assert manifest(f"{field}: {value}").problems == ()


@pytest.mark.parametrize(
    ("members", "value", "message"),
    [
        (
            "action_scope: {spend: {allowed_vendors: v}}",
            lambda made: made.action_scope.spend.allowed_vendors,
            "allowed_vendors",
        ),
        ("action_scope: {deny: {tools: v}}", lambda made: made.action_scope.deny.tools, "deny.tools"),
        ("action_scope: {deny: {paths: v}}", lambda made: made.action_scope.deny.paths, "deny.paths"),
        (
            "action_scope: {deny: {capabilities: v}}",
            lambda made: made.action_scope.deny.capabilities,
            "deny.capabilities",
        ),
        ("steps: [{id: s, depends_on: v}]", lambda made: made.steps[0].depends_on, "depends_on"),
    ],
)
def test_b3_a_scalar_is_one_entry_of_a_nested_list(members, value, message):
    of = manifest(members)
    assert value(unit(of)) == ("v",)
    assert unit(of).malformed == ()
    assert problems(of) == [("B3", f"{message} must be a list — read as one entry")]


def test_b3_of_a_reference():
    of = manifest(manifests="[{}, {id: r, context: prod}, {context: null}, {context: {prod: 1}}]")
    assert [each.context for each in of.manifests] == [None, ("prod",), None, ()]
    message = "context must be a list — read as one entry"
    assert [(each.owner, each.message) for each in of.problems] == [
        (("ref", 1), message),
        (("ref", 3), message),
    ]


def test_b3_one_mapping_for_methods():
    of = manifest("payment: {methods: {type: free}}", payment="{methods: {type: sub}}")
    assert unit(of).payment.methods == (PaymentMethod("free"),)
    assert of.payment == Payment(methods=(PaymentMethod("sub"),))
    message = "methods must be a list — read as one entry"
    assert [(each.rule, each.owner, each.message) for each in of.problems] == [
        ("B3", ("manifest", 0), message),
        ("B3", ("unit", 0), message),
    ]


def test_b3_is_for_no_other_list():
    of = manifest(
        "action_scope: {tools: a}, payment: {methods: x}, steps: [{id: a, escalation: e}]",
        trust="{agent_requirements: {trusted_providers: a}}",
        serving="{manifest: a}",
        authority_level_scale="low",
    )
    assert of.problems == ()
    assert unit(of).payment.methods is None


@pytest.mark.parametrize("value", ["x", "5", "true", "[]", "0", "''", "false"])
def test_b4_scopes_that_are_no_mapping(value):
    of = manifest(f"action_scope: {{tools: [t], spend: {value}, deny: {value}}}")
    assert unit(of).action_scope == ActionScope(tools=("t",))
    assert unit(of).malformed == ("action_scope.spend", "action_scope.deny")
    assert problems(of) == [
        ("B4", "action_scope.spend is malformed — fail-closed"),
        ("B4", "action_scope.deny is malformed — fail-closed"),
    ]


@pytest.mark.parametrize("value", ["x", "5", "true", "{}", "{id: a}", "''", "false"])
def test_b4_steps_that_are_no_list(value):
    of = manifest(f"steps: {value}")
    assert unit(of).steps is None
    assert unit(of).malformed == ("steps",)
    assert problems(of) == [("B4", "steps is malformed — fail-closed")]


@pytest.mark.parametrize("value", ["5", "true", "false", "{}", "0"])
def test_b4_an_escalation_that_is_neither_text_nor_list(value):
    of = manifest(f"steps: [{{id: a, escalation: {value}}}, {{id: b, escalation: {value}}}]")
    assert [step.escalation for step in unit(of).steps] == [(), ()]
    assert unit(of).malformed == ("escalation",)
    assert problems(of) == [("B4", "escalation is malformed — fail-closed")]


@pytest.mark.parametrize("dimension", ["tools", "paths", "capabilities"])
def test_b4_a_mapping_for_a_list_of_a_deny_scope(dimension):
    of = manifest(f"action_scope: {{deny: {{{dimension}: {{a: 1}}}}}}")
    assert unit(of).action_scope == ActionScope()
    assert problems(of) == [("B4", "action_scope.deny is malformed — fail-closed")]


def test_b4_a_mapping_for_allowed_vendors():
    of = manifest("action_scope: {spend: {max_spend: 1, allowed_vendors: {a: 1}}}")
    assert unit(of).action_scope == ActionScope()
    assert problems(of) == [("B4", "action_scope.spend is malformed — fail-closed")]


@pytest.mark.parametrize("value", ["five", "'5 USD'", ".nan", "{}", "[1, 2]", "2026-07-01"])
def test_b4_a_ceiling_that_is_no_number(value):
    of = manifest(f"action_scope: {{spend: {{max_spend: {value}, currency: USD}}}}")
    assert unit(of).malformed == ("action_scope.spend",)
    assert problems(of) == [("B4", "action_scope.spend is malformed — fail-closed")]


@pytest.mark.parametrize(("value", "read_as"), [("5", 5), ("' 5 '", 5), ("null", None), ("''", 0)])
def test_a_ceiling_that_is_a_number(value, read_as):
    of = manifest(f"action_scope: {{spend: {{max_spend: {value}}}}}")
    assert unit(of).action_scope.spend == SpendScope(read_as)
    assert of.problems == ()


@pytest.mark.parametrize(
    "members",
    [
        "action_scope: {spend: {}, deny: {}}",
        "action_scope: {spend: null, deny: null}",
        "steps: []",
        "steps: null",
        "steps: [{id: a, escalation: null}, {id: b, escalation: ''}, {id: c, escalation: []}]",
    ],
)
def test_b4_is_not_for_what_is_empty_or_null(members):
    of = manifest(members)
    assert unit(of).malformed == ()
    assert of.problems == ()


@pytest.mark.parametrize(
    ("price", "shown"),
    [
        ("-1", "-1"),
        ("abc", "abc"),
        (".inf", "Infinity"),
        (".nan", "NaN"),
        ("null", "undefined"),
        ("[]", None),
    ],
)
def test_b5_prices(price, shown):
    of = manifest(f"payment: {{methods: [{{type: x402, price_per_request: {price}}}]}}")
    expected = [] if shown is None else [f"price_per_request '{shown}' is not a non-negative number"]
    assert problems(of) == [("B5", message) for message in expected]


def test_b5_is_for_x402_methods_in_order():
    of = manifest(
        "payment: {methods: [{type: x402}, {type: free}, {type: sub, price_per_request: x}, "
        "{type: x402, price_per_request: 1}, {type: x402, price_per_request: '-2'}]}",
        payment="{methods: [{type: x402, price_per_request: y}]}",
    )
    assert [(each.owner, each.message) for each in of.problems] == [
        (("manifest", 0), "price_per_request 'y' is not a non-negative number"),
        (("unit", 0), "price_per_request 'undefined' is not a non-negative number"),
        (("unit", 0), "price_per_request '-2' is not a non-negative number"),
    ]


def test_the_problems_of_a_unit_come_in_the_order_of_the_decisions():
    of = read(
        """
        units:
        - payment: {methods: {type: x402}}
          steps: [{id: s, escalation: 1, depends_on: x}, y]
          action_scope: {deny: 1, spend: {allowed_vendors: v}}
          load_eligible: yes
          audience: agent
          triggers: t
          temporal: {valid_until: 2026-07-01, valid_from: 2026-01-01}
        - {load_eligible: 1, temporal: {valid_from: 2026-01-01}}
        """
    )
    assert [(each.owner[1], each.rule, each.message.split(" ")[0]) for each in of.problems] == [
        (0, "B1", "temporal.valid_from"),
        (0, "B1", "temporal.valid_until"),
        (0, "B2", "load_eligible"),
        (0, "B3", "audience"),
        (0, "B3", "triggers"),
        (0, "B3", "allowed_vendors"),
        (0, "B3", "depends_on"),
        (0, "B3", "methods"),
        (0, "B4", "action_scope.deny"),
        (0, "B4", "escalation"),
        (0, "B5", "price_per_request"),
        (0, "dropped", "step"),
        (1, "B1", "temporal.valid_from"),
        (1, "B2", "load_eligible"),
    ]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("payment: {methods: {type: free}}", "payment methods"),
        ("payment: {methods: [{}, {type: x402}]}", "payment methods 1"),
        ("units: x", "units"),
        ("units: [x]", "units 0"),
        ("manifests: [{}, x]", "manifests 1"),
        ("manifests: [x, {context: c}]", "manifests 1 context"),
        ("units: [x, {audience: a}]", "units 1 audience"),
        ("units: [{not_for: a}]", "units 0 not_for"),
        ("units: [{triggers: a}]", "units 0 triggers"),
        ("units: [{load_eligible: 1}]", "units 0 load_eligible"),
        ("units: [{temporal: {valid_from: 2026-01-01}}]", "units 0 temporal valid_from"),
        ("units: [{temporal: {valid_until: 2026-01-01}}]", "units 0 temporal valid_until"),
        ("units: [{payment: {methods: {}}}]", "units 0 payment methods"),
        ("units: [{payment: {methods: [{type: x402}]}}]", "units 0 payment methods 0"),
        ("units: [{action_scope: {spend: 1}}]", "units 0 action_scope spend"),
        ("units: [{action_scope: {deny: 1}}]", "units 0 action_scope deny"),
        (
            "units: [{action_scope: {spend: {allowed_vendors: v}}}]",
            "units 0 action_scope spend allowed_vendors",
        ),
        ("units: [{action_scope: {deny: {paths: v}}}]", "units 0 action_scope deny paths"),
        ("units: [{steps: 1}]", "units 0 steps"),
        ("units: [{steps: [{id: s}, x]}]", "units 0 steps 1"),
        ("units: [{steps: [{id: s}, {id: t, escalation: 1}]}]", "units 0 steps"),
        ("units: [{steps: [{id: s}, {id: t, depends_on: s}]}]", "units 0 steps 1 depends_on"),
    ],
)
def test_problems_lead_to_their_nodes(text, path):
    assert " ".join(map(str, read(text).problems[-1].path)) == path


def test_problems_know_their_place():
    of = read(
        """\
        project: p
        units:
        - id: a
          audience: agent
          action_scope:
            deny: none
          steps:
          - id: s
          - text
        - load_eligible: yes
          payment:
            methods:
            - type: x402
        manifests:
        - context: prod
        """
    )
    assert [each.path for each in of.problems] == [
        ("units", 0, "audience"),
        ("units", 0, "action_scope", "deny"),
        ("units", 0, "steps", 1),
        ("units", 1, "load_eligible"),
        ("units", 1, "payment", "methods", 0),
        ("manifests", 0, "context"),
    ]
    assert tuple([each.replace(path=()) for each in of.problems]) == (
        Problem("B3", ("unit", 0), "audience must be a list — read as one entry", Position(4, 13)),
        Problem("B4", ("unit", 0), "action_scope.deny is malformed — fail-closed", Position(6, 11)),
        Problem("dropped", ("unit", 0), "step #2 has no 'id' — ignored", Position(9, 5)),
        Problem(
            "B2", ("unit", 1), "load_eligible 'yes' is not a boolean — no grant is read", Position(10, 18)
        ),
        Problem(
            "B5",
            ("unit", 1),
            "price_per_request 'undefined' is not a non-negative number",
            Position(13, 7),
        ),
        Problem("B3", ("ref", 0), "context must be a list — read as one entry", Position(15, 12)),
    )
