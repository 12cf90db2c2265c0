"""Looking after a store: what is in it, and what may go."""

from __future__ import annotations

from kcp.errors import UsageError
from kcp.evidence.episodes import timestamp
from kcp.evidence.files import Lock, store_error
from kcp.evidence.ledger import remove
from kcp.evidence.store import Stored
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.evidence.census import Census
    from kcp.evidence.store import EpisodeStore
    from kcp.trust.keys import KeyPair

DAY = 86_400 * 10**9  # nanoseconds
AGES = (("day", DAY), ("week", 7 * DAY), ("month", 30 * DAY), ("quarter", 90 * DAY))
OLDER, NO_MANIFEST = "older", "(none)"
_UNITS = {"h": DAY // 24, "d": DAY, "w": 7 * DAY}
_MOST_DIGITS = 6


class StoreStats(Record):
    """How many episodes a store has, by what tells them apart; `size` is in bytes, times are as recorded."""

    episodes: int
    size: int
    kinds: dict[str, int]
    ages: dict[str, int]
    manifests: dict[str, int]
    integrity: dict[str, int]
    oldest: str | None
    newest: str | None


class Pruned(Record):
    """What pruning took away, or would: file names, bytes, and how many episodes it left."""

    names: tuple[str, ...]
    size: int
    left: int
    signed_left: int


def count_episodes(census: Census, now: int) -> StoreStats:
    """What is in a store; `now` is in nanoseconds since 1970."""
    limits = [(name, timestamp(max(now - age, 0))) for name, age in AGES]
    kinds: dict[str, int] = {}
    ages: dict[str, int] = {name: 0 for name, _ in AGES} | {OLDER: 0}
    manifests: dict[str, int] = {}
    integrity: dict[str, int] = {}
    times: list[str] = []
    size = 0
    for stored, known in census.scan():
        entry, recorded_at = stored.entry, stored.entry["recordedAt"]
        size += stored.size
        for counts, key in (
            (kinds, entry["kind"]),
            (ages, next((name for name, limit in limits if recorded_at >= limit), OLDER)),
            (manifests, entry.get("manifestSource") or NO_MANIFEST),
            (integrity, known.state),
        ):
            counts[key] = counts.get(key, 0) + 1
        times = [min([recorded_at, *times]), max([recorded_at, *times])]
    oldest, newest = times or (None, None)
    return StoreStats(census.episodes, size, kinds, ages, manifests, integrity, oldest, newest)


def prune(store: EpisodeStore, before: str, pair: KeyPair | None, *, dry_run: bool) -> Pruned:
    """Delete the episodes recorded before a time. Files that hold no sound entry are left alone.

    Signed episodes go only with a key to sign that they were pruned; without one they stay.
    """
    names, size, left, signed_left = [], 0, 0, 0
    for found in store.scan():
        if not isinstance(found, Stored):
            continue
        old = found.entry["recordedAt"] < before
        if old and "integrity" in found.entry and pair is None:
            signed_left += 1
            old = False
        if old and (dry_run or _remove(store, found.name, before, pair)):
            names.append(found.name)
            size += found.size
        else:
            left += 1
    return Pruned(tuple(names), size, left, signed_left)


def _remove(store: EpisodeStore, name: str, before: str, pair: KeyPair | None) -> bool:
    """Delete an episode unless it was recorded anew since it was found."""
    with Lock(store.folder):
        found = store.read(name, strict=False)
        if not isinstance(found, Stored) or found.entry["recordedAt"] >= before:
            return False
        if "integrity" in found.entry and pair is None:
            return False
        try:
            remove(store, name, found.entry, pair)
        except OSError as error:
            raise store_error(store.folder, error) from None
    return True


def read_age(flag: str, text: str) -> int:
    """A length of time such as `90d`, `12h` or `4w`, in nanoseconds."""
    number, unit = text[:-1], text[-1:]
    if unit not in _UNITS or not number.isascii() or not number.isdigit() or len(number) > _MOST_DIGITS:
        raise UsageError(f"{flag} must be hours, days or weeks like 12h, 90d or 4w, not '{text}'")
    return int(number) * _UNITS[unit]
