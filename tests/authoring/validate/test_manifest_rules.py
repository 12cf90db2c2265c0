"""Rules about the manifest as a whole and its federation (surfaces contract §4)."""

from __future__ import annotations

import pytest

from kcp.authoring.validate.findings import Finding
from tests.support import SOUND, findings, manifest, read


def error(where: str, message: str) -> Finding:
    return Finding("error", where, message)


def warning(where: str, message: str) -> Finding:
    return Finding("warning", where, message)


def test_a_sound_manifest_has_no_findings():
    assert findings(SOUND) == ()


def test_identity():
    assert findings(read("{}")) == (
        warning("manifest", "missing 'project'"),
        warning("manifest", "missing 'version'"),
        warning("manifest", "missing 'kcp_version' — agents cannot tell which spec revision this targets"),
        warning("manifest", "declares no units — nothing for an agent to navigate"),
    )


def test_identity_goes_by_the_defaults():
    defaults = manifest(SOUND, project="(unnamed)", version="0.0.0", kcp_version="''")
    assert [each.message.split(" — ")[0] for each in findings(defaults)] == [
        "missing 'project'",
        "missing 'version'",
        "missing 'kcp_version'",
    ]
    assert findings(manifest(SOUND, project="''", version="''")) == ()


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        ("id: r, url: 'https://a.example/k.yaml'", []),
        ("url: 'https://a.example'", [error("manifest ref '(no id)'", "missing 'id'")]),
        ("id: r", [error("manifest ref 'r'", "missing 'url'")]),
        *[
            (
                f"id: r, url: '{url}'",
                [warning("manifest ref 'r'", "url is not https — agents should fetch federation over TLS")],
            )
            for url in ("http://a.example", "../dev", "HTTPS://a.example", "https:/a.example")
        ],
        (
            "id: r, url: 'https://a.example', agent_identity: {required: true}",
            [
                warning(
                    "manifest ref 'r'",
                    "agent_identity.required without 'credential_hint' — agents cannot plan credential "
                    "acquisition",
                )
            ],
        ),
        ("id: r, url: 'https://a.example', agent_identity: {required: true, credential_hint: h}", []),
        ("id: r, url: 'https://a.example', agent_identity: {required: false}", []),
    ],
)
def test_references(ref, expected):
    assert findings(manifest(SOUND, manifests=f"[{{{ref}}}]")) == tuple(expected)


def test_an_empty_credential_hint_is_none():
    ref = "id: r, url: 'https://a.example', agent_identity: {required: true, credential_hint: ''}"
    assert len(findings(manifest(SOUND, manifests=f"[{{{ref}}}]"))) == 1


def test_repeated_reference_ids():
    urls = "url: 'https://a.example'"
    of = manifest(
        SOUND, manifests=f"[{{id: r, {urls}}}, {{id: R, {urls}}}, {{id: r, {urls}}}, {{{urls}}}, {{{urls}}}]"
    )
    no_id = error("manifest ref '(no id)'", "missing 'id'")
    assert findings(of) == (error("manifest ref 'r'", "duplicate manifest ref id"), no_id, no_id)


NOBODY = error(
    "manifest",
    "require_attestation with no trusted_providers — no agent can ever qualify (permanently fail-closed)",
)


@pytest.mark.parametrize(
    ("requirements", "expected"),
    [
        ("{require_attestation: true}", (NOBODY,)),
        ("{require_attestation: true, trusted_providers: []}", (NOBODY,)),
        ("{require_attestation: true, trusted_providers: [a]}", ()),
        ("{require_attestation: false}", ()),
        ("{}", ()),
    ],
)
def test_attestation(requirements, expected):
    assert findings(manifest(SOUND, trust=f"{{agent_requirements: {requirements}}}")) == expected


@pytest.mark.parametrize("scheme", ["ed25519", "Ed25519", "EdDSA", "''", "~"])
def test_signing_schemes_that_can_be_verified(scheme):
    assert findings(manifest(SOUND, signing=f"{{scheme: {scheme}}}")) == ()


def test_other_signing_schemes():
    message = "signing scheme 'rsa' is not one this agent can verify (ed25519)"
    assert findings(manifest(SOUND, signing="{scheme: rsa}")) == (warning("manifest", message),)


def test_serving():
    of = manifest(
        SOUND,
        signing="{scheme: ed25519}",
        serving="{manifest: ['http://a.example', 'https://', 'https://a.example', k.yaml], "
        "mcp: ['HTTPS://a.example', 'https://a b']}",
    )
    absolute = "must be an absolute https:// URL (§3.12)"
    assert findings(of) == (
        error("manifest", f"serving.manifest entry 'http://a.example' {absolute}"),
        error("manifest", "serving.manifest entry 'https://' is not a valid URL (§3.12)"),
        error("manifest", f"serving.manifest entry 'k.yaml' {absolute}"),
        error("manifest", f"serving.mcp entry 'HTTPS://a.example' {absolute}"),
        error("manifest", "serving.mcp entry 'https://a b' is not a valid URL (§3.12)"),
    )


def test_serving_without_signing():
    message = (
        "serving block declared without a signing block — an unsigned binding can be stripped or altered "
        "by a re-hoster (§3.12 recommends signing)"
    )
    assert findings(manifest(SOUND, serving="{}")) == (warning("manifest", message),)
    assert findings(manifest(SOUND, serving="{}", signing="{}")) == ()
