"""The manifest as published: immutable values read from `knowledge.yaml` (planner contract §4).

Numbers are doubles (an `int` where the double is integral); absent members are `None`; lists are tuples.
"""

from __future__ import annotations

from kcp.records import Record

Number = float  # every manifest number is a double; integral ones may arrive as int


class Position(Record):
    """A place in a text, both 1-based; columns count characters."""

    line: int
    column: int


class Problem(Record):
    """Something reading met and did not take as written (decisions B1–B5, and members dropped silently).

    `rule` is `B1` … `B5` or `dropped`; `owner` is `("unit", index)`, `("ref", index)` or `("manifest", 0)`.
    `path` leads to the value in the document as written.
    """

    rule: str
    owner: tuple[str, int]
    message: str
    position: Position | None = None
    path: tuple[str | int, ...] = ()


class Temporal(Record):
    """When a unit is valid; dates are text and compare as text (§6 gate 3)."""

    valid_from: str | None = None
    valid_until: str | None = None
    superseded_by: str | None = None


class SpendScope(Record):
    """`action_scope.spend`: what a governed unit may spend (§4.3a.1 of the specification)."""

    max_spend: Number | None = None
    allowed_vendors: tuple[str, ...] = ()
    currency: str | None = None


class DenyScope(Record):
    """`action_scope.deny`: what a governed unit may never touch."""

    tools: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()


class ActionScope(Record):
    """What a governed unit may touch."""

    tools: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()
    spend: SpendScope | None = None
    deny: DenyScope | None = None


class Step(Record):
    """One step of a playbook."""

    id: str
    uses: str | None = None
    action: str | None = None
    authority_level: str | None = None
    success_condition: str | None = None
    on_failure: str | None = None
    timeout: str | None = None
    depends_on: tuple[str, ...] = ()
    escalation: tuple[str, ...] | None = None


class PaymentMethod(Record):
    """One way to pay; `price_per_request` keeps the text of the manifest."""

    type: str = ""
    currency: str | None = None
    price_per_request: str | None = None
    networks: tuple[str, ...] | None = None
    wallet: str | None = None
    provider: str | None = None
    plans_url: str | None = None
    upgrade_url: str | None = None
    free_tier: bool | None = None
    free_requests_per_day: Number | None = None


class Payment(Record):
    """A payment block; `methods` is `None` when the manifest lists none."""

    default_tier: str | None = None
    billing_contact: str | None = None
    methods: tuple[PaymentMethod, ...] | None = None


class Tier(Record):
    """Request limits of one tier; each a number or the text `unlimited`."""

    requests_per_minute: Number | str | None = None
    requests_per_hour: Number | str | None = None
    requests_per_day: Number | str | None = None


class RateLimits(Record):
    """Request limits by tier."""

    default: Tier | None = None
    authenticated: Tier | None = None
    premium: Tier | None = None
    backoff: str | None = None


class AgentRequirements(Record):
    """`trust.agent_requirements`."""

    require_attestation: bool | None = None
    trusted_providers: tuple[str, ...] = ()
    attestation_url: str | None = None


class Trust(Record):
    """The part of `trust` an agent acts on."""

    agent_requirements: AgentRequirements | None = None


class Signing(Record):
    """Where the manifest's signature and key are."""

    scheme: str | None = None
    scope: str | None = None
    public_key: str | None = None
    signature: str | None = None
    key_id: str | None = None


class Serving(Record):
    """Where the publisher says this manifest is served (§13)."""

    manifest: tuple[str, ...] | None = None
    mcp: tuple[str, ...] | None = None


class AgentIdentity(Record):
    """What a federated manifest asks of the agent's identity."""

    required: bool | None = None
    credential_hint: str | None = None
    issuer_hint: str | None = None
    docs_url: str | None = None


class ManifestRef(Record):
    """A reference to another manifest of the federation."""

    id: str = ""
    url: str = ""
    label: str | None = None
    relationship: str | None = None
    local_mirror: str | None = None
    context: tuple[str, ...] | None = None
    agent_identity: AgentIdentity | None = None


class Unit(Record):
    """One knowledge unit. `malformed` names its malformed blocks in the order of decision B4.

    `pointer` is why the unit may not be loaded whatever else is so: a trusted render has decided it.
    """

    id: str = ""
    path: str = ""
    intent: str = ""
    scope: str | None = None
    access: str | None = None
    auth_scope: str | None = None
    kind: str | None = None
    authority_level: str | None = None
    audience: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    not_for: tuple[str, ...] = ()
    deprecated: bool | None = None
    load_eligible: bool | None = None
    size_tokens: Number | None = None
    bytes: Number | None = None
    steps: tuple[Step, ...] | None = None
    action_scope: ActionScope | None = None
    payment: Payment | None = None
    rate_limits: RateLimits | None = None
    temporal: Temporal | None = None
    malformed: tuple[str, ...] = ()
    pointer: str | None = None


class Manifest(Record):
    """A whole manifest; `source` is where it was read from, `sha256` what was read."""

    project: str
    version: str
    kcp_version: str | None = None
    authority_level_scale: tuple[str, ...] | None = None
    units: tuple[Unit, ...] = ()
    manifests: tuple[ManifestRef, ...] = ()
    payment: Payment | None = None
    rate_limits: RateLimits | None = None
    trust: Trust | None = None
    signing: Signing | None = None
    serving: Serving | None = None
    source: str | None = None
    sha256: str | None = None
    problems: tuple[Problem, ...] = ()
