"""What is read of a web page."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kcp.authoring.discover.pages import MAX_BYTES, is_html, read_page
from kcp.network.fetcher import Fetched


def test_page():
    content = read_page(
        b"""<!doctype html><html><head><title>Tides &amp; berths
        </title><style>h1 {}</style><script>document.write("<h1>no</h1>")</script></head>
        <body><nav><h2>Menu</h2><p>Skip</p><a href="/nav">n</a></nav>
        <h1>All <em>about</em> tides</h1><pre>code</pre><p></p><p>First &lt;one&gt;<br>line.</p><p>Second</p>
        <h3>Deep</h3><h4>No</h4><a href='/one'>1</a><A HREF=two>2</A><a href="/one">again</a><a name=x>3</a>
        <svg><title>picture</title></svg></body></html>"""
    )
    assert content.title == "Tides & berths"
    assert content.headings == ("All about tides", "Deep")
    assert content.first_paragraph == "First <one> line."
    assert content.links == ("/nav", "/one", "two")


@pytest.mark.parametrize(
    ("markup", "paragraph"),
    [
        ("<p>one<p>two", "one"),
        ("<p>one<div>two</div>", "one"),
        ("<pre>no</pre><p>one", "one"),
        ("<param><p>one</p>", "one"),
        ("<p>   </p><p>&nbsp;</p><p>one</p>", "one"),
        ("<p>one", "one"),
        ("<p>a<b>b</b>c</p>", "abc"),
        ("<!-- <p>no</p> --><p>one</p>", "one"),
        ("<p>a\u202eb\u0000c</p>", "abc"),
        ("<template><p>no</p></template><p>one</p>", "one"),
        ("<p>" + "word " * 400, ("word " * 100).strip()),
    ],
)
def test_first_paragraph(markup: str, paragraph: str):
    assert read_page(markup.encode()).first_paragraph == paragraph


def test_base_and_encodings():
    assert read_page(b'<base href="/docs/"><a href=x>').base == "/docs/"
    assert read_page("<title>Über</title>".encode()).title == "Über"
    assert read_page("<title>Über</title>".encode("latin-1")).title == "Über"
    assert read_page(b"\xef\xbb\xbf<title>a</title>").title == "a"


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("text/html", True),
        ("Text/HTML; charset=utf-8", True),
        ("application/xhtml+xml", True),
        ("text/plain", False),
        ("application/json", False),
        (None, False),
    ],
)
def test_what_is_a_page(content_type: str | None, expected: bool):
    assert is_html(Fetched("https://a.test/", b"<html>", content_type)) is expected


HOSTILE = [
    *("<", "<a ", "<a href=", "<!--", "<!", "<![CDATA[", "<?", "</", "&", "&#", "<script>", "<title>", "<p>"),
    *(
        "<svg>",
        "</svg>",
        "<nav>",
        "<a href='",
        "<h1>",
        "<a b=c ",
        "<!DOCTYPE ",
        "<textarea>",
        "<!-- -",
        "</a ",
    ),
    *("<![", "<!DOCTYPE [", "</script", "<a/", "<![if !x]>"),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_broken_markup_takes_no_time(piece: str):
    start = time.perf_counter()
    read_page((piece * (MAX_BYTES // len(piece))).encode())
    assert time.perf_counter() - start < 10


MARKUP = [*HOSTILE, ">", "text", "=", "'", '"', "]", "--", "&amp;", "]]>"]


@given(st.lists(st.sampled_from(MARKUP), max_size=30))
@settings(max_examples=150)
def test_no_markup_is_refused(pieces: list[str]):
    read_page("".join(pieces).encode())


def test_conditional_section_is_skipped():
    assert read_page(b"<![if IE]><p>one</p><![endif]><![CDATA[ <p>x ]]>").first_paragraph == "one"


def test_much_is_cut():
    content = read_page(b"<h1>x</h1>" * 500 + b"".join(b"<a href=/%d>" % number for number in range(3000)))
    assert len(content.headings) == 100
    assert len(content.links) == 1000
