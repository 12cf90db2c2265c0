"""The strict reader: tighter limits, scalars as written (render contract §17)."""

from __future__ import annotations

import pytest

from kcp.errors import ManifestError
from kcp.reading.strict import MAX_STRICT_BYTES, MAX_STRICT_DEPTH, MAX_STRING_BYTES, read_strict
from kcp.text.written import NumberText


def refusal(text: str | bytes, *, pure: bool = False) -> str:
    with pytest.raises(ManifestError) as caught:
        read_strict(text if isinstance(text, bytes) else text.encode(), pure=pure)
    assert "\n" not in caught.value.message
    return caught.value.message


@pytest.mark.parametrize("pure", [False, True])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: &x b\nc: *x\n", "aliases are not read here"),
        ("a: &x [*x]\n", "aliases are not read here"),
        ("a: !!str b\n", "tags are not read here"),
        ("a: ! b\n", "tags are not read here"),
        ("a: !!map {b: c}\n", "tags are not read here"),
        ("!!str a: b\n", "a key must be plain text"),
        ("[a]: b\n", "a key must be plain text"),
        ("? {a: b}\n: c\n", "a key must be plain text"),
        ("a: b\na: c\n", "duplicated mapping key"),
        ("1: b\n'1': c\n", "duplicated mapping key"),
        ("a: b\n---\nc: d\n", "expected a single document"),
        ("%YAML 2.0\n---\na: b\n", "only %YAML"),
        ("a: [b\n", "unexpected end of the stream"),
        (f"a: {'1' * 401}\n", "401 digits"),
    ],
)
def test_refused(text: str, message: str, pure: bool):
    assert message in refusal(text, pure=pure)


def test_the_place_is_named():
    with pytest.raises(ManifestError) as caught:
        read_strict(b"a: b\nc:\n  d: *x\n")
    assert (caught.value.line, caught.value.column) == (3, 6)


def test_byte_order_mark_is_refused():
    assert "byte order mark" in refusal(b"\xef\xbb\xbfa: b\n")


@pytest.mark.parametrize("data", [b"a: \xff\n", b"\xff\xfea\x00", b"a: \x07\n", b"a: \xed\xa0\x80\n"])
def test_what_is_no_text_is_refused(data: bytes):
    refusal(data)


def test_size():
    body = b"a: " + b"# " * (MAX_STRICT_BYTES // 2)
    assert read_strict(body[:MAX_STRICT_BYTES]) == {"a": None}
    assert "larger than 1,048,576 bytes" in refusal(body[: MAX_STRICT_BYTES + 1])


def test_depth():
    def nested(levels: int) -> bytes:
        return b"[" * levels + b"]" * levels

    assert read_strict(nested(MAX_STRICT_DEPTH)) is not None
    assert "maxDepth (32)" in refusal(nested(MAX_STRICT_DEPTH + 1))
    assert "nesting exceeded" in refusal(nested(5000))


@pytest.mark.parametrize("char", ["a", "å", "日", "😀"])
@pytest.mark.parametrize("shape", ["k: '{}'\n", "'{}': v\n", "[{}]\n"])
def test_length_of_a_text_is_counted_in_bytes(char: str, shape: str):
    fits = char * (MAX_STRING_BYTES // len(char.encode()))
    if not shape.startswith("'"):  # YAML itself has keys of at most 1,024 characters
        read_strict(shape.format(fits).encode())
    assert refusal(shape.format(fits + char))


@pytest.mark.parametrize("text", ["1.0", "0x1F", "1e3", ".inf", "-0", "007", "0.20", "12345678901234567890"])
def test_numbers_stay_as_written(text: str):
    (value,) = read_strict(f"[{text}]".encode())
    assert type(value) is NumberText
    assert value == text


def test_scalars():
    text = "{a: true, b: no, c: ~, d: , e: 2026-01-01, f: '1.0', g: x, 'h': \"y\", i: <<}"
    assert read_strict(text.encode()) == {
        "a": True,
        "b": "no",
        "c": None,
        "d": None,
        "e": "2026-01-01",
        "f": "1.0",
        "g": "x",
        "h": "y",
        "i": "<<",
    }
    assert type(read_strict(b"'1.0'")) is str


def test_merge_key_is_an_ordinary_key():
    assert read_strict(b"{<<: {a: b}, c: d}") == {"<<": {"a": "b"}, "c": "d"}


def test_keys_are_as_written():
    assert list(read_strict(b"{1.0: a, true: b, null: c, '': d}")) == ["1.0", "true", "null", ""]


@pytest.mark.parametrize("data", [b"", b"# nothing\n", b"---\n"])
def test_nothing(data: bytes):
    assert read_strict(data) is None


def test_anchor_without_an_alias_means_nothing():
    assert read_strict(b"a: &x [b]\n") == {"a": ["b"]}
