"""Bytes and characters: encoding, byte order marks, controls, and breaks that are content here (B8, B20)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.errors import ManifestError
from kcp.reading.characters import Exchange, decode, needs_exchange, place


def test_one_byte_order_mark_is_stripped(document, refusal) -> None:
    assert document("\ufeffa: 1").root == {"a": 1}
    assert document("\ufeffa: 1").text == "a: 1"
    assert refusal("\ufeff\ufeffa: 1") == "a second byte order mark is not allowed (1:1)"


def test_other_encodings(refusal) -> None:
    for codec in ("utf-16", "utf-32-le"):
        data = "\ufeffa: 1".encode(codec)
        assert refusal(data) == "manifest is not UTF-8: it starts as UTF-16 does"
    assert refusal("a: 1".encode("utf-16-le")) == "null byte is not allowed in input (1:2)"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a: caf\xe9\n", "byte 0xe9 at offset 6 (1:7)"),
        (b"\xef\xbb\xbfa: 1\r\nb: \xff", "byte 0xff at offset 12 (2:4)"),
        ("é: ".encode() + b"\xc3", "byte 0xc3 at offset 4 (1:4)"),
        (b"\xed\xa0\x80", "byte 0xed at offset 0 (1:1)"),
        (b"\xc0\x80", "byte 0xc0 at offset 0 (1:1)"),
        (b"\xf4\x90\x80\x80", "byte 0xf4 at offset 0 (1:1)"),
    ],
)
def test_what_is_not_utf8(refusal, data: bytes, message: str) -> None:
    assert refusal(data) == f"manifest is not UTF-8: {message}"


@pytest.mark.parametrize("where", ["a: x{}", "# {}\n", "a: '{}'", 'a: "{}"', "{}", "a: |\n  {}\n"])
@pytest.mark.parametrize(
    "code", [*range(1, 9), 11, 12, *range(14, 32), 0x7F, 0x80, 0x84, 0x86, 0x9F, 0xFFFE, 0xFFFF]
)
def test_control_characters_are_refused_everywhere(refusal, where: str, code: int) -> None:
    index = where.index("{}")
    line, column = (2, 3) if "|" in where else (1, index + 1)
    expected = f"the stream contains non-printable characters ({line}:{column})"
    assert refusal(where.format(chr(code))) == expected


def test_the_hint_names_the_character() -> None:
    with pytest.raises(ManifestError) as caught:
        decode(b"a: \x1b[31m")
    assert caught.value.hint == "remove the control character U+001B"


def test_null_bytes(refusal) -> None:
    assert refusal("a: 1\nb: \0") == "null byte is not allowed in input (2:4)"
    assert refusal("# \0\x01").startswith("null byte")


@pytest.mark.parametrize(
    "character", ["\x85", "\u2028", "\u2029", "\ufeff", "\xa0", "\u200b", "\ue000", "\U0010fffe"]
)
def test_other_characters_are_content(read, character: str) -> None:
    text = "a: x@y\nb: '@'\nc: \"@@\"\nd@: |\n  @z\n".replace("@", character)
    assert read(text) == {
        "a": f"x{character}y",
        "b": character,
        "c": character * 2,
        f"d{character}": f"{character}z\n",
    }
    assert read(f"{character}k: 1") == {f"{character}k": 1} if character != "\ufeff" else True
    assert read(f"a: 1\n{character}k: 1") == {"a": 1, f"{character}k": 1}


def test_escapes_of_the_substitutes_stay(read) -> None:
    assert read('a: "\u2028\\ue000\\uE001\\U0000e002"\nb: \ue003') == {
        "a": "\u2028\ue000\ue001\ue002",
        "b": "\ue003",
    }
    assert read('a: "\\N\\_\\L\\P"') == {"a": "\x85\xa0\u2028\u2029"}


def test_no_substitute_left(refusal) -> None:
    message = "manifest uses every private-use character; none is left to read it with"
    codes = range(0xE000, 0xF900)
    assert refusal("a: \x85" + "".join(map(chr, codes))) == message
    assert refusal('a: "\x85' + "".join(f"\\u{code:04X}" for code in codes) + '"') == message


@given(
    st.text(
        alphabet=st.sampled_from("a\x85\u2028\u2029\ufeff\ue000\ue001\ue002\ue003\U000f0000é"), max_size=20
    )
)
def test_an_exchange_is_undone(text: str) -> None:
    exchange = Exchange(text)
    parsed = text.translate(exchange.to_parser)
    assert len(parsed) == len(text)
    assert not needs_exchange(parsed)
    assert parsed.translate(exchange.to_value) == text


def test_line_ends(read) -> None:
    expected = {"a": "one\ntwo\n", "b": [1, 2]}
    for end in ("\n", "\r\n", "\r"):
        assert read("a: |\n  one\n  two\nb:\n- 1\n- 2\n".replace("\n", end)) == expected


def test_places_count_characters_and_every_line_end() -> None:
    text = "é\r\n😀b\rc\n\nd"
    assert [place(text, text.index(part)) for part in ("é", "😀", "b", "c", "d")] == [
        (1, 1),
        (2, 1),
        (2, 2),
        (3, 1),
        (5, 1),
    ]
    assert place("", 0) == (1, 1)
    assert place("a\n", 2) == (2, 1)
