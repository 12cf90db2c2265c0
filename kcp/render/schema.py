"""The whitelist: what of a manifest may be rendered, and in which shape (render contract §10).

Field names are those of `kcp-render-schema-0.2`; nested members are the protocol's. What is not named here
is dropped. Of the vocabularies only kind, scope and access are closed.
"""

from __future__ import annotations

from kcp.render.shapes import (
    DATE,
    DID,
    HTTPS,
    ID,
    LANGUAGE,
    LICENSE,
    MEDIA_TYPE,
    PARAGRAPH,
    PHRASE,
    PRICE,
    PROVIDER,
    RELATIVE_PATH,
    VERSION,
    WALLET,
    WEB,
    WORD,
    Block,
    Blocks,
    Count,
    Flag,
    ListOf,
    OneOf,
    one_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.render.shapes import Shape

SCHEMA_ID = "kcp-render-schema-0.2"

_LICENSE = OneOf(LICENSE, Block({"spdx": LICENSE, "url": WEB, "attribution_required": Flag()}))

_METHOD = Block(
    {
        "type": WORD,
        "currency": WORD,
        "price_per_request": PRICE,
        "networks": ListOf(WORD),
        "wallet": WALLET,
        "provider": WORD,
        "plans_url": WEB,
        "free_tier": Flag(),
        "free_requests_per_day": Count(),
        "upgrade_url": WEB,
    }
)
_PAYMENT = Block({"default_tier": WORD, "methods": Blocks(_METHOD, lenient=True), "billing_contact": PHRASE})

_COUNT = Count(unlimited=True)
_TIER = Block({f"requests_per_{span}": _COUNT for span in ("minute", "hour", "day")})
_TOKENS_TIER = Block({"tokens_per_minute": _COUNT, "tokens_per_day": _COUNT})
_RATE_LIMITS = Block(
    {
        "default": _TIER,
        "authenticated": _TIER,
        "premium": _TIER,
        "tokens": Block(dict.fromkeys(("default", "authenticated", "premium"), _TOKENS_TIER)),
        "headers": Block(dict.fromkeys(("remaining", "reset", "retry_after"), WORD)),
        "backoff": WORD,
    }
)

KINDS = ("knowledge", "schema", "service", "policy", "executable", "skill", "playbook")

PROJECT: dict[str, Shape] = {
    "project": PHRASE,
    "version": VERSION,
    "updated": DATE,
    "language": LANGUAGE,
    "license": _LICENSE,
}
UNIT: dict[str, Shape] = {
    "id": ID,
    "aliases": ListOf(ID),
    "kind": one_of(*KINDS),
    "path": RELATIVE_PATH,
    "intent": PARAGRAPH,
    "format": WORD,
    "content_type": MEDIA_TYPE,
    "language": LANGUAGE,
    "scope": one_of("global", "project", "module"),
    "audience": ListOf(WORD, lenient=True),
    "license": _LICENSE,
    "validated": DATE,
    "update_frequency": WORD,
    "triggers": ListOf(PHRASE, lenient=True),
    "not_for": ListOf(PHRASE, lenient=True),
    "payment": _PAYMENT,
    "rate_limits": _RATE_LIMITS,
}
CONTENT_STRUCTURE = Block({"primary": WORD, "contains": ListOf(WORD), "density": WORD})
RELATIONSHIP = Block({"from": ID, "to": ID, "type": WORD})
FEDERATION = Block(
    {
        "id": ID,
        "url": HTTPS,
        "relationship": WORD,
        "context": ListOf(WORD, lenient=True),
        "agent_identity": Block(
            {"required": Flag(), "credential_hint": WORD, "issuer_hint": WEB, "docs_url": WEB}
        ),
    }
)
TRUST: dict[str, Shape] = {
    "provenance": Block({"publisher": PHRASE, "publisher_url": WEB, "contact": PHRASE, "publisher_did": DID}),
    "agent_requirements": Block(
        {
            "require_attestation": Flag(),
            "trusted_providers": ListOf(PROVIDER),
            "attestation_url": WEB,
            "attestation_jwks": WEB,
            "propagate_to_governed": Flag(),
        }
    ),
}
ROOT_BLOCKS: dict[str, Shape] = {
    "payment": _PAYMENT,
    "rate_limits": _RATE_LIMITS,
    "serving": Block({"manifest": ListOf(HTTPS), "mcp": ListOf(HTTPS)}),
}
