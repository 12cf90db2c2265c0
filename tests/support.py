"""Short ways to manifests, options and plans for the tests."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import dedent
from typing import Any

from kcp.authoring.validate.check import check_manifest
from kcp.authoring.validate.findings import Finding
from kcp.model import Manifest
from kcp.options import Action, Budget, Capabilities, PlanOptions, SpendProposal
from kcp.planning.cascade import Verdict, World, judge
from kcp.planning.planner import make_plan
from kcp.planning.results import Plan, Trace
from kcp.planning.trace import make_trace
from kcp.reading.parse import parse_manifest
from kcp.reading.yaml12 import read_yaml

AS_OF = "2026-07-06"
TASK = "deploy"
UNIT = "id: u, path: u.md, intent: deploy"
MATCH = ["intent matches 1 term(s)"]

_CAPABILITIES = {"role", "payment_methods", "credentials", "attestation_provider"}


def read(text: str, source: str | None = None) -> Manifest:
    """The manifest that a YAML text spells; indentation common to all lines is dropped."""
    return parse_manifest(read_yaml(dedent(text).encode("utf-8", "surrogatepass")), source=source)


def text_of(units: tuple[str, ...], root: dict[str, str]) -> str:
    members = {"project": "p", "version": "'1'", "kcp_version": "'0.32'"} | root
    lines = [f"{key}: {value}" for key, value in members.items()]
    return "\n".join([*lines, "units:", *[f"- {{{unit}}}" for unit in units]]) + "\n"


def manifest(*units: str, source: str | None = None, **root: str) -> Manifest:
    """A manifest of units and members in YAML flow style: `manifest("id: a, kind: skill", trust="{…}")`."""
    return read(text_of(units, root), source)


def unit(of: Manifest | str = UNIT) -> Any:
    """The only unit of a manifest, or the one that its members in YAML flow style spell."""
    (only,) = (manifest(of) if isinstance(of, str) else of).units
    return only


def options(**changes: Any) -> PlanOptions:
    """Options as of `AS_OF`; members of `Capabilities` may be given directly, blocks as dictionaries."""
    held = {key: changes.pop(key) for key in list(changes) if key in _CAPABILITIES}
    makers: dict[str, Any] = {"budget": Budget, "spend": SpendProposal, "action": Action}
    values = {k: makers[k](**v) if k in makers and isinstance(v, dict) else v for k, v in changes.items()}
    given: dict[str, Any] = {"as_of": AS_OF, "capabilities": Capabilities(**held)} | values
    return PlanOptions(**given)


def plan(of: Manifest | str, task: str = TASK, **changes: Any) -> Plan:
    """The plan of a manifest, or of one with a single unit given as for `manifest`."""
    return make_plan(manifest(of) if isinstance(of, str) else of, task, options(**changes))


def trace(of: Manifest | str, task: str = TASK, **changes: Any) -> Trace:
    """The trace of a manifest, or of one with a single unit given as for `manifest`."""
    return make_trace(manifest(of) if isinstance(of, str) else of, task, options(**changes))


def verdict(of: Manifest | str, task: str = TASK, unit_id: str = "u", **changes: Any) -> Verdict:
    """What gates 1–11 say of one unit, of the one with the id `u` where none is named."""
    read_from = manifest(of) if isinstance(of, str) else of
    world = World(read_from, task, options(**changes))
    return judge(world.first_by_id[unit_id], world)


def selected(of: Plan, unit_id: str = "u") -> Any:
    """The entry of a selected unit."""
    (found,) = [each for each in of.selected if each.id == unit_id]
    return found


def skipped(of: Plan, unit_id: str = "u") -> Any:
    """The entry of a skipped unit."""
    (found,) = [each for each in of.skipped if each.id == unit_id]
    return found


def gate(of: Trace, name: str, unit_id: str = "u") -> tuple[bool, str]:
    """Whether a unit passed a gate, and the detail."""
    ((passed, detail),) = [
        (result.passed, result.detail)
        for each in of.units
        if each.id == unit_id
        for result in each.gates
        if result.gate == name
    ]
    return passed, detail


def plain(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings as their wire form has them: level, subject and message."""
    return tuple(Finding(each.level, each.where, each.message) for each in found)


def findings(of: Manifest | str, today: str = AS_OF, **lookup: Any) -> tuple[Finding, ...]:
    """All findings on a manifest, or on one with a single unit given as for `manifest`."""
    read_from = manifest(of) if isinstance(of, str) else of
    return plain(check_manifest(read_from, "k.yaml", today, **lookup).findings)


# A unit without a finding of its own.
SOUND = "id: u, path: u.md, intent: deploy the service, triggers: [rollout], audience: [agent]"
