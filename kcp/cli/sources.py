"""Flags about the network and about trust become the ways to bytes and the trust policy, in one place."""

from __future__ import annotations

from kcp.cli.streams import complain
from kcp.errors import UsageError
from kcp.network.fetcher import OfflineFetcher
from kcp.reading.source import MAX_BYTES
from kcp.reading.sources import Sources
from kcp.trust.policy import TrustPolicy, load_keyring, load_pins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.network.fetcher import Fetched, Fetcher


class LazyFetcher:
    """The guarded fetcher, made when a URL is first read: local manifests never pay for it."""

    def __init__(self, *, allow_private_hosts: bool) -> None:
        self.allow_private_hosts = allow_private_hosts
        self._guard: Fetcher | None = None

    def fetch(self, url: str) -> Fetched:
        """As `GuardedFetcher.fetch`."""
        if self._guard is None:
            from kcp.network.guard import GuardedFetcher

            self._guard = GuardedFetcher(allow_private_hosts=self.allow_private_hosts)
        return self._guard.fetch(url)


def fetcher_of(arguments: Arguments) -> Fetcher:
    """The way to the network that a command line allows."""
    if arguments.switch("--offline"):
        return OfflineFetcher()
    return LazyFetcher(allow_private_hosts=arguments.switch("--allow-private-hosts"))


def sources_of(arguments: Arguments) -> Sources:
    """The ways to bytes that a command line allows."""
    limit = arguments.count("--max-bytes")
    return Sources(
        fetcher_of(arguments), max_bytes=MAX_BYTES if limit is None else limit, root=arguments.text("--root")
    )


def trust_of(arguments: Arguments, sources: Sources) -> TrustPolicy:
    """The trust policy a command line asks for; KcpError where a key it names cannot be used (B21)."""
    keyring = arguments.text("--keyring")
    policy = TrustPolicy(
        verify=not arguments.switch("--no-verify"),
        require=arguments.switch("--require-signature"),
        pinned=load_pins(list(arguments.every("--trust-key")), sources),
        keyring=None if keyring is None else load_keyring(keyring, sources),
    )
    if not policy.verify:
        if policy.pinned or policy.keyring is not None:
            raise UsageError(
                "--no-verify contradicts --trust-key and --keyring", hint="leave out one of them"
            )
        if policy.require:
            # The reference lets this pass, so its artifacts do; nobody should think that it was checked.
            complain("kcp-agent: warning: with --no-verify, --require-signature requires nothing\n")
    return policy
