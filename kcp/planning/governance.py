"""Rules for governed procedures: eligibility, composition and the authority ceiling (gates 7a–7c, B4).

Spend, deny and escalation, the rules about what is done rather than who may do it, are in `actions`.
"""

from __future__ import annotations

from kcp.planning.results import Authority

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from kcp.model import Step, Unit

AUTHORITY_SCALE = ("observe", "explain", "suggest", "prepare", "commit")
GOVERNED_KINDS = ("skill", "playbook")


def malformed_text(block: str) -> str:
    """Finding and reason for a block of the wrong type (decision B4)."""
    return f"{block} is malformed — fail-closed"


def is_granted(unit: Unit) -> bool:
    """Whether the publisher grants invocation: explicitly, and on a unit that reads as written (B2, B4)."""
    return unit.load_eligible is True and not unit.malformed


def missing_grant(unit: Unit) -> str | None:
    """Gate 7a: a skill or playbook is closed without an explicit grant."""
    if unit.kind in GOVERNED_KINDS and unit.load_eligible is not True:
        return f"kind: {unit.kind} not invoke-eligible: no explicit eligibility grant"
    return None


def composition_gap(unit: Unit, first_by_id: Mapping[str, Unit]) -> str | None:
    """Gate 7b: the first step that uses a unit without a grant of its own."""
    for step in unit.steps or ():
        target = first_by_id.get(step.uses) if step.uses else None
        if target is not None and not is_granted(target):
            return (
                f"step '{step.id}' uses '{step.uses}', which is not invoke-eligible — a grant on a playbook "
                "does not compose to the units its steps name (§4.3c)"
            )
    return None


class Ceiling:
    """The authority ceiling of a playbook under one scale (gate 7c)."""

    __slots__ = ("authority", "rank", "scale")

    def __init__(self, unit: Unit, grant_ceiling: str | None, scale: tuple[str, ...] | None) -> None:
        self.scale = AUTHORITY_SCALE if scale is None else scale
        sources = [
            (level, source)
            for level, source in (
                (unit.authority_level, "playbook authority_level"),
                (grant_ceiling, "agent grant_ceiling"),
            )
            if level is not None
        ]
        self.authority: Authority | None = None
        self.rank = -1
        if sources:
            level, source = min(sources, key=lambda item: self._rank(item[0]))
            self.authority, self.rank = Authority(level, source), self._rank(level)

    def _rank(self, level: str) -> int:
        return self.scale.index(level) if level in self.scale else -1

    def violation(self, steps: tuple[Step, ...]) -> Step | None:
        """The first step that asks for more than the ceiling, or for a level the scale does not have."""
        if self.authority is None:
            return None
        for step in steps:
            if step.authority_level is not None:
                rank = self._rank(step.authority_level)
                if rank < 0 or rank > self.rank:
                    return step
        return None

    def reason(self, step: Step) -> str:
        """Why a violating step closes its playbook."""
        assert self.authority is not None
        return (
            f"step '{step.id}' requires '{step.authority_level}' authority, above the resolved ceiling "
            f"'{self.authority.ceiling}' (bound by {self.authority.binding_source}) — §3.13"
        )
