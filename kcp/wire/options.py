"""The planner's options as the wire spells them, read back into typed values (planner contract §5, §9)."""

from __future__ import annotations

from kcp.errors import ArtifactError
from kcp.options import Action, Budget, Capabilities, PlanOptions, SpendProposal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TEXT, NUMBER, SWITCH, TEXTS = "text", "a number", "true or false", "a list of text"
LIMIT = "a number, or null for no limit"

# Wire name → field and type; every other member is refused.
_CAPABILITIES = {
    "role": ("role", TEXT),
    "paymentMethods": ("payment_methods", TEXTS),
    "credentials": ("credentials", TEXTS),
    "attestationProvider": ("attestation_provider", TEXT),
}
_BUDGET = {"amount": ("amount", NUMBER), "currency": ("currency", TEXT), "spent": ("spent", NUMBER)}
_SPEND = {"amount": ("amount", NUMBER), "vendor": ("vendor", TEXT), "currency": ("currency", TEXT)}
_ACTION = {"tool": ("tool", TEXT), "path": ("path", TEXT), "capability": ("capability", TEXT)}
_OPTIONS = {
    "asOf": ("as_of", TEXT),
    "env": ("env", TEXT),
    "maxUnits": ("max_units", LIMIT),
    "strict": ("strict", SWITCH),
    "contextBudget": ("context_budget", NUMBER),
    "grantCeiling": ("grant_ceiling", TEXT),
}
_BLOCKS: dict[str, tuple[str, Any, dict[str, tuple[str, str]]]] = {
    "capabilities": ("capabilities", Capabilities, _CAPABILITIES),
    "budget": ("budget", Budget, _BUDGET),
    "spend": ("spend", SpendProposal, _SPEND),
    "action": ("action", Action, _ACTION),
}


def read_options(raw: object, name: str) -> PlanOptions:
    """Options from their wire form; ArtifactError, naming `name` and the member, for anything else."""
    members = _object(raw, f"{name}: options")
    blocks = {key: value for key, value in members.items() if key in _BLOCKS}
    plain = {key: value for key, value in members.items() if key not in _BLOCKS}
    values = _read(plain, _OPTIONS, f"{name}: options")
    for key, value in blocks.items():
        field, make, fields = _BLOCKS[key]
        where = f"{name}: options.{key}"
        values[field] = _construct(make, _read(_object(value, where), fields, where), where)
    made: PlanOptions = _construct(PlanOptions, values, f"{name}: options")
    return made


def _object(raw: object, where: str) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise ArtifactError(f"{where} must be an object")
    return raw


def _construct(make: Any, values: dict[str, Any], where: str) -> Any:
    for field in make.__fields__:
        if field not in values and field not in make.__defaults__:
            raise ArtifactError(f"{where} lacks '{field}'")
    return make(**values)


def _read(raw: dict[str, Any], fields: dict[str, tuple[str, str]], where: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in raw.items():
        if key not in fields:
            raise ArtifactError(f"{where} has the unknown member '{key}'")
        field, kind = fields[key]
        if not _is(value, kind):
            raise ArtifactError(f"{where}.{key} must be {kind}")
        if kind is TEXTS:
            value = tuple(value)
        elif kind is LIMIT and value is None:
            value = float("nan")  # what null stands for: no count reaches it
        values[field] = value
    return values


def _is(value: object, kind: str) -> bool:
    if kind is TEXTS:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if kind is SWITCH:
        return isinstance(value, bool)
    if kind is TEXT:
        return isinstance(value, str)
    if kind is LIMIT and value is None:
        return True
    return isinstance(value, (int, float)) and not isinstance(value, bool)
