"""The artifact: what is left of a manifest, with the trust in it and the account of it (§14, §15)."""

from __future__ import annotations

from kcp.records import Record
from kcp.render.fields import CONSUMED, NOT_IN_SCHEMA, OMITTED, WRONG_TYPE, Fields, leaves_of_root
from kcp.render.ledger import Ledger
from kcp.render.schema import FEDERATION, PROJECT, RELATIONSHIP, ROOT_BLOCKS, SCHEMA_ID, TRUST
from kcp.render.shapes import Blocks
from kcp.render.units import Terms, render_units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from kcp.render.lints import Lint
    from kcp.render.units import Entry

CONFIDENCE = {"trusted": 0.7, "known": 0.6, "unsigned": 0.5}
_BLOCKS_OF_ROOT = frozenset({"kcp_version", "composition", "units", "relationships", "manifests", "trust"})
_VERSION_CHARACTERS = frozenset("0123456789.")


class Frame(Record):
    """What the artifact says before and beside the manifest's own words.

    `trust` holds the members of the artifact's block from `tier` to `signature`, in order; `tier` is the one
    after the serving check. `hash_required` keeps units without a verified hash out (C14).
    """

    renderer: str
    source_name: str
    source_sha256: str
    tier: str
    trust: dict[str, Any]
    hash_required: bool = False
    rendered_at: str | None = None


def assemble(
    root: dict[str, Any],
    entries: tuple[Entry, ...],
    frame: Frame,
    lint: Lint,
    digest: Callable[[bytes], str],
) -> dict[str, Any]:
    """The artifact as dictionaries and lists in the order of the layout.

    `root` is the manifest with the merged list of units in it, `entries` the members of that list.
    """
    ledger = Ledger(digest)
    fields = Fields(ledger, lint)
    version = root.get("kcp_version")
    if "composition" in root:
        is_block = type(root["composition"]) is dict
        ledger.drop("composition", root["composition"], CONSUMED if is_block else WRONG_TYPE)
    attestation = _requires_attestation(root.get("trust"))
    terms = Terms(frame.tier == "trusted", frame.hash_required, attestation)
    units = render_units(fields, root["units"], entries, terms) if "units" in root else []
    relationships = _blocks(fields, "relationships", root, Blocks(RELATIONSHIP))
    federation = _federation(fields, root)
    declared = _trust(fields, root)
    blocks = _root_blocks(fields, root)
    project = _project(fields, root)
    if "kcp_version" in root and not _is_version(version):
        ledger.note("kcp_version", "invalid_value")
    source: dict[str, Any] = {"path": frame.source_name, "sha256": frame.source_sha256}
    render = {
        "kcp_version": str(version) if _is_version(version) else "unspecified",
        "renderer": frame.renderer,
        "lint_rules": lint.id,
        "source": source,
    }
    if frame.rendered_at is not None:
        render["rendered_at"] = frame.rendered_at
    artifact: dict[str, Any] = {
        "render": render,
        "trust": frame.trust | declared,
        "discovery": {
            "verification_status": "declared",
            "source": "manifest-self-description",
            "confidence": CONFIDENCE[frame.tier],
        },
        "project": project,
        **blocks,
        "units": units,
    }
    if relationships is not OMITTED:
        artifact["relationships"] = relationships
    if federation is not OMITTED:
        artifact["federation"] = federation
    artifact["sanitization"] = ledger.sanitization(SCHEMA_ID, leaves_of_root(root))
    return artifact


def _is_version(version: Any) -> bool:
    return isinstance(version, str) and 0 < len(version) <= 16 and _VERSION_CHARACTERS.issuperset(version)


def _requires_attestation(trust: Any) -> bool:
    requirements = trust.get("agent_requirements") if type(trust) is dict else None
    return type(requirements) is dict and bool(requirements.get("require_attestation"))


def _blocks(fields: Fields, key: str, root: dict[str, Any], shape: Blocks) -> Any:
    return fields.blocks(key, root[key], shape) if key in root else OMITTED


def _federation(fields: Fields, root: dict[str, Any]) -> Any:
    """References as pointers; an entry stays even where nothing but its tier is left to show."""
    if "manifests" not in root:
        return OMITTED
    entries = fields.mappings("manifests", root["manifests"])
    if entries is OMITTED or entries == []:
        return entries
    federation = []
    for index, entry in entries:
        kept = fields.block(f"manifests[{index}]", entry, FEDERATION)
        federation.append(({} if kept is OMITTED else kept) | {"target_tier": "unrendered"})
    return federation


def _trust(fields: Fields, root: dict[str, Any]) -> dict[str, Any]:
    if "trust" not in root:
        return {}
    block, ledger = root["trust"], fields.ledger
    if type(block) is not dict:
        ledger.drop("trust", block, WRONG_TYPE)
        return {}
    kept = {}
    for key, value in block.items():
        where = ledger.below("trust", key)
        if key not in TRUST:
            ledger.drop(where, value, CONSUMED if key == "content_integrity" else NOT_IN_SCHEMA)
        elif (checked := fields.check(where, value, TRUST[key])) is not OMITTED:
            kept[key] = checked
    return {key: kept[key] for key in TRUST if key in kept}


def _root_blocks(fields: Fields, root: dict[str, Any]) -> dict[str, Any]:
    kept = {key: fields.check(key, root[key], shape) for key, shape in ROOT_BLOCKS.items() if key in root}
    return {key: value for key, value in kept.items() if value is not OMITTED}


def _project(fields: Fields, root: dict[str, Any]) -> dict[str, Any]:
    """The project block; every key of the root that has no other place is dropped on the way."""
    kept = {}
    for key, value in root.items():
        if key in PROJECT:
            checked = fields.check(key, value, PROJECT[key])
            if checked is not OMITTED:
                kept[key] = checked
        elif key not in ROOT_BLOCKS and key not in _BLOCKS_OF_ROOT:
            fields.ledger.drop(fields.ledger.below("", key), value, NOT_IN_SCHEMA)
    named = {key: kept[key] for key in PROJECT if key in kept and key != "project"}
    return named | ({"name": kept["project"]} if "project" in kept else {})
