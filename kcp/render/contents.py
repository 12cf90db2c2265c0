"""Declared content hashes against what lies in the manifest's folder (render contract §12, C11)."""

from __future__ import annotations

from kcp.errors import KcpError
from kcp.render.fields import CONSUMED
from kcp.render.shapes import RELATIVE_PATH
from kcp.render.units import UNDECLARED, Content
from kcp.trust.content_hash import ALGORITHMS, Budget, content_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HEX = frozenset("0123456789abcdefABCDEF")
UNREADABLE = "unreadable"
VERIFIED_CONTENT = Content("verified", CONSUMED)
INVALID_HASH = Content("mismatch", "content_hash_invalid")


class Contents:
    """Hashes the content of one manifest's units; all of them share the caps, and equal questions."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._budget = Budget()
        self._answers: dict[tuple[str, str], tuple[str, str | None]] = {}

    def check(self, unit: Any) -> Content:
        """What comes of a unit's declared hash."""
        if type(unit) is not dict or "content_hash" not in unit:
            return UNDECLARED
        declared = unit["content_hash"]
        algorithm = declared.get("algorithm") if type(declared) is dict else None
        expected = declared.get("value") if type(declared) is dict else None
        if not isinstance(algorithm, str) or algorithm not in ALGORITHMS or not isinstance(expected, str):
            return INVALID_HASH
        if len(expected) != ALGORITHMS[algorithm] or not _HEX.issuperset(expected):
            return INVALID_HASH
        observed, fault = self._hash(algorithm, unit.get("path"))
        if observed == expected.lower():
            return VERIFIED_CONTENT
        return Content(
            "mismatch",
            "content_hash_mismatch",
            (("algorithm", str(algorithm)), ("expected", expected.lower()), ("observed", observed)),
            fault,
        )

    def _hash(self, algorithm: str, path: Any) -> tuple[str, str | None]:
        """The hash, or that there is none and why."""
        if not isinstance(path, str) or len(path) > RELATIVE_PATH.most or not RELATIVE_PATH.fits(path):
            return UNREADABLE, "its path is not a relative one below the manifest's folder"
        # With a slash behind it a link would pass for the folder that it leads to.
        asked = (str(algorithm), path.rstrip("/"))
        if asked not in self._answers:
            try:
                self._answers[asked] = content_hash(asked[0], self._folder, asked[1], self._budget), None
            except KcpError as error:
                self._answers[asked] = UNREADABLE, str(error)
        return self._answers[asked]


def mismatch_warnings(unit: Any, place: int, content: Content) -> list[str]:
    """The contract's warning for a unit whose content is not what was signed, and why nothing was hashed."""
    unit_id = unit.get("id") if type(unit) is dict else None
    name = unit_id if isinstance(unit_id, str) else f"units[{place}]"
    said = f"unit '{name}' content does not match its signed content_hash; demoted to pointer (RFC-0019 §3.3)"
    if content.fault is None:
        return [said]
    return [said, f"unit '{name}' content_hash could not be checked: {content.fault}"]
