"""Fields of a unit or of the root that take one of a few values."""

from __future__ import annotations

from kcp.authoring.validate.rule import Rule
from kcp.authoring.validate.spec.node import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.authoring.validate.findings import Finding
    from kcp.authoring.validate.spec.node import Node, Spec, Unit

MAX_TRIGGER_CHARACTERS, MAX_TRIGGERS = 60, 20
KINDS = ("knowledge", "schema", "service", "policy", "executable", "skill", "playbook")
FORMATS = tuple("markdown pdf openapi json-schema jupyter html asciidoc rst vtt yaml json csv text".split())
FREQUENCIES = ("hourly", "daily", "weekly", "monthly", "rarely", "never")
INDEXING = ("open", "read-only", "no-train", "none")
SENSITIVITIES = ("public", "internal", "confidential", "restricted")
AUTHORITIES = ("initiative", "requires_approval", "denied")
STRUCTURES = ("prose", "table", "code", "list", "diagram", "reference", "mixed")
DENSITIES = ("sparse", "normal", "dense")

TRIGGERS = Rule(
    "KCP217", "trigger-length-count", "warning", "§4.9",
    "A trigger has at most 60 characters, a unit at most 20 triggers.",
    bad="triggers: [a phrase that goes on for so long that no question will ever contain it]",
    good="triggers: [rollout]", tier=3,
)  # fmt: skip
KIND = Rule(
    "KCP222", "kind", "warning", "§4.3a", "A kind outside the list is ignored.", bad="kind: runbook",
    good="kind: policy", tier=2, since="0.3",
)  # fmt: skip
FORMAT = Rule(
    "KCP223", "format", "warning", "§4.4a", "A format outside the list is ignored.", bad="format: word",
    good="format: markdown", tier=2, since="0.3",
)  # fmt: skip
FREQUENCY = Rule(
    "KCP224", "update-frequency", "warning", "§4.6b", "An update frequency outside the list is ignored.",
    bad="update_frequency: quarterly", good="update_frequency: monthly", tier=3, since="0.3",
)  # fmt: skip
INDEXING_VALUE = Rule(
    "KCP225", "indexing", "warning", "§4.6c", "A shorthand outside the list permits nothing in particular.",
    bad="indexing: all", good="indexing: no-train", tier=3, since="0.3",
)  # fmt: skip
SENSITIVITY = Rule(
    "KCP231", "sensitivity", "warning", "§4.12", "A sensitivity outside the list classifies nothing.",
    bad="sensitivity: secret", good="sensitivity: confidential", tier=2, since="0.5",
)  # fmt: skip
FRESHNESS = Rule(
    "KCP261", "freshness", "warning", "§3.7",
    "A freshness policy warns, degrades or blocks after a whole number of days.",
    bad="freshness_policy: {max_age_days: 0, on_stale: delete}",
    good="freshness_policy: {max_age_days: 90, on_stale: warn}", tier=2, since="0.11",
)  # fmt: skip
AUTHORITY = Rule(
    "KCP262", "authority-value", "warning", "§4.17",
    "An action is at the agent's initiative, requires approval, or is denied.",
    bad="authority: {modify: ask}", good="authority: {modify: requires_approval}", tier=2, since="0.12",
)  # fmt: skip
VISIBILITY = Rule(
    "KCP263", "visibility-default", "warning", "§4.16",
    "The default visibility is one of the sensitivity values.", bad="visibility: {default: secret}",
    good="visibility: {default: internal}", tier=3, since="0.12",
)  # fmt: skip
CONDITION = Rule(
    "KCP264", "visibility-condition", "warning", "§4.16", "A condition needs both when and then.",
    bad="visibility: {default: internal, conditions: [{when: {environment: prod}}]}",
    good="visibility: {default: internal, conditions: [{when: {environment: prod}, then: {sensitivity: "
    "confidential}}]}",
    tier=3, since="0.12",
)  # fmt: skip
STRUCTURE = Rule(
    "KCP273", "content-structure", "warning", "§4.19",
    "A modality or density outside the list is passed on, but means nothing to an agent.",
    bad="content_structure: {primary: hologram}",
    good="content_structure: {primary: table, contains: [table, prose], density: dense}", tier=2,
    since="0.17",
)  # fmt: skip
STRICT_ALONE = Rule(
    "KCP274", "not-for-strict", "warning", "§4.20", "Strictness without entries in not_for excludes nothing.",
    bad="not_for_strict: true", good="not_for: [billing]\nnot_for_strict: true", tier=2, since="0.17",
)  # fmt: skip
BACKOFF = Rule(
    "KCP292", "rate-backoff", "warning", "§4.15", "A backoff outside the list is ignored.",
    bad="rate_limits: {backoff: random}", good="rate_limits: {backoff: exponential}", tier=3, since="0.25",
)  # fmt: skip
RULES = (
    TRIGGERS, KIND, FORMAT, FREQUENCY, INDEXING_VALUE, SENSITIVITY, FRESHNESS, AUTHORITY, VISIBILITY,
    CONDITION, STRUCTURE, STRICT_ALONE, BACKOFF,
)  # fmt: skip


def check_unit(_spec: Spec, unit: Unit) -> Iterator[Finding]:
    """A unit's values."""
    yield from _check_triggers(unit)
    yield from unit.outside(KIND, "kind", KINDS)
    yield from unit.outside(FORMAT, "format", FORMATS)
    yield from unit.outside(FREQUENCY, "update_frequency", FREQUENCIES)
    yield from unit.outside(SENSITIVITY, "sensitivity", SENSITIVITIES)
    yield from _check_shared(unit)
    structure = unit.child("content_structure")
    if structure is not None:
        yield from _check_structure(structure)
    if isinstance(unit.get("not_for_strict"), bool) and not unit.some("not_for"):
        yield unit.find(STRICT_ALONE, "not_for_strict", "is declared, but not_for is empty")


def check_root(spec: Spec) -> Iterator[Finding]:
    """The root's values."""
    yield from _check_shared(spec.root)


def _check_triggers(unit: Unit) -> Iterator[Finding]:
    triggers = unit.some("triggers")
    for index, trigger in enumerate(triggers):
        if len(trigger) > MAX_TRIGGER_CHARACTERS:
            message = f"entry '{shown(trigger)}' is longer than {MAX_TRIGGER_CHARACTERS} characters"
            yield unit.find(TRIGGERS, "triggers", message, index)
    if len(triggers) > MAX_TRIGGERS:
        yield unit.find(TRIGGERS, "triggers", f"has {len(triggers)} entries, more than {MAX_TRIGGERS}")


def _check_shared(node: Node) -> Iterator[Finding]:
    if isinstance(node.get("indexing"), str):
        yield from node.outside(INDEXING_VALUE, "indexing", INDEXING)
    limits = node.child("rate_limits")
    if limits is not None:
        yield from limits.outside(BACKOFF, "backoff", ("linear", "exponential", "none"))
    freshness = node.child("freshness_policy")
    if freshness is not None:
        yield from _check_freshness(freshness)
    authority = node.child("authority")
    if authority is not None:
        yield from _check_authority(authority)
    visibility = node.child("visibility")
    if visibility is not None:
        yield from _check_visibility(visibility)


def _check_freshness(freshness: Node) -> Iterator[Finding]:
    yield from freshness.outside(FRESHNESS, "on_stale", ("warn", "degrade", "block"))
    days = freshness.get("max_age_days")
    if days is not None and (type(days) is not int or days <= 0):
        yield freshness.find(FRESHNESS, "max_age_days", f"'{shown(days)}' is not a whole number above zero")


def _check_authority(authority: Node) -> Iterator[Finding]:
    for action in authority.raw:
        yield from authority.outside(AUTHORITY, action, AUTHORITIES)


def _check_visibility(visibility: Node) -> Iterator[Finding]:
    yield from visibility.outside(VISIBILITY, "default", SENSITIVITIES)
    conditions = visibility.get("conditions")
    for index, condition in enumerate(conditions if type(conditions) is list else ()):
        members = condition if type(condition) is dict else {}
        for key in ("when", "then"):
            if members.get(key) is None:
                yield visibility.find(CONDITION, "conditions", f"#{index + 1} lacks '{key}'", index)
    for condition in visibility.children("conditions"):
        outcome = condition.child("then")
        authority = None if outcome is None else outcome.child("authority")
        if authority is not None:
            yield from _check_authority(authority)


def _check_structure(structure: Node) -> Iterator[Finding]:
    yield from structure.outside(STRUCTURE, "primary", STRUCTURES)
    for index, entry in enumerate(structure.some("contains")):
        if entry not in STRUCTURES:
            message = f"entry '{shown(entry)}' is not one of {', '.join(STRUCTURES)}"
            yield structure.find(STRUCTURE, "contains", message, index)
    yield from structure.outside(STRUCTURE, "density", DENSITIES)
