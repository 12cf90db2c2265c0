"""The one table of flags. Parser, help, manual and completions are made from it and from `command_table`."""

from __future__ import annotations

from kcp.cli.command_table import COMMANDS
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Kind = Literal["text", "name", "list", "count", "amount", "date", "switch", "repeated"]


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


PLANNING = ("plan", "explain", "load")  # commands that make plans
PREPARING = (*PLANNING, "watch")  # commands that take the options of a plan
FOLLOWING = ("plan",)  # commands that walk a federation
PRESENTING = (*PREPARING, "recall")  # commands that present capabilities
VERIFYING = (*PLANNING, "replay", "verify", "recall")  # commands that check signatures
ASKING = (*PREPARING, "validate")  # commands that plan, or try what a plan would be
IDENTIFYING = (*PRESENTING, "validate")  # commands that plan for, or answer, an agent with capabilities
READING = (
    *PREPARING,
    "validate",
    "replay",
    "verify",
    "recall",
)  # commands that read manifests, over the network too
_JSON = (
    *("plan", "validate", "watch", "discover", "diff", "replay", "explain", "verify"),
    *("remember", "recall", "memory"),
)
DRAFTING = ("init", "discover")  # commands that draft manifests
RENDER = ("render",)
RENDERING = (*RENDER, "plan", "load")  # commands that render, or plan from a render
_LINT = ("validate",)
_ALL = tuple([command.name for command in COMMANDS])

FLAGS = (
    Flag(
        "--manifest",
        "text",
        "LOCATION",
        "manifest file, directory with one, or URL",
        (*PREPARING, "validate"),
    ),
    Flag("--manifest", "text", "FILE", "a saved artifact, in place of FILE", ("replay", "remember")),
    Flag("--task", "text", "TASK", "the task, in place of the words on the command line", PRESENTING),
    Flag(
        "--task",
        "repeated",
        "QUESTION",
        "warn if an agent that asks QUESTION finds nothing, or with 'QUESTION => UNIT' not that unit; may be "
        "repeated",
        _LINT,
    ),
    Flag("--tasks", "repeated", "FILE", "ask the questions in FILE, one a line; may be repeated", _LINT),
    Flag("--env", "text", "NAME", "environment; decides which federation references are in context", ASKING),
    Flag("--as-of", "date", "DATE", "the date to plan or judge for, YYYY-MM-DD", ASKING, "today, UTC"),
    Flag("--max-units", "count", "N", "select at most N units", ASKING, "5"),
    Flag(
        "--strict",
        "switch",
        "",
        "leave out units that are not load-eligible instead of listing them",
        PREPARING,
    ),
    Flag("--role", "text", "ROLE", "audience role the agent presents", IDENTIFYING, "agent"),
    Flag(
        "--methods",
        "list",
        "LIST",
        "payment methods the agent can settle, comma-separated",
        IDENTIFYING,
        "free",
    ),
    Flag(
        "--credentials",
        "list",
        "LIST",
        "kinds of credentials the agent holds, comma-separated",
        IDENTIFYING,
    ),
    Flag("--attest", "text", "PROVIDER", "provider that attests the agent", IDENTIFYING),
    Flag("--budget", "amount", "AMOUNT", "ceiling for what the selected units may cost", PREPARING),
    Flag("--currency", "text", "CODE", "currency of --budget", PREPARING, "USDC"),
    Flag("--context-budget", "amount", "TOKENS", "ceiling for the size of the selected units", PREPARING),
    Flag("--grant-ceiling", "name", "LEVEL", "highest authority level granted to playbooks", PREPARING),
    Flag("--spend", "amount", "AMOUNT", "a spend the agent intends, checked against spend scopes", PREPARING),
    Flag("--spend-currency", "name", "CODE", "currency of the intended spend", PREPARING),
    Flag("--spend-vendor", "name", "NAME", "vendor of the intended spend", PREPARING),
    Flag(
        "--action-tool",
        "name",
        "TOOL",
        "a tool the agent intends to use, checked against deny scopes",
        PREPARING,
    ),
    Flag("--action-path", "name", "PATH", "a path the agent intends to touch, checked likewise", PREPARING),
    Flag(
        "--action-capability",
        "name",
        "NAME",
        "a capability the agent intends to use, checked likewise",
        PREPARING,
    ),
    Flag("--follow", "switch", "", "plan the federated manifests that are eligible too", FOLLOWING),
    Flag("--max-depth", "count", "N", "follow at most N hops; implies --follow", FOLLOWING, "1"),
    Flag("--max-nodes", "count", "N", "plan at most N manifests in all", FOLLOWING, "64"),
    Flag("--root", "name", "DIR", "refuse local manifests outside DIR", (*PLANNING, "replay", "recall")),
    Flag("--base", "name", "DIR", "where relative paths in the artifacts start", ("replay",)),
    Flag(
        "--trust-key",
        "repeated",
        "LOCATION",
        "trust signatures by this public key only (file, URL, or the key itself); may be repeated",
        VERIFYING,
    ),
    Flag("--keyring", "name", "FILE", "trust signatures by the keys of this allowlist only", VERIFYING),
    Flag("--require-signature", "switch", "", "refuse manifests that are not verified", PLANNING),
    Flag("--no-verify", "switch", "", "do not check signatures", (*PLANNING, "replay", "recall")),
    Flag("--offline", "switch", "", "refuse every use of the network", (*READING, *DRAFTING)),
    Flag(
        "--allow-private-hosts",
        "switch",
        "",
        "permit local and internal hosts, and http:// to this machine",
        (*READING, *DRAFTING, *RENDER),
    ),
    Flag("--max-bytes", "count", "N", "largest manifest to read", READING, "8388608"),
    Flag("--signature", "name", "LOCATION", "the signature, in place of the one that belongs", ("verify",)),
    Flag("--key", "name", "FILE", "the private key (PEM, PKCS#8)", ("sign",)),
    Flag(
        "--key-id",
        "name",
        "ID",
        "what the key is called; sign and keys take the key file's name where none is given",
        ("keygen", "sign", "keys"),
    ),
    Flag(
        "--out",
        "name",
        "PATH",
        "where to put the result: keygen's folder, here by default; sign's file, MANIFEST.sig by default; "
        "render's file, standard output (-) by default",
        ("keygen", "sign", *RENDER),
    ),
    Flag("--update-hashes", "switch", "", "first refresh the content hashes that are stale", ("sign",)),
    Flag("--add-block", "switch", "", "first add a signing block to the end of the manifest", ("sign",)),
    Flag("--bare", "switch", "", "write the signature alone, in base64", ("sign",)),
    Flag("--spec", "switch", "", "apply the rules of the KCP spec too", _LINT),
    Flag("--rules", "name", "SET", "rules to apply: agent, spec or all", _LINT, "agent"),
    Flag("--no-disk", "switch", "", "do not look for units beside the manifest", _LINT),
    Flag(
        "--format",
        "name",
        "FORMAT",
        "print as text, json, sarif, github, gitlab or junit",
        _LINT,
        "text",
    ),
    Flag(
        "--select", "repeated", "RULE", "report these rules only (id, name, or KCP2 for all of those)", _LINT
    ),
    Flag("--ignore", "repeated", "RULE", "do not report these rules", _LINT),
    Flag("--fail-on", "name", "LEVEL", "exit 1 on: warning, error or never", _LINT, "error"),
    Flag(
        "--no-inline-ignores",
        "switch",
        "",
        "report what kcp: ignore comments in the manifest would keep quiet",
        _LINT,
    ),
    Flag("--drafts", "switch", "", "apply the rules of spec drafts too", _LINT),
    Flag("--fix", "switch", "", "repair what can be repaired without a change of meaning", _LINT),
    Flag("--unsafe-fixes", "switch", "", "repair what is likely meant otherwise, too", _LINT),
    Flag("--preview", "switch", "", "show the repairs as a diff and change nothing", _LINT),
    Flag("--once", "switch", "", "check once and exit with the verdict", ("watch",)),
    Flag("--diff", "switch", "", "show how the plan for --task changes", ("watch",)),
    Flag("--interval", "amount", "SECONDS", "how often to look; needed for a URL", ("watch",)),
    Flag("--from-llms-txt", "name", "LOCATION", "convert the llms.txt at a path or URL instead", ("init",)),
    Flag("--publisher", "text", "NAME", "who publishes the manifest", ("init",)),
    Flag("--attest", "text", "NAME", "the same as --publisher", ("init",)),
    Flag("--dry-run", "switch", "", "print the draft and write nothing", ("init",)),
    Flag("--force", "switch", "", "replace a manifest that is there", ("init",)),
    Flag("--trace", "switch", "", "show every unit's verdict at every gate", ("plan",)),
    Flag("--memory", "name", "DIR", "the episode store", ("plan", "remember", "recall", "memory")),
    Flag("--replay", "switch", "", "check each hit against today's bytes and gates", ("recall",)),
    Flag("--limit", "count", "N", "show at most N hits", ("recall",), "all"),
    Flag(
        "--sign-key",
        "name",
        "FILE",
        "sign what is recorded or pruned with this private key (PEM, PKCS#8)",
        ("plan", "remember", "memory"),
    ),
    Flag(
        "--trusted-episode-key",
        "repeated",
        "LOCATION",
        "trust episodes signed by this public key (file, URL, or the key itself); may be repeated",
        ("plan", "recall", "memory"),
    ),
    Flag("--require-signed-episodes", "switch", "", "pass over all other episodes", ("plan", "recall")),
    Flag(
        "--expect-head",
        "name",
        "DIGEST",
        "fail unless this head, printed by recording, is in the chain",
        ("recall", "memory"),
    ),
    Flag("--older-than", "name", "AGE", "prune what was recorded longer ago: 12h, 90d, 4w", ("memory",)),
    Flag("--dry-run", "switch", "", "only show what would be pruned", ("memory",)),
    Flag("--json", "switch", "", "print JSON for programs", (*_JSON, *RENDER, "load", "keys", "stats")),
    Flag("--correlation-id", "text", "ID", "echo ID in the envelope of the JSON", ("plan",)),
    Flag("--skip", "name", "FILE", "ids not to run: one a line, then a tab and the reason", ("conform",)),
    Flag("--keys", "name", "FILE", "the allowlist of keys", (*RENDERING, "keys"), "~/.kcp/trusted-keys.yaml"),
    Flag("--origin", "name", "ORIGIN", "where the manifest was got from, as host/path", RENDERING),
    Flag("--lint", "name", "SET", "rules that texts must pass: base or full", RENDERING, "full"),
    Flag("--strict-origin", "switch", "", "refuse an unknown origin if any key has a scope", RENDERING),
    Flag("--allow-derived-origin", "switch", "", "trust the origin that the checkout claims", RENDERING),
    Flag("--require-unit-hashes", "switch", "", "only units with a verified hash may be loaded", RENDERING),
    Flag("--corroborate", "switch", "", "compare with what the claimed origin serves", RENDER),
    Flag("--corroborate-url", "name", "URL", "compare with what URL serves; implies the former", RENDER),
    Flag("--fetch-includes", "switch", "", "fetch remote includes of a trusted manifest", RENDER),
    Flag("--retrieved-from", "name", "URL", "the URL the manifest was retrieved from", RENDERING),
    Flag("--timestamp", "switch", "", "say when it was rendered", RENDER),
    Flag("--verify", "name", "FILE", "compare FILE, a rendered artifact, with a render made now", RENDER),
    Flag("--events", "name", "FILE", "the event log (SQLite), made where there is none", RENDER),
    Flag("--events", "name", "FILE", "the event log (SQLite) to count", ("stats",)),
    Flag("--render", "switch", "", "plan from the trusted render, not from the manifest", ("plan", "load")),
    Flag("--max-content", "count", "N", "load at most N bytes of content", ("load",), "1048576"),
    Flag("--scope", "repeated", "ORIGIN", "what an added key vouches for; may be repeated", ("keys",)),
    Flag("--source-url", "name", "URL", "where an added key was got from, for the record", ("keys",)),
    Flag("--no-cache", "switch", "", "neither use nor keep cached renders", RENDER),
    Flag("--help", "switch", "", "show this help and exit", _ALL),
)


def flags_of(command: str) -> tuple[Flag, ...]:
    """The flags a command takes, in the order of the table."""
    return tuple([flag for flag in FLAGS if command in flag.commands])
