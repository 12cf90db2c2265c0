"""How much of a manifest there is: the leaves that rendering has to account for (render contract §14)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NESTED = {dict, list, type(None)}


def leaves(value: Any) -> int:
    """A scalar, null, or a list of scalars alone is one leaf; anything else is the sum of its members."""
    count = 0
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if type(each) is dict:
            waiting += each.values()
        elif type(each) is list and not is_flat(each):
            waiting += each
        else:
            count += 1
    return count


def is_flat(items: list[Any]) -> bool:
    """Whether a list holds scalars alone, or nothing; null is not a scalar here."""
    return _NESTED.isdisjoint(map(type, items))
