"""Explicit tags (planner contract §3, decision C)."""

from __future__ import annotations

import pytest

from kcp.reading.scalars import DateText


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("!!str 12", "12"),
        ("!!str", ""),
        ("!!str ~", "~"),
        ('!!int "12"', 12),
        ("!!int 0x1F", 31),
        ('!!float "1"', 1),
        ("!!float .5", 0.5),
        ('!!bool "true"', True),
        ("!!bool FALSE", False),
        ('!!null "~"', None),
        ("!!null", None),
        ("!!seq [a]", ["a"]),
        ("!!seq", []),
        ("!!map {a: 1}", {"a": 1}),
        ("!!map", {}),
        ("!<tag:yaml.org,2002:str> 1", "1"),
        ("!", None),
        ("! 12", "12"),
        ("! true", "true"),
        ("! ~", "~"),
        ("! 2026-07-01", "2026-07-01"),
        ("&a ! 12", "12"),
        ("&a # comment\n  ! 12", "12"),
        ("! &a 12", "12"),
        ('! ""', ""),
        ("! [1]", [1]),
        ("! {a: 1}", {"a": 1}),
        ("a ! 12", "a ! 12"),
        ("&a 12 # !", 12),
    ],
)
def test_what_a_tag_gives(read, text: str, value: object) -> None:
    found = read(f"k: {text}\n")["k"]
    assert found == value
    assert type(found) is type(value)


def test_a_bare_tag_makes_a_key_text(read) -> None:
    assert read("base: &b {x: 1}\n! <<: *b\n! ~: 2\n") == {"base": {"x": 1}, "<<": {"x": 1}, "~": 2}


def test_a_timestamp_stays_text(read) -> None:
    assert type(read("k: !!timestamp 2026-07-01")["k"]) is DateText
    assert type(read("k: !!timestamp '2026-07-01 1:00:00'")["k"]) is DateText


@pytest.mark.parametrize("name", ["int", "float", "bool", "timestamp", "null"])
@pytest.mark.parametrize("text", ["x", '""'])
def test_text_that_does_not_spell_the_type(refusal, name: str, text: str) -> None:
    expected = f"cannot resolve a node with !<tag:yaml.org,2002:{name}> explicit tag (1:4)"
    assert refusal(f"k: !!{name} {text}") == expected


@pytest.mark.parametrize("name", ["int", "float", "bool", "timestamp"])
def test_nothing_spells_only_null(refusal, name: str) -> None:
    assert refusal(f"k: !!{name}").startswith("cannot resolve a node with")


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("!custom x", "!custom"),
        ("!!merge <<", "tag:yaml.org,2002:merge"),
        ("!!python/none x", "tag:yaml.org,2002:python/none"),
        ("!!seq x", "tag:yaml.org,2002:seq"),
        ("!!str [x]", "tag:yaml.org,2002:str"),
        ("!!map [x]", "tag:yaml.org,2002:map"),
        ("!!seq {x: 1}", "tag:yaml.org,2002:seq"),
        ("!a%0Ab x", r"!a\nb"),
    ],
)
def test_unknown_tags(refusal, text: str, tag: str) -> None:
    assert refusal(f"k: {text}") == f"unknown tag !<{tag}> (1:4)"


def test_declared_handles(read, refusal) -> None:
    assert read("%TAG !y! tag:yaml.org,2002:\n---\nk: !y!int '1'\n") == {"k": 1}
    assert (
        refusal("%TAG ! tag:x.example,2000:\n---\nk: !z 1\n") == "unknown tag !<tag:x.example,2000:z> (3:4)"
    )
    assert refusal("k: !e!z 1") == "undeclared tag handle (1:4)"
    assert refusal("k: !a%ff x")
    assert refusal("k: !a%ED%A0%80 x")


@pytest.mark.parametrize(
    "text", ["!!binary aGk=", "!!binary", "!!set {a, b}", "!!omap [a: 1]", "!!pairs [a: 1]"]
)
def test_tags_of_decision_c(refusal, text: str) -> None:
    name = text.split(maxsplit=1)[0][2:]
    expected = f"tag !<tag:yaml.org,2002:{name}> is not read here; write plain text, lists and mappings (1:4)"
    assert refusal(f"k: {text}") == expected
