"""What an artifact may hold, written down a second time: key by key, with the type of each value."""

from __future__ import annotations

import re
from typing import Any

TEXT, FLAG, NUMBER = str, bool, (int, float)
TEXTS = [TEXT]
LICENSE = (TEXT, {"spdx": TEXT, "url": TEXT, "attribution_required": FLAG})
PAYMENT = {
    "default_tier": TEXT,
    "methods": [
        dict.fromkeys(
            ["type", "currency", "price_per_request", "wallet", "provider", "plans_url", "upgrade_url"], TEXT
        )
        | {"networks": TEXTS, "free_tier": FLAG, "free_requests_per_day": NUMBER}
    ],
    "billing_contact": TEXT,
}
COUNT = (NUMBER, TEXT)
TIER = dict.fromkeys(["requests_per_minute", "requests_per_hour", "requests_per_day"], COUNT)
TOKENS = dict.fromkeys(["tokens_per_minute", "tokens_per_day"], COUNT)
RATE_LIMITS = {
    **dict.fromkeys(["default", "authenticated", "premium"], TIER),
    "tokens": dict.fromkeys(["default", "authenticated", "premium"], TOKENS),
    "headers": dict.fromkeys(["remaining", "reset", "retry_after"], TEXT),
    "backoff": TEXT,
}
UNIT = {
    **dict.fromkeys(["id", "kind", "path", "intent", "format", "content_type", "language", "scope"], TEXT),
    **dict.fromkeys(["validated", "update_frequency", "invocation"], TEXT),
    **dict.fromkeys(["aliases", "audience", "triggers", "not_for"], TEXTS),
    "license": LICENSE,
    "payment": PAYMENT,
    "rate_limits": RATE_LIMITS,
    "content_structure": {"primary": TEXT, "contains": TEXTS, "density": TEXT},
    "load_eligible": FLAG,
    "content_verified": (FLAG, TEXT),
    "requires_attestation": FLAG,
}
ARTIFACT = {
    "render": {
        **dict.fromkeys(["kcp_version", "renderer", "lint_rules", "rendered_at"], TEXT),
        "source": {"path": TEXT, "sha256": TEXT},
    },
    "trust": {
        **dict.fromkeys(["tier", "origin", "origin_evidence", "reason"], TEXT),
        "pinned": FLAG,
        "corroboration": {"url": TEXT, "result": TEXT},
        "serving_check": {"retrieved_from": TEXT, "result": TEXT},
        "signature": dict.fromkeys(["method", "algorithm", "key_id", "key_source", "status"], TEXT),
        "provenance": dict.fromkeys(["publisher", "publisher_url", "contact", "publisher_did"], TEXT),
        "agent_requirements": {
            **dict.fromkeys(["require_attestation", "propagate_to_governed"], FLAG),
            **dict.fromkeys(["attestation_url", "attestation_jwks"], TEXT),
            "trusted_providers": TEXTS,
        },
    },
    "discovery": {"verification_status": TEXT, "source": TEXT, "confidence": NUMBER},
    "project": {**dict.fromkeys(["version", "updated", "language", "name"], TEXT), "license": LICENSE},
    "payment": PAYMENT,
    "rate_limits": RATE_LIMITS,
    "serving": {"manifest": TEXTS, "mcp": TEXTS},
    "units": [UNIT],
    "relationships": [dict.fromkeys(["from", "to", "type"], TEXT)],
    "federation": [
        {
            **dict.fromkeys(["id", "url", "relationship", "target_tier"], TEXT),
            "context": TEXTS,
            "agent_identity": {
                "required": FLAG,
                **dict.fromkeys(["credential_hint", "issuer_hint", "docs_url"], TEXT),
            },
        }
    ],
    "sanitization": {
        "schema": TEXT,
        "dropped": [dict.fromkeys(["path", "reason", "algorithm", "expected", "observed"], TEXT)],
        "quarantined": [dict.fromkeys(["path", "reason", "rule", "original_sha256", "action"], TEXT)],
        "stats": dict.fromkeys(
            ["fields_in", "fields_rendered", "fields_dropped", "fields_quarantined"], NUMBER
        ),
    },
}
REASONS = {"not_in_schema", "consumed_by_renderer", "unknown_kind", "content_hash_mismatch"}
REASONS |= {"content_hash_invalid", "wrong_type", "invalid_value", "too_long"}
PATH = re.compile(r"[A-Za-z0-9_.-]+(?:\[\d+\])?(?:\.[A-Za-z0-9_.-]+(?:\[\d+\])?)*")


def fits(value: Any, shape: Any) -> bool:
    """Whether a value has a shape: a type, several, a mapping of members, or a list of one kind."""
    if isinstance(shape, dict):
        return type(value) is dict and all(
            key in shape and fits(item, shape[key]) for key, item in value.items()
        )
    if isinstance(shape, list):
        return type(value) is list and all(fits(item, shape[0]) for item in value)
    if isinstance(shape, tuple):
        return any(fits(value, each) for each in shape)
    return type(value) is shape


def check_artifact(artifact: Any) -> None:
    """Fails where an artifact holds what it may not."""
    assert fits(artifact, ARTIFACT)
    account = artifact["sanitization"]
    for entry in account["dropped"]:
        assert entry["reason"] in REASONS
        assert PATH.fullmatch(entry["path"]), entry["path"]
    for entry in account["quarantined"]:
        assert re.fullmatch("[0-9a-f]{64}", entry["original_sha256"])
        assert PATH.fullmatch(entry["path"]), entry["path"]
    total, *parts = account["stats"].values()
    assert total == sum(parts)
    assert artifact["trust"]["tier"] in ("trusted", "known", "unsigned")
    for unit in artifact["units"]:
        if unit["load_eligible"]:
            assert artifact["trust"]["tier"] == "trusted"
            assert unit.get("kind", "knowledge") in ("knowledge", "schema", "policy")
            assert "invocation" not in unit
