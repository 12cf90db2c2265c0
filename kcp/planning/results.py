"""What planning answers with: immutable values, fields in wire order (planner contract §8–§10)."""

from __future__ import annotations

from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.model import ActionScope, Number
    from kcp.options import Capabilities, PlanOptions


class PaymentChoice(Record):
    """How a unit would be paid for; `cost` is text for people, `price_per_request` a number."""

    method: str
    cost: str | None = None
    price_per_request: Number | None = None
    currency: str | None = None
    affordable: bool = True


class Authority(Record):
    """The resolved authority ceiling of a playbook and what bound it."""

    ceiling: str
    binding_source: str


class SpendBinding(Record):
    """The spend scope that bound a proposed spend."""

    max_spend: Number | None
    allowed_vendors: tuple[str, ...] | None
    currency: str | None
    binding_source: str


class GrantRequest(Record):
    """A step whose declared escalation fired: a grant is owed before enactment."""

    step: str
    triggers: tuple[str, ...]
    note: str


class ProhibitedAttempt(Record):
    """A requested action that a deny scope refuses finally."""

    step: str
    dimension: str
    token: str
    binding_source: str
    note: str


class SelectedUnit(Record):
    """A unit of the load plan; not every selected unit is load-eligible."""

    id: str
    path: str
    intent: str
    score: Number
    reasons: tuple[str, ...]
    payment: PaymentChoice
    requires_attestation: bool
    load_eligible: bool
    action_scope: ActionScope | None = None
    authority: Authority | None = None
    spend: SpendBinding | None = None
    grant_requests: tuple[GrantRequest, ...] | None = None
    prohibited_attempts: tuple[ProhibitedAttempt, ...] | None = None


class SkippedUnit(Record):
    """A unit left out and why; governance details appear under strict mode only."""

    id: str
    reason: str
    authority: Authority | None = None
    spend: SpendBinding | None = None
    grant_requests: tuple[GrantRequest, ...] | None = None
    prohibited_attempts: tuple[ProhibitedAttempt, ...] | None = None


class FederationEntry(Record):
    """Whether a referenced manifest would be followed."""

    id: str
    url: str
    selected: bool
    reason: str
    credential_needed: str | None = None
    docs_url: str | None = None
    local_mirror: str | None = None


class UnitCost(Record):
    """A pay-per-request unit and its cost text."""

    unit: str
    cost: str


class BudgetReport(Record):
    """Money: the rate tier, and with a budget the arithmetic of this manifest."""

    rate_tier: str
    requests_per_minute: Number | str | None
    per_request_costs: tuple[UnitCost, ...]
    ceiling: Number | None
    currency: str | None
    already_committed: Number | None
    projected_spend: Number | None
    remaining: Number | None
    note: str


class ContextReport(Record):
    """Tokens: what the eligible selection would take of the context budget."""

    ceiling: Number | None
    projected_tokens: Number | None
    remaining: Number | None
    approximate: bool
    unmeasured: int
    note: str


class TrustReport(Record):
    """The manifest's attestation requirement and whether the agent meets it."""

    requires_attestation: bool
    agent_can_attest: bool
    note: str


class ManifestInfo(Record):
    """Which manifest was planned; `sha256` pins its bytes."""

    project: str
    version: str
    kcp_version: str | None = None
    source: str | None = None
    sha256: str | None = None


class ServingBinding(Record):
    """Whether the manifest was retrieved from where its publisher serves it (§13)."""

    status: str
    detail: str
    retrieval_url: str | None = None
    declared: tuple[str, ...] | None = None


class SignatureResult(Record):
    """The verdict on a manifest's signature (§12)."""

    status: str
    detail: str
    key_id: str | None = None


class WithheldField(Record):
    """A field that a trusted render left out; it took no part in the plan."""

    path: str
    reason: str


class RenderReport(Record):
    """The trusted render that a plan was made from instead of the manifest as published."""

    tier: str
    origin: str
    origin_evidence: str
    pinned: bool
    renderer: str
    lint_rules: str
    schema: str
    fields_in: int
    fields_rendered: int
    fields_dropped: int
    fields_quarantined: int
    withheld: tuple[WithheldField, ...]


class Plan(Record):
    """The load plan: what to load, what to skip and why, what it costs, whom to trust."""

    task: str
    manifest: ManifestInfo
    trust: TrustReport
    environment: str | None
    as_of: str
    options: PlanOptions
    selected: tuple[SelectedUnit, ...]
    skipped: tuple[SkippedUnit, ...]
    federation: tuple[FederationEntry, ...]
    budget: BudgetReport
    context: ContextReport
    warnings: tuple[str, ...]
    serving: ServingBinding | None = None
    signature: SignatureResult | None = None
    render: RenderReport | None = None

    def to_json(self, correlation_id: str | None = None) -> str:
        """The artifact as JSON text (`kind: "plan"`), without a final newline."""
        from kcp.wire.encode import artifact_json

        return artifact_json(self, correlation_id)


class GateResult(Record):
    """One gate's verdict on one unit."""

    gate: str
    passed: bool
    detail: str


class TokenEstimate(Record):
    """A unit's size in tokens and where it comes from: `declared`, `estimated` or `unmeasured`."""

    value: Number | None
    source: str


class TraceCost(Record):
    """What a selected unit costs a request."""

    amount: Number
    currency: str | None
    method: str


class TraceUnit(Record):
    """The cascade of one unit, up to and including its first failing gate."""

    id: str
    path: str
    intent: str
    outcome: str
    gates: tuple[GateResult, ...]
    rejected_by: str | None = None
    score: Number | None = None
    tokens: TokenEstimate | None = None
    cost: TraceCost | None = None
    action_scope: ActionScope | None = None


class GateCount(Record):
    """How many units passed and failed a gate, of those that reached it."""

    gate: str
    passed: int
    failed: int


class Trace(Record):
    """Every unit with its gate verdicts, and the plan they lead to."""

    task: str
    task_terms: tuple[str, ...]
    as_of: str
    capabilities: Capabilities
    plan: Plan
    units: tuple[TraceUnit, ...]
    gate_summary: tuple[GateCount, ...]

    def to_json(self, correlation_id: str | None = None) -> str:
        """The artifact as JSON text (`kind: "trace"`), without a final newline."""
        from kcp.wire.encode import artifact_json

        return artifact_json(self, correlation_id)
