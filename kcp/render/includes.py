"""Includes are read, checked against their pins, and resolved in turn (render contract §9, C17)."""

from __future__ import annotations

import os.path

from kcp.errors import FetchError, KcpError, ManifestError
from kcp.reading.locate import is_remote, join, shown
from kcp.reading.source import read_bytes
from kcp.reading.sources import is_within
from kcp.reading.strict import MAX_STRICT_BYTES, read_strict
from kcp.records import Record
from kcp.render.composition import (
    FAILED,
    HASH_MISMATCH,
    NOT_FETCHED,
    SIGNER_NOT_SATISFIED,
    UNREACHABLE,
    UNVERIFIED,
    VERIFIED,
    Included,
    Verdict,
    merge,
    named,
)
from kcp.render.envelope import MAX_ENVELOPE_BYTES, check_envelope
from kcp.render.envelope import VERIFIED as SIGNATURE_HOLDS
from kcp.render.hidden import is_hidden
from kcp.render.shapes import WORD
from kcp.render.units import Entry
from kcp.text.weburl import join_url, parse_url, scheme_of
from kcp.trust.content_hash import ALGORITHMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.network.fetcher import Fetcher
    from kcp.trust.keyring import Keyring

MAX_INCLUDE_DEPTH = 5
MAX_INCLUDES = 64
MAX_UNITS = 10_000
MAX_INCLUDED_BYTES = 4 * 2**20
_NO_SOURCE = "?"


class Place(Record):
    """Where a manifest of the composition is: a path below the root folder, or a URL."""

    path: str | None = None
    url: str | None = None

    @property
    def identity(self) -> str:
        """What makes two places one manifest."""
        return f"file:{os.path.realpath(self.path)}" if self.path is not None else f"url:{self.url}"


class Resolver:
    """Resolves the includes of one composing manifest.

    `fetcher` reads remote sources; None where none may be fetched. `warnings` are those of overrides and
    excludes within includes.
    """

    def __init__(self, source: str, keyring: Keyring, fetcher: Fetcher | None) -> None:
        self._root = os.path.realpath(os.path.dirname(source) or ".")
        self._start = Place(path=source)
        self._keyring = keyring
        self._fetcher = fetcher
        self._left = MAX_INCLUDES
        self._bytes_left = MAX_INCLUDED_BYTES
        self.warnings: list[str] = []

    def resolve(self, block: dict[str, Any]) -> tuple[Included, ...]:
        """The includes of the composing manifest; ManifestError for a cycle or too many of them."""
        return self._resolve_all(block, self._start, (self._start.identity,), authentic=True)

    def _resolve_all(
        self, block: dict[str, Any], base: Place, above: tuple[str, ...], *, authentic: bool
    ) -> tuple[Included, ...]:
        includes = block.get("includes")
        if type(includes) is not list:
            return ()
        if includes and len(above) > MAX_INCLUDE_DEPTH:
            raise ManifestError(f"composition includes nest deeper than {MAX_INCLUDE_DEPTH}")
        return tuple([self._resolve(include, base, above, authentic=authentic) for include in includes])

    def _resolve(self, include: Any, base: Place, above: tuple[str, ...], *, authentic: bool) -> Included:
        self._left -= 1
        if self._left < 0:
            raise ManifestError(f"composition has more than {MAX_INCLUDES} includes")
        source = include.get("source") if type(include) is dict else None
        if not isinstance(source, str) or not source:
            return Included(_NO_SOURCE, _unreachable("a source", "none"))
        name = include.get("as")
        if name is not None and not (isinstance(name, str) and WORD.fits(name)):
            return Included(
                source, _unreachable("a name of letters, digits, '.', '_' or '-'", "another", "as")
            )
        place = self._place(source, base)
        if place is None:
            return Included(
                source, _unreachable("a path below the manifest's folder, or an https URL", "another")
            )
        if place.identity in above:
            raise ManifestError(f"composition includes form a cycle at {shown(source)}")
        if place.url is not None and (self._fetcher is None or not authentic):
            verdict = Verdict(FAILED, NOT_FETCHED, expected="a fetch", observed="none was permitted")
            return Included(source, verdict)
        try:
            data = self._read(place, MAX_STRICT_BYTES)
        except KcpError:
            return Included(source, _unreachable("a readable manifest", "none"))
        self._bytes_left -= len(data)
        if self._bytes_left < 0:
            raise ManifestError(f"composition includes are larger than {MAX_INCLUDED_BYTES:,} bytes in all")
        verdict = self._check(include.get("integrity"), "integrity" in include, place, data)
        return self._expand(source, name, place, data, verdict, above, authentic=authentic)

    def _expand(
        self,
        source: str,
        name: str | None,
        place: Place,
        data: bytes,
        verdict: Verdict,
        above: tuple[str, ...],
        *,
        authentic: bool,
    ) -> Included:
        """The include with its units, which may come from includes of its own."""
        from kcp.reading.source import sha256_hex

        sha256 = sha256_hex(data)
        try:
            root = read_strict(data)
        except ManifestError:
            root = None
        if type(root) is not dict:
            return Included(source, _unreachable("a readable manifest", "another text"), sha256=sha256)
        is_authentic = authentic and verdict.status == VERIFIED
        units = root.get("units")
        listed = tuple([Entry(unit, is_local=False) for unit in units]) if type(units) is list else ()
        inner: tuple[Included, ...] = ()
        block = root.get("composition")
        if type(block) is dict:
            inner = self._resolve_all(block, place, (*above, place.identity), authentic=is_authentic)
            listed, warnings = merge(block, inner, listed)
            self.warnings += warnings
        if len(listed) > MAX_UNITS:
            raise too_many_units()
        entries = tuple([named(entry, name, authentic=is_authentic) for entry in listed])
        return Included(source, verdict, entries, sha256, inner)

    def _place(self, source: str, base: Place) -> Place | None:
        """Where a source is; None where it is nowhere that may be read."""
        if is_remote(source) or base.url is not None:
            url = source if base.url is None else join_url(base.url, source)
            parsed = None if url is None else parse_url(url)
            return None if parsed is None else Place(url=parsed.replace(fragment=None).text)
        if source[0] in "/\\" or scheme_of(source) is not None or any(map(is_hidden, source)):
            return None
        path = join(os.path.dirname(base.path or ""), source)
        return Place(path=path) if is_within(self._root, path) else None

    def _read(self, place: Place, most: int) -> bytes:
        if place.path is not None:
            if not is_within(self._root, place.path):
                raise ManifestError("outside the manifest's folder")
            return read_bytes(place.path, most, "include")
        if self._fetcher is None or place.url is None:
            raise FetchError(NOT_FETCHED)
        data = self._fetcher.fetch(place.url).data
        if len(data) > most:
            raise FetchError("too large")
        return data

    def _check(self, integrity: Any, declared: bool, place: Place, data: bytes) -> Verdict:
        """The verdict of an include's pins; every one that is declared must hold."""
        if integrity is None and not declared:
            return Verdict(UNVERIFIED)
        if type(integrity) is not dict:
            return _mismatch("a mapping", "another value", "integrity")
        pins = [pin for pin in ("manifest_hash", "expected_signer") if pin in integrity]
        if not pins:
            return Verdict(UNVERIFIED)
        fault = None
        if "manifest_hash" in integrity:
            fault = _hash_fault(integrity["manifest_hash"], data)
        if fault is None and "expected_signer" in integrity:
            fault = self._signer_fault(integrity["expected_signer"], place, data)
        return fault or Verdict(VERIFIED)

    def _signer_fault(self, expected: Any, place: Place, data: bytes) -> Verdict | None:
        if not isinstance(expected, str):
            return _signer("a key id", "another value")
        path = None if place.path is None else f"{place.path}.sig"
        url = None if place.url is None else f"{place.url}.sig"
        try:
            envelope = self._read(Place(path=path, url=url), MAX_ENVELOPE_BYTES)
        except KcpError:
            return _signer(expected, "no signature")
        facts = check_envelope(envelope, data)
        if facts.state != SIGNATURE_HOLDS:
            return _signer(expected, facts.state)
        if facts.key_id != expected:
            return _signer(expected, facts.key_id or "")
        listed = [(entry.key_id, entry.key) for entry in self._keyring.entries]
        return (
            None if (facts.key_id, facts.key) in listed else _signer(expected, "a key not on the allowlist")
        )


def too_many_units() -> ManifestError:
    """The error for a list of units beyond the cap."""
    return ManifestError(f"manifest has more than {MAX_UNITS:,} units")


def _hash_fault(pin: Any, data: bytes) -> Verdict | None:
    algorithm = pin.get("algorithm") if type(pin) is dict else None
    value = pin.get("value") if type(pin) is dict else None
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        return _mismatch(" or ".join(ALGORITHMS), "another algorithm", "integrity.manifest_hash.algorithm")
    if not isinstance(value, str):
        return _mismatch("a hexadecimal digest", "another value")
    import hashlib

    observed = hashlib.new(algorithm, data).hexdigest()
    return None if value.lower() == observed else _mismatch(value.lower(), observed)


def _unreachable(expected: str, observed: str, field: str = "source") -> Verdict:
    return Verdict(FAILED, UNREACHABLE, field, expected, observed)


def _mismatch(expected: str, observed: str, field: str = "integrity.manifest_hash.value") -> Verdict:
    return Verdict(FAILED, HASH_MISMATCH, field, expected, observed)


def _signer(expected: str, observed: str) -> Verdict:
    return Verdict(FAILED, SIGNER_NOT_SATISFIED, "integrity.expected_signer", expected, observed)
