"""The content that units point to: its hash, and what is on disk."""

from __future__ import annotations

from kcp.authoring.validate.rule import Rule
from kcp.authoring.validate.spec.identity import escapes, is_absolute
from kcp.authoring.validate.spec.node import shown
from kcp.errors import KcpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.authoring.validate.findings import Finding
    from kcp.authoring.validate.spec.disk import Disk
    from kcp.authoring.validate.spec.node import Node, Spec, Unit

DIGITS = {"sha256": 64, "sha384": 96, "sha512": 128}
_HEX = frozenset("0123456789abcdefABCDEF")

ALGORITHM = Rule(
    "KCP275", "hash-algorithm", "error", "§4.21", "A content hash names sha256, sha384 or sha512.",
    bad="content_hash: {algorithm: md5, value: abc123}",
    good=f"content_hash: {{algorithm: sha256, value: '{'ab' * 32}'}}", tier=2, since="0.18", protected=True,
)  # fmt: skip
VALUE = Rule(
    "KCP276", "hash-value", "error", "§4.21",
    "A content hash is hexadecimal. Another length than the algorithm gives is a warning.",
    bad="content_hash: {algorithm: sha256, value: pending}",
    good=f"content_hash: {{algorithm: sha256, value: '{'ab' * 32}'}}", tier=2, since="0.18", protected=True,
)  # fmt: skip
STALE = Rule(
    "KCP277", "hash-stale", "error", "§4.21",
    "The content is not what the hash was made of. Content that cannot be hashed is a warning.",
    bad=f"content_hash: {{algorithm: sha256, value: '{'ab' * 32}'}}", good="content_hash: null", tier=2,
    since="0.18", protected=True,
)  # fmt: skip
MISSING = Rule(
    "KCP278", "spec-path-missing", "warning", "§4.3", "There is nothing at the unit's path.",
    bad="path: gone.md", good="path: guide.md", protected=True,
)  # fmt: skip
OUTSIDE = Rule(
    "KCP279", "path-outside", "error", "§4.3", "The path leads out of the manifest's folder over a link.",
    bad="path: link.md", good="path: guide.md", protected=True,
)  # fmt: skip
RULES = (
    ALGORITHM, VALUE, STALE, MISSING, OUTSIDE,
)  # fmt: skip


def check_unit(spec: Spec, unit: Unit) -> Iterator[Finding]:
    """A unit's hash and its content."""
    block = unit.child("content_hash")
    expected = None
    if block is not None:
        faults = list(_check_hash(block))
        yield from faults
        if not any(fault.level == "error" for fault in faults):
            expected = block
    elif unit.get("content_hash") is not None:
        yield unit.find(ALGORITHM, "content_hash", "is not a mapping of algorithm and value")
    path = unit.text("path")
    if spec.disk is not None and path and not is_absolute(path) and not escapes(path):
        yield from _check_disk(spec.disk, unit, path, expected)


def _check_hash(block: Node) -> Iterator[Finding]:
    algorithm, value = block.get("algorithm"), block.get("value")
    if algorithm not in tuple(DIGITS):
        yield block.find(ALGORITHM, "algorithm", f"'{shown(algorithm)}' is not one of {', '.join(DIGITS)}")
    if not isinstance(value, str) or not value or not _HEX.issuperset(value):
        yield block.find(VALUE, "value", f"'{shown(value)}' is not hexadecimal")
    elif algorithm in tuple(DIGITS) and len(value) != DIGITS[algorithm]:
        message = f"has {len(value)} digits; {algorithm} gives {DIGITS[algorithm]}"
        yield block.find(VALUE, "value", message, level="warning")


def _check_disk(disk: Disk, unit: Unit, path: str, expected: Node | None) -> Iterator[Finding]:
    if not disk.exists(path):
        problem = "cannot be looked up: permission denied" if disk.is_hidden(path) else "does not exist"
        yield unit.find(MISSING, "path", f"'{shown(path)}' {problem}")
        if expected is None or not disk.is_hidden(path):
            return
    if disk.is_outside(path):
        yield unit.find(OUTSIDE, "path", f"'{shown(path)}' leads out of the manifest's folder")
    elif expected is not None:
        yield from _check_digest(disk, unit, path, expected)


def _check_digest(disk: Disk, unit: Unit, path: str, expected: Node) -> Iterator[Finding]:
    try:
        found = disk.digest(str(expected.get("algorithm")), path)
    except KcpError as error:
        yield unit.find(STALE, "content_hash", f"could not be checked: {error}", level="warning")
    else:
        if found != str(expected.get("value")).lower():
            yield expected.find(STALE, "value", f"is not the hash of '{shown(path)}'")
