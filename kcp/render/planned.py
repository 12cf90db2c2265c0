"""A manifest to plan with that is made from a render alone: what was withheld takes no part.

Where a field that opens or closes a unit was there and could not be rendered, the unit is a pointer: what it
would have said is not known, and the rest of the unit must not profit.
"""

from __future__ import annotations

from kcp.planning.results import RenderReport, WithheldField
from kcp.reading.parse import parse_manifest
from kcp.reading.yaml12 import Document
from kcp.records import Record
from kcp.render.fields import CONSUMED, NOT_IN_SCHEMA
from kcp.render.schema import PROJECT, UNIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.model import Manifest
    from kcp.planning.results import Plan
    from kcp.render.pipeline import Gathered
    from kcp.render.units import Entry

# Fields of the schema that open or close a unit, and those of a manifest that do so and have no place in it.
_DECISIVE = ("audience", "not_for", "payment")
_UNASKED = (
    *("access", "auth_scope", "temporal", "deprecated", "authority_level", "action_scope", "steps"),
    *("size_tokens", "bytes"),
)
_NOT_FAULTS = (CONSUMED, NOT_IN_SCHEMA)


class PlannedRender(Record):
    """The manifest of a render, the entry behind each of its units, and what a plan of it has to say."""

    manifest: Manifest
    entries: tuple[Entry, ...]
    report: RenderReport
    warnings: tuple[str, ...]

    def mark(self, plan: Plan) -> Plan:
        """A plan of the manifest that says what it was made from."""
        return plan.replace(render=self.report, warnings=(*plan.warnings, *self.warnings))


def planned_render(gathered: Gathered) -> PlannedRender:
    """What there is to plan with in a render."""
    artifact = gathered.artifact()
    places = [place for place, entry in enumerate(gathered.entries) if type(entry.raw) is dict]
    units = list(zip(places, artifact["units"], strict=False))
    account = artifact["sanitization"]
    faults = _faults(account)
    root = _root(artifact, [unit for _, unit in units])
    manifest = parse_manifest(
        Document(root, b""), source=gathered.source, sha256=gathered.frame.source_sha256, located=False
    )
    pointers = [
        _pointer(unit, gathered.entries[place], gathered.frame.tier, faults.get(place), faults.get(None))
        for place, unit in units
    ]
    manifest = manifest.replace(
        units=tuple(
            [
                unit if pointer is None else unit.replace(pointer=pointer)
                for unit, pointer in zip(manifest.units, pointers, strict=True)
            ]
        )
    )
    withheld = [
        WithheldField(entry["path"], entry["reason"])
        for entry in (*account["dropped"], *account["quarantined"])
        if entry["reason"] != CONSUMED
    ]
    report = _report(artifact, tuple(withheld))
    entries = tuple([gathered.entries[place] for place, _ in units])
    return PlannedRender(manifest, entries, report, _warnings(report))


def _root(artifact: dict[str, Any], units: list[dict[str, Any]]) -> dict[str, Any]:
    """The mapping that the render amounts to, in the manifest's own names."""
    project = artifact["project"]
    root: dict[str, Any] = {key: project[key] for key in PROJECT if key in project}
    if "name" in project:
        root["project"] = project["name"]
    version = artifact["render"]["kcp_version"]
    if version != "unspecified":
        root["kcp_version"] = version
    root |= {key: artifact[key] for key in ("payment", "rate_limits", "serving") if key in artifact}
    root["trust"] = {
        key: artifact["trust"][key]
        for key in ("provenance", "agent_requirements")
        if key in artifact["trust"]
    }
    root["units"] = [_unit(unit) for unit in units]
    root["manifests"] = artifact.get("federation", [])
    return root


def _unit(rendered: dict[str, Any]) -> dict[str, Any]:
    unit = {key: rendered[key] for key in UNIT if key in rendered}
    # The renderer marks exactly the units that need it; to the planner that is what this access says.
    return unit | {"access": "restricted"} if rendered.get("requires_attestation") else unit


def _pointer(
    unit: dict[str, Any], entry: Entry, tier: str, fault: str | None, fault_of_all: str | None
) -> str | None:
    """Why a unit is a pointer, None where it may be loaded."""
    if not unit["load_eligible"]:
        return f"rendered as a pointer: {_pointer_reason(unit, entry, tier)}"
    if fault is None and fault_of_all is not None and "payment" not in unit:
        fault = fault_of_all
    return None if fault is None else f"rendered as a pointer: {fault} could not be rendered"


def _pointer_reason(unit: dict[str, Any], entry: Entry, tier: str) -> str:
    if "invocation" in unit:
        return "its kind is invoked explicitly, never loaded"
    if entry.content.fault is not None:
        return "its content_hash could not be checked"
    if unit["content_verified"] == "mismatch":
        return "its content does not match its content_hash"
    if tier != "trusted":
        return f"the manifest's tier is {tier}"
    return "nothing vouches for its content"


def _faults(account: dict[str, Any]) -> dict[int | None, str]:
    """Place of a unit → its decisive field that could not be rendered; None stands for the manifest's own."""
    faults: dict[int | None, str] = {}
    for entry in (*account["quarantined"], *account["dropped"]):
        if entry["reason"] in _NOT_FAULTS:
            continue
        path: str = entry["path"]
        place: int | None = None
        if path.startswith("units["):
            number, _, path = path.removeprefix("units[").partition("]")
            place, path = int(number), path.removeprefix(".")
        field = path.replace("[", ".").partition(".")[0]
        if field in (_DECISIVE if place is not None else ("payment",)):
            faults.setdefault(place, field)
    return faults


def _report(artifact: dict[str, Any], withheld: tuple[WithheldField, ...]) -> RenderReport:
    trust, render, account = artifact["trust"], artifact["render"], artifact["sanitization"]
    return RenderReport(
        tier=trust["tier"],
        origin=trust["origin"],
        origin_evidence=trust["origin_evidence"],
        pinned=trust["pinned"],
        renderer=render["renderer"],
        lint_rules=render["lint_rules"],
        schema=account["schema"],
        withheld=withheld,
        **account["stats"],
    )


def _warnings(report: RenderReport) -> tuple[str, ...]:
    counts = dict.fromkeys(_UNASKED, 0)
    for each in report.withheld:
        field = each.path.rpartition(".")[2]
        if each.path.startswith("units[") and each.path.count(".") == 1 and field in counts:
            counts[field] += 1
    named = [f"{field} of {count}" for field, count in counts.items() if count]
    if not named:
        return ()
    return (f"rendered manifest: withheld fields take no part; not asked: {', '.join(named)} unit(s)",)
