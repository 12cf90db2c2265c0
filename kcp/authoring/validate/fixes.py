"""Repairs of a manifest's text. Safe ones change how something is written, never what an agent reads.

Whatever the repairs, the text is read again: a repair after which more differs than was meant is not made.
"""

from __future__ import annotations

from kcp.authoring.validate.repairs import Repair, safe_repairs
from kcp.errors import KcpError
from kcp.reading.edits import BOM, replaced
from kcp.reading.parse import parse_manifest
from kcp.reading.yaml12 import read_manifest_mapping
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.model import Manifest

MAX_ROUNDS = 5
MAX_SINGLE = 200  # repairs that are tried one by one where they cannot all be made at once


class Fixed(Record):
    """A manifest's bytes after its repairs, and what each repair did."""

    data: bytes
    messages: tuple[str, ...]


def fix(data: bytes, *, unsafe: bool = False, today: str = "") -> Fixed:
    """The bytes with all repairs made that can be made; the same bytes where there are none.

    `unsafe` adds repairs that change what is read. KcpError where the bytes are no manifest.
    """
    messages: list[str] = []
    for _ in range(MAX_ROUNDS):
        data, made = _round(data, unsafe=unsafe, today=today)
        messages += made
        if not made:
            break
    return Fixed(data, tuple(messages))


def _round(data: bytes, *, unsafe: bool, today: str) -> tuple[bytes, list[str]]:
    document = read_manifest_mapping(data)
    repairs = safe_repairs(document)
    if unsafe:
        from kcp.authoring.validate.unsafe_repairs import unsafe_repairs

        repairs += unsafe_repairs(document, today)
    manifest = parse_manifest(document, located=False)
    state = _State(document.text, document.root, manifest)
    made = state.make(repairs) or state.make_singly(repairs[:MAX_SINGLE])
    messages = [repair.message for repair in made]
    text = replaced(state.text, [part for repair in made for part in repair.parts])
    if data.startswith(BOM):
        messages.insert(0, "byte order mark removed")
    return text.encode("utf-8"), messages


class _State:
    def __init__(self, text: str, root: dict[str, Any], manifest: Manifest) -> None:
        self.text = text
        self.root = root
        self.manifest = _bare(manifest)

    def make(self, repairs: list[Repair]) -> list[Repair]:
        """The repairs, if all of them together do what they are meant to and nothing else."""
        return repairs if self._holds(repairs) else []

    def make_singly(self, repairs: list[Repair]) -> list[Repair]:
        """As many of the repairs, in order, as can be made together."""
        made: list[Repair] = []
        for repair in repairs:
            if self._holds([*made, repair]):
                made.append(repair)
        return made

    def _holds(self, repairs: list[Repair]) -> bool:
        expected: Any = self.root
        for repair in repairs:
            expected = repair.expect(expected)
        try:
            text = replaced(self.text, [part for repair in repairs for part in repair.parts])
            document = read_manifest_mapping(text.encode("utf-8"))
            manifest = _bare(parse_manifest(document, located=False))
        except (KcpError, ValueError):
            return False
        is_safe = all(repair.safe for repair in repairs)
        return _same(document.root, expected) and (not is_safe or manifest == self.manifest)


def _bare(manifest: Manifest) -> Manifest:
    return manifest.replace(problems=(), source=None, sha256=None)


def _same(one: Any, other: Any) -> bool:
    """Whether two trees are equal, the kinds of their scalars included; the order of keys does not count."""
    pairs = [(one, other)]
    while pairs:
        a, b = pairs.pop()
        if isinstance(a, dict) and isinstance(b, dict):
            if a.keys() != b.keys():
                return False
            pairs += [(a[key], b[key]) for key in a]
        elif isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                return False
            pairs += zip(a, b, strict=True)
        elif repr(a) != repr(b):
            return False
    return True
