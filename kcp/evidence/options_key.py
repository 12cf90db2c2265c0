"""The options key: what an episode was recorded under, as one text (evidence contract §5, rows 9 and 11)."""

from __future__ import annotations

from kcp.errors import ArtifactError
from kcp.records import Record
from kcp.wire.canonical import canonical
from kcp.wire.decode import decode_json
from kcp.wire.jsontext import compact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KEY_VERSION = 2
_NAMES = (
    "env asOf maxUnits strict role methods credentials attest budget currency contextBudget follow maxDepth "
    "maxNodes"
).split()

_BEYOND = ("grantCeiling", "spend", "action")  # options that the reference's command line has not
_ECHOED = ("maxUnits", "strict", "budget", "contextBudget", *_BEYOND)
_MOST_ECHOES = 256

# Many episodes share few keys: key → what `_read_key` makes of it.
_echoes: dict[str, tuple[dict[str, Any] | str, str]] = {}


class KeyFlags(Record):
    """The flags of a command line as given, None where one was not; `follow` is also set by a depth.

    `more` are members beyond the reference's, present only where they were given: what its command line does
    not have (`grantCeiling`, `spend`, `action`), and what its key omits (models, verification).
    """

    as_of: str
    env: str | None = None
    max_units: float | None = None
    strict: bool = False
    role: str | None = None
    methods: tuple[str, ...] | None = None
    credentials: tuple[str, ...] | None = None
    attest: str | None = None
    budget: float | None = None
    currency: str | None = None
    context_budget: float | None = None
    follow: bool = False
    max_depth: float | None = None
    max_nodes: float | None = None
    more: tuple[tuple[str, Any], ...] = ()


def options_key(flags: KeyFlags) -> str:
    """The key; it names its version only where it has members that the reference's has not."""
    values = [flags.env, flags.as_of, *flags.values()[2:-1]]
    members = dict(zip(_NAMES, values, strict=True))
    extra = [(name, value) for name, value in flags.more if value is not None]
    if extra:
        members["keyVersion"] = KEY_VERSION
        members.update(extra)
    return compact(members)


def disagreement(key: str, plan: dict[str, Any]) -> str | None:
    """Why a key cannot be that of a saved plan, or None: its options must be the plan's own."""
    if key not in _echoes:
        if len(_echoes) >= _MOST_ECHOES:
            _echoes.clear()
        _echoes[key] = _read_key(key)
    echo, text = _echoes[key]
    if isinstance(echo, str):
        return echo
    made_with = _made_with(plan)
    if canonical(made_with) == text:
        return None
    name = next(name for name in echo if canonical(echo[name]) != canonical(made_with[name]))
    return f"optionsKey has another {name} than the saved plan"


def _read_key(key: str) -> tuple[dict[str, Any] | str, str]:
    """What a plan made under a key echoes, also as text; or the fault of the key."""
    try:
        flags = decode_json(key, "optionsKey")
    except ArtifactError:
        return "optionsKey is not JSON", ""
    if not isinstance(flags, dict) or any(name not in flags for name in _NAMES):
        return "optionsKey lacks options", ""
    echo = _echo(flags)
    return echo, canonical(echo)


def _echo(flags: dict[str, Any]) -> dict[str, Any]:
    budget = None
    if flags["budget"] is not None:
        budget = {"amount": flags["budget"]}
        if flags["currency"] is not None:
            budget["currency"] = flags["currency"]
    return {
        "env": flags["env"],
        "asOf": flags["asOf"],
        "role": "agent" if flags["role"] is None else flags["role"],
        "methods": ["free"] if flags["methods"] is None else flags["methods"],
        "credentials": [] if flags["credentials"] is None else flags["credentials"],
        "attest": flags["attest"],
        "maxUnits": 5 if flags["maxUnits"] is None else flags["maxUnits"],
        "strict": flags["strict"],
        "budget": budget,
        "contextBudget": flags["contextBudget"],
        **{name: flags.get(name) for name in _BEYOND},
    }


def _made_with(plan: dict[str, Any]) -> dict[str, Any]:
    """The same members as a saved plan echoes them; None for what it leaves out."""
    saved = plan.get("options")
    options = saved if isinstance(saved, dict) else {}
    capabilities = options.get("capabilities")
    held = capabilities if isinstance(capabilities, dict) else {}
    return {
        "env": plan.get("environment"),
        "asOf": plan.get("asOf"),
        "role": held.get("role"),
        "methods": held.get("paymentMethods"),
        "credentials": held.get("credentials"),
        "attest": held.get("attestationProvider"),
        **{name: options.get(name) for name in _ECHOED},
    }
