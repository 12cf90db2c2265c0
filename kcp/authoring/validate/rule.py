"""What a rule is: its name and texts for people, and how it makes findings."""

from __future__ import annotations

from kcp.authoring.validate.findings import Finding
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from kcp.authoring.validate.findings import Level, Path

    Part = Literal["file", "root", "unit"]
    RuleSet = Literal["agent", "spec"]


class Rule(Record):
    """One rule of validate.

    `id` is stable: KCP1xx for what an agent stumbles over, KCP2xx and KCP3xx for the rows of the
    specification's rules. `section` is the specification's. `bad` and `good` are YAML: members of a unit or
    of the root, or a whole file, as `part` says. `tier` is the conformance level of the field. A `protected`
    rule is about what a manifest permits or what is asked of it, so the manifest itself cannot silence it.
    `question` is what is asked of the examples, where a rule is about questions.
    """

    id: str
    name: str
    level: Level
    section: str
    message: str
    bad: str
    good: str
    part: Part = "unit"
    tier: int = 1
    since: str = "0.1"
    protected: bool = False
    question: str = ""

    @property
    def rule_set(self) -> RuleSet:
        """The set the rule belongs to."""
        return "agent" if self.id.startswith("KCP1") else "spec"

    def at(self, where: str, path: Path, message: str, level: Level | None = None) -> Finding:
        """A finding of this rule about the node at a path; `level` where it differs from the rule's."""
        return Finding(level or self.level, where, message, self.id, path)
