"""Charters of agents: a draft for 0.33, checked only when drafts are asked for. A charter grants nothing."""

from __future__ import annotations

from kcp.authoring.validate.rule import Rule
from kcp.authoring.validate.spec.node import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.authoring.validate.findings import Finding
    from kcp.authoring.validate.spec.node import Node, Spec, Unit

ACTS = ("execute", "write", "delete", "pay", "grant")

CHARTER = Rule(
    "KCP331", "charter", "error", "§4.3d",
    "A charter belongs to knowledge, answers to an authority, and says what is never done. A draft: checked "
    "only with --drafts.",
    bad="charter: {authority: Finance, scope: {propose: [approve]}}",
    good="charter: {authority: Finance, scope: {propose: [approve], never: [execute-payment]}}", since="0.33",
    protected=True,
)  # fmt: skip
RULES = (
    CHARTER,
)  # fmt: skip


def check_unit(spec: Spec, unit: Unit) -> Iterator[Finding]:
    """A unit's charter."""
    charter = unit.child("charter")
    if not spec.drafts or unit.get("charter") is None:
        return
    if unit.kind != "knowledge":
        yield unit.find(CHARTER, "charter", f"belongs to knowledge, not to kind {shown(unit.kind)}")
    if charter is None:
        yield unit.find(CHARTER, "charter", "is not a mapping")
        return
    for key in ("scope", "authority"):
        if not charter.get(key):
            yield charter.find(CHARTER, key, "is missing")
    scope = charter.child("scope")
    if scope is not None:
        yield from _check_scope(scope)
    yield from _check_rules(charter)
    yield from _check_persona(unit, charter)


def _check_scope(scope: Node) -> Iterator[Finding]:
    never = scope.texts("never")
    if not never:
        yield scope.find(CHARTER, "never", "is missing or empty")
    for index, entry in enumerate(scope.texts("propose")):
        if entry in never:
            yield scope.find(CHARTER, "propose", f"entry '{shown(entry)}' is never done", index)
        if entry.lower().replace("-", " ").replace("_", " ").split(" ")[0] in ACTS:
            message = f"entry '{shown(entry)}' is an act, not a proposal"
            yield scope.find(CHARTER, "propose", message, index, level="warning")


def _check_rules(charter: Node) -> Iterator[Finding]:
    seen = set()
    for rule in charter.children("rules"):
        name = rule.text("id")
        if name and name in seen:
            yield rule.find(CHARTER, "id", f"'{shown(name)}' is used before")
        seen.add(name)
        escalates = (rule.text("decision") or "").lower().startswith("escalat")
        if escalates and not rule.text("authority_required") and not charter.text("authority_required"):
            message = "is missing, but the rule escalates"
            yield rule.find(CHARTER, "authority_required", message, level="warning")


def _check_persona(unit: Unit, charter: Node) -> Iterator[Finding]:
    persona = charter.text("persona")
    if not persona:
        return
    texts = [unit.text("intent"), *[rule.text("text") for rule in charter.children("rules")]]
    if any(text is not None and persona in text for text in texts):
        message = f"'{shown(persona)}' is a label only; leave it out of the intent and of rules"
        yield charter.find(CHARTER, "persona", message, level="warning")
