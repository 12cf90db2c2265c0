"""Raw YAML values become an immutable `Manifest` (planner contract §4, decisions B1–B5)."""

from __future__ import annotations

from kcp.errors import ManifestError
from kcp.model import (
    AgentIdentity,
    AgentRequirements,
    Manifest,
    ManifestRef,
    Problem,
    Serving,
    Signing,
    Trust,
)
from kcp.reading.coerce import (
    mapping,
    optional_bool,
    optional_text,
    optional_text_list,
    text,
    text_list,
)
from kcp.reading.commerce import parse_payment, parse_rate_limits
from kcp.reading.notes import Notes
from kcp.reading.units import parse_unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.reading.notes import Note
    from kcp.reading.yaml12 import Document


def parse_manifest(
    document: Document, source: str | None = None, sha256: str | None = None, *, located: bool = True
) -> Manifest:
    """The manifest a YAML document spells.

    Raises `ManifestError` when the root is not a mapping. What was read otherwise than written is listed in
    `problems`, with positions unless not `located`: finding them walks the text once more.
    """
    root = document.root
    if type(root) is not dict:
        raise ManifestError("manifest is not a YAML mapping")
    notes = Notes()
    payment = parse_payment(root.get("payment"), ("payment",), notes)
    units = [
        parse_unit(raw, index, notes.of("unit", position))
        for position, (index, raw) in enumerate(_mappings(root, "units", "unit", notes))
    ]
    refs = [
        _parse_ref(raw, ("manifests", index), notes.of("ref", position))
        for position, (index, raw) in enumerate(_mappings(root, "manifests", "manifest ref", notes))
    ]
    return Manifest(
        project=text(root["project"]) if root.get("project") is not None else "(unnamed)",
        version=text(root["version"]) if root.get("version") is not None else "0.0.0",
        kcp_version=optional_text(root.get("kcp_version")),
        authority_level_scale=optional_text_list(root.get("authority_level_scale")),
        units=tuple(units),
        manifests=tuple(refs),
        payment=payment,
        rate_limits=parse_rate_limits(root.get("rate_limits")),
        trust=_parse_trust(root.get("trust")),
        signing=_parse_signing(root),
        serving=_parse_serving(root.get("serving")),
        source=source,
        sha256=sha256,
        problems=tuple([_problem(note, document if located else None) for note in notes.collected]),
    )


def _problem(note: Note, document: Document | None) -> Problem:
    position = None if document is None else document.position(note.path)
    return Problem(note.rule, note.owner, note.message, position, note.path)


def _mappings(root: dict[str, Any], key: str, noun: str, notes: Notes) -> list[tuple[int, dict[str, Any]]]:
    """The mapping items of a list with their indices; what is dropped is noted (§4, decisions A)."""
    raw = root.get(key)
    if raw is None:
        return []
    if type(raw) is not list:
        notes.add("dropped", (key,), f"{key} is not a list — ignored")
        return []
    kept = []
    for index, item in enumerate(raw):
        if type(item) is dict:
            kept.append((index, item))
        else:
            notes.add("dropped", (key, index), f"{noun} #{index + 1} is not a mapping — ignored")
    return kept


def _parse_ref(raw: dict[str, Any], path: tuple[str | int, ...], notes: Notes) -> ManifestRef:
    identity = mapping(raw.get("agent_identity"))
    context = raw.get("context")
    return ManifestRef(
        id=optional_text(raw.get("id")) or "",
        url=optional_text(raw.get("url")) or "",
        label=optional_text(raw.get("label")),
        relationship=optional_text(raw.get("relationship")),
        local_mirror=optional_text(raw.get("local_mirror")),
        context=None if context is None else notes.listed(context, (*path, "context"), "context"),
        agent_identity=None
        if identity is None
        else AgentIdentity(
            required=optional_bool(identity, "required"),
            credential_hint=optional_text(identity.get("credential_hint")),
            issuer_hint=optional_text(identity.get("issuer_hint")),
            docs_url=optional_text(identity.get("docs_url")),
        ),
    )


def _parse_trust(raw: Any) -> Trust | None:
    requirements = mapping((mapping(raw) or {}).get("agent_requirements"))
    if requirements is None:
        return None
    return Trust(
        AgentRequirements(
            require_attestation=optional_bool(requirements, "require_attestation"),
            trusted_providers=text_list(requirements.get("trusted_providers")),
            attestation_url=optional_text(requirements.get("attestation_url")),
        )
    )


def _parse_signing(root: dict[str, Any]) -> Signing | None:
    raw = mapping(root.get("signing"))
    if raw is not None:
        return Signing(
            scheme=optional_text(raw.get("scheme")),
            scope=optional_text(raw.get("scope")),
            public_key=optional_text(raw.get("public_key")),
            signature=optional_text(raw.get("signature")),
            key_id=optional_text(raw.get("key_id")),
        )
    return _parse_signing_before_0_21(root)


def _parse_signing_before_0_21(root: dict[str, Any]) -> Signing | None:
    integrity = mapping((mapping(root.get("trust")) or {}).get("content_integrity"))
    raw = mapping((integrity or {}).get("signing"))
    if integrity is None or raw is None:
        return None
    return Signing(
        scheme=_first_text(raw.get("algorithm"), raw.get("scheme")),
        public_key=optional_text(raw.get("public_key")),
        signature=_first_text(integrity.get("signature_file"), raw.get("signature")),
        key_id=optional_text(raw.get("key_id")),
    )


def _first_text(first: Any, second: Any) -> str | None:
    return optional_text(second if first is None else first)


def _parse_serving(raw: Any) -> Serving | None:
    if type(raw) is not dict:
        return None
    return Serving(manifest=optional_text_list(raw.get("manifest")), mcp=optional_text_list(raw.get("mcp")))
