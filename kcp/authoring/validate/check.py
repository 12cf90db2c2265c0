"""All rules of the agent set, in the contract's order (surfaces contract §4)."""

from __future__ import annotations

from kcp.authoring.validate.findings import Finding, error, make_report, warning
from kcp.authoring.validate.manifest import WHERE, check_identity, check_ref, check_trust, ref_where
from kcp.authoring.validate.procedures import check_procedure
from kcp.authoring.validate.units import (
    check_declaration,
    check_not_for,
    check_payment,
    check_temporal,
    unit_where,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kcp.authoring.validate.findings import Report
    from kcp.model import Manifest, Unit


def check_manifest(
    manifest: Manifest, source: str, today: str, path_exists: Callable[[str], bool] | None = None
) -> Report:
    """The agent's findings on a manifest.

    `today` is `YYYY-MM-DD`, UTC; `path_exists` answers for paths relative to the manifest's directory, and
    is None where nothing can be looked up (a remote manifest).
    """
    findings = list(_findings(manifest, today, path_exists))
    remarks = tuple([(note.message, note.position) for note in manifest.problems if note.rule == "dropped"])
    return make_report(source, manifest.project, findings).replace(remarks=remarks)


def unreadable_report(source: str, message: str) -> Report:
    """The report on a manifest that could not be read or parsed: one error, nothing else checked."""
    return make_report(source, None, [error(WHERE, message)]).replace(read=False)


def _findings(manifest: Manifest, today: str, path_exists: Callable[[str], bool] | None) -> Iterator[Finding]:
    by_decision = _decision_findings(manifest)
    yield from check_identity(manifest)
    yield from by_decision.get(("manifest", 0), ())
    first_by_id: dict[str, Unit] = {}
    for unit in manifest.units:
        first_by_id.setdefault(unit.id, unit)
    seen: set[str] = set()
    for index, unit in enumerate(manifest.units):
        yield from check_declaration(unit, seen, path_exists)
        yield from check_temporal(unit, today)
        yield from check_not_for(unit)
        yield from check_procedure(unit, first_by_id)
        yield from check_payment(unit)
        yield from by_decision.get(("unit", index), ())
    for unit in manifest.units:
        successor = unit.temporal.superseded_by if unit.temporal is not None else None
        if successor and successor not in first_by_id:
            yield error(unit_where(unit), f"temporal.superseded_by references unknown unit '{successor}'")
    seen_refs: set[str] = set()
    for index, ref in enumerate(manifest.manifests):
        yield from check_ref(ref, seen_refs)
        yield from by_decision.get(("ref", index), ())
    yield from check_trust(manifest)


def _decision_findings(manifest: Manifest) -> dict[tuple[str, int], list[Finding]]:
    """What reading noted under decisions B1–B5, by owner; an unquoted date is a warning, the rest errors."""
    findings: dict[tuple[str, int], list[Finding]] = {}
    for note in manifest.problems:
        if note.rule != "dropped":
            make = warning if note.rule == "B1" else error
            findings.setdefault(note.owner, []).append(make(_where(manifest, note.owner), note.message))
    return findings


def _where(manifest: Manifest, owner: tuple[str, int]) -> str:
    kind, index = owner
    if kind == "unit":
        return unit_where(manifest.units[index])
    return ref_where(manifest.manifests[index]) if kind == "ref" else WHERE
