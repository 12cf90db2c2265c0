"""Edits of a manifest's text: what is meant changes, every other byte stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.reading.yaml12 import read_yaml
from kcp.trust.edits import EditError, ScalarEdit, append_block, replace_scalars

OLD, NEW = "ab" * 32, "cd" * 32
BLOCK = {"scheme": "ed25519", "key_id": "ops-1", "public_key": "MCowBQ+/=", "signature": "k.yaml.sig"}
BOM = b"\xef\xbb\xbf"


def replace(text: str | bytes, *edits: tuple[tuple[str | int, ...], str, str]) -> bytes:
    data = text.encode() if isinstance(text, str) else text
    return replace_scalars(data, read_yaml(data), [ScalarEdit(*edit) for edit in edits])


def append(text: str | bytes) -> bytes:
    data = text.encode() if isinstance(text, str) else text
    return append_block(data, read_yaml(data), "signing", BLOCK)


@pytest.mark.parametrize(
    "text",
    [
        "a:\n  v: {}\n",
        "a:\n  v: {}",
        "a:\n  v: '{}'\n",
        'a:\n  v: "{}"   # comment\n',
        "a:\n  v: {} # comment {}\n",
        "a: {{v: {}}}\n",
        "a: {{v: {}, w: 1}}\n",
        "a: {{ 'v' : '{}' }}\n",
        "a:\n  v:\n    {}\n",
        "a:\n  v:\n    '{}'\n",
        "a:\r\n  v: {}\r\n\r\n",
        "a:\r  v: {}\r",
        "# ø {}\nß: 'ÿ'\na: {{ø: 'å', v: {}}}\n",
        "x: \u2028\ny: \"\u0085 {}\"\na: {{z: '\u2029', v: '{}'}}\n",
        "x: 😀 {}\na: {{y: '😀', v: '{}'}}\n",
        "---\n# first\na:\n  v: {}\n  w: [1, 2,\n    3]   \n\n\n# last",
        "a: &x {{v: {}}}\n",
        "? a\n: v: {}\n",
        "---\na:\n  v: {}\n...\n",
    ],
)
@pytest.mark.parametrize("bom", [b"", BOM])
def test_one_scalar_changes(text: str, bom: bytes):
    before = bom + text.format(OLD, OLD).encode()
    after = replace(before, (("a", "v"), OLD, NEW))
    places = [i for i in range(len(before)) if before.startswith(OLD.encode(), i)]
    expected = [before[:i] + NEW.encode() + before[i + 64 :] for i in places]
    assert after in expected
    assert read_yaml(after).root["a"]["v"] == NEW
    assert len(after) == len(before)


def test_several_scalars_of_several_lengths():
    text = "u:\n- {h: {v: ''}} # a\n- h: {v: \"x\"}\n- h:\n    v: some old text\n"
    edits = [(("u", place, "h", "v"), old, NEW) for place, old in enumerate(("", "x", "some old text"))]
    assert replace(text, *reversed(edits)).decode() == (
        f"u:\n- {{h: {{v: '{NEW}'}}}} # a\n- h: {{v: \"{NEW}\"}}\n- h:\n    v: {NEW}\n"
    )


def test_no_edits_change_nothing():
    assert replace("a: {v: 1}\n") == b"a: {v: 1}\n"


def test_a_value_that_would_be_a_number_is_quoted():
    assert replace("a: {v: xx}\n", (("a", "v"), "xx", "1" * 64)).decode() == f'a: {{v: "{"1" * 64}"}}\n'
    assert replace("a: {v: 'xx'}\n", (("a", "v"), "xx", "12e34")) == b"a: {v: '12e34'}\n"


@pytest.mark.parametrize(
    "text",
    [
        "a:\n  v: |\n    old\n",
        "a:\n  v: >-\n    old\n",
        "a: {v: &x old}\n",
        "a: {v: !!str old}\n",
        "a: {v: ! old}\n",
        "x: &x old\na: {v: *x}\n",
        'a: {v: "\\x6fld"}\n',
        "a: {v: 'ol''d'}\n",
        'a: {v: "ol\\\n  d"}\n',
        "a:\n  v: old\n    text\n",
        "a:\n  v: 'old\n    text'\n",
    ],
)
def test_scalars_of_other_shapes_are_refused(text: str):
    old = read_yaml(text.encode()).root["a"]["v"]
    with pytest.raises(EditError) as caught:
        replace(text, (("a", "v"), old, NEW))
    assert caught.value.exit_code == 1
    assert caught.value.message.startswith("cannot rewrite a.v: it is ")


@pytest.mark.parametrize(
    "text",
    [
        "x: &x {v: old}\na: *x\n",
        "x: &x {v: old}\na: {<<: *x}\n",
        "a: &x {v: old}\nb: *x\n",
    ],
)
def test_shared_values_are_refused(text: str):
    with pytest.raises(EditError, match="would change more"):
        replace(text, (("a", "v"), "old", NEW))


def test_one_scalar_for_two_values_is_refused():
    text = "u: [&x {v: old}, *x]\n"
    same = replace(text, (("u", 0, "v"), "old", NEW), (("u", 1, "v"), "old", NEW))
    assert same.decode() == text.replace("old", NEW)
    with pytest.raises(EditError, match=r"cannot rewrite u\[1\]\.v: it stands for several values"):
        replace(text, (("u", 0, "v"), "old", NEW), (("u", 1, "v"), "old", "other"))


_WORD = st.text("abcdef0123456789 #:'\"\\-{}[],&*!|>%@`\n\tø\u2028", max_size=20)


@given(_WORD, _WORD, st.sampled_from(["v: {}", "v: '{}'", 'v: "{}"', "[{}]", "{{v: {}, w: 1}}"]))
def test_any_text_is_edited_rightly_or_refused(word: str, other: str, shape: str):
    data = f"k: {shape.format(word)}\na: {{v: '{OLD}', w: {other}}}\n".encode()
    try:
        document = read_yaml(data)
        old = document.root["a"]["v"]
        before = repr(document.root)
    except Exception:  # noqa: BLE001 — not YAML, or of another shape
        return
    try:
        after = replace(data, (("a", "v"), old, NEW))
    except EditError:
        return
    assert repr(read_yaml(after).root) == before.replace(repr(old), repr(NEW), 1) or OLD in word + other
    assert after == data.replace(OLD.encode(), NEW.encode()) or OLD in word + other


# --- blocks -------------------------------------------------------------------------------------------------

LINES = (
    "signing:",
    "  scheme: ed25519",
    "  key_id: ops-1",
    '  public_key: "MCowBQ+/="',
    "  signature: k.yaml.sig",
)


def block(newline: str = "\n", indent: str = "") -> str:
    return "".join([indent + line + newline for line in LINES])


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("a: 1\n", block()),
        ("a: 1", "\n" + block()),
        ("a: 1\nb: 2  ", "\n" + block()),
        ("a: 1\r\n", block("\r\n")),
        ("a: 1\r\nb: 2", "\r\n" + block("\r\n")),
        ("a: 1\r", block("\r")),
        ("a: 1\n\n\n", block()),
        ("a: 1\n# end", "\n" + block()),
        ("a: 1\nb: 2\r\n", block("\r\n")),
        ("  a: 1\n  b: 2\n", block(indent="  ")),
        ("---\na: 1\n", block()),
        ("%YAML 1.2\n---\na: 1\n", block()),
        ("a:\n- 1\n-\n  - 2\n", block()),
        ("a: |\n  x\n", block()),
        ("a: |+\n  x\n\n", block()),
        ("a: x\n  y", "\n" + block()),
        ("a: {b: 1,\n c: 2}\n", block()),
        ("# ...\na: '...'\n", block()),
        ("a: &x {b: 1}\nc: *x\n", block()),
        ("'a': 1\n", block()),
    ],
)
@pytest.mark.parametrize("bom", [b"", BOM])
def test_a_block_at_the_end(text: str, added: str, bom: bytes):
    before = bom + text.encode()
    assert append(before) == before + added.encode()
    assert read_yaml(append(before)).root["signing"] == BLOCK


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a: 1\nsigning: {}\n", "already"),
        ("a: 1\nsigning:\n", "already"),
        ("x: &x {signing: 1}\n<<: *x\n", "already"),
        ("{a: 1}\n", "plain block mapping"),
        ("--- {a: 1}\n", "plain block mapping"),
        ("--- &x\na: 1\n", "plain block mapping"),
        ("--- !!map\na: 1\n", "plain block mapping"),
        ("a: 1\n...\n", "document end marker"),
        ("a: 1\n... # end\n", "document end marker"),
        ("a: 1\r\n...", "document end marker"),
        ("a: |\n  x", "would change what stands there"),
    ],
)
def test_blocks_that_are_refused(text: str, why: str):
    with pytest.raises(EditError, match=why) as caught:
        append(text)
    assert caught.value.exit_code == 1


@pytest.mark.parametrize(
    "value",
    ["123", "true", "null", "a b", "a: b", "ø", "~", "-", "x@y", "1e5", "2026-01-01", "a.b-c", '"', "\\"],
)
def test_members_read_back_as_text(value: str):
    data = append_block(b"a: 1\n", read_yaml(b"a: 1\n"), "signing", {"key_id": value})
    assert read_yaml(data).root == {"a": 1, "signing": {"key_id": value}}
