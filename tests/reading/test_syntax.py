"""What is no YAML, or no YAML of ours, is refused in one line with its place (planner contract §3)."""

from __future__ import annotations

import pytest

from kcp.errors import ManifestError

MAPPING = "bad indentation of a mapping entry"
SEQUENCE = "bad indentation of a sequence entry"
TABS = "tab characters must not be used in indentation"
FLOW_END = "unexpected end of the stream within a flow collection"
COMMA = "missed comma between flow collection entries"
CONTENT = "expected the node content"
LONG_KEY = "a key before ':' is longer than 1,024 characters"
NO_COLON = "a key has no ':' on its line"
ESCAPE = "an escape names no character (an unpaired surrogate?)"
NAME = "the name of an anchor or alias must be letters, digits, '-' and '_'"

REFUSED = {
    "a: b: c": f"{MAPPING} (1:5)",
    "a: @x": f"{MAPPING} (1:4)",
    "a: `x`": f"{MAPPING} (1:4)",
    "a: %x": f"{MAPPING} (1:4)",
    "a: - b": f"{MAPPING} (1:4)",
    "a: - ": f"{MAPPING} (1:4)",
    "a: ? b": f"{MAPPING} (1:4)",
    "a: : b": f"{MAPPING} (1:4)",
    "a: b:\n  c: d": f"{MAPPING} (1:5)",
    "a: 1\n b: 2": f"{MAPPING} (2:3)",
    "a: 'x' y": f"{MAPPING} (1:8)",
    "a:\n  b: 1\n c: 2": f"{MAPPING} (3:2)",
    "a:\n  - b\n c: 1": f"{MAPPING} (3:2)",
    "- a\n b: 1": f"{MAPPING} (2:3)",
    "- a: 1\n b: 2": f"{SEQUENCE} (2:2)",
    "a:\n\t- b": f"{TABS} (2:1)",
    "a:\n\tb: c": f"{TABS} (2:1)",
    "\ta: b": f"{TABS} (1:1)",
    "-\ta: b": f"{TABS} (1:2)",
    "a: |\n\tx": f"{TABS} (2:1)",
    "a: x\n\ty": f"{TABS} (2:1)",
    "a: [b": f"{FLOW_END} (1:6)",
    "a: {b: 1\n": f"{FLOW_END} (2:1)",
    "a: [b\nc: d]\ne: f": f"{COMMA} (2:2)",
    "a: {b: 1} }": f"{MAPPING} (1:11)",
    "a: [b,, c]": f"{CONTENT} (1:7)",
    "a: [,]": f"{CONTENT} (1:5)",
    "a: ]": f"{CONTENT} (1:4)",
    "[:a]": f"{CONTENT} (1:2)",
    "{a:,b}": "unexpected ':' in a flow collection; put a blank after it or quote the value (1:3)",
    'a: "x': "unexpected end of the stream within a double quoted scalar (1:6)",
    "a: 'x\n": "unexpected end of the stream within a single quoted scalar (2:1)",
    'a: "\\q"': "unknown escape sequence (1:5)",
    'a: "\\x4"': "expected hexadecimal character (1:7)",
    'a: "\\ud83d"': f"{ESCAPE} (1:7)",
    'a: "\\ud83d\\ude00"': f"{ESCAPE} (1:7)",
    'a: "\\udc00"': f"{ESCAPE} (1:7)",
    'a: "\\U00110000"': f"{ESCAPE} (1:7)",
    'a: "\\Uffffffff"': f"{ESCAPE} (1:7)",
    'a: "b\n---\nc"': "unexpected document marker within a quoted scalar (2:1)",
    "%FOO x\n---\na: 1": "unknown directive",
    "%YAML 1.2\na: 1": "expected '---' after the directives (2:1)",
    "%YAML 1.2\n%YAML 1.2\n---\na: 1": "not valid YAML: ",
    "a: &": f"{NAME} (1:5)",
    "a: *": f"{NAME} (1:5)",
    "a: &b.c d": NAME,
    "a: !!": "a tag has no name (1:6)",
    "a: |0\n x": "not valid YAML: found an indentation indicator equal to 0",
    "a: |x\n": "not valid YAML: ",
    "k" * 1025 + ": v": f"{LONG_KEY} (1:1026)",
    '"' + "k" * 1100 + '": v': f"{LONG_KEY} (1:1103)",
    "{" + "k" * 1100 + ": v}": f"{LONG_KEY} (1:1102)",
    '["' + "k" * 1100 + '": v]': f"{LONG_KEY} (1:1104)",
    "x: 1\n" + "k" * 1100 + ": v": NO_COLON,
    "x: 1\nno colon\n": f"{NO_COLON} (3:1)",
}

ACCEPTED = {
    "a:\tb": {"a": "b"},
    "a: b\t# c": {"a": "b"},
    "{a:\tb,\t'c'\t: d}": {"a": "b", "c": "d"},
    "{b:1}": {"b:1": None},
    '{"b":1}': {"b": 1},
    "['b':1]": [{"b": 1}],
    "{a, b: , c: 1}": {"a": None, "b": None, "c": 1},
    "{a: , b: 1}": {"a": None, "b": 1},
    "[a, b,]": ["a", "b"],
    "[a: 1, b]": [{"a": 1}, "b"],
    "[https://x, a?, what? who]": ["https://x", "a?", "what? who"],
    "a: http://x:1/b:c": {"a": "http://x:1/b:c"},
    "a:b: c": {"a:b": "c"},
    "a: b#c": {"a": "b#c"},
    "a: b #c": {"a": "b"},
    "a: #c": {"a": None},
    "a: -b\nc: ?d\ne: :f": {"a": "-b", "c": "?d", "e": ":f"},
    "a: b\n  c\n\n  d\n": {"a": "b c\nd"},
    "a: b\n %c": {"a": "b %c"},
    'a: "b\n  c\\\n  d\n\n  e"': {"a": "b cd\ne"},
    "a: 'it''s\n  x'": {"a": "it's x"},
    'a: "\\/\\x41\\u00e9\\U0001F600\\0"': {"a": "/Aé😀\0"},
    "a: |\n  b\n   c\n\nd: >\n  e\n  f\n\n  g\n": {"a": "b\n c\n", "d": "e f\ng\n"},
    "a: |+\n  b\n\n\nc: |-\n  d\n\n": {"a": "b\n\n\n", "c": "d"},
    "a: |2\n    b\nc: |1-\n  d\n": {"a": "  b\n", "c": " d"},
    "a: | # c\n  b\nd: >-\t\n  e\n": {"a": "b\n", "d": "e"},
    "a: |\n  b\tc\n  \td\n": {"a": "b\tc\n\td\n"},
    "a:\n- b\n-\n- - c\n  - d\n": {"a": ["b", None, ["c", "d"]]},
    "? a\n: b\n? c\n": {"a": "b", "c": None},
    "a: {\n  b: [\n    c\n  ],\n}\n": {"a": {"b": ["c"]}},
    "a: [b\n]\n": {"a": ["b"]},
    "--- # c\na: b\n... # c\n": {"a": "b"},
    "a: ---\nb: ...\nc: --- d\n": {"a": "---", "b": "...", "c": "--- d"},
    "k" * 1024 + ": v": {"k" * 1024: "v"},
    "? " + "k" * 2000 + "\n: v": {"k" * 2000: "v"},
    "a: " + "b" * 2000: {"a": "b" * 2000},
}  # fmt: skip


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: ascii(text[:20]))
def test_refused(refusal, text: str) -> None:
    found = refusal(text)
    assert found.startswith(REFUSED[text])
    assert found.endswith(")"), "no position"
    assert not any(word in found for word in ("Error", "Scanner", "Parser", "<unicode", "<byte"))


@pytest.mark.parametrize("text", ACCEPTED, ids=lambda text: ascii(text[:20]))
def test_accepted(read, text: str) -> None:
    assert read(text) == ACCEPTED[text]


def test_a_bad_entry_comes_with_advice(document) -> None:
    with pytest.raises(ManifestError) as caught:
        document("a: @x")
    assert caught.value.hint is not None
    assert (caught.value.line, caught.value.column) == (1, 4)
