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
        "Reports what an agent would stumble over in each manifest, and with --spec what the specification "
        "says against it. With --task and --tasks it asks a manifest what an agent would ask, and says "
        "which questions do not find what they should, and why. Errors fail the check, warnings do not. "
        "LOCATION is a file, a folder (every knowledge.yaml below it), a pattern, a URL, or - for standard "
        "input. Settings come from .kcp-agent.toml or [tool.kcp-agent] in pyproject.toml, in the working "
        "directory or above it.",
    ),
    Command(
        "rules",
        "[RULE]",
        "list the rules of validate, or explain one",
        "Lists every rule that validate applies, or explains RULE, an id or a name, with a wrong and a right "
        "example.",
        most=1,
    ),
    Command(
        "watch",
        "LOCATION",
        "check and plan again whenever something changes",
        "Checks the manifest at LOCATION now and after every change of it or its units, until interrupted. "
        "With --task it is planned too, without federation and signatures, and with --diff the changes of "
        "the plan are shown. A URL is looked at every --interval seconds.",
        most=1,
    ),
    Command(
        "init",
        "[DIR]",
        "draft a manifest from a project's files or an llms.txt",
        "Writes knowledge.yaml into DIR, the working directory by default: a draft from the files of the "
        "project there, or with --from-llms-txt from the links of an llms.txt. Nothing that is there is "
        "replaced without --force, and without --from-llms-txt the network is not used.",
        most=1,
    ),
    Command(
        "discover",
        "URL",
        "find a site's manifest, or draft one from its pages",
        "Asks the site of URL for a manifest in the places where one may be, for the repository where URL "
        "is the page of one, then for an llms.txt. Where there is none of these, drafts a manifest from at "
        "most twenty pages, one a second, as far as robots.txt allows.",
        most=1,
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
        "replay",
        "FILE...",
        "check saved plans, trees and answers against today's bytes",
        "Plans each saved artifact again, from the manifest it names and with the options it echoes, and "
        "says what came out otherwise: plans, trees, traces, answers, loop results, memory entries. FILE is "
        "what a command wrote with --json, a folder of such files, or - for standard input.",
    ),
    Command(
        "explain",
        'UNIT "TASK" --manifest LOCATION',
        "say what keeps a unit out, and what would let it in",
        "Shows a unit's way through the gates for TASK, and the smallest changes to what the agent brings "
        "that would select it load-eligible. Each suggestion is a plan that was computed, not a guess. Where "
        "only the manifest can open the unit, the gate is named.",
    ),
    Command(
        "remember",
        "FILE --memory DIR",
        "keep a saved artifact in an episode store",
        "Stores what a command wrote with --json, a plan, tree, trace or answer, in the episode store DIR, "
        "without the text of its units. With --sign-key the episode is signed, and its digest, the new head "
        "of the store's chain, is printed.",
        most=1,
    ),
    Command(
        "recall",
        '"TASK" --memory DIR',
        "find episodes that share words with a task",
        "Lists the episodes of a store that share words with TASK, best first. With --replay each is checked "
        "against today's bytes and today's gates. Answers made with a role, credential or payment method "
        "that the caller does not present are withheld.",
    ),
    Command(
        "memory",
        "stats|prune DIR",
        "count or prune the episodes of a store",
        "Counts the episodes of the store DIR by kind, age, manifest and integrity, or deletes those older "
        "than --older-than. Signed episodes are pruned with --sign-key only, so that the chain stays whole.",
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
        "keygen",
        "--key-id ID",
        "make a key pair to sign manifests with",
        "Writes an Ed25519 key pair: ID.key, the private key, which only its owner may read, and ID.pub, the "
        "public key. Prints the entry that lets others trust it. Nothing is overwritten, and nothing private "
        "is printed.",
        most=0,
    ),
    Command(
        "sign",
        "MANIFEST --key FILE",
        "sign a manifest",
        "Writes MANIFEST.sig, a detached Ed25519 signature over the exact bytes of a manifest. Refuses a "
        "manifest that has validation errors, whose content hashes are stale, or whose units lie outside its "
        "folder.",
        most=1,
    ),
    Command(
        "verify",
        "MANIFEST...",
        "check the signatures of manifests",
        "Says for each manifest whether its signature verifies, and by whose key. The signature is where the "
        "manifest's signing block says, else in MANIFEST.sig. A key that comes with the signature itself "
        "proves nothing; name the keys to trust with --trust-key or --keyring.",
    ),
    Command(
        "render",
        "[MANIFEST]",
        "render an untrusted manifest for an agent to read",
        "Decides how far a manifest is trusted, by its signature, its origin and the keys on your allowlist, "
        "and writes what an agent may read of it: known fields in known shapes, with what was dropped or "
        "withheld on record. Nothing is written at tier failed. The network is used only with --corroborate, "
        "--corroborate-url or --fetch-includes.",
        most=1,
    ),
    Command(
        "load",
        '"TASK" --manifest LOCATION',
        "print the content of the selected units, framed as data",
        "Plans a manifest for TASK and prints the content of the units that may be loaded, each in a frame "
        "that says where it comes from and that no content can forge. Content is checked against its hash as "
        "it is read. With --render the plan is made from the trusted render. Nothing is paid or attested. "
        "What is not loaded is named.",
    ),
    Command(
        "keys",
        "list|show|add|remove|pin [KEY] [ORIGIN]...",
        "manage the keys that you trust",
        "Lists and changes the allowlist of keys: add takes a public key (a file or the key itself), show, "
        "remove and pin the id or fingerprint of one, and pin the origins it vouches for from now on. An "
        "origin in a key's scope is pinned: what comes from there must be signed. Comments are kept.",
    ),
    Command(
        "stats",
        "--events FILE",
        "count what an event log holds",
        "Counts the renders, quarantined fields and prohibited attempts in the event log FILE, which render "
        "--events writes.",
        most=0,
    ),
    Command(
        "completion",
        "bash|zsh|fish|powershell",
        "print a completion script for a shell",
        "Prints a script that completes the commands and options of kcp-agent in a shell. Its first lines "
        "say how to load it.",
        most=1,
    ),
    Command(
        "help",
        "[COMMAND]",
        "show this help, or that of a command",
        "Shows the help of the program, or that of one command.",
        most=1,
    ),
)

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
    Flag("--manifest", "text", "LOCATION", "manifest file, or directory with one", (*PREPARING, "validate")),
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
    Flag("--events", "name", "FILE", "the event log (SQLite), made where there is none", (*RENDER, "stats")),
    Flag("--render", "switch", "", "plan from the trusted render, not from the manifest", ("plan", "load")),
    Flag("--max-content", "count", "N", "load at most N bytes of content", ("load",), "1048576"),
    Flag("--scope", "repeated", "ORIGIN", "what an added key vouches for; may be repeated", ("keys",)),
    Flag("--source-url", "name", "URL", "where an added key was got from, for the record", ("keys",)),
    Flag("--no-cache", "switch", "", "neither use nor keep cached renders", RENDER),
    Flag("--help", "switch", "", "show this help and exit", _ALL),
)


def find_command(name: str) -> Command | None:
    """The command of that name."""
    return next((command for command in COMMANDS if command.name == name), None)


def flags_of(command: str) -> tuple[Flag, ...]:
    """The flags a command takes, in the order of the table."""
    return tuple([flag for flag in FLAGS if command in flag.commands])
