"""`kcp-agent rules [RULE]`: what the rules of validate are about."""

from __future__ import annotations

from kcp.authoring.validate.registry import find_rule, rules
from kcp.cli.exit_codes import DONE
from kcp.cli.show.page import BAD, DIM, GOOD, ID, TITLE, WARN, Page
from kcp.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.validate.rule import Rule
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output

SETS = {"agent": "what an agent stumbles over", "spec": "the specification"}
PARTS = {"unit": "of a unit", "root": "of the manifest", "file": "the file"}


def run(arguments: Arguments, out: Output) -> int:
    """Explain one rule, or list them all."""
    page = Page()
    name = next(iter(arguments.positionals), "")
    if not name:
        for each in rules().values():
            mark = ("✗", BAD) if each.level == "error" else ("⚠", WARN)
            page.add((each.id, ID), "  ", mark, f"  {each.name:<28}", (each.message, DIM))
    else:
        rule = find_rule(name)
        if rule is None:
            raise UsageError(f"no rule '{name}'", hint="kcp-agent rules lists them")
        _explain(page, rule)
    page.show(out)
    return DONE


def _explain(page: Page, rule: Rule) -> None:
    page.add((rule.id, ID), "  ", (rule.name, TITLE))
    page.add(
        f"{rule.level} · {SETS[rule.rule_set]} · {rule.section} · since {rule.since} · level {rule.tier}"
    )
    page.add()
    page.add(rule.message)
    if rule.protected:
        page.add("A comment in the manifest cannot silence this rule.")
    if rule.question:
        page.add()
        page.add(("Asked: ", DIM), rule.question)
    for title, text, style in (("Wrong", rule.bad, BAD), ("Right", rule.good, GOOD)):
        page.add()
        page.add(
            (f"{title}, in the fields {PARTS[rule.part]}:" if rule.part != "file" else f"{title}:", style)
        )
        for line in text.split("\n"):
            page.add("  ", line)
