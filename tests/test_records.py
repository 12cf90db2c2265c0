"""Value classes: immutable, compared by value."""

from __future__ import annotations

import copy
import pickle

import pytest

from kcp.model import Position, Tier, Unit
from kcp.records import Record


class Point(Record):
    x: int
    y: int = 2


class Place(Record):
    x: int
    y: int = 2


class Nothing(Record):
    pass


def test_construction_by_position_name_and_default():
    assert Point(1) == Point(x=1, y=2) == Point(1, 2)
    assert Point(1).values() == (1, 2)
    assert Point.__fields__ == ("x", "y")


@pytest.mark.parametrize("arguments", [{}, {"x": 1, "z": 2}])
def test_a_wrong_call_is_a_type_error(arguments):
    with pytest.raises(TypeError, match="Point"):
        Point(**arguments)


def test_fields_cannot_be_changed_added_or_removed():
    point = Point(1)
    with pytest.raises(AttributeError, match=r"immutable; use replace\(x=…\)"):
        point.x = 3  # type: ignore[misc]
    with pytest.raises(AttributeError):
        point.other = 3
    with pytest.raises(AttributeError, match="immutable"):
        del point.x
    assert not hasattr(point, "__dict__")
    assert point == Point(1)


def test_replace_gives_an_altered_copy():
    point = Point(1)
    assert point.replace(y=5) == Point(1, 5)
    assert point == Point(1, 2)
    with pytest.raises(TypeError):
        point.replace(z=1)


def test_equality_needs_the_same_class_and_values():
    assert Point(1) != Point(1, 3)
    assert Point(1) != Place(1)
    assert Point(1) != (1, 2)
    assert len({Point(1), Point(1, 2), Place(1), Point(2)}) == 3
    assert Nothing() == Nothing()


def test_text_form_names_the_fields():
    assert repr(Point(1)) == "Point(x=1, y=2)"
    assert repr(Nothing()) == "Nothing()"


def test_records_pickle_and_copy():
    unit = Unit(id="u", audience=("agent",))
    assert pickle.loads(pickle.dumps(unit)) == unit  # noqa: S301
    assert copy.deepcopy(unit) == unit
    assert pickle.loads(pickle.dumps(Position(1, 2))) == Position(1, 2)  # noqa: S301


def test_defaults_are_not_shared_between_classes():
    assert Tier() == Tier(None, None, None)
    assert Tier(requests_per_day=1).requests_per_minute is None
