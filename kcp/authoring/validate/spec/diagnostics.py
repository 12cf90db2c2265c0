"""Fields that read as undeclared although their author meant something by them."""

from __future__ import annotations

from kcp.authoring.validate.rule import Rule
from kcp.authoring.validate.spec import known
from kcp.authoring.validate.spec.node import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.authoring.validate.findings import Finding
    from kcp.authoring.validate.spec.node import Node, Spec, Unit

SHORTEST, FARTHEST = 4, 2

NEAR_MISS = Rule(
    "KCP329", "near-miss", "warning", "§2",
    "An unknown field is spelled almost like a known one; it stays unread.", bad="triger: [rollout]",
    good="x-triger: [rollout]", since="0.30",
)  # fmt: skip
NON_BOOLEAN = Rule(
    "KCP330", "non-boolean", "warning", "§2.1",
    "Only true and false count in a boolean field; anything else reads as undeclared.", bad="deprecated: yes",
    good="deprecated: false", since="0.30", protected=True,
)  # fmt: skip
RULES = (
    NEAR_MISS, NON_BOOLEAN,
)  # fmt: skip


def check_unit(_spec: Spec, unit: Unit) -> Iterator[Finding]:
    """A unit's fields."""
    yield from _check_names(unit, known.UNIT_KEYS)
    for step in unit.children("steps"):
        yield from _check_names(step, known.STEP_KEYS)
    scope = unit.child("action_scope")
    if scope is not None:
        yield from _check_names(scope, known.SCOPE_KEYS)
        for key, names in (("spend", known.SPEND_KEYS), ("deny", known.DENY_KEYS)):
            block = scope.child(key)
            if block is not None:
                yield from _check_names(block, names)
    yield from _check_booleans(unit, known.BOOLEANS["unit"])
    yield from _check_shared(unit)


def check_root(spec: Spec) -> Iterator[Finding]:
    """The root's fields, those of trust and of federated manifests."""
    yield from _check_names(spec.root, known.ROOT_KEYS)
    trust = spec.root.child("trust")
    if trust is not None:
        yield from _check_names(trust, known.TRUST_KEYS)
        for key, names in (
            ("provenance", known.PROVENANCE_KEYS),
            ("audit", known.AUDIT_KEYS),
            ("agent_requirements", known.REQUIREMENT_KEYS),
        ):
            block = trust.child(key)
            if block is not None:
                yield from _check_names(block, names)
                yield from _check_booleans(block, known.BOOLEANS.get(key, ()))
        integrity = trust.child("content_integrity")
        signing = None if integrity is None else integrity.child("signing")
        if signing is not None:
            yield from _check_booleans(signing, known.BOOLEANS["signing"])
    for ref in spec.refs:
        identity = ref.child("agent_identity")
        if identity is not None:
            yield from _check_booleans(identity, known.BOOLEANS["agent_identity"])
    yield from _check_shared(spec.root)


def _check_shared(node: Node) -> Iterator[Finding]:
    for key in ("hints", "delegation", "license", "indexing"):
        block = node.child(key)
        if block is not None:
            yield from _check_booleans(block, known.BOOLEANS[key])
            approval = block.child("human_in_the_loop")
            if approval is not None:
                yield from _check_booleans(approval, known.BOOLEANS["human_in_the_loop"])
    payment, visibility = node.child("payment"), node.child("visibility")
    for method in () if payment is None else payment.children("methods"):
        yield from _check_booleans(method, known.BOOLEANS["method"])
    for condition in () if visibility is None else visibility.children("conditions"):
        outcome = condition.child("then")
        if outcome is not None:
            yield from _check_booleans(outcome, known.BOOLEANS["then"])


def _check_booleans(node: Node, names: tuple[str, ...]) -> Iterator[Finding]:
    for name in names:
        value = node.get(name)
        if value is not None and not isinstance(value, bool):
            message = f"'{shown(value)}' is neither true nor false, so it reads as undeclared"
            yield node.find(NON_BOOLEAN, name, message)


def _check_names(node: Node, names: frozenset[str]) -> Iterator[Finding]:
    for key in node.raw:
        if key in names:
            continue
        meant = near_miss(key, names)
        if meant is not None:
            message = f"unknown field '{node.prefix}{key}' — did you mean '{meant}'? (ignored per §2)"
            yield NEAR_MISS.at(node.where, (*node.path, key), message)


def near_miss(key: str, names: frozenset[str]) -> str | None:
    """The known name at the smallest distance of one or two edits, the first in order on a tie."""
    if len(key) < SHORTEST or key.startswith("x-"):
        return None
    best, meant = FARTHEST + 1, None
    letters = frozenset(key)
    for name in sorted(names):
        # An edit changes the set of letters by two at most.
        if abs(len(name) - len(key)) < best and len(letters.symmetric_difference(name)) < 2 * best:
            distance = _distance(key, name)
            if distance < best:
                best, meant = distance, name
    return meant


def _distance(a: str, b: str) -> int:
    """Levenshtein's distance: a swap of two letters counts two."""
    previous = list(range(len(b) + 1))
    for row, left in enumerate(a, 1):
        current = [row]
        for column, right in enumerate(b, 1):
            current.append(min(previous[column] + 1, current[-1] + 1, previous[column - 1] + (left != right)))
        previous = current
    return previous[-1]
