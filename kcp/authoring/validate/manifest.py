"""Rules about the manifest as a whole and its federation."""

from __future__ import annotations

from kcp.authoring.validate.findings import error, warning
from kcp.text.weburl import parse_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.authoring.validate.findings import Finding
    from kcp.model import Manifest, ManifestRef

WHERE = "manifest"


def check_identity(manifest: Manifest) -> Iterator[Finding]:
    """Project, version, specification revision, and that there are units."""
    if manifest.project == "(unnamed)":
        yield warning(WHERE, "missing 'project'")
    if manifest.version == "0.0.0":
        yield warning(WHERE, "missing 'version'")
    if not manifest.kcp_version:
        yield warning(WHERE, "missing 'kcp_version' — agents cannot tell which spec revision this targets")
    if not manifest.units:
        yield warning(WHERE, "declares no units — nothing for an agent to navigate")


def ref_where(ref: ManifestRef) -> str:
    """How findings name a federation reference."""
    return f"manifest ref '{ref.id}'" if ref.id else "manifest ref '(no id)'"


def check_ref(ref: ManifestRef, seen: set[str]) -> Iterator[Finding]:
    """One federation reference; `seen` holds the ids of earlier ones."""
    where = ref_where(ref)
    if not ref.id:
        yield error(where, "missing 'id'")
    elif ref.id in seen:
        yield error(where, "duplicate manifest ref id")
    seen.add(ref.id)
    if not ref.url:
        yield error(where, "missing 'url'")
    elif not ref.url.startswith("https://"):
        yield warning(where, "url is not https — agents should fetch federation over TLS")
    identity = ref.agent_identity
    if identity is not None and identity.required and not identity.credential_hint:
        yield warning(
            where,
            "agent_identity.required without 'credential_hint' — agents cannot plan credential acquisition",
        )


def check_trust(manifest: Manifest) -> Iterator[Finding]:
    """Attestation, signing and serving declarations."""
    requirements = manifest.trust.agent_requirements if manifest.trust is not None else None
    if requirements is not None and requirements.require_attestation and not requirements.trusted_providers:
        yield error(
            WHERE,
            "require_attestation with no trusted_providers — no agent can ever qualify "
            "(permanently fail-closed)",
        )
    scheme = manifest.signing.scheme if manifest.signing is not None else None
    if scheme and scheme.lower() not in ("ed25519", "eddsa"):
        yield warning(WHERE, f"signing scheme '{scheme}' is not one this agent can verify (ed25519)")
    serving = manifest.serving
    if serving is None:
        return
    for key, entries in (("manifest", serving.manifest), ("mcp", serving.mcp)):
        for entry in entries or ():
            if not entry.startswith("https://"):
                yield error(WHERE, f"serving.{key} entry '{entry}' must be an absolute https:// URL (§3.12)")
            elif parse_url(entry) is None:
                yield error(WHERE, f"serving.{key} entry '{entry}' is not a valid URL (§3.12)")
    if manifest.signing is None:
        yield warning(
            WHERE,
            "serving block declared without a signing block — an unsigned binding can be stripped or altered "
            "by a re-hoster (§3.12 recommends signing)",
        )
