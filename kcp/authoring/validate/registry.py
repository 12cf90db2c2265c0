"""Every rule there is, in the order of their ids."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.validate.rule import Rule

_rules: dict[str, Rule] = {}


def rules() -> dict[str, Rule]:
    """The rules of both sets by id."""
    if not _rules:
        from kcp.authoring.validate import manifest, questions, unit_rules
        from kcp.authoring.validate.spec.check import TOPICS

        every = [rule for topic in (manifest, unit_rules, questions, *TOPICS) for rule in topic.RULES]
        _rules.update({rule.id: rule for rule in sorted(every, key=lambda rule: rule.id)})
        assert len(_rules) == len(every), "two rules share an id"
    return _rules


def find_rule(name: str) -> Rule | None:
    """The rule with an id, in any case, or a name."""
    by_id = rules().get(name.upper())
    return by_id or next((rule for rule in rules().values() if rule.name == name), None)
