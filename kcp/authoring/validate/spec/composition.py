"""How a manifest is put together from others. Only files in its own folder are looked into."""

from __future__ import annotations

from kcp.authoring.validate.rule import Rule
from kcp.authoring.validate.spec.disk import MAX_INCLUDES
from kcp.authoring.validate.spec.node import shown
from kcp.reading.locate import is_remote, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from kcp.authoring.validate.findings import Finding
    from kcp.authoring.validate.spec.disk import Disk
    from kcp.authoring.validate.spec.node import Node, Spec

CYCLE = Rule(
    "KCP286", "composition-cycle", "error", "§3.11", "Manifests that include each other in a circle.",
    bad="composition: {includes: [{source: knowledge.yaml}]}",
    good='composition: {includes: [{source: "https://a.example/k.yaml"}]}', part="root", since="0.19",
)  # fmt: skip
REF = Rule(
    "KCP287", "composition-ref", "warning", "§3.11", "An override or exclusion names no unit.",
    bad="composition: {excludes: [{id: nothing}]}", good="composition: {excludes: [{id: guide}]}",
    part="root", since="0.19",
)  # fmt: skip
PIN = Rule(
    "KCP288", "composition-pin", "warning", "§3.11",
    "The hash pinned for an included manifest is not that of its bytes.",
    bad='composition: {includes: [{source: other.yaml, integrity: {manifest_hash: "sha256:00"}}]}',
    good="composition: {includes: [{source: other.yaml}]}", part="root", tier=2, since="0.19",
)  # fmt: skip
RULES = (
    CYCLE, REF, PIN,
)  # fmt: skip


def check_root(spec: Spec) -> Iterator[Finding]:
    """The composition block."""
    block = spec.root.child("composition")
    if block is None:
        return
    includes = block.children("includes")
    if spec.disk is not None:
        for include in includes:
            yield from _check_include(spec.disk, include)
    for key in ("overrides", "excludes"):
        entries = block.get(key)
        for index, entry in enumerate(entries if type(entries) is list else ()):
            name = entry.get("id") if type(entry) is dict else entry
            if not isinstance(name, str) or not _may_name(spec, includes, name):
                yield block.find(REF, key, f"#{index + 1} names no unit: '{shown(name)}'", index)


def _may_name(spec: Spec, includes: list[Node], name: str) -> bool:
    """Whether an id is one of the composed units, or may be one of a source that cannot be read here."""
    if name in spec.by_id:
        return True
    for include in includes:
        prefix, source = include.text("as"), include.text("source") or ""
        own = name.removeprefix(f"{prefix}:") if prefix else name
        if prefix and own == name:
            continue
        found = None if spec.disk is None or is_remote(source) else spec.disk.include(join(source))
        units = None if found is None else found[1].get("units")
        if units is None or any(type(unit) is dict and unit.get("id") == own for unit in units):
            return True
    return False


def _check_include(disk: Disk, include: Node) -> Iterator[Finding]:
    source = include.text("source") or ""
    if is_remote(source) or not source:
        return
    if _leads_back(disk, join(source)):
        yield include.find(CYCLE, "source", f"'{shown(source)}' leads back to this manifest")
    found, pin = disk.include(join(source)), _pin(include)
    if found is not None and pin is not None:
        from kcp.reading.source import sha256_hex

        if pin.lower() != sha256_hex(found[0]):
            yield include.find(PIN, "integrity", f"pins another hash than that of '{shown(source)}'")


def _pin(include: Node) -> str | None:
    integrity = include.child("integrity")
    declared: Any = None if integrity is None else integrity.get("manifest_hash")
    if type(declared) is dict:
        return str(declared.get("value")) if declared.get("algorithm") == "sha256" else None
    if isinstance(declared, str) and declared.startswith("sha256:"):
        return declared.removeprefix("sha256:")
    return None


def _leads_back(disk: Disk, source: str) -> bool:
    """Whether a manifest of the folder includes, over any number of others, the one that is checked."""
    waiting, seen = [source], {source}
    while waiting and len(seen) <= MAX_INCLUDES:
        path = waiting.pop()
        if path == disk.name:
            return True
        found = disk.include(path)
        composition = None if found is None else found[1].get("composition")
        includes = composition.get("includes") if type(composition) is dict else None
        for include in includes if type(includes) is list else ():
            named = include.get("source") if type(include) is dict else None
            if isinstance(named, str) and not is_remote(named):
                target = join(path.rpartition("/")[0], named)
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
    return False
