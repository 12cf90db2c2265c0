"""Other manifests: those referred to, dependencies on their units, and relationships across."""

from __future__ import annotations

from kcp.authoring.validate.rule import Rule
from kcp.authoring.validate.spec.fields import FREQUENCIES
from kcp.authoring.validate.spec.node import https_fault, shown
from kcp.authoring.validate.spec.references import RELATIONSHIPS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.authoring.validate.findings import Finding
    from kcp.authoring.validate.spec.node import Node, Spec, Unit

_ID = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-")

FEDERATION_ID = Rule(
    "KCP249", "federation-id", "error", "§3.6",
    "A federated manifest has an id of its own, made of a–z, 0–9, dots and hyphens.",
    bad='manifests: [{id: Team_A, url: "https://a.example/k.yaml"}]',
    good='manifests: [{id: team-a, url: "https://a.example/k.yaml"}]', part="root", tier=3, since="0.9",
    protected=True,
)  # fmt: skip
FEDERATION_URL = Rule(
    "KCP250", "federation-url", "error", "§3.6", "A federated manifest has an https:// URL.",
    bad='manifests: [{id: a, url: "http://a.example/k.yaml"}]',
    good='manifests: [{id: a, url: "https://a.example/k.yaml"}]', part="root", tier=3, since="0.9",
)  # fmt: skip
FEDERATION_RELATIONSHIP = Rule(
    "KCP251", "federation-relationship", "warning", "§3.6", "A relationship outside the list is ignored.",
    bad='manifests: [{id: a, url: "https://a.example/k.yaml", relationship: cousin}]',
    good='manifests: [{id: a, url: "https://a.example/k.yaml", relationship: peer}]', part="root", tier=3,
    since="0.9",
)  # fmt: skip
FEDERATION_FREQUENCY = Rule(
    "KCP252", "federation-frequency", "warning", "§3.6", "An update frequency outside the list is ignored.",
    bad='manifests: [{id: a, url: "https://a.example/k.yaml", update_frequency: often}]',
    good='manifests: [{id: a, url: "https://a.example/k.yaml", update_frequency: daily}]', part="root",
    tier=3, since="0.9",
)  # fmt: skip
VERSION_POLICY = Rule(
    "KCP253", "version-policy", "warning", "§3.6",
    "A version policy outside the list is taken as compatible.",
    bad='manifests: [{id: a, url: "https://a.example/k.yaml", version_pin: 1.0.0, version_policy: latest}]',
    good='manifests: [{id: a, url: "https://a.example/k.yaml", version_pin: 1.0.0, version_policy: exact}]',
    part="root", tier=3, since="0.10",
)  # fmt: skip
VERSION_PIN = Rule(
    "KCP254", "version-pin", "warning", "§3.6", "A version is pinned without saying how strictly.",
    bad='manifests: [{id: a, url: "https://a.example/k.yaml", version_pin: 1.0.0}]',
    good='manifests: [{id: a, url: "https://a.example/k.yaml", version_pin: 1.0.0, version_policy: minimum}]',
    part="root", tier=3, since="0.10",
)  # fmt: skip
EXTERNAL_DEP = Rule(
    "KCP255", "external-dep", "error", "§3.6",
    "A dependency on another manifest names the manifest and the unit.",
    bad="external_depends_on: [{unit: policy}]", good="external_depends_on: [{manifest: a, unit: policy}]",
    tier=3, since="0.9",
)  # fmt: skip
EXTERNAL_DEP_REF = Rule(
    "KCP256", "external-dep-ref", "warning", "§3.6",
    "A dependency names a manifest that is not declared, or fails in an unknown way.",
    bad="external_depends_on: [{manifest: nothing, unit: policy}]",
    good='manifests: [{id: a, url: "https://a.example/k.yaml"}]\nunits: [{id: u, path: u.md, intent: U, '
    "external_depends_on: [{manifest: a, unit: policy, on_failure: warn}]}]",
    tier=3, since="0.9",
)  # fmt: skip
EXTERNAL_REL = Rule(
    "KCP257", "external-rel", "error", "§3.6",
    "A relationship across manifests names both units and its type.",
    bad="external_relationships: [{from_manifest: a, from_unit: u}]",
    good='manifests: [{id: a, url: "https://a.example/k.yaml"}]\nexternal_relationships: [{from_manifest: '
    "a, from_unit: u, to_unit: guide, type: governs}]",
    part="root", tier=3, since="0.9",
)  # fmt: skip
EXTERNAL_REL_REF = Rule(
    "KCP258", "external-rel-ref", "warning", "§3.6",
    "A relationship across manifests names declared manifests, at least one, and a known type.",
    bad="external_relationships: [{from_unit: u, to_unit: guide, type: governs}]",
    good='manifests: [{id: a, url: "https://a.example/k.yaml"}]\nexternal_relationships: [{from_manifest: '
    "a, from_unit: u, to_unit: guide, type: governs}]",
    part="root", tier=3, since="0.9",
)  # fmt: skip
CONTEXT_EMPTY = Rule(
    "KCP259", "context-empty", "warning", "§3.6", "An empty context list matches no environment.",
    bad='manifests: [{id: a, url: "https://a.example/k.yaml", context: []}]',
    good='manifests: [{id: a, url: "https://a.example/k.yaml", context: [prod]}]', part="root", tier=3,
    since="0.24",
)  # fmt: skip
AGENT_IDENTITY = Rule(
    "KCP260", "agent-identity", "warning", "§3.6",
    "An identity is required without naming the credential, or an issuer is named for another kind than "
    "oauth2.",
    bad='manifests: [{id: a, url: "https://a.example/k.yaml", agent_identity: {required: true}}]',
    good='manifests: [{id: a, url: "https://a.example/k.yaml", agent_identity: {required: true, '
    'credential_hint: oauth2, issuer_hint: "https://login.example"}}]',
    part="root", tier=3, since="0.24",
)  # fmt: skip
RULES = (
    FEDERATION_ID, FEDERATION_URL, FEDERATION_RELATIONSHIP, FEDERATION_FREQUENCY, VERSION_POLICY, VERSION_PIN,
    EXTERNAL_DEP, EXTERNAL_DEP_REF, EXTERNAL_REL, EXTERNAL_REL_REF, CONTEXT_EMPTY, AGENT_IDENTITY,
)  # fmt: skip


def check_unit(spec: Spec, unit: Unit) -> Iterator[Finding]:
    """A unit's dependencies on other manifests."""
    for dependency in unit.children("external_depends_on"):
        for key in ("manifest", "unit"):
            if not dependency.text(key):
                yield dependency.find(EXTERNAL_DEP, key, "is missing")
        yield from _check_declared(spec, dependency, "manifest", EXTERNAL_DEP_REF)
        yield from dependency.outside(EXTERNAL_DEP_REF, "on_failure", ("skip", "warn", "degrade"))


def check_root(spec: Spec) -> Iterator[Finding]:
    """Federated manifests and relationships across."""
    manifests = spec.root.get("manifests")
    for index, item in enumerate(manifests if type(manifests) is list else ()):
        if type(item) is not dict:
            yield spec.root.find(FEDERATION_ID, "manifests", f"#{index + 1} is not a mapping", index)
    seen: set[str] = set()
    for ref in spec.refs:
        yield from _check_id(ref, seen)
        url = ref.get("url")
        fault = "is missing" if url is None or url == "" else https_fault(url)
        if fault is not None:
            yield ref.find(FEDERATION_URL, "url", fault)
        yield from _check_ref(ref)
    for relationship in spec.root.children("external_relationships"):
        yield from _check_relationship(spec, relationship)


def _check_id(ref: Node, seen: set[str]) -> Iterator[Finding]:
    name = ref.text("id")
    if not name:
        yield ref.find(FEDERATION_ID, "id", "is missing")
    elif not _ID.issuperset(name):
        yield ref.find(FEDERATION_ID, "id", f"'{shown(name)}' has other than a–z, 0–9, dot and hyphen")
    elif name in seen:
        yield ref.find(FEDERATION_ID, "id", f"'{shown(name)}' is used before")
    seen.add(name or "")


def _check_ref(ref: Node) -> Iterator[Finding]:
    relationships = ("child", "foundation", "governs", "peer", "archive")
    yield from ref.outside(FEDERATION_RELATIONSHIP, "relationship", relationships)
    yield from ref.outside(FEDERATION_FREQUENCY, "update_frequency", FREQUENCIES)
    yield from ref.outside(VERSION_POLICY, "version_policy", ("exact", "minimum", "compatible"))
    if ref.get("version_pin") is not None and ref.get("version_policy") is None:
        yield ref.find(VERSION_PIN, "version_pin", "is given without a version_policy")
    if ref.get("context") == []:
        yield ref.find(CONTEXT_EMPTY, "context", "is empty, so it matches no environment")
    identity = ref.child("agent_identity")
    if identity is None:
        return
    hint = identity.text("credential_hint")
    if identity.is_true("required") and not hint:
        yield identity.find(AGENT_IDENTITY, "required", "is true, but there is no credential_hint")
    if identity.text("issuer_hint") and hint != "oauth2":
        yield identity.find(AGENT_IDENTITY, "issuer_hint", "is only read with credential_hint oauth2")


def _check_declared(spec: Spec, node: Node, key: str, rule: Rule) -> Iterator[Finding]:
    name = node.text(key)
    if name and name not in spec.ref_ids:
        yield node.find(rule, key, f"'{shown(name)}' is no entry of manifests")


def _check_relationship(spec: Spec, relationship: Node) -> Iterator[Finding]:
    for key in ("from_unit", "to_unit", "type"):
        if not relationship.text(key):
            yield relationship.find(EXTERNAL_REL, key, "is missing")
    for key in ("from_manifest", "to_manifest"):
        yield from _check_declared(spec, relationship, key, EXTERNAL_REL_REF)
    if not relationship.text("from_manifest") and not relationship.text("to_manifest"):
        message = "names no other manifest; a relationship within this one belongs to relationships"
        yield relationship.find(EXTERNAL_REL_REF, "from_manifest", message)
    yield from relationship.outside(EXTERNAL_REL_REF, "type", RELATIONSHIPS)
