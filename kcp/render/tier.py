"""The trust tier: the consumer's decision from evidence, signature and allowlist (render contract §6)."""

from __future__ import annotations

from kcp.records import Record
from kcp.render.envelope import ABSENT, UNPARSEABLE, UNVERIFIED
from kcp.trust.origins import UNKNOWN, covers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.render.envelope import SignatureFacts
    from kcp.trust.keyring import Keyring, KeyringEntry

TRUSTED, KNOWN, UNSIGNED, FAILED = "trusted", "known", "unsigned", "failed"
ASSERTED, FETCHED, DERIVED, NONE = "asserted", "fetched", "derived", "none"
ORIGIN_EVIDENCE_DERIVED = "origin_evidence_derived"


class Origin(Record):
    """Where a manifest is said to come from, and what says so."""

    name: str = UNKNOWN
    evidence: str = NONE


class Standing(Record):
    """The tier with what led to it; `status` is the signature's in the artifact."""

    tier: str
    pinned: bool
    reason: str | None = None
    status: str | None = None
    key_id: str | None = None
    key_source: str | None = None


def is_pinned(keyring: Keyring, origin: str) -> bool:
    """Whether some scope covers an origin. Case does not count here: to forges it is the same owner."""
    folded = origin.lower()
    return any(covers(domain.lower(), folded) for entry in keyring.entries for domain in entry.domains or ())


def decide(
    origin: Origin,
    signature: SignatureFacts,
    keyring: Keyring,
    *,
    allow_derived: bool = False,
    strict_origin: bool = False,
) -> Standing:
    """The first row of the contract's table that fits; the pinned side of a row is always `failed`."""
    pinned = is_pinned(keyring, origin.name)
    fault = _fault(origin, signature, keyring, pinned=pinned, strict=strict_origin)
    if fault is not None:
        return Standing(FAILED, pinned, fault)
    if signature.state == ABSENT:
        return Standing(UNSIGNED, pinned, status="absent")
    entries = _entries(keyring, signature)
    if not any(_may_vouch(entry, origin.name, pinned) for entry in entries):
        return Standing(KNOWN, pinned, status="unknown-key", key_id=signature.key_id)
    if origin.evidence in (DERIVED, NONE) and not allow_derived:
        return Standing(
            KNOWN, pinned, ORIGIN_EVIDENCE_DERIVED, "valid", signature.key_id, key_source="allowlist"
        )
    return Standing(TRUSTED, pinned, None, "valid", signature.key_id, key_source="allowlist")


def _fault(
    origin: Origin, signature: SignatureFacts, keyring: Keyring, *, pinned: bool, strict: bool
) -> str | None:
    """Why nothing may be rendered."""
    is_scoped = any(entry.domains is not None for entry in keyring.entries)
    if strict and origin.name == UNKNOWN and is_scoped:
        return "unknown origin with a scoped allowlist (--strict-origin)"
    if signature.state == ABSENT:
        return "unsigned manifest from pinned origin (§4.1)" if pinned else None
    if signature.state == UNPARSEABLE:
        return "unparseable signature file"
    if signature.state == UNVERIFIED:
        return "signature verification failed"
    if not pinned:
        return None
    entries = _entries(keyring, signature)
    if not entries:
        return "valid signature from non-allowlisted key on pinned origin (§4.1)"
    if not any(_may_vouch(entry, origin.name, pinned) for entry in entries):
        return "signing key out of scope for pinned origin (§4.1)"
    return None


def _entries(keyring: Keyring, signature: SignatureFacts) -> list[KeyringEntry]:
    """The allowlist's entries for the very key that signed, under the id it gave."""
    return [
        entry for entry in keyring.entries if entry.key_id == signature.key_id and entry.key == signature.key
    ]


def _may_vouch(entry: KeyringEntry, origin: str, pinned: bool) -> bool:
    """Whether a key speaks for an origin; for a pinned one only a key scoped to it does."""
    return entry.covers(origin) and (entry.domains is not None or not pinned)
