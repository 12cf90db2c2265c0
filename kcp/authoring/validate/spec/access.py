"""Who may read units, how they prove it, and what holds for what they read."""

from __future__ import annotations

from kcp.authoring.validate.rule import Rule
from kcp.authoring.validate.spec.fields import SENSITIVITIES
from kcp.authoring.validate.spec.node import https_fault, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.authoring.validate.findings import Finding
    from kcp.authoring.validate.spec.node import Node, Spec, Unit

AUTH_TYPES = ("none", "oauth2", "api_key", "bearer_token", "spiffe", "did", "http_signature")

ACCESS = Rule(
    "KCP229", "access", "warning", "§4.11", "An access value outside the list is taken as restricted.",
    bad="access: members", good="access: public", tier=2, since="0.5",
)  # fmt: skip
AUTH_SCOPE = Rule(
    "KCP230", "auth-scope", "warning", "§4.11", "An auth scope only means something on a restricted unit.",
    bad="access: public\nauth_scope: admin", good="access: restricted\nauth_scope: admin", tier=2,
    since="0.7",
)  # fmt: skip
AUTH_MISSING = Rule(
    "KCP233", "auth-missing", "warning", "§3.3",
    "Units need authentication, but the manifest names no method.", bad="access: authenticated",
    good="access: public", tier=3, since="0.6",
)  # fmt: skip
AUTH_NONE_ONLY = Rule(
    "KCP234", "auth-none-only", "warning", "§3.3", "Units need authentication, but the only method is none.",
    bad="auth: {methods: [{type: none}]}\nunits: [{id: a, path: a.md, intent: A, access: restricted}]",
    good="auth: {methods: [{type: none}, {type: bearer_token}]}\nunits: [{id: a, path: a.md, intent: A, "
    "access: restricted}]",
    part="root", tier=3, since="0.25.1",
)  # fmt: skip
AUTH_TYPES_UNKNOWN = Rule(
    "KCP235", "auth-types", "warning", "§3.3", "No agent knows any of the authentication methods.",
    bad="auth: {methods: [{type: handshake}]}",
    good="auth: {methods: [{type: handshake}, {type: bearer_token}]}", part="root", tier=3, since="0.6",
)  # fmt: skip
AUTH_FIELDS = Rule(
    "KCP236", "auth-fields", "warning", "§3.3", "A method lacks what an agent needs to use it.",
    bad="auth: {methods: [{type: api_key}]}", good="auth: {methods: [{type: api_key, header: X-API-Key}]}",
    part="root", tier=3, since="0.6",
)  # fmt: skip
HITL_SHAPE = Rule(
    "KCP244", "hitl-shape", "error", "§3.4", "Human approval is described by a mapping.",
    bad="delegation: {human_in_the_loop: true}", good="delegation: {human_in_the_loop: {required: true}}",
    tier=3, since="0.7",
)  # fmt: skip
HITL_MECHANISM = Rule(
    "KCP245", "hitl-mechanism", "error", "§3.4",
    "Approval comes by OAuth consent, UMA or a mechanism of one's own.",
    bad="delegation: {human_in_the_loop: {approval_mechanism: phone}}",
    good="delegation: {human_in_the_loop: {approval_mechanism: oauth_consent}}", tier=3, since="0.7",
)  # fmt: skip
HITL_DOCS = Rule(
    "KCP246", "hitl-docs", "warning", "§3.4", "A mechanism of one's own needs documentation.",
    bad="delegation: {human_in_the_loop: {approval_mechanism: custom}}",
    good="delegation: {human_in_the_loop: {approval_mechanism: custom, docs_url: "
    '"https://a.example/approval"}}',
    tier=3, since="0.7",
)  # fmt: skip
DELEGATION_DEPTH = Rule(
    "KCP247", "delegation-depth", "error", "§3.4", "A unit permits deeper delegation than the manifest.",
    bad="delegation: {max_depth: 1}\nunits: [{id: a, path: a.md, intent: A, delegation: {max_depth: 2}}]",
    good="delegation: {max_depth: 2}\nunits: [{id: a, path: a.md, intent: A, delegation: {max_depth: 1}}]",
    part="root", tier=3, since="0.7",
)  # fmt: skip
COMPLIANCE = Rule(
    "KCP248", "compliance-sensitivity", "error", "§3.5",
    "A compliance sensitivity is one of the four values.", bad="compliance: {sensitivity: secret}",
    good="compliance: {sensitivity: confidential}", tier=3, since="0.7",
)  # fmt: skip
RULES = (
    ACCESS, AUTH_SCOPE, AUTH_MISSING, AUTH_NONE_ONLY, AUTH_TYPES_UNKNOWN, AUTH_FIELDS, HITL_SHAPE,
    HITL_MECHANISM, HITL_DOCS, DELEGATION_DEPTH, COMPLIANCE,
)  # fmt: skip


def check_unit(spec: Spec, unit: Unit) -> Iterator[Finding]:
    """A unit's access, and what it adds to the root's blocks."""
    yield from unit.outside(ACCESS, "access", ("public", "authenticated", "restricted"))
    if unit.get("auth_scope") is not None and _access(unit) != "restricted":
        yield unit.find(AUTH_SCOPE, "auth_scope", "is given, but access is not restricted")
    yield from _check_shared(unit)
    own, root = unit.child("delegation"), spec.root.child("delegation")
    if own is not None and root is not None:
        depth, most = own.number("max_depth"), root.number("max_depth")
        if depth is not None and most is not None and depth > most:
            message = f"{shown(depth)} is above the manifest's max_depth {shown(most)}"
            yield own.find(DELEGATION_DEPTH, "max_depth", message)


def check_root(spec: Spec) -> Iterator[Finding]:
    """Authentication methods, and the root's own delegation and compliance."""
    yield from _check_shared(spec.root)
    auth = spec.root.child("auth")
    methods = [] if auth is None else auth.children("methods")
    closed = [unit for unit in spec.units if _access(unit) in ("authenticated", "restricted")]
    types = [method.text("type") for method in methods]
    if closed and not methods:
        message = f"names no methods, but {closed[0].where} needs authentication"
        yield spec.root.find(AUTH_MISSING, "auth", message)
    elif closed and all(kind == "none" for kind in types):
        message = f"names no method but none, and {closed[0].where} needs authentication"
        yield spec.root.find(AUTH_NONE_ONLY, "auth", message)
    if methods and not any(kind in AUTH_TYPES for kind in types):
        message = f"names no method that agents know ({', '.join(AUTH_TYPES)})"
        yield spec.root.find(AUTH_TYPES_UNKNOWN, "auth", message, "methods")
    for method in methods:
        yield from _check_method(method)


def _access(unit: Unit) -> str:
    value = unit.text("access") or "public"
    return value if value in ("public", "authenticated") else "restricted"


def _check_method(method: Node) -> Iterator[Finding]:
    kind = method.text("type")
    if kind == "oauth2":
        issuer = method.get("issuer")
        fault = "is missing" if issuer is None else https_fault(issuer)
        if fault is not None:
            yield method.find(AUTH_FIELDS, "issuer", fault)
    elif kind == "api_key" and not method.text("header"):
        yield method.find(AUTH_FIELDS, "header", "is missing")
    elif kind == "spiffe" and not method.text("trust_domain"):
        yield method.find(AUTH_FIELDS, "trust_domain", "is missing")


def _check_shared(node: Node) -> Iterator[Finding]:
    delegation = node.child("delegation")
    if delegation is not None and delegation.get("human_in_the_loop") is not None:
        approval = delegation.child("human_in_the_loop")
        if approval is None:
            yield delegation.find(HITL_SHAPE, "human_in_the_loop", "is not a mapping")
        else:
            yield from _check_approval(approval)
    compliance = node.child("compliance")
    if compliance is not None:
        yield from compliance.outside(COMPLIANCE, "sensitivity", SENSITIVITIES)


def _check_approval(approval: Node) -> Iterator[Finding]:
    yield from approval.outside(HITL_MECHANISM, "approval_mechanism", ("oauth_consent", "uma", "custom"))
    if approval.get("approval_mechanism") == "custom" and not approval.text("docs_url"):
        yield approval.find(HITL_DOCS, "docs_url", "is missing")
