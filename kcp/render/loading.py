"""Reading the units of a plan: only what is eligible, only what has the declared hash, never beyond a bound.

A hash is checked on the very bytes that are handed on (C12), whatever was found at an earlier time.
"""

from __future__ import annotations

from kcp.errors import KcpError
from kcp.planning.cascade import World, judge
from kcp.reading.coerce import optional_text
from kcp.reading.locate import shown
from kcp.reading.source import sha256_hex
from kcp.records import Record
from kcp.render.frames import Frame, hidden_count
from kcp.trust.content_hash import ALGORITHMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.model import Manifest
    from kcp.planning.results import Plan, SelectedUnit
    from kcp.reading.sources import Sources
    from kcp.render.units import Entry

MAX_LOADED_BYTES = 2**20  # of content in all, where nothing else is asked for
_LOADED_KINDS = (None, "knowledge", "schema", "policy", "skill", "playbook")


class NotLoaded(Record):
    """A selected unit whose content stays out. `failed` where it should have been there: exit code 1."""

    id: str
    path: str
    reason: str
    failed: bool = False


class Loading(Record):
    """What a plan's units come to, each in the plan's order."""

    frames: tuple[Frame, ...]
    not_loaded: tuple[NotLoaded, ...]


class UnitFacts(Record):
    """What besides the plan is known of the units of one id and path."""

    kinds: tuple[str | None, ...]
    hashes: tuple[Any, ...]
    refusal: str | None = None


class Loader:
    """Loads the units of plans of one manifest.

    `facts` say what the manifest itself has of its units, by id and path; `provenance` are members for the
    header of each frame. `max_bytes` bounds the content of one call.
    """

    def __init__(
        self,
        sources: Sources,
        source: str,
        facts: dict[tuple[str, str], UnitFacts],
        provenance: dict[str, Any],
        max_bytes: int = MAX_LOADED_BYTES,
    ) -> None:
        self._sources = sources
        self._source = source
        self._facts = facts
        self._provenance = provenance
        self._max_bytes = max_bytes

    def load(self, plan: Plan) -> Loading:
        """The content of the units that may be loaded, and why the others are not."""
        frames: list[Frame] = []
        not_loaded: list[NotLoaded] = []
        left = self._max_bytes
        for unit in plan.selected:
            refusal = self._refusal(unit)
            if refusal is not None:
                not_loaded.append(NotLoaded(unit.id, unit.path, refusal))
                continue
            try:
                frame, size = self._read(unit, left)
            except KcpError as error:
                not_loaded.append(NotLoaded(unit.id, unit.path, str(error), failed=True))
            else:
                frames.append(frame)
                left -= size
        return Loading(tuple(frames), tuple(not_loaded))

    def _refusal(self, unit: SelectedUnit) -> str | None:
        """Why a unit is a pointer, None where its content is to be read."""
        if not unit.load_eligible:
            return f"not load-eligible: {unit.reasons[-1]}"
        facts = self._facts.get((unit.id, unit.path))
        if facts is None:
            return "it is not a unit of this manifest"
        if facts.refusal is not None:
            return facts.refusal
        odd = [kind for kind in facts.kinds if kind not in _LOADED_KINDS]
        if odd:
            return f"kind: {shown(odd[0] or '')} is invoked explicitly, never loaded"
        if unit.payment.method != "free":
            return f"it is paid for by {shown(unit.payment.method)}, and nothing is paid here"
        if unit.requires_attestation:
            return "it requires attestation, and none is performed here"
        return None

    def _read(self, unit: SelectedUnit, left: int) -> tuple[Frame, int]:
        data = self._sources.read_unit(self._source, unit.path)
        facts = self._facts[(unit.id, unit.path)]
        for declared in facts.hashes:
            _check_hash(declared, data)
        if len(data) > left:
            raise KcpError(f"its {len(data):,} bytes are more than the {left:,} that are left of the bound")
        try:
            content = data.decode("utf-8")
        except UnicodeDecodeError:
            raise KcpError("it is not text in UTF-8") from None
        header: dict[str, Any] = {"unit": unit.id, "path": unit.path}
        kind = next(iter(facts.kinds), None)
        if kind is not None:
            header["kind"] = kind
        header |= self._provenance
        header |= {
            "content_sha256": sha256_hex(data),
            "content_verified": True if facts.hashes else "absent",
            "bytes": len(data),
            "hidden_characters": hidden_count(content),
        }
        return Frame(header, content), len(data)


def _check_hash(declared: Any, data: bytes) -> None:
    """KcpError unless bytes have a declared hash; a block that is none is a hash that does not hold."""
    import hashlib

    algorithm = declared.get("algorithm") if type(declared) is dict else None
    value = declared.get("value") if type(declared) is dict else None
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS or not isinstance(value, str):
        raise KcpError("its content_hash is malformed")
    if hashlib.new(str(algorithm), data).hexdigest() != value.lower():
        raise KcpError("its content does not match its content_hash")


def facts_of_manifest(manifest: Manifest, root: Any) -> dict[tuple[str, str], UnitFacts]:
    """The facts of a manifest's units; `root` is the document that it was read from."""
    raw = root.get("units") if type(root) is dict else None
    blocks = [unit for unit in raw if type(unit) is dict] if type(raw) is list else []
    facts: dict[tuple[str, str], UnitFacts] = {}
    for unit, block in zip(manifest.units, blocks, strict=True):
        hashes = (block["content_hash"],) if "content_hash" in block else ()
        _add(facts, (unit.id, unit.path), UnitFacts((unit.kind,), hashes))
    return facts


def facts_of_render(
    published: Manifest, entries: tuple[Entry, ...], task: str, plan: Plan
) -> dict[tuple[str, str], UnitFacts]:
    """The facts of a render's units.

    To load takes two keys: what the render allows, and what the manifest itself, as `published`, says of its
    own unit. The content of an included unit lies with another manifest.
    """
    facts: dict[tuple[str, str], UnitFacts] = {}
    for entry in entries:
        raw = entry.raw
        key = optional_text(raw.get("id")) or "", optional_text(raw.get("path")) or ""
        hashes = (raw["content_hash"],) if "content_hash" in raw else ()
        refusal = None if entry.is_local else "its content lies with the manifest it is included from"
        _add(facts, key, UnitFacts((optional_text(raw.get("kind")),), hashes, refusal))
    world = World(published, task, plan.options)
    for unit in published.units:
        known = facts.get((unit.id, unit.path))
        if known is None or known.refusal is not None:
            continue
        verdict = judge(unit, world)
        if verdict.failed is not None or not verdict.eligible:
            reason = verdict.reason or verdict.reasons[-1]
            facts[unit.id, unit.path] = known.replace(refusal=f"its manifest keeps it out: {reason}")
    return facts


def _add(facts: dict[tuple[str, str], UnitFacts], key: tuple[str, str], new: UnitFacts) -> None:
    """Join the facts of units that share an id and a path: what holds for one binds them all."""
    known = facts.get(key)
    if known is not None:
        new = UnitFacts(known.kinds + new.kinds, known.hashes + new.hashes, known.refusal or new.refusal)
    facts[key] = new
