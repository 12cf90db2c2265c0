"""What the manifest says of its publisher, of agents, and of its own integrity and addresses."""

from __future__ import annotations

from kcp.authoring.validate.rule import Rule
from kcp.authoring.validate.spec.node import https_fault, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.authoring.validate.findings import Finding
    from kcp.authoring.validate.spec.node import Node, Spec

PUBLISHER_URL = Rule(
    "KCP237", "publisher-url", "warning", "§3.2", "The publisher's address is no https:// URL.",
    bad='trust: {provenance: {publisher_url: "http://a.example"}}',
    good='trust: {provenance: {publisher_url: "https://a.example"}}', part="root", tier=2, since="0.5",
)  # fmt: skip
PUBLISHER_DID = Rule(
    "KCP238", "publisher-did", "warning", "§3.2", "A decentralised identifier starts with did:.",
    bad="trust: {provenance: {publisher_did: a.example}}",
    good='trust: {provenance: {publisher_did: "did:web:a.example"}}', part="root", tier=2, since="0.23",
)  # fmt: skip
RECEIPTS = Rule(
    "KCP239", "receipts", "warning", "§3.2", "Access receipts are promised in no known format.",
    bad="trust: {audit: {provides_access_receipts: true}}",
    good="trust: {audit: {provides_access_receipts: true, receipt_format: jws}}", part="root", tier=3,
    since="0.23",
)  # fmt: skip
ATTESTATION_HTTPS = Rule(
    "KCP240", "attestation-https", "warning", "§3.2", "An attestation address is no https:// URL.",
    bad='trust: {agent_requirements: {attestation_url: "http://a.example/attest"}}',
    good='trust: {agent_requirements: {attestation_url: "https://a.example/attest"}}', part="root", tier=3,
    since="0.22",
)  # fmt: skip
ATTESTATION_VOID = Rule(
    "KCP241", "attestation-void", "warning", "§3.2", "Attestation is required, but nothing says by whom.",
    bad="trust: {agent_requirements: {require_attestation: true}}",
    good="trust: {agent_requirements: {require_attestation: true, trusted_providers: [attest.example]}}",
    part="root", tier=3, since="0.22",
)  # fmt: skip
ATTESTATION_GOVERNS = Rule(
    "KCP242", "attestation-governs", "warning", "§3.2",
    "Requirements are passed on to governed manifests, but nothing is governed.",
    bad="trust: {agent_requirements: {propagate_to_governed: true}}",
    good="trust: {agent_requirements: {propagate_to_governed: true}}\nmanifests: [{id: a, url: "
    '"https://a.example/k.yaml", relationship: governs}]',
    part="root", tier=3, since="0.22",
)  # fmt: skip
INTEGRITY = Rule(
    "KCP243", "integrity-fields", "warning", "§3.2", "The integrity block is incomplete.",
    bad="trust: {content_integrity: {signing: {enabled: true}}}",
    good="trust: {content_integrity: {signing: {enabled: true, method: jws}}}", part="root", tier=2,
    since="0.16", protected=True,
)  # fmt: skip
SERVING = Rule(
    "KCP296", "serving-https", "error", "§3.12",
    "An address of the serving block is no https:// URL. An empty list is legal.",
    bad='serving: {mcp: ["http://a.example/mcp"]}',
    good='serving: {mcp: ["https://a.example/mcp"], manifest: []}', part="root", since="0.26",
)  # fmt: skip
RULES = (
    PUBLISHER_URL, PUBLISHER_DID, RECEIPTS, ATTESTATION_HTTPS, ATTESTATION_VOID, ATTESTATION_GOVERNS,
    INTEGRITY, SERVING,
)  # fmt: skip


def check_root(spec: Spec) -> Iterator[Finding]:
    """The trust and serving blocks."""
    serving = spec.root.child("serving")
    if serving is not None:
        yield from _check_serving(serving)
    trust = spec.root.child("trust")
    if trust is None:
        return
    provenance = trust.child("provenance")
    if provenance is not None:
        yield from _check_https(provenance, "publisher_url", PUBLISHER_URL)
        did = provenance.get("publisher_did")
        if did is not None and not (isinstance(did, str) and did.startswith("did:")):
            yield provenance.find(PUBLISHER_DID, "publisher_did", f"'{shown(did)}' does not start with did:")
    audit = trust.child("audit")
    if audit is not None and audit.is_true("provides_access_receipts") and not audit.text("receipt_format"):
        yield audit.find(RECEIPTS, "receipt_format", "is missing, but receipts are provided")
    requirements = trust.child("agent_requirements")
    if requirements is not None:
        yield from _check_requirements(spec, requirements)
    integrity = trust.child("content_integrity")
    if integrity is not None:
        yield from _check_integrity(integrity)


def _check_https(node: Node, key: str, rule: Rule) -> Iterator[Finding]:
    value = node.get(key)
    fault = None if value is None else https_fault(value)
    if fault is not None:
        yield node.find(rule, key, fault)


def _check_requirements(spec: Spec, requirements: Node) -> Iterator[Finding]:
    for key in ("attestation_url", "attestation_jwks"):
        yield from _check_https(requirements, key, ATTESTATION_HTTPS)
    if (
        requirements.is_true("require_attestation")
        and not requirements.texts("trusted_providers")
        and not requirements.text("attestation_url")
    ):
        message = "is true, but there are neither trusted_providers nor an attestation_url"
        yield requirements.find(ATTESTATION_VOID, "require_attestation", message)
    if requirements.is_true("propagate_to_governed") and not _governs(spec):
        message = "is true, but nothing is governed from here"
        yield requirements.find(ATTESTATION_GOVERNS, "propagate_to_governed", message)


def _governs(spec: Spec) -> bool:
    edges = [*spec.root.children("relationships"), *spec.root.children("external_relationships")]
    return any(edge.get("type") == "governs" for edge in edges) or any(
        ref.get("relationship") == "governs" for ref in spec.refs
    )


def _check_integrity(integrity: Node) -> Iterator[Finding]:
    digest, signing = integrity.child("manifest_hash"), integrity.child("signing")
    if digest is not None:
        for key in ("algorithm", "value"):
            if not digest.text(key):
                yield digest.find(INTEGRITY, key, "is missing")
    if signing is not None and signing.is_true("enabled") and not signing.text("method"):
        yield signing.find(INTEGRITY, "method", "is missing, but signing is enabled")


def _check_serving(serving: Node) -> Iterator[Finding]:
    for key in ("manifest", "mcp"):
        entries = serving.get(key)
        for index, entry in enumerate(entries if type(entries) is list else ()):
            fault = https_fault(entry)
            if fault is not None:
                yield serving.find(SERVING, key, f"entry {fault}", index)
