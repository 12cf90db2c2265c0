"""What every drafted manifest shares: units, their ids and words, the text, and the check that ends it."""

from __future__ import annotations

import re

from kcp._version import KCP_VERSION
from kcp.authoring.yaml_lines import flow, quoted, scalar
from kcp.errors import KcpError
from kcp.records import Record
from kcp.text.casing import lower

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kcp.authoring.validate.findings import Report
    from kcp.model import Manifest

TARGET = "knowledge.yaml"
STOP_WORDS = frozenset(
    "the and for with from that this are was has have not but its our your "
    "a an as at be by do if in is it no of on or so to up we".split()
)
_SEPARATORS = re.compile(r"[\s,;:—–\-/|()]+")


class DraftUnit(Record):
    """A unit to be written; `review` marks an intent that says nothing yet."""

    id: str
    path: str
    intent: str
    scope: str = "global"
    audience: tuple[str, ...] = ("agent", "human")
    triggers: tuple[str, ...] = ()
    eager: bool = False
    review: bool = False


class Draft(Record):
    """A drafted manifest that reads back as what was meant, and what the agent's rules say of it."""

    text: str
    units: tuple[DraftUnit, ...]
    report: Report


def slug(text: str) -> str:
    """Lower case, with every run of anything but a–z and 0–9 as one hyphen, none at the ends."""
    return re.sub(r"[^a-z0-9]+", "-", lower(text)).strip("-")


class UniqueIds:
    """Hands out ids: what is taken gets `-2`, `-3`, …"""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        """The id, or the first free one that follows it."""
        found, number = wanted, self._next.get(wanted, 2)
        while found in self._taken:
            found = f"{wanted}-{number}"
            number += 1
        self._next[wanted] = number
        self._taken.add(found)
        return found


def trigger_words(texts: Iterable[str], most: int) -> tuple[str, ...]:
    """The words of texts that are worth finding a unit by, in lower case, each once."""
    found: dict[str, None] = {}
    for text in texts:
        for word in _SEPARATORS.split(lower(text)):
            if len(word) > 2 and word not in STOP_WORDS:
                found[word] = None
            if len(found) == most:
                return tuple(found)
    return tuple(found)


def version_line() -> str:
    """The line that says which revision of the specification a draft follows."""
    return f"kcp_version: {quoted(KCP_VERSION)}"


def unit_lines(units: Iterable[DraftUnit]) -> list[str]:
    """The `units` block."""
    lines = ["units:"]
    for unit in units:
        note = " # TODO: review intent" if unit.review else ""
        lines += [
            f"  - id: {scalar(unit.id)}",
            f"    path: {scalar(unit.path)}",
            f"    intent: {scalar(unit.intent)}{note}",
            f"    scope: {unit.scope}",
            f"    audience: {flow(unit.audience)}",
        ]
        if unit.triggers:
            lines.append(f"    triggers: {flow(unit.triggers)}")
        if unit.eager:
            lines.append("    hints: {load_strategy: eager}")
    return lines if len(lines) > 1 else ["units: []"]


def finish(
    lines: list[str],
    units: tuple[DraftUnit, ...],
    today: str,
    *,
    source: str = TARGET,
    path_exists: Callable[[str], bool] | None = None,
) -> Draft:
    """The draft of lines, read back and checked; KcpError where it does not say what was meant.

    `path_exists` answers for unit paths, and is None where the files are not here.
    """
    from kcp.authoring.validate.check import check_manifest
    from kcp.reading.load import parse_bytes
    from kcp.reading.sources import ManifestBytes

    text = "\n".join(lines) + "\n"
    manifest = parse_bytes(ManifestBytes(source, text.encode()))
    if _facts(manifest) != [(unit.id, unit.path, unit.intent, unit.triggers) for unit in units]:
        raise KcpError("the drafted manifest does not read back as it was written")
    return Draft(text, units, check_manifest(manifest, source, today, path_exists))


def _facts(manifest: Manifest) -> list[tuple[str, str, str, tuple[str, ...]]]:
    return [(unit.id, unit.path, unit.intent, tuple(unit.triggers)) for unit in manifest.units]
