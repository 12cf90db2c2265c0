"""The specification's view of the raw fields: mappings with a name and a place."""

from __future__ import annotations

from kcp.reading.coerce import text as as_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from kcp.authoring.validate.findings import Finding, Level, Path
    from kcp.authoring.validate.rule import Rule
    from kcp.authoring.validate.spec.disk import Disk

_SHOWN = 60


class Node:
    """A mapping of the document; `where` names its subject, `prefix` is what its fields' names start with."""

    __slots__ = ("path", "prefix", "raw", "where")

    def __init__(self, raw: dict[str, Any], path: Path, where: str, prefix: str = "") -> None:
        self.raw = raw
        self.path = path
        self.where = where
        self.prefix = prefix

    def get(self, key: str) -> Any:
        """The value of a field; None where it is absent or null."""
        return self.raw.get(key)

    def text(self, key: str) -> str | None:
        """The value of a text field, numbers and booleans as text; None where it has none."""
        value = self.raw.get(key)
        return None if value is None or isinstance(value, (dict, list)) else as_text(value)

    def is_true(self, key: str) -> bool:
        """Whether a boolean field is declared true."""
        return self.raw.get(key) is True

    def number(self, key: str) -> float | None:
        """The value of a number field; None where it holds none."""
        return as_number(self.raw.get(key))

    def child(self, key: str) -> Node | None:
        """The mapping of a field."""
        value = self.raw.get(key)
        if type(value) is not dict:
            return None
        return Node(value, (*self.path, key), self.where, f"{self.prefix}{key}.")

    def children(self, key: str) -> list[Node]:
        """The mappings in the list of a field."""
        value = self.raw.get(key)
        return [
            Node(item, (*self.path, key, index), self.where, f"{self.prefix}{key}[{index}].")
            for index, item in enumerate(value if type(value) is list else ())
            if type(item) is dict
        ]

    def texts(self, key: str) -> list[str]:
        """The strings in the list of a field; a lone scalar counts as absent."""
        value = self.raw.get(key)
        return [item for item in value if isinstance(item, str)] if type(value) is list else []

    def some(self, key: str) -> list[str]:
        """The entries of a list field that takes a lone scalar too, scalars as text."""
        value = self.raw.get(key)
        items = value if type(value) is list else [] if value is None or type(value) is dict else [value]
        return [as_text(item) for item in items if item is not None and not isinstance(item, (dict, list))]

    def find(
        self, rule: Rule, key: str, message: str, *deeper: str | int, level: Level | None = None
    ) -> Finding:
        """A finding about a field; the message follows the field's name."""
        return rule.at(self.where, (*self.path, key, *deeper), f"{self.prefix}{key} {message}", level)

    def say(self, rule: Rule, message: str, level: Level | None = None) -> Finding:
        """A finding about the mapping itself."""
        return rule.at(self.where, self.path, message, level)

    def outside(self, rule: Rule, key: str, allowed: tuple[str, ...]) -> Iterator[Finding]:
        """A finding where a field has a value outside a list."""
        value = self.raw.get(key)
        if value is not None and value not in allowed:
            yield self.find(rule, key, f"'{shown(value)}' is not one of {', '.join(allowed)}")


class Unit(Node):
    """A unit; `index` is its place in the published list."""

    __slots__ = ("id", "index", "kind")

    def __init__(self, raw: dict[str, Any], index: int) -> None:
        identifier = raw.get("id")
        self.id = "" if identifier is None or isinstance(identifier, (dict, list)) else as_text(identifier)
        super().__init__(raw, ("units", index), f"unit '{self.id}'" if self.id else "unit '(no id)'")
        self.index = index
        self.kind = self.text("kind") or "knowledge"

    @property
    def is_granted(self) -> bool:
        """Whether the unit is declared eligible."""
        return self.raw.get("load_eligible") is True


class Spec:
    """One manifest as the specification's rules see it.

    `today` is `YYYY-MM-DD`, UTC; `disk` is None where the manifest's folder is not known; `drafts` adds the
    rules of drafts.
    """

    def __init__(self, root: dict[str, Any], today: str, disk: Disk | None, *, drafts: bool = False) -> None:
        self.root = Node(root, (), "manifest")
        self.today = today
        self.disk = disk
        self.drafts = drafts
        units = root.get("units")
        self.units = [
            Unit(raw, index)
            for index, raw in enumerate(units if type(units) is list else ())
            if type(raw) is dict
        ]
        self.by_id: dict[str, Unit] = {}
        for unit in self.units:
            if unit.id:
                self.by_id.setdefault(unit.id, unit)
        self.refs = self.root.children("manifests")
        for ref in self.refs:
            identifier = ref.text("id")
            ref.where, ref.prefix = f"manifest ref '{identifier or '(no id)'}'", ""
        self.ref_ids = {identifier for ref in self.refs if (identifier := ref.text("id"))}

    def blocks(self, key: str) -> Iterator[Node]:
        """A block that the root and every unit may have."""
        for owner in (self.root, *self.units):
            block = owner.child(key)
            if block is not None:
                yield block


def as_number(value: Any) -> float | None:
    """The value if it is a number, not NaN."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value == value:
        return value
    return None


def shown(value: Any) -> str:
    """A value fit for a message."""
    if isinstance(value, (dict, list)):
        return "a mapping" if isinstance(value, dict) else "a list"
    text = as_text(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def https_fault(value: Any) -> str | None:
    """What speaks against an address that must be an https:// URL, as the end of a message."""
    from kcp.text.weburl import parse_url

    if not isinstance(value, str) or not value.lower().startswith("https://"):
        return f"'{shown(value)}' is not an https:// URL"
    url = parse_url(value)
    if url is None:
        return f"'{shown(value)}' is not a valid URL"
    return f"'{shown(value)}' holds credentials" if url.credentials else None


def cycles(successor: dict[str, str]) -> list[list[str]]:
    """The cycles of a graph in which every node has at most one successor; each as sorted ids."""
    found: list[list[str]] = []
    done: set[str] = set()
    for start in successor:
        trail: dict[str, int] = {}
        node: str | None = start
        while node is not None and node not in done and node not in trail:
            trail[node] = len(trail)
            node = successor.get(node)
        if node is not None and node in trail:
            found.append(sorted(list(trail)[trail[node] :]))
        done.update(trail)
    return found
