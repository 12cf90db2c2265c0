"""The one table of commands and flags. Parser, help, manual and completions are all made from it."""

from __future__ import annotations

from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Kind = Literal["text", "name", "list", "count", "amount", "date", "switch", "repeated"]


class Command(Record):
    """A command; `arguments` is how its positionals are shown, `most` how many it takes (None: any)."""

    name: str
    arguments: str
    summary: str
    description: str
    most: int | None = None


class Flag(Record):
    """A flag; `commands` are those that take it, `default` is text for people.

    An empty `text` is as good as none; a `name` must not be empty, for without it a check would be dropped. A
    `count` is a whole number, an `amount` may have a fraction; both are finite and not negative. A `repeated`
    flag may be given several times, with a `name` each.
    """

    name: str
    kind: Kind
    metavar: str
    help: str
    commands: tuple[str, ...]
    default: str | None = None


COMMANDS = (
    Command(
        "plan",
        '"TASK" --manifest LOCATION',
        "decide which units of a manifest to load for a task",
        "Decides which knowledge units an agent loads for TASK, in which order and at what cost, and says "
        "why every other unit stays out. Reads only the manifest: no unit is loaded, nothing is paid, and no "
        "model is asked. LOCATION is a manifest file or a directory that has one.",
    ),
    Command(
        "validate",
        "LOCATION...",
        "check manifests",
        "Reports what an agent would stumble over in each manifest. Errors fail the check, warnings do not. "
        "LOCATION is a manifest file or a directory that has one.",
    ),
    Command(
        "diff",
        "A B",
        "compare two saved plans",
        "Says what changed from plan A to plan B, two files written by plan --json: units that moved, "
        "scores, reasons, budget figures, warnings.",
        most=2,
    ),
    Command(
        "conform",
        "PATH...",
        "run conformance cases against this build",
        "Runs conformance cases (vector files, JSON-lines corpora, or folders of them) against this very "
        "build and shows the first differing lines of every case that comes out otherwise.",
    ),
    Command(
        "help",
        "[COMMAND]",
        "show this help, or that of a command",
        "Shows the help of the program, or that of one command.",
        most=1,
    ),
)

PLANNING = ("plan",)  # commands that make plans
VERIFYING = (*PLANNING,)  # commands that check signatures
READING = (*PLANNING, "validate")  # commands that read manifests, over the network too
_JSON = ("plan", "validate", "diff")
_ALL = tuple([command.name for command in COMMANDS])

FLAGS = (
    Flag("--manifest", "text", "LOCATION", "manifest file, or directory with one", (*PLANNING, "validate")),
    Flag("--task", "text", "TASK", "the task, in place of the words on the command line", PLANNING),
    Flag(
        "--env", "text", "NAME", "environment; decides which federation references are in context", PLANNING
    ),
    Flag("--as-of", "date", "DATE", "the date to plan for, YYYY-MM-DD", PLANNING, "today, UTC"),
    Flag("--max-units", "count", "N", "select at most N units", PLANNING, "5"),
    Flag(
        "--strict",
        "switch",
        "",
        "leave out units that are not load-eligible instead of listing them",
        PLANNING,
    ),
    Flag("--role", "text", "ROLE", "audience role the agent presents", PLANNING, "agent"),
    Flag(
        "--methods", "list", "LIST", "payment methods the agent can settle, comma-separated", PLANNING, "free"
    ),
    Flag("--credentials", "list", "LIST", "kinds of credentials the agent holds, comma-separated", PLANNING),
    Flag("--attest", "text", "PROVIDER", "provider that attests the agent", PLANNING),
    Flag("--budget", "amount", "AMOUNT", "ceiling for what the selected units may cost", PLANNING),
    Flag("--currency", "text", "CODE", "currency of --budget", PLANNING, "USDC"),
    Flag("--context-budget", "amount", "TOKENS", "ceiling for the size of the selected units", PLANNING),
    Flag("--grant-ceiling", "name", "LEVEL", "highest authority level granted to playbooks", PLANNING),
    Flag("--spend", "amount", "AMOUNT", "a spend the agent intends, checked against spend scopes", PLANNING),
    Flag("--spend-currency", "name", "CODE", "currency of the intended spend", PLANNING),
    Flag("--spend-vendor", "name", "NAME", "vendor of the intended spend", PLANNING),
    Flag(
        "--action-tool",
        "name",
        "TOOL",
        "a tool the agent intends to use, checked against deny scopes",
        PLANNING,
    ),
    Flag("--action-path", "name", "PATH", "a path the agent intends to touch, checked likewise", PLANNING),
    Flag(
        "--action-capability",
        "name",
        "NAME",
        "a capability the agent intends to use, checked likewise",
        PLANNING,
    ),
    Flag("--follow", "switch", "", "plan the federated manifests that are eligible too", PLANNING),
    Flag("--max-depth", "count", "N", "follow at most N hops; implies --follow", PLANNING, "1"),
    Flag("--max-nodes", "count", "N", "plan at most N manifests in all", PLANNING, "64"),
    Flag("--root", "name", "DIR", "refuse local manifests outside DIR", PLANNING),
    Flag(
        "--trust-key",
        "repeated",
        "LOCATION",
        "trust signatures by this public key only (file, URL, or the key itself); may be repeated",
        VERIFYING,
    ),
    Flag("--keyring", "name", "FILE", "trust signatures by the keys of this allowlist only", VERIFYING),
    Flag("--require-signature", "switch", "", "refuse manifests that are not verified", PLANNING),
    Flag("--no-verify", "switch", "", "do not check signatures", PLANNING),
    Flag("--offline", "switch", "", "refuse every use of the network", READING),
    Flag(
        "--allow-private-hosts",
        "switch",
        "",
        "permit local and internal hosts, and http:// to this machine",
        READING,
    ),
    Flag("--max-bytes", "count", "N", "largest manifest to read", (*PLANNING, "validate"), "8388608"),
    Flag("--trace", "switch", "", "show every unit's verdict at every gate", ("plan",)),
    Flag("--json", "switch", "", "print JSON for programs", _JSON),
    Flag("--correlation-id", "text", "ID", "echo ID in the envelope of the JSON", ("plan",)),
    Flag("--skip", "name", "FILE", "ids not to run: one a line, then a tab and the reason", ("conform",)),
    Flag("--help", "switch", "", "show this help and exit", _ALL),
)


def find_command(name: str) -> Command | None:
    """The command of that name."""
    return next((command for command in COMMANDS if command.name == name), None)


def flags_of(command: str) -> tuple[Flag, ...]:
    """The flags a command takes, in the order of the table."""
    return tuple([flag for flag in FLAGS if command in flag.commands])
