"""All rules of the agent set, in the contract's order (surfaces contract §4)."""

from __future__ import annotations

from bisect import bisect_right

from kcp.authoring.validate.findings import make_report
from kcp.authoring.validate.manifest import NOT_READ, WHERE, check_identity, check_ref, check_trust, ref_where
from kcp.authoring.validate.procedures import check_procedure
from kcp.authoring.validate.unit_rules import BY_DECISION, UNKNOWN_SUCCESSOR
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

    from kcp.authoring.validate.findings import Finding, Path, Report
    from kcp.model import Manifest, Unit

# What reading noted has the document's indices already.
_DECIDED = frozenset(rule.id for rule in BY_DECISION.values())


def check_manifest(
    manifest: Manifest, source: str, today: str, path_exists: Callable[[str], bool] | None = None
) -> Report:
    """The agent's findings on a manifest.

    `today` is `YYYY-MM-DD`, UTC; `path_exists` answers for paths relative to the manifest's directory, and
    is None where nothing can be looked up (a remote manifest).
    """
    findings = as_written(manifest, list(_findings(manifest, today, path_exists)))
    remarks = tuple([(note.message, note.position) for note in manifest.problems if note.rule == "dropped"])
    return make_report(source, manifest.project, findings).replace(remarks=remarks)


def unreadable_report(source: str, message: str) -> Report:
    """The report on a manifest that could not be read or parsed: one error, nothing else checked."""
    return make_report(source, None, [NOT_READ.at(WHERE, (), message)]).replace(read=False)


def _findings(manifest: Manifest, today: str, path_exists: Callable[[str], bool] | None) -> Iterator[Finding]:
    by_decision = _decision_findings(manifest)
    yield from check_identity(manifest)
    yield from by_decision.get(("manifest", 0), ())
    first_by_id: dict[str, Unit] = {}
    for unit in manifest.units:
        first_by_id.setdefault(unit.id, unit)
    seen: set[str] = set()
    for index, unit in enumerate(manifest.units):
        yield from check_declaration(unit, index, seen, path_exists)
        yield from check_temporal(unit, index, today)
        yield from check_not_for(unit, index)
        yield from check_procedure(unit, index, first_by_id)
        yield from check_payment(unit, index)
        yield from by_decision.get(("unit", index), ())
    for index, unit in enumerate(manifest.units):
        successor = unit.temporal.superseded_by if unit.temporal is not None else None
        if successor and successor not in first_by_id:
            yield UNKNOWN_SUCCESSOR.at(
                unit_where(unit),
                ("units", index, "temporal", "superseded_by"),
                f"temporal.superseded_by references unknown unit '{successor}'",
            )
    seen_refs: set[str] = set()
    for index, ref in enumerate(manifest.manifests):
        yield from check_ref(ref, index, seen_refs)
        yield from by_decision.get(("ref", index), ())
    yield from check_trust(manifest)


def as_written(manifest: Manifest, findings: list[Finding]) -> list[Finding]:
    """The findings with paths that have the document's indices, where reading did not keep every item."""
    shifts = _shifts([note.path for note in manifest.problems if note.rule == "dropped"])
    if not shifts:
        return findings
    return [finding.replace(path=_as_written(finding, shifts)) for finding in findings]


def _shifts(dropped: list[Path]) -> dict[Path, list[int]]:
    """For each list that lost items: which kept indices come after each of them."""
    lists: dict[Path, list[int]] = {}
    for *prefix, index in dropped:
        if isinstance(index, int):
            shifts = lists.setdefault(tuple(prefix), [])
            shifts.append(index - len(shifts))
    return lists


def _as_written(finding: Finding, shifts: dict[Path, list[int]]) -> Path:
    """The path of a finding with the indices of the document, where some items were not kept."""
    if finding.rule in _DECIDED:
        return finding.path
    path: Path = ()
    for step in finding.path:
        if isinstance(step, int) and path in shifts:
            step += bisect_right(shifts[path], step)
        path = (*path, step)
    return path


def _decision_findings(manifest: Manifest) -> dict[tuple[str, int], list[Finding]]:
    """What reading noted under decisions B1–B5, by owner."""
    findings: dict[tuple[str, int], list[Finding]] = {}
    for note in manifest.problems:
        if note.rule != "dropped":
            finding = BY_DECISION[note.rule].at(_where(manifest, note.owner), note.path, note.message)
            findings.setdefault(note.owner, []).append(finding)
    return findings


def _where(manifest: Manifest, owner: tuple[str, int]) -> str:
    kind, index = owner
    if kind == "unit":
        return unit_where(manifest.units[index])
    return ref_where(manifest.manifests[index]) if kind == "ref" else WHERE
