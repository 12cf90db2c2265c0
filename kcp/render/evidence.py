"""Steps 3 to 5 of a render: origin, corroboration where it is asked for, tier (render contract §4–§7)."""

from __future__ import annotations

from kcp.reading.source import sha256_hex
from kcp.render.envelope import ABSENT, check_envelope
from kcp.render.origin import MATCHED, Corroboration, corroborate, find_origin
from kcp.render.request import RenderRefusedError
from kcp.render.tier import DERIVED, FAILED, FETCHED, NONE, TRUSTED, Origin, Standing, decide

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.render.envelope import SignatureFacts
    from kcp.render.request import RenderRequest

_WITHHELD = (
    "trusted tier withheld: origin evidence is derived from the checkout's own git config (RFC-0019 C13). "
    "Pass --origin from the component that cloned the repository, or --allow-derived-origin to accept the "
    "relocation risk."
)
_RESTS_ON_CORROBORATION = (
    "trusted tier rests on corroboration: the manifest was verified at its claimed origin, the surrounding "
    "checkout was not — hash-less units stay out of standing context (RFC-0019 C14)"
)
_NO_ORIGIN = (
    "origin could not be derived (no --origin, no git remote); scope pinning cannot apply, so a manifest "
    "that should be pinned renders unauthenticated (§16.2)"
)


class Evidence:
    """What is known of a manifest before anyone looks into it. RenderRefusedError at tier `failed`."""

    def __init__(self, request: RenderRequest, source: str, data: bytes, envelope: bytes | None) -> None:
        keyring = request.keyring
        sighting = find_origin(source, request.origin, request.fetched_from)
        origin = sighting.origin
        self.facts = facts = check_envelope(envelope, data)
        self.warnings: list[str] = []
        self.corroboration: Corroboration | None = None
        self._source_sha256 = sha256_hex(data)
        standing = self._decide(request, origin, facts)
        wanted = request.corroborate or request.corroborate_url is not None
        if wanted and origin.evidence == DERIVED and request.fetcher is not None:
            found = corroborate(sighting, data, request.fetcher, request.corroborate_url)
            self.corroboration = found
            if found.result == MATCHED:
                origin = Origin(origin.name, FETCHED)
                standing = self._decide(request, origin, facts)
            else:
                self.warnings.append(
                    f"origin corroboration {found.result} ({found.url}); evidence remains {origin.evidence} "
                    "(RFC-0019 §4.3)"
                )
        self.origin: Origin = origin
        self.standing: Standing = standing
        self.rests_on_corroboration = (
            standing.tier == TRUSTED
            and self.corroboration is not None
            and origin.evidence == FETCHED
            and not request.allow_derived_origin
        )
        if standing.reason is not None and origin.evidence == DERIVED:
            self.warnings.append(_WITHHELD)
        if self.rests_on_corroboration:
            self.warnings.append(_RESTS_ON_CORROBORATION)
        if origin.evidence == NONE and keyring.entries:
            self.warnings.append(_NO_ORIGIN)

    def _decide(self, request: RenderRequest, origin: Origin, facts: SignatureFacts) -> Standing:
        standing = decide(
            origin,
            facts,
            request.keyring,
            allow_derived=request.allow_derived_origin,
            strict_origin=request.strict_origin,
        )
        if standing.tier == FAILED:
            raise RenderRefusedError(
                standing.reason or "",
                origin=origin.name,
                pinned=standing.pinned,
                source_sha256=self._source_sha256,
            )
        return standing

    def block(self, tier: str, shown_serving: dict[str, str] | None) -> dict[str, Any]:
        """The artifact's `trust` without what the manifest declares."""
        standing, corroboration = self.standing, self.corroboration
        block: dict[str, Any] = {
            "tier": tier,
            "origin": self.origin.name,
            "origin_evidence": self.origin.evidence,
            "pinned": standing.pinned,
        }
        if standing.reason is not None:
            block["reason"] = standing.reason
        if corroboration is not None:
            block["corroboration"] = {"url": corroboration.url, "result": corroboration.result}
        if shown_serving is not None:
            block["serving_check"] = shown_serving
        signature = {"method": "jws", "algorithm": "EdDSA"}
        if standing.key_id is not None:
            signature["key_id"] = standing.key_id
        if standing.key_source is not None:
            signature["key_source"] = standing.key_source
        block["signature"] = signature | {"status": standing.status or ""}
        return block


def signing_warnings(root: dict[str, Any], facts: SignatureFacts, name: str) -> list[str]:
    """Where what a manifest says of its own signature is not so."""
    trust = root.get("trust")
    integrity = trust.get("content_integrity") if type(trust) is dict else None
    signing = integrity.get("signing") if type(integrity) is dict else None
    if type(signing) is not dict or signing.get("enabled") is not True:
        return []
    if facts.state == ABSENT:
        return [f"manifest says that it is signed (trust.content_integrity), but there is no {name}.sig"]
    key_id = signing.get("key_id")
    if isinstance(key_id, str) and key_id != facts.key_id:
        return [f"trust.content_integrity names key '{key_id}', but the signature is by '{facts.key_id}'"]
    return []
