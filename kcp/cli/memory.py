"""Flags about memory become a store, a signing key, and whose episodes count."""

from __future__ import annotations

from kcp.cli.parser import CommandLineError
from kcp.errors import KcpError, UsageError
from kcp.evidence.census import EpisodeTrust
from kcp.evidence.options_key import KeyFlags
from kcp.reading.locate import shown
from kcp.wire.encode import to_wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.cli.parser import Arguments
    from kcp.evidence.census import Census
    from kcp.options import PlanOptions
    from kcp.reading.sources import Sources
    from kcp.trust.keys import KeyPair

_HEX = frozenset("0123456789abcdef")
_DIGEST_LENGTH = 64


def memory_folder(arguments: Arguments) -> str:
    """The folder of the store."""
    folder = arguments.text("--memory")
    if folder is None:
        raise CommandLineError("Missing --memory <dir>.", usage=arguments.command)
    return folder


def signing_key(arguments: Arguments, sources: Sources) -> KeyPair | None:
    """The key pair to sign episodes with; KcpError where the one named cannot be used (B21)."""
    location = arguments.text("--sign-key")
    if location is None:
        return None
    from kcp.trust.keys import read_private_key

    try:
        text = sources.read_trusted(location, "key").decode("utf-8", "replace")
        return read_private_key(text, shown(location))
    except KcpError as error:
        raise KcpError(f"cannot use --sign-key: {error}") from None


def episode_trust(arguments: Arguments, sources: Sources) -> EpisodeTrust:
    """Whose episodes count; KcpError where a key cannot be used, UsageError where none can satisfy a flag."""
    locations = arguments.every("--trusted-episode-key")
    required, head = arguments.switch("--require-signed-episodes"), arguments.text("--expect-head")
    for flag, given in (("--require-signed-episodes", required), ("--expect-head", head)):
        if given and not locations:
            raise UsageError(f"{flag} needs --trusted-episode-key")
    if head is not None and (len(head) != _DIGEST_LENGTH or not _HEX.issuperset(head)):
        raise UsageError("--expect-head must be the 64 hexadecimal digits that recording printed")
    keys = tuple([_episode_key(location, sources) for location in locations])
    return EpisodeTrust(keys, required, head)


def _episode_key(location: str, sources: Sources) -> bytes:
    from kcp.trust.ed25519 import is_sound_key
    from kcp.trust.material import import_key, is_inline
    from kcp.trust.signature import UNSOUND_KEY

    inline = is_inline(location)
    # Who gives a private key by mistake does not want to read it in a log.
    called = "(inline)" if inline else shown(location)
    try:
        text = location if inline else sources.read_trusted(location, "key").decode("utf-8", "replace")
        key = import_key(text)
    except KcpError as error:
        raise KcpError(f"cannot use --trusted-episode-key {called}: {error}") from None
    if not is_sound_key(key):
        raise KcpError(f"cannot use --trusted-episode-key {called}: {UNSOUND_KEY}")
    return key


def key_flags(arguments: Arguments, options: PlanOptions) -> KeyFlags:
    """What goes into the options key of a planning command."""
    more: list[tuple[str, Any]] = [
        ("grantCeiling", options.grant_ceiling),
        ("spend", to_wire(options.spend)),
        ("action", to_wire(options.action)),
        ("noVerify", arguments.switch("--no-verify") or None),
        ("requireSignature", arguments.switch("--require-signature") or None),
        ("trustKeys", arguments.every("--trust-key") or None),
        ("keyring", arguments.text("--keyring")),
    ]
    depth = arguments.count("--max-depth")
    return KeyFlags(
        as_of=options.as_of,
        env=arguments.text("--env"),
        max_units=arguments.count("--max-units"),
        strict=arguments.switch("--strict"),
        role=arguments.text("--role"),
        methods=arguments.words("--methods"),
        credentials=arguments.words("--credentials"),
        attest=arguments.text("--attest"),
        budget=arguments.amount("--budget"),
        currency=arguments.text("--currency"),
        context_budget=arguments.amount("--context-budget"),
        follow=arguments.switch("--follow") or depth is not None,
        max_depth=depth,
        max_nodes=arguments.count("--max-nodes"),
        more=tuple(more),
    )


def remarks(census: Census) -> list[str]:
    """What a reading of the store has to tell besides its result, a line each."""
    lines = [f"passed over {passed.name}: {passed.reason}" for passed in census.passed]
    untold = census.passed_count - len(census.passed)
    return [*lines, f"passed over {untold} more"] if untold else lines


def complain_of(lines: list[str]) -> None:
    """Remarks about memory, on standard error."""
    from kcp.cli.show.escape import escape
    from kcp.cli.streams import complain

    for line in lines:
        complain(f"memory: {escape(line)}\n")
