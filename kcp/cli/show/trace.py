"""A trace for people: each unit's way through the gates (surfaces contract §3)."""

from __future__ import annotations

from kcp.cli.show.page import BAD, DIM, GOOD, ID, TITLE
from kcp.wire.numbers import num

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.show.page import Page
    from kcp.planning.results import Trace, TraceUnit

_GATE_WIDTH = 16


def add_trace(page: Page, trace: Trace) -> None:
    """Every unit with its verdicts, then how many units each gate passed and failed."""
    page.add()
    count = len(trace.units)
    page.add((f"Trace ({count} {'unit' if count == 1 else 'units'}):", TITLE))
    page.add((f"  terms: {', '.join(trace.task_terms) or '(none)'}", DIM))
    for unit in trace.units:
        _add_unit(page, unit)
    page.add(("Gates:", TITLE))
    for gate in trace.gate_summary:
        page.add(f"  {gate.gate:<{_GATE_WIDTH}} {gate.passed} passed, {gate.failed} failed")


def _add_unit(page: Page, unit: TraceUnit) -> None:
    score = "" if unit.score is None else f" (score {num(unit.score)})"
    outcome = unit.outcome if unit.rejected_by is None else f"{unit.outcome} at {unit.rejected_by}"
    page.add("  ", (unit.id, ID), f"{score}  {unit.path}  {outcome}")
    for result in unit.gates:
        mark = ("✓", GOOD) if result.passed else ("✗", BAD)
        page.add("    ", mark, f" {result.gate:<{_GATE_WIDTH}} {result.detail}")
