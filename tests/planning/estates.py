"""Hypothesis strategies for whole manifests, tasks and options, small enough that their parts meet."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from kcp.model import Manifest
from kcp.options import Action, Budget, Capabilities, PlanOptions, SpendProposal
from kcp.reading.parse import parse_manifest
from kcp.reading.yaml12 import read_yaml

Raw = dict[str, Any]

IDS = ["a", "b", "B", "c-1", "d", "é"]
WORDS = ["deploy", "release", "billing", "secret", "deployment"]
TOOLS = ["rm", "git"]
PATHS = ["etc/passwd", "src/a", "src/a/b"]
GLOBS = ["**", "src/*", "src/**", "etc/passwd", "*.md"]
CAPABILITIES = ["net", "disk"]
VENDORS = ["acme", "zed"]
CURRENCIES = ["USDC", "EUR"]
LEVELS = ["observe", "suggest", "commit", "unknown"]
METHODS = ["free", "x402", "subscription", "voucher"]
PROVIDERS = ["attest-one", "attest-two"]
CREDENTIALS = ["key", "badge"]
DATES = ["2025-01-01", "2026-07-05", "2026-07-06", "2026-07-07", "2027-01-01"]


def some(values: list[Any], most: int = 2) -> st.SearchStrategy[list[Any]]:
    return st.lists(st.sampled_from(values), max_size=most)


def members(**each: st.SearchStrategy[Any]) -> st.SearchStrategy[Raw]:
    """A mapping with any of the members."""
    return st.fixed_dictionaries({}, optional=each)


PRICES = st.sampled_from([0, 0.1, 0.2, 1, "1.5", "3", -1, "x", None])
METHOD = members(
    type=st.sampled_from(METHODS), price_per_request=PRICES, currency=st.sampled_from(CURRENCIES)
)
PAYMENT = members(methods=st.lists(METHOD, max_size=3))
DENY = members(tools=some(TOOLS), paths=some(GLOBS), capabilities=some(CAPABILITIES))
SPEND = members(
    max_spend=st.sampled_from([0, 1, 5, 5.5]),
    allowed_vendors=some(VENDORS),
    currency=st.sampled_from(CURRENCIES),
)
SCOPE = members(
    tools=some(TOOLS), paths=some(PATHS), capabilities=some(CAPABILITIES), spend=SPEND | st.just(5), deny=DENY
)
STEP = st.fixed_dictionaries(
    {"id": st.sampled_from(["s", "t", "v"])},
    optional={
        "uses": st.sampled_from([*IDS, "", "missing"]),
        "authority_level": st.sampled_from(LEVELS),
        "escalation": some(["insufficient_authority_level", "doubt"]) | st.just("doubt") | st.just(True),
    },
)
TEMPORAL = members(
    valid_from=st.sampled_from(DATES),
    valid_until=st.sampled_from(DATES),
    superseded_by=st.sampled_from([*IDS, "missing"]),
)
TEXT = st.lists(st.sampled_from([*WORDS, "the"]), max_size=3).map(" ".join)
GRANTS = st.sampled_from([True, True, False, None, "true", "yes", 1])
UNIT = st.fixed_dictionaries(
    {"id": st.sampled_from(IDS), "path": st.sampled_from(["x.md", "deploy.md"]), "intent": TEXT},
    optional={
        "kind": st.sampled_from(["knowledge", "skill", "playbook", "playbook"]),
        "access": st.sampled_from(["public", "authenticated", "restricted"]),
        "audience": some(["agent", "human"]),
        "triggers": some(WORDS),
        "not_for": some(WORDS, 1),
        "deprecated": st.sampled_from([False, True]),
        "load_eligible": GRANTS,
        "authority_level": st.sampled_from(LEVELS),
        "size_tokens": st.integers(0, 300),
        "bytes": st.integers(0, 2000),
        "temporal": TEMPORAL,
        "action_scope": SCOPE,
        "payment": PAYMENT,
        "steps": st.lists(STEP, max_size=3),
    },
)
REF = members(
    id=st.sampled_from(IDS),
    url=st.just("../x"),
    context=some(["prod", "dev"]),
    agent_identity=members(required=st.booleans(), credential_hint=st.sampled_from(CREDENTIALS)),
)
TRUST = members(
    agent_requirements=members(require_attestation=st.booleans(), trusted_providers=some(PROVIDERS))
)
TASKS = TEXT | st.just("how to deploy the billing release")

CAPABILITY_SETS = st.builds(
    Capabilities,
    role=st.sampled_from(["agent", "agent", "human"]),
    payment_methods=some(METHODS).map(tuple),
    credentials=some(CREDENTIALS, 1).map(tuple),
    attestation_provider=st.sampled_from([None, *PROVIDERS]),
)
BUDGETS = st.builds(
    Budget,
    amount=st.sampled_from([0, 0.3, 1, 2, 10]),
    currency=st.sampled_from([None, *CURRENCIES]),
    spent=st.sampled_from([None, 0, 0.1]),
)
ACTIONS = st.builds(
    Action,
    tool=st.sampled_from([None, *TOOLS]),
    path=st.sampled_from([None, *PATHS]),
    capability=st.sampled_from([None, *CAPABILITIES]),
)
OPTIONS = st.builds(
    PlanOptions,
    as_of=st.just("2026-07-06"),
    env=st.sampled_from([None, "prod", "dev"]),
    capabilities=CAPABILITY_SETS,
    max_units=st.integers(0, 6),
    strict=st.booleans(),
    budget=st.none() | BUDGETS,
    context_budget=st.none() | st.sampled_from([0, 100, 250.5, 1000]),
    grant_ceiling=st.sampled_from([None, *LEVELS]),
    spend=st.none()
    | st.builds(
        SpendProposal,
        amount=st.sampled_from([None, 0, 1, 5, 6]),
        vendor=st.sampled_from([None, *VENDORS]),
        currency=st.sampled_from([None, *CURRENCIES]),
    ),
    action=st.none() | ACTIONS,
)


def _numbered(units: list[Raw]) -> list[Raw]:
    return [unit | {"id": name} for unit, name in zip(units, IDS, strict=False)]


def manifests(*, unique: bool = False) -> st.SearchStrategy[Raw]:
    """Whole manifests as plain values; `unique` gives every unit its own id."""
    units = st.lists(UNIT, max_size=5)
    units = units.map(_numbered) if unique else units
    return st.fixed_dictionaries(
        {"units": units},
        optional={
            "project": st.just("estate"),
            "payment": PAYMENT,
            "trust": TRUST,
            "manifests": st.lists(REF, max_size=2),
            "authority_level_scale": st.just(["observe", "commit"]),
        },
    )


def read_raw(raw: Raw) -> Manifest:
    """The manifest that plain values spell, by way of its text (JSON is YAML)."""
    return parse_manifest(read_yaml(json.dumps(raw).encode()), source="knowledge.yaml")
