"""Rules about the manifest as a whole and its federation."""

from __future__ import annotations

from kcp.authoring.validate.findings import UNREADABLE
from kcp.authoring.validate.rule import Rule
from kcp.text.weburl import parse_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.authoring.validate.findings import Finding
    from kcp.model import Manifest, ManifestRef

WHERE = "manifest"

NOT_READ = Rule(
    UNREADABLE, "unreadable", "error", "§2",
    "The manifest cannot be found, read or parsed, so nothing else was checked.",
    bad="project: guide\nproject: handbook", good="project: guide", part="file", protected=True,
)  # fmt: skip
NO_PROJECT = Rule(
    "KCP101", "no-project", "warning", "§3.1", "Without a project the manifest shows up as (unnamed).",
    bad="project: null", good="project: guide", part="root",
)  # fmt: skip
NO_VERSION = Rule(
    "KCP102", "no-version", "warning", "§3.1",
    "Without a version nobody can tell two states of the manifest apart.", bad="version: null",
    good="version: 1.2.0", part="root",
)  # fmt: skip
NO_KCP_VERSION = Rule(
    "KCP103", "no-kcp-version", "warning", "§3.1",
    "The manifest does not say which revision of the specification it follows.", bad='kcp_version: ""',
    good='kcp_version: "0.32"', part="root",
)  # fmt: skip
NO_UNITS = Rule(
    "KCP104", "no-units", "warning", "§3.1", "Without units there is nothing an agent could select.",
    bad="units: []",
    good="units: [{id: guide, path: guide.md, intent: Start here, triggers: [start], audience: [agent]}]",
    part="root",
)  # fmt: skip
REF_WITHOUT_ID = Rule(
    "KCP129", "ref-without-id", "error", "§3.6", "A federated manifest without an id cannot be referred to.",
    bad='manifests: [{url: "https://a.example/knowledge.yaml"}]',
    good='manifests: [{id: a, url: "https://a.example/knowledge.yaml"}]', part="root",
)  # fmt: skip
REF_ID_REPEATED = Rule(
    "KCP130", "ref-id-repeated", "error", "§3.6", "Two federated manifests share an id.",
    bad='manifests: [{id: a, url: "https://a.example/k.yaml"}, {id: a, url: "https://b.example/k.yaml"}]',
    good='manifests: [{id: a, url: "https://a.example/k.yaml"}, {id: b, url: "https://b.example/k.yaml"}]',
    part="root", protected=True,
)  # fmt: skip
REF_WITHOUT_URL = Rule(
    "KCP131", "ref-without-url", "error", "§3.6", "A federated manifest without a url cannot be followed.",
    bad="manifests: [{id: a}]", good='manifests: [{id: a, url: "https://a.example/k.yaml"}]', part="root",
)  # fmt: skip
REF_NOT_HTTPS = Rule(
    "KCP132", "ref-not-https", "warning", "§3.6",
    "A federated manifest is fetched without transport security.",
    bad='manifests: [{id: a, url: "http://a.example/k.yaml"}]',
    good='manifests: [{id: a, url: "https://a.example/k.yaml"}]', part="root",
)  # fmt: skip
REF_WITHOUT_HINT = Rule(
    "KCP133", "ref-without-credential-hint", "warning", "§3.6",
    "An identity is required, but no agent can tell which credential to acquire.",
    bad='manifests: [{id: a, url: "https://a.example/k.yaml", agent_identity: {required: true}}]',
    good='manifests: [{id: a, url: "https://a.example/k.yaml", agent_identity: {required: true, '
    "credential_hint: api_key}}]",
    part="root",
)  # fmt: skip
NOBODY_ATTESTS = Rule(
    "KCP134", "nobody-attests", "error", "§3.2",
    "Attestation is required, but no provider is trusted: every agent stays out.",
    bad="trust: {agent_requirements: {require_attestation: true}}",
    good="trust: {agent_requirements: {require_attestation: true, trusted_providers: [attest.example]}}",
    part="root",
)  # fmt: skip
SIGNING_SCHEME = Rule(
    "KCP135", "signing-scheme", "warning", "§3.2", "The signature is of a scheme that is not verified here.",
    bad="signing: {scheme: rsa, signature: knowledge.yaml.sig}",
    good="signing: {scheme: ed25519, signature: knowledge.yaml.sig}", part="root", protected=True,
)  # fmt: skip
SERVING_NOT_HTTPS = Rule(
    "KCP136", "serving-not-https", "error", "§3.12",
    "An address of the serving block is no absolute https:// URL.",
    bad='serving: {manifest: ["http://a.example/k.yaml"]}\nsigning: {scheme: ed25519}',
    good='serving: {manifest: ["https://a.example/k.yaml"]}\nsigning: {scheme: ed25519}', part="root",
)  # fmt: skip
SERVING_NO_URL = Rule(
    "KCP137", "serving-no-url", "error", "§3.12", "An address of the serving block is no valid URL.",
    bad='serving: {mcp: ["https://a b/mcp"]}\nsigning: {scheme: ed25519}',
    good='serving: {mcp: ["https://a.example/mcp"]}\nsigning: {scheme: ed25519}', part="root",
)  # fmt: skip
SERVING_UNSIGNED = Rule(
    "KCP138", "serving-unsigned", "warning", "§3.12",
    "Whoever hosts the manifest can change an unsigned serving block.",
    bad='serving: {manifest: ["https://a.example/k.yaml"]}',
    good='serving: {manifest: ["https://a.example/k.yaml"]}\nsigning: {scheme: ed25519}', part="root",
    protected=True,
)  # fmt: skip

RULES = (
    NOT_READ, NO_PROJECT, NO_VERSION, NO_KCP_VERSION, NO_UNITS, REF_WITHOUT_ID, REF_ID_REPEATED,
    REF_WITHOUT_URL, REF_NOT_HTTPS, REF_WITHOUT_HINT, NOBODY_ATTESTS, SIGNING_SCHEME, SERVING_NOT_HTTPS,
    SERVING_NO_URL, SERVING_UNSIGNED,
)  # fmt: skip


def check_identity(manifest: Manifest) -> Iterator[Finding]:
    """Project, version, specification revision, and that there are units."""
    if manifest.project == "(unnamed)":
        yield NO_PROJECT.at(WHERE, ("project",), "missing 'project'")
    if manifest.version == "0.0.0":
        yield NO_VERSION.at(WHERE, ("version",), "missing 'version'")
    if not manifest.kcp_version:
        yield NO_KCP_VERSION.at(
            WHERE,
            ("kcp_version",),
            "missing 'kcp_version' — agents cannot tell which spec revision this targets",
        )
    if not manifest.units:
        yield NO_UNITS.at(WHERE, ("units",), "declares no units — nothing for an agent to navigate")


def ref_where(ref: ManifestRef) -> str:
    """How findings name a federation reference."""
    return f"manifest ref '{ref.id}'" if ref.id else "manifest ref '(no id)'"


def check_ref(ref: ManifestRef, index: int, seen: set[str]) -> Iterator[Finding]:
    """One federation reference, the `index`-th; `seen` holds the ids of earlier ones."""
    where, path = ref_where(ref), ("manifests", index)
    if not ref.id:
        yield REF_WITHOUT_ID.at(where, (*path, "id"), "missing 'id'")
    elif ref.id in seen:
        yield REF_ID_REPEATED.at(where, (*path, "id"), "duplicate manifest ref id")
    seen.add(ref.id)
    if not ref.url:
        yield REF_WITHOUT_URL.at(where, (*path, "url"), "missing 'url'")
    elif not ref.url.startswith("https://"):
        yield REF_NOT_HTTPS.at(
            where, (*path, "url"), "url is not https — agents should fetch federation over TLS"
        )
    identity = ref.agent_identity
    if identity is not None and identity.required and not identity.credential_hint:
        yield REF_WITHOUT_HINT.at(
            where,
            (*path, "agent_identity"),
            "agent_identity.required without 'credential_hint' — agents cannot plan credential acquisition",
        )


def check_trust(manifest: Manifest) -> Iterator[Finding]:
    """Attestation, signing and serving declarations."""
    requirements = manifest.trust.agent_requirements if manifest.trust is not None else None
    if requirements is not None and requirements.require_attestation and not requirements.trusted_providers:
        yield NOBODY_ATTESTS.at(
            WHERE,
            ("trust", "agent_requirements", "require_attestation"),
            "require_attestation with no trusted_providers — no agent can ever qualify "
            "(permanently fail-closed)",
        )
    scheme = manifest.signing.scheme if manifest.signing is not None else None
    if scheme and scheme.lower() not in ("ed25519", "eddsa"):
        yield SIGNING_SCHEME.at(
            WHERE,
            ("signing", "scheme"),
            f"signing scheme '{scheme}' is not one this agent can verify (ed25519)",
        )
    yield from _check_serving(manifest)


def _check_serving(manifest: Manifest) -> Iterator[Finding]:
    serving = manifest.serving
    if serving is None:
        return
    for key, entries in (("manifest", serving.manifest), ("mcp", serving.mcp)):
        for index, entry in enumerate(entries or ()):
            path = ("serving", key, index)
            if not entry.startswith("https://"):
                yield SERVING_NOT_HTTPS.at(
                    WHERE, path, f"serving.{key} entry '{entry}' must be an absolute https:// URL (§3.12)"
                )
            elif parse_url(entry) is None:
                yield SERVING_NO_URL.at(
                    WHERE, path, f"serving.{key} entry '{entry}' is not a valid URL (§3.12)"
                )
    if manifest.signing is None:
        yield SERVING_UNSIGNED.at(
            WHERE,
            ("serving",),
            "serving block declared without a signing block — an unsigned binding can be stripped or altered "
            "by a re-hoster (§3.12 recommends signing)",
        )
