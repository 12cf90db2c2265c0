"""The options key: what an episode was recorded under, as one text (evidence contract §5, rows 9 and 11)."""

from __future__ import annotations

from kcp.errors import ArtifactError
from kcp.evidence.comparison import same
from kcp.records import Record
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
    try:
        flags = decode_json(key, "optionsKey")
    except ArtifactError:
        return "optionsKey is not JSON"
    if not isinstance(flags, dict) or any(name not in flags for name in _NAMES):
        return "optionsKey lacks options"
    saved = plan.get("options")
    options = saved if isinstance(saved, dict) else {}
    capabilities = options.get("capabilities")
    held = capabilities if isinstance(capabilities, dict) else {}
    echoed = _echo(flags)
    made_with = {
        "env": plan.get("environment"),
        "asOf": plan.get("asOf"),
        "role": held.get("role"),
        "methods": held.get("paymentMethods"),
        "credentials": held.get("credentials"),
        "attest": held.get("attestationProvider"),
        **{name: options.get(name) for name in ("maxUnits", "strict", "budget", "contextBudget")},
        **{name: options.get(name) for name in ("grantCeiling", "spend", "action")},
    }
    for name, value in echoed.items():
        if not same(value, made_with[name]):
            return f"optionsKey has another {name} than the saved plan"
    return None


def _echo(flags: dict[str, Any]) -> dict[str, Any]:
    """What a plan made with the flags echoes of them; None for what it leaves out."""
    budget = None
    if flags["budget"] is not None:
        budget = {"amount": flags["budget"]}
        if flags["currency"] is not None:
            budget["currency"] = flags["currency"]
    return {
        **{name: flags[name] for name in ("env", "asOf", "strict", "attest", "contextBudget")},
        "maxUnits": 5 if flags["maxUnits"] is None else flags["maxUnits"],
        "role": "agent" if flags["role"] is None else flags["role"],
        "methods": ["free"] if flags["methods"] is None else flags["methods"],
        "credentials": [] if flags["credentials"] is None else flags["credentials"],
        "budget": budget,
        **{name: flags.get(name) for name in ("grantCeiling", "spend", "action")},
    }
