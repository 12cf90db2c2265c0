"""The account of a render: every leaf of the manifest is rendered, dropped or quarantined (C6, §14)."""

from __future__ import annotations

from kcp.render.leaves import leaves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from kcp.render.lints import Hit

_SHOWN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-")
_MAX_SHOWN = 64
_DIGEST_SHOWN = 12


class Ledger:
    """Entries in the order they were made; `digest` gives the SHA-256 of bytes in hexadecimal."""

    def __init__(self, digest: Callable[[bytes], str]) -> None:
        self.digest = digest
        self.dropped: list[dict[str, Any]] = []
        self.quarantined: list[dict[str, Any]] = []
        self.leaves_rendered = 0
        self.leaves_dropped = 0
        self.leaves_quarantined = 0

    def render(self, count: int = 1) -> None:
        """Leaves that stand in the artifact."""
        self.leaves_rendered += count

    def drop(self, path: str, value: Any, reason: str, **detail: str) -> None:
        """A subtree left out: one entry, however many leaves."""
        self.leaves_dropped += leaves(value)
        self.note(path, reason, **detail)

    def note(self, path: str, reason: str, **detail: str) -> None:
        """An entry for what no leaf is counted for."""
        self.dropped.append({"path": path, "reason": reason} | detail)

    def quarantine(self, path: str, texts: list[str], hit: Hit) -> None:
        """A field withheld whole for what one of its texts says; the artifact has only its digest."""
        self.leaves_quarantined += 1
        self.quarantined.append(
            {
                "path": path,
                "reason": hit.reason,
                "rule": hit.rule,
                "original_sha256": self.digest(",".join(texts).encode("utf-8", "surrogatepass")),
                "action": "held_for_review",
            }
        )

    def below(self, path: str, key: str) -> str:
        """The path of a member. A key that is no short plain name could speak; its digest stands for it."""
        if not (0 < len(key) <= _MAX_SHOWN and _SHOWN.issuperset(key)):
            key = f"key-sha256-{self.digest(key.encode('utf-8', 'surrogatepass'))[:_DIGEST_SHOWN]}"
        return f"{path}.{key}" if path else key

    def sanitization(self, schema: str, fields_in: int) -> dict[str, Any]:
        """The artifact's `sanitization` block."""
        return {
            "schema": schema,
            "dropped": self.dropped,
            "quarantined": self.quarantined,
            "stats": {
                "fields_in": fields_in,
                "fields_rendered": self.leaves_rendered,
                "fields_dropped": self.leaves_dropped,
                "fields_quarantined": self.leaves_quarantined,
            },
        }
