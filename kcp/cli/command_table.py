"""The one table of commands. Parser, help, manual and completions are made from it and from `flags`."""

from __future__ import annotations

from kcp.records import Record


class Command(Record):
    """A command; `arguments` is how its positionals are shown, `most` how many it takes (None: any)."""

    name: str
    arguments: str
    summary: str
    description: str
    most: int | None = None


COMMANDS = (
    Command(
        "plan",
        '"TASK" --manifest LOCATION',
        "decide which units of a manifest to load for a task",
        "Decides which knowledge units an agent loads for TASK, in which order and at what cost, and says "
        "why every other unit stays out. Reads only the manifest: no unit is loaded, nothing is paid, and no "
        "model is asked. LOCATION is a manifest file, a directory that has one, or a URL.",
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
        "withheld on record. At tier failed nothing is written, and the exit code is 2. The network is used "
        "only with --corroborate, --corroborate-url or --fetch-includes.",
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


def find_command(name: str) -> Command | None:
    """The command of that name."""
    return next((command for command in COMMANDS if command.name == name), None)
