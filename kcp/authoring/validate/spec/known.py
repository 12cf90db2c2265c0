"""The fields that the specification knows, by the mapping they belong to."""

from __future__ import annotations

UNIT_KEYS = frozenset(
    "id aliases path kind load_eligible steps action_scope intent format content_type language scope "
    "audience license validated update_frequency indexing depends_on supersedes triggers hints access "
    "auth_scope sensitivity deprecated delegation compliance auth payment rate_limits external_depends_on "
    "visibility authority discovery not_for not_for_strict content_structure content_hash temporal "
    "authority_level requires_capabilities freshness_policy size_tokens bytes charter".split()
)
ROOT_KEYS = frozenset(
    "kcp_version project version updated not_for language license indexing hints trust auth delegation "
    "compliance payment rate_limits serving signing manifests external_relationships visibility authority "
    "discovery temporal composition freshness_policy authority_level_scale task_types agents grant_ceiling "
    "units relationships".split()
)
STEP_KEYS = frozenset(
    "id uses action depends_on authority_level escalation success_condition on_failure timeout".split()
)
SCOPE_KEYS = frozenset("tools paths capabilities spend deny".split())
SPEND_KEYS = frozenset("max_spend allowed_vendors currency".split())
DENY_KEYS = frozenset("tools paths capabilities".split())
TRUST_KEYS = frozenset("provenance audit agent_requirements content_integrity".split())
PROVENANCE_KEYS = frozenset("publisher publisher_url contact publisher_did".split())
AUDIT_KEYS = frozenset("agent_must_log require_trace_context provides_access_receipts receipt_format".split())
REQUIREMENT_KEYS = frozenset(
    "require_attestation trusted_providers attestation_url attestation_jwks propagate_to_governed".split()
)

# Mapping → its fields that hold true or false.
BOOLEANS: dict[str, tuple[str, ...]] = {
    "unit": ("deprecated", "not_for_strict", "load_eligible"),
    "hints": ("summary_available", "partial_load_supported", "chunked", "has_summaries", "has_chunks"),
    "audit": ("agent_must_log", "require_trace_context", "provides_access_receipts"),
    "agent_requirements": ("require_attestation", "propagate_to_governed"),
    "delegation": ("require_capability_attenuation", "require_delegation_proof", "audit_chain"),
    "human_in_the_loop": ("required",),
    "agent_identity": ("required",),
    "license": ("attribution_required",),
    "indexing": ("attribution_required",),
    "method": ("free_tier",),
    "then": ("requires_auth",),
    "signing": ("enabled",),
}
