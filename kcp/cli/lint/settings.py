"""Flags and settings become what `validate` is to do."""

from __future__ import annotations

from kcp.api import today
from kcp.authoring.validate.lint import RULE_SETS, LintOptions
from kcp.authoring.validate.registry import find_rule, rules
from kcp.cli.lint.config import FAIL_ON, Config
from kcp.cli.lint.questions import BRINGING, asking_of
from kcp.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments

FORMATS = ("text", "json", "sarif", "github", "gitlab", "junit")
# With --json comes the reference's report, whatever is configured; what would change it is refused.
_NOT_WITH_JSON = ("--spec", "--rules", "--format", "--select", "--ignore", "--no-inline-ignores", "--drafts")
_REPAIRS = ("--fix", "--preview", "--unsafe-fixes")


def refuse_with_json(arguments: Arguments) -> None:
    """UsageError for flags that have no say in the reference's report."""
    for flag in (*_NOT_WITH_JSON, *_REPAIRS, "--task", "--tasks", *BRINGING):
        if flag in arguments.given:
            raise UsageError(f"{flag} does not go with --json", hint="use --format json")


def choice(arguments: Arguments, flag: str, allowed: tuple[str, ...]) -> str | None:
    """The value of a flag that takes one of a few; None where it was not given."""
    value = arguments.text(flag)
    if value is not None and value not in allowed:
        raise UsageError(f"{flag} must be one of {', '.join(allowed)}, not '{value}'")
    return value


def date_of(arguments: Arguments) -> str:
    """The date to judge for."""
    return arguments.text("--as-of") or today()


def lint_options(arguments: Arguments, config: Config, locations: list[str]) -> LintOptions:
    """What to check; flags win over the file's settings, ignored rules add up."""
    rule_set = choice(arguments, "--rules", RULE_SETS) or ("all" if arguments.switch("--spec") else None)
    select = _rule_ids("--select", arguments.every("--select")) or _rule_ids(config.path, config.select)
    ignore = _rule_ids("--ignore", arguments.every("--ignore")) | _rule_ids(config.path, config.ignore)
    return LintOptions(
        today=date_of(arguments),
        rules=rule_set or config.rules or "agent",  # type: ignore[arg-type]
        disk=not arguments.switch("--no-disk"),
        select=select,
        ignore=ignore,
        inline=config.inline_ignores and not arguments.switch("--no-inline-ignores"),
        drafts=config.drafts or arguments.switch("--drafts"),
        asking=asking_of(arguments, locations, date_of(arguments)),
    )


def fail_on(arguments: Arguments, config: Config) -> str:
    """From which level on findings fail the check."""
    return choice(arguments, "--fail-on", FAIL_ON) or config.fail_on or "error"


def _rule_ids(source: str | None, names: tuple[str, ...]) -> frozenset[str]:
    """The ids of rules given by id or name, several in one text with commas; KCP2 stands for all of those."""
    found: set[str] = set()
    for name in [part.strip() for text in names for part in text.split(",")]:
        rule = find_rule(name)
        family = [rule_id for rule_id in rules() if len(name) in (4, 5) and rule_id.startswith(name.upper())]
        if rule is None and not family:
            raise UsageError(f"{source}: no rule '{name}'", hint="kcp-agent rules lists them")
        found.update([rule.id] if rule is not None else family)
    return frozenset(found)
