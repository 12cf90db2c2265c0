"""Every node tells its line and column, by a walk that reading itself does not pay for."""

from __future__ import annotations

from typing import Any

from kcp.model import Position
from kcp.reading.positions import PositionIndex

TEXT = """\
# comment
project: é p
units:
  - id: a
    triggers: [one, {k: v}]
    temporal:
      until: 2026-07-01
  - &u
    id: b
    "1": text
    2.0: number
    ? [x, y]
    : pair
base: &b {intent: base, path: p}
more:
  - *u
  - <<: [*b, {scope: s}]
    path: own
empty:
"""


def test_values_and_keys(document) -> None:
    found = document(TEXT)

    def value(*path: str | int) -> tuple[int, int]:
        position = found.position(path)
        return position.line, position.column

    def key(*path: str | int) -> tuple[int, int]:
        position = found.key_position(path)
        return position.line, position.column

    assert value() == key() == (2, 1)
    assert (value("project"), key("project")) == ((2, 10), (2, 1))
    assert (value("units"), key("units")) == ((4, 3), (3, 1))
    assert value("units", 0) == key("units", 0) == (4, 5)
    assert (value("units", 0, "id"), key("units", 0, "id")) == ((4, 9), (4, 5))
    assert value("units", 0, "triggers", 1, "k") == (5, 25)
    assert value("units", 0, "temporal", "until") == (7, 14)
    assert value("units", 1) == (8, 5)
    assert (value("units", 1, "1"), key("units", 1, "1")) == ((10, 10), (10, 5))
    assert value("units", 1, "2") == (11, 10)
    assert (value("units", 1, "x,y"), key("units", 1, "x,y")) == ((13, 7), (12, 7))
    assert value("more", 0) == (16, 5)
    assert value("more", 0, "id") == (9, 9)
    assert (value("more", 1, "intent"), key("more", 1, "intent")) == ((14, 19), (14, 11))
    assert (value("more", 1, "path"), key("more", 1, "path")) == ((18, 11), (18, 5))
    assert value("more", 1, "scope") == (17, 22)
    assert value("more", 1, "scope", "deeper") == (17, 22)
    assert value("more", 2) == value("more", "x") == value("more")
    assert value("units", 0, "absent") == value("units", 0)
    assert value("absent") == (2, 1)
    assert value("units", -1) == value("units")


def test_a_position_is_a_value(document) -> None:
    assert document("a: 1").position(("a",)) == Position(1, 4)


def test_documents_without_nodes(document) -> None:
    assert document("").position(("a", 1)) == Position(1, 1)
    assert document("x").position(("a", 1)) == Position(1, 1)


def test_columns_count_characters(document) -> None:
    found = document("\ufeffé\u2028: {a: \x85, b: 1}\r\nc: 1\rd: 2\n")
    assert found.position(("é\u2028", "b")) == Position(1, 15)
    assert found.position(("c",)) == Position(2, 4)
    assert found.position(("d",)) == Position(3, 4)


def test_the_earlier_of_two_merged_sources(document) -> None:
    found = document("- &a {k: 1}\n- &b {k: 2, l: 2}\n- {<<: [*a, *b]}\n- {<<: *b, <<: *a, l: 3}\n")
    assert found.position((2, "k")) == Position(1, 10)
    assert found.position((2, "l")) == Position(2, 16)
    assert found.position((3, "k")) == Position(2, 10)
    assert found.position((3, "l")) == Position(4, 23)


def test_a_list_that_lists_itself(document) -> None:
    found = document("u: &u\n  - a\n  - *u\n")
    assert found.position(("u", 1)) == Position(3, 5)


def test_aliases_in_keys(document) -> None:
    assert document("x: &x [1, {a: 1}]\ny: &y k\n*y : 1\n*x : 2").position(("k",)) == Position(3, 6)
    assert document("x: &x [1, {a: 1}]\n*x : 2").position(("1,[object Object]",)) == Position(2, 6)
    assert document("x: &x {a: 1}\n*x : 2").position(("[object Object]",)) == Position(2, 6)


def test_the_walk_is_made_once_and_only_when_asked(document, monkeypatch) -> None:
    built: list[Any] = []
    original = PositionIndex.__init__

    def counted(self: PositionIndex, composer: Any) -> None:
        built.append(1)
        original(self, composer)

    monkeypatch.setattr(PositionIndex, "__init__", counted)
    found = document("a: {b: 1}")
    assert built == []
    assert found.position(("a",)) == found.position(("a",)) == Position(1, 4)
    assert found.key_position(("a", "b")) == Position(1, 5)
    assert built == [1]


def walk(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths of all nodes."""
    paths = [path]
    if isinstance(value, dict):
        for key, item in value.items():
            paths += walk(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            paths += walk(item, (*path, index))
    return paths


def test_the_text_at_a_position_is_the_value(document) -> None:
    text = "a: x1\nb:\n  - x2\n  - {c: x3, 'd': [x4, x5]}\n? e\n: x6\n"
    found = document(text)
    lines = text.split("\n")
    for path in walk(found.root):
        value: Any = found.root
        for step in path:
            value = value[step]
        if isinstance(value, str):
            position = found.position(path)
            assert lines[position.line - 1][position.column - 1 :].startswith(value)
