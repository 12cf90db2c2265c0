"""Rules about a unit's own declaration: identity, path, findability, access, dates and price."""

from __future__ import annotations

from kcp.authoring.validate.unit_rules import (
    DEAD_END,
    ID_REPEATED,
    NO_AUDIENCE,
    NO_ID,
    NO_INTENT,
    NO_PATH,
    NO_TRIGGERS,
    NOT_A_DATE,
    NOT_FOR_ITSELF,
    PATH_ABSOLUTE,
    PATH_IS_URL,
    PATH_MISSING,
    PATH_TRAVERSES,
    PAYMENT_WITHOUT_TYPE,
    UNKNOWN_ACCESS,
    UNKNOWN_KIND,
    WINDOW_EMPTY,
    X402_INCOMPLETE,
)
from kcp.planning.terms import task_terms
from kcp.text.casing import lower
from kcp.text.utf16 import utf16_key, utf16_less
from kcp.text.weburl import scheme_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kcp.authoring.validate.findings import Finding
    from kcp.model import Temporal, Unit

ACCESS_VALUES = ("public", "authenticated", "restricted")
KINDS = ("knowledge", "schema", "service", "policy", "executable", "skill", "playbook")
PATH_FAULTS = {
    "path is empty": NO_PATH,
    "path must be relative, not a URL": PATH_IS_URL,
    "path must be relative, not absolute": PATH_ABSOLUTE,
    "path must not traverse with '..'": PATH_TRAVERSES,
}


def unit_where(unit: Unit) -> str:
    """How findings name a unit."""
    return f"unit '{unit.id}'" if unit.id else "unit '(no id)'"


def check_declaration(
    unit: Unit, index: int, seen: set[str], path_exists: Callable[[str], bool] | None
) -> Iterator[Finding]:
    """Identity, path and what makes the unit findable; `seen` holds the ids of earlier units."""
    where, path = unit_where(unit), ("units", index)
    if not unit.id:
        yield NO_ID.at(where, (*path, "id"), "missing 'id'")
    elif unit.id in seen:
        yield ID_REPEATED.at(where, (*path, "id"), "duplicate unit id")
    seen.add(unit.id)
    yield from _check_path(unit, index, path_exists)
    if not unit.intent:
        yield NO_INTENT.at(
            where, (*path, "intent"), "missing 'intent' — intent is the primary navigation signal"
        )
    if not unit.triggers:
        yield NO_TRIGGERS.at(
            where, (*path, "triggers"), "no 'triggers' — unit is only findable through its intent text"
        )
    if not unit.audience:
        yield NO_AUDIENCE.at(
            where, (*path, "audience"), "no 'audience' — declare who this unit serves (e.g. [agent, human])"
        )
    if unit.access and unit.access not in ACCESS_VALUES:
        yield UNKNOWN_ACCESS.at(
            where,
            (*path, "access"),
            f"unknown access '{unit.access}' (expected public/authenticated/restricted)",
        )
    if unit.kind and unit.kind not in KINDS:
        yield UNKNOWN_KIND.at(
            where,
            (*path, "kind"),
            f"unknown kind '{unit.kind}' — not a §4.3a kind ({'/'.join(KINDS)}); parsers ignore it and the "
            "unit loads as plain knowledge. If 'skill' was meant, note "
            "action_scope/load_eligible/skill_eligibility will NOT apply as written",
        )


def _check_path(unit: Unit, index: int, path_exists: Callable[[str], bool] | None) -> Iterator[Finding]:
    path = ("units", index, "path")
    fault = path_fault(unit.path)
    if fault is not None:
        yield PATH_FAULTS[fault].at(unit_where(unit), path, fault)
    elif path_exists is not None and not path_exists(unit.path):
        yield PATH_MISSING.at(unit_where(unit), path, f"path '{unit.path}' does not exist")


def path_fault(path: str) -> str | None:
    """Why a unit path is unsafe, or None; a safe path stays below the manifest's directory."""
    if not path:
        return "path is empty"
    if path.startswith("//") or scheme_of(path) is not None:
        return "path must be relative, not a URL"
    if path.startswith(("/", "\\")):
        return "path must be relative, not absolute"
    if ".." in path.split("/"):
        return "path must not traverse with '..'"
    return None


def check_temporal(unit: Unit, index: int, today: str) -> Iterator[Finding]:
    """The dates of a unit; `today` is `YYYY-MM-DD`, UTC."""
    temporal = unit.temporal
    if temporal is None:
        return
    where, path = unit_where(unit), ("units", index, "temporal")
    start, end = temporal.valid_from, temporal.valid_until
    for field, value in (("valid_from", start), ("valid_until", end)):
        if value and not is_iso_date(value):
            yield NOT_A_DATE.at(where, (*path, field), f"temporal.{field} '{value}' is not an ISO date")
    if start and end and utf16_less(end, start):
        yield WINDOW_EMPTY.at(
            where, (*path, "valid_until"), f"temporal window ends ({end}) before it starts ({start})"
        )
    if _is_dead_end(temporal, today):
        yield DEAD_END.at(
            where,
            (*path, "valid_until"),
            f"expired {end} with no 'superseded_by' — agents get a dead end instead of a successor",
        )


def _is_dead_end(temporal: Temporal, today: str) -> bool:
    end = temporal.valid_until
    return bool(end and is_iso_date(end) and end < today and not temporal.superseded_by)


def is_iso_date(value: str) -> bool:
    """`YYYY-MM-DD`, optionally followed by `T` or a blank and more."""
    date, rest = value[:10], value[10:]
    digits = date[:4] + date[5:7] + date[8:]
    return (
        len(digits) == 8
        and digits.isascii()
        and digits.isdigit()
        and date[4] == date[7] == "-"
        and (not rest or rest[0] in "T ")
    )


def check_not_for(unit: Unit, index: int) -> Iterator[Finding]:
    """Exclusions that would gate the unit against its own questions."""
    if not unit.not_for:
        return
    vocabulary = {term for text in (unit.intent, *unit.triggers) for term in task_terms(text)}
    for number, entry in enumerate(unit.not_for):
        folded = lower(entry)
        words = sorted((term for term in vocabulary if term in folded), key=utf16_key)
        if words:
            yield NOT_FOR_ITSELF.at(
                unit_where(unit),
                ("units", index, "not_for", number),
                f"not_for '{entry}' contains the unit's own vocabulary ({', '.join(words)}) — term matching "
                "will gate this unit against its most natural questions; name the excluded topic in its own "
                'words (e.g. "CCPA", "accounting"), never as a negation of this unit\'s topic ("non-X", '
                '"outside X")',
            )


def check_payment(unit: Unit, index: int) -> Iterator[Finding]:
    """The unit's own payment methods."""
    where = unit_where(unit)
    for number, method in enumerate((unit.payment.methods if unit.payment is not None else None) or ()):
        path = ("units", index, "payment", "methods", number)
        if not method.type:
            yield PAYMENT_WITHOUT_TYPE.at(where, (*path, "type"), "payment method missing 'type'")
        if method.type == "x402" and (not method.price_per_request or not method.currency):
            yield X402_INCOMPLETE.at(
                where, path, "x402 payment method should declare 'price_per_request' and 'currency'"
            )
