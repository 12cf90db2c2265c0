"""Values against their shapes: rendered, dropped with a reason, or withheld by the lint (§10, §13)."""

from __future__ import annotations

from kcp.render.leaves import is_flat, leaves
from kcp.render.shapes import MAX_ITEMS, Block, Blocks, Count, Flag, ListOf, OneOf, Text
from kcp.text.written import NumberText
from kcp.wire.numbers import parse_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.render.ledger import Ledger
    from kcp.render.lints import Lint
    from kcp.render.shapes import Shape

NOT_IN_SCHEMA, CONSUMED = "not_in_schema", "consumed_by_renderer"
WRONG_TYPE, INVALID, TOO_LONG = "wrong_type", "invalid_value", "too_long"
_EXACT = 2**53


class Omitted:
    """Stands for a value that is not rendered."""


OMITTED = Omitted()


class Fields:
    """Checks values and keeps the account of each."""

    def __init__(self, ledger: Ledger, lint: Lint) -> None:
        self.ledger = ledger
        self._find = lint.find

    def check(self, path: str, value: Any, shape: Shape) -> Any:
        """The value as it is rendered, or `OMITTED`; either way it is accounted for."""
        match shape:
            case Text():
                return self._text(path, value, shape)
            case ListOf():
                return self._texts(path, value, shape)
            case Flag():
                return self._kept(value) if type(value) is bool else self._dropped(path, value, WRONG_TYPE)
            case Count():
                return self._count(path, value, shape)
            case Block():
                return self.block(path, value, shape)
            case Blocks():
                return self.blocks(path, value, shape)
            case OneOf():
                return self.check(path, value, shape.block if type(value) is dict else shape.text)

    def block(self, path: str, value: Any, shape: Block) -> Any:
        """A mapping reduced to its known members, in its own order; `OMITTED` where nothing is left."""
        if type(value) is not dict:
            return self._dropped(path, value, WRONG_TYPE)
        members = shape.members
        kept = {}
        for key, item in value.items():
            where = self.ledger.below(path, key)
            known = members.get(key)
            if known is None:
                self.ledger.drop(where, item, NOT_IN_SCHEMA)
            elif (checked := self.check(where, item, known)) is not OMITTED:
                kept[key] = checked
        return kept or OMITTED

    def blocks(self, path: str, value: Any, shape: Blocks) -> Any:
        """A list of mappings, each reduced; what is no mapping, or has nothing left, is not in the result."""
        entries = self.mappings(path, [value] if shape.lenient and type(value) is dict else value)
        if entries is OMITTED or entries == []:
            return entries
        kept = [self.block(f"{path}[{index}]", entry, shape.item) for index, entry in entries]
        return [entry for entry in kept if entry is not OMITTED] or OMITTED

    def mappings(self, path: str, value: Any) -> Any:
        """The mappings of a list with their places; `OMITTED` where the value is no list of them at all."""
        if type(value) is not list or (value and is_flat(value)):
            return self._dropped(path, value, WRONG_TYPE)
        if not value:
            return self._kept([])
        entries = []
        for index, entry in enumerate(value):
            if type(entry) is dict:
                entries.append((index, entry))
            else:
                self.ledger.drop(f"{path}[{index}]", entry, WRONG_TYPE)
        return entries or OMITTED

    def _text(self, path: str, value: Any, shape: Text) -> Any:
        fault = _fault(value, shape)
        if fault is not None:
            return self._dropped(path, value, fault)
        hit = self._find(value, shape.role)
        if hit is not None:
            self.ledger.quarantine(path, [value], hit)
            return OMITTED
        return self._kept(str(value))

    def _texts(self, path: str, value: Any, shape: ListOf) -> Any:
        items = [value] if shape.lenient and isinstance(value, str) else value
        if type(items) is not list:
            return self._dropped(path, value, WRONG_TYPE)
        faults = [fault for item in items if (fault := _fault(item, shape.item)) is not None]
        if faults:
            reason = WRONG_TYPE if WRONG_TYPE in faults else faults[0]
            return self._dropped(path, value, reason)
        if len(items) > MAX_ITEMS:
            return self._dropped(path, value, TOO_LONG)
        for item in items:
            hit = self._find(item, shape.item.role)
            if hit is not None:
                self.ledger.quarantine(path, items, hit)
                return OMITTED
        return self._kept([str(item) for item in items])

    def _count(self, path: str, value: Any, shape: Count) -> Any:
        if shape.unlimited and value == "unlimited":
            return self._kept("unlimited")
        is_number = type(value) is NumberText or (isinstance(value, str) and value.isdecimal())
        if not is_number:
            return self._dropped(path, value, WRONG_TYPE)
        number = parse_number(value)
        if not (0 <= number <= _EXACT and number == int(number)):
            return self._dropped(path, value, INVALID)
        return self._kept(int(number))

    def _kept(self, value: Any) -> Any:
        self.ledger.render()
        return value

    def _dropped(self, path: str, value: Any, reason: str) -> Omitted:
        self.ledger.drop(path, value, reason)
        return OMITTED


def _fault(value: Any, shape: Text) -> str | None:
    if not isinstance(value, str):
        return WRONG_TYPE
    if len(value) > shape.most:
        return TOO_LONG
    return None if shape.fits(value) else INVALID


def leaves_of_root(root: dict[str, Any]) -> int:
    """How many leaves a manifest brings in: all but the version of the protocol."""
    return leaves({key: value for key, value in root.items() if key != "kcp_version"})
