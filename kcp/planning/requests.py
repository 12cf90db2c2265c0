"""A request (the task and what the agent brings) and changes of it, as `explain` tries them."""

from __future__ import annotations

from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.options import PlanOptions
    from kcp.planning.cascade import Verdict, World


class Request(Record):
    """What is planned: the task and what the agent brings."""

    task: str
    options: PlanOptions

    def bring(self, **options: Any) -> Request:
        """The request with other options."""
        return self.replace(options=self.options.replace(**options))

    def be(self, **capabilities: Any) -> Request:
        """The request of an agent with other capabilities."""
        return self.bring(capabilities=self.options.capabilities.replace(**capabilities))


class Blocked(Record):
    """A request, and the unit's verdict under it that a gate up to `strict` made."""

    request: Request
    verdict: Verdict
    world: World


class Change(Record):
    """One thing the agent would bring otherwise; `before` and `after` are absent where there is nothing.

    `arguments` are the words of a command line that say so, `leave_out` the flags that go instead.
    """

    what: str
    before: str | None
    after: str | None
    arguments: tuple[str, ...] | None = None
    leave_out: tuple[str, ...] | None = None


Candidate = tuple[Change, Request]


def giving(what: str, before: str | None, after: str, flag: str) -> Change:
    """The change that a flag with a value makes."""
    return Change(what, before, after, arguments=(f"{flag}={after}",) if after[:1] == "-" else (flag, after))


def dropping(what: str, before: str, *flags: str) -> Change:
    """The change of leaving flags out."""
    return Change(what, before, None, leave_out=flags)


def merge(changes: tuple[Change, ...], change: Change) -> tuple[Change, ...]:
    """The changes with one more; a second change of one thing counts as one, from where the first began."""
    if all(change.what != earlier.what for earlier in changes):
        return (*changes, change)
    return tuple(
        [
            change.replace(before=earlier.before) if earlier.what == change.what else earlier
            for earlier in changes
        ]
    )
