"""How a unit was found, and how far that can be relied on."""

from __future__ import annotations

from kcp.authoring.validate.rule import Rule
from kcp.authoring.validate.spec.node import Node, as_number, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.authoring.validate.findings import Finding
    from kcp.authoring.validate.spec.node import Spec

STATUSES = ("rumored", "declared", "observed", "verified", "deprecated")
SOURCES = ("manual", "web_traversal", "openapi", "llm_inference", "manifest-self-description")

VALUES = Rule(
    "KCP265", "discovery-values", "warning", "§4.18",
    "A verification status or source outside the list says nothing.",
    bad="discovery: {verification_status: guessed}",
    good="discovery: {verification_status: observed, source: manual}", tier=2, since="0.12",
)  # fmt: skip
RUMORED = Rule(
    "KCP266", "rumored-confidence-ceiling", "error", "§4.18",
    "What is only rumoured is known with less than half confidence.",
    bad="discovery: {verification_status: rumored, confidence: 0.7}",
    good="discovery: {verification_status: rumored, confidence: 0.3}", tier=2, since="0.12",
)  # fmt: skip
DECLARED = Rule(
    "KCP267", "declared-confidence", "warning", "§4.18",
    "What is declared is known with a confidence from 0.5 to below 0.8.",
    bad="discovery: {verification_status: declared, confidence: 0.95}",
    good="discovery: {verification_status: declared, confidence: 0.6}", tier=2, since="0.16",
)  # fmt: skip
VERIFIED = Rule(
    "KCP268", "verified-confidence", "warning", "§4.18",
    "What is verified is known with a confidence of 0.8 or more.",
    bad="discovery: {verification_status: verified, confidence: 0.5}",
    good="discovery: {verification_status: verified, confidence: 0.9}", tier=2, since="0.12",
)  # fmt: skip
VERIFIED_AT = Rule(
    "KCP269", "verified-at", "warning", "§4.18",
    "A time of verification stands beside a status that is not verified.",
    bad='discovery: {verification_status: observed, verified_at: "2026-03-10T14:05:00Z"}',
    good="discovery: {verification_status: observed, verified_at: null}", tier=2, since="0.12",
)  # fmt: skip
VERIFIED_BY = Rule(
    "KCP270", "verified-by", "warning", "§4.18", "A verified unit does not say who verified it.",
    bad="discovery: {verification_status: verified}",
    good="discovery: {verification_status: verified, verified_by: docs-team}", tier=2, since="0.19",
)  # fmt: skip
CONTRADICTED_BY = Rule(
    "KCP271", "contradicted-by", "warning", "§4.18", "The contradiction names no unit.",
    bad="discovery: {contradicted_by: nothing}", good="discovery: {contradicted_by: null}", tier=2,
    since="0.12",
)  # fmt: skip
CONFIDENCE = Rule(
    "KCP272", "confidence-range", "warning", "§4.18", "A confidence is a number from 0 to 1.",
    bad="discovery: {confidence: high}", good="discovery: {confidence: 0.7}", tier=2, since="0.12",
)  # fmt: skip
RULES = (
    VALUES, RUMORED, DECLARED, VERIFIED, VERIFIED_AT, VERIFIED_BY, CONTRADICTED_BY, CONFIDENCE,
)  # fmt: skip


def check_all(spec: Spec) -> Iterator[Finding]:
    """The root's discovery block, then every unit's with the root's fields where it has none."""
    defaults = spec.root.child("discovery")
    if defaults is not None:
        yield from _check(spec, defaults)
    for unit in spec.units:
        own = unit.child("discovery")
        if own is not None:
            inherited = {} if defaults is None else defaults.raw
            declared = {key: value for key, value in own.raw.items() if value is not None}
            yield from _check(spec, Node({**inherited, **declared}, own.path, own.where, own.prefix))


def _check(spec: Spec, block: Node) -> Iterator[Finding]:
    yield from block.outside(VALUES, "verification_status", STATUSES)
    yield from block.outside(VALUES, "source", SOURCES)
    yield from _check_confidence(block)
    status = block.get("verification_status")
    if status in ("rumored", "declared", "observed") and block.get("verified_at") is not None:
        yield block.find(VERIFIED_AT, "verified_at", f"is set, but the status is {status}")
    if status == "verified" and block.get("verified_by") is None:
        yield block.find(VERIFIED_BY, "verified_by", "is missing, but the status is verified")
    other = block.get("contradicted_by")
    if other is not None and (not isinstance(other, str) or other not in spec.by_id):
        yield block.find(CONTRADICTED_BY, "contradicted_by", f"names no unit: '{shown(other)}'")


def _check_confidence(block: Node) -> Iterator[Finding]:
    raw, status = block.get("confidence"), block.get("verification_status")
    confidence = as_number(raw)
    if raw is not None and (confidence is None or not 0 <= confidence <= 1):
        yield block.find(CONFIDENCE, "confidence", f"'{shown(raw)}' is not a number from 0 to 1")
    if confidence is None:
        return
    found = f"{shown(raw)}, but the status is {status}"
    if status == "rumored" and confidence >= 0.5:
        yield block.find(RUMORED, "confidence", f"is {found}: it must be below 0.5")
    if status == "declared" and not 0.5 <= confidence < 0.8:
        yield block.find(DECLARED, "confidence", f"is {found}: it should be from 0.5 to below 0.8")
    if status == "verified" and confidence < 0.8:
        yield block.find(VERIFIED, "confidence", f"is {found}: it should be 0.8 or more")
