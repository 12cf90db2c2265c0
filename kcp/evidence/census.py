"""A reader's view of a store: who is trusted, what was passed over, and how the chain stands."""

from __future__ import annotations

from kcp.evidence.signed import BAD_SIGNATURE, VERIFIED, Integrity, integrity_of
from kcp.evidence.store import Passed, Stored
from kcp.evidence.store_index import summaries, summary_of
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.evidence.chain import Chain, Link
    from kcp.evidence.store import EpisodeStore
    from kcp.evidence.store_index import Summary

MAX_KEPT = 20  # reasons kept for showing; all are counted


class EpisodeTrust(Record):
    """Which keys a reader trusts for episodes, whether others count at all, and the head it knows of."""

    keys: tuple[bytes, ...] = ()
    require_signed: bool = False
    expected_head: str | None = None


class Census:
    """What one reading of a store came across; `passed` are the first files passed over, with the reasons."""

    def __init__(self, store: EpisodeStore, trust: EpisodeTrust) -> None:
        self.store = store
        self.trust = trust
        self.episodes = 0
        self.passed_count = 0
        self.bad_signatures = 0
        self.passed: list[Passed] = []
        self._links: list[Link] = []

    def scan(self) -> Iterator[tuple[Stored, Integrity]]:
        """Every episode that counts, one at a time, with what is known of its author."""
        for found in self.store.scan():
            if isinstance(found, Passed):
                self.pass_over(found)
                continue
            integrity = integrity_of(found.entry, self.trust.keys)
            self._note(found, integrity)
            if self._counts(found, integrity):
                self.episodes += 1
                yield found, integrity

    def summaries(self) -> Iterator[Summary]:
        """What a search asks of every episode; from the index, but where keys are trusted from the files."""
        if self.trust.keys:
            yield from (summary_of(found) for found, _ in self.scan())
            return
        for found in summaries(self.store):
            if isinstance(found, Passed):
                self.pass_over(found)
            else:
                self.episodes += 1
                yield found

    def reread(self, name: str) -> tuple[Stored, Integrity] | None:
        """An episode that a search picked, read from its file and checked; None where it does not count."""
        found = self.store.read(name) or Passed(name, "gone since it was found")
        if isinstance(found, Passed):
            self.pass_over(found)
            return None
        integrity = integrity_of(found.entry, self.trust.keys)
        return (found, integrity) if self._counts(found, integrity) else None

    def _note(self, found: Stored, integrity: Integrity) -> None:
        """Keep an episode's place in the chain, whether or not it counts otherwise."""
        if self.trust.keys and integrity.digest is not None:
            from kcp.evidence.chain import Link

            trusted = integrity.state == VERIFIED
            self._links.append(Link(integrity.digest, found.entry.get("prev"), trusted))

    def _counts(self, found: Stored, integrity: Integrity) -> bool:
        if integrity.state == BAD_SIGNATURE:
            self.bad_signatures += 1
            self.pass_over(Passed(found.name, f"bad signature: {integrity.fault}"))
        elif self.trust.require_signed and integrity.state != VERIFIED:
            self.pass_over(Passed(found.name, f"not signed by a trusted key ({integrity.state})"))
        else:
            return True
        return False

    def pass_over(self, passed: Passed) -> None:
        """Count a file whose entry does not count as an episode."""
        self.passed_count += 1
        if len(self.passed) < MAX_KEPT:
            self.passed.append(passed)

    def chain(self) -> Chain | None:
        """The state of the chain after a scan; None where no key is trusted: nobody vouches for it then."""
        if not self.trust.keys:
            return None
        from kcp.evidence.chain import check_chain
        from kcp.evidence.ledger import read_removals

        removals = read_removals(self.store.folder, self.trust.keys)
        return check_chain(self._links, removals, self.trust.expected_head)
