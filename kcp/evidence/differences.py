"""What moved between a saved plan and today's, for people: which unit, from what to what.

Moves, scores, reasons, budget figures and warnings are those of `diff`; for all other members the places that
differ are listed.
"""

from __future__ import annotations

from kcp.errors import ArtifactError
from kcp.evidence.artifacts import plan_digest
from kcp.evidence.comparison import same
from kcp.planning.diff import FIGURES, diff_plans
from kcp.records import Record
from kcp.wire.jsontext import compact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from kcp.planning.diff import Diff

MAX_PLACES = 20
_MAX_TEXT = 160
_ABSENT = "(absent)"
_DIFFED = frozenset({*FIGURES, "warnings"})


class Place(Record):
    """A place that differs, by its members' names and units' ids, with both values as compact JSON."""

    path: str
    before: str
    after: str


class Differences(Record):
    """How two plans differ: `more` says that not all places are listed.

    `diff` is None where the saved plan is too broken to compare.
    """

    diff: Diff | None
    places: tuple[Place, ...]
    more: bool = False


def find_differences(before: dict[str, Any], after: dict[str, Any]) -> Differences:
    """The differences of two plans in wire form, that `diff` sees and that it does not."""
    try:
        diff = diff_plans(plan_digest(before, "saved plan"), plan_digest(after, "today's plan"))
    except ArtifactError:
        diff = None
    places: list[Place] = []
    # To a diff 0 and false are one, so what it calls identical is looked at whole.
    known = _DIFFED if diff is not None and not diff.identical else frozenset()
    for place in _places("", before, after, known):
        if len(places) == MAX_PLACES:
            return Differences(diff, tuple(places), more=True)
        places.append(place)
    return Differences(diff, tuple(places))


def _places(path: str, before: Any, after: Any, known: frozenset[str]) -> Iterator[Place]:
    if same(before, after) or path in known:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        lead = f"{path}." if path else ""
        for key in {**before, **after}:
            yield from _member_places(f"{lead}{key}", before, after, key, known)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _list_places(path, before, after, known)
    else:
        yield Place(path, _shown(before), _shown(after))


def _member_places(
    path: str, before: dict[str, Any], after: dict[str, Any], key: str, known: frozenset[str]
) -> Iterator[Place]:
    if path in known:
        return
    if key not in before:
        yield Place(path, _ABSENT, _shown(after[key]))
    elif key not in after:
        yield Place(path, _shown(before[key]), _ABSENT)
    else:
        yield from _places(path, before[key], after[key], known)


def _list_places(path: str, before: list[Any], after: list[Any], known: frozenset[str]) -> Iterator[Place]:
    earlier, later = _by_id(before), _by_id(after)
    if earlier is None or later is None:
        yield Place(path, _shown(before), _shown(after))
        return
    units = path in ("selected", "skipped")
    for identifier in {**earlier, **later}:
        where = f"{path}[{identifier}]"
        if identifier in earlier and identifier in later:
            diffed = {f"{where}.score", f"{where}.reason"} if units and known else set()
            yield from _places(where, earlier[identifier], later[identifier], known | diffed)
        elif not (units and known):  # `diff` tells which units came and went
            one = earlier.get(identifier), later.get(identifier)
            yield Place(where, *[_ABSENT if item is None else _shown(item) for item in one])
    kept = [identifier for identifier in earlier if identifier in later]
    if kept != [identifier for identifier in later if identifier in earlier]:
        yield Place(f"{path} (order)", _shown(list(earlier)), _shown(list(later)))


def _by_id(items: list[Any]) -> dict[str, Any] | None:
    """The objects of a list by their ids, or None where ids do not tell them apart."""
    named = {item["id"]: item for item in items if isinstance(item, dict) and isinstance(item.get("id"), str)}
    return named if len(named) == len(items) else None


def _shown(value: Any) -> str:
    text = compact(value)
    return text if len(text) <= _MAX_TEXT else text[: _MAX_TEXT - 1] + "…"
