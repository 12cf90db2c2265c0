"""http(s) URLs as the WHATWG standard has them (planner contract §2, §13, §14)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.text.weburl import join_url, parse_url


def normalised(text: str) -> str | None:
    url = parse_url(text)
    return None if url is None else url.normalised


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://a.example", "https://a.example/"),
        ("HTTPS://A.Example/Path", "https://a.example/Path"),
        (" \t https://a.ex\nample/x\ty \r\n", "https://a.example/xy"),
        ("https://a\r.example/x\ry", "https://a.example/xy"),
        ("https://Xa.example", "https://xa.example/"),
        ("https://a.example/x\x1fy", "https://a.example/x%1Fy"),
        ("https:a.example/x", "https://a.example/x"),
        ("https:///a.example/x", "https://a.example/x"),
        ("https:\\\\a.example\\x\\..\\y", "https://a.example/y"),
        ("https://a.example:443/", "https://a.example/"),
        ("https://a.example:0443/", "https://a.example/"),
        ("https://a.example:00000000443/", "https://a.example/"),
        ("https://a.example:/", "https://a.example/"),
        ("http://a.example:80/", "http://a.example/"),
        ("http://a.example:443/", "http://a.example:443/"),
        ("https://a.example:080/", "https://a.example:80/"),
        ("https://a.example:65535/", "https://a.example:65535/"),
        ("https://u:p@a.example/", "https://a.example/"),
        ("https://u@v@a.example/", "https://a.example/"),
        ("https://u:p@a.example:8/x?q#f", "https://a.example:8/x"),
        ("https://a.example?x@y", "https://a.example/"),
        ("https://a.example/%7E%2f%2F//x", "https://a.example/%7E%2f%2F//x"),
        ("https://a.example/a/./b/../c", "https://a.example/a/c"),
        ("https://a.example/../../c", "https://a.example/c"),
        ("https://a.example/a/%2E%2e/%2e/c", "https://a.example/c"),
        ("https://a.example/a/.%2E", "https://a.example/"),
        ("https://a.example/a/b/..", "https://a.example/a/"),
        ("https://a.example/a/b/.", "https://a.example/a/b/"),
        ("https://a.example/a/...", "https://a.example/a/..."),
        ("https://a.example/a;b,c|d", "https://a.example/a;b,c|d"),
        ('https://a.example/ä b"<>`{}', "https://a.example/%C3%A4%20b%22%3C%3E%60%7B%7D"),
        ("https://a.example/\U0001f600", "https://a.example/%F0%9F%98%80"),
        ("https://a.example/%zz%", "https://a.example/%zz%"),
        ("https://a.example./", "https://a.example./"),
        ("https://a_b.example/", "https://a_b.example/"),
        ("https://%41.example/", "https://a.example/"),
        ("https://a.example/x\x7fy", "https://a.example/x%7Fy"),
    ],
)
def test_normalisation(text, expected):
    assert normalised(text) == expected


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("É.example", "xn--9ca.example"),
        ("münchen.example", "xn--mnchen-3ya.example"),
        ("日本。example", "xn--wgv71a.example"),
        ("ＡＢ.example", "ab.example"),
        ("%C3%A9.example", "xn--9ca.example"),
        ("xn--9ca.example", "xn--9ca.example"),
    ],
)
def test_international_hosts(host, expected):
    assert normalised(f"https://{host}/") == f"https://{expected}/"


@pytest.mark.parametrize("host", ["straße.example", "βόλος.example", "a\u200db.example"])
def test_letters_that_older_idna_maps_to_others_make_no_host(host):
    assert normalised(f"https://{host}/") is None


def test_a_last_label_with_a_radix_and_no_number():
    assert normalised("https://a.0xzz/") == "https://a.0xzz/"


def test_unpaired_surrogates():
    assert normalised("https://a.example/\ud800") == "https://a.example/%EF%BF%BD"


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("017700000001", "127.0.0.1"),
        ("0x7F000001", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("127.0.1", "127.0.0.1"),
        ("127.0.65535", "127.0.255.255"),
        ("1.2.3.4.", "1.2.3.4"),
        ("0x", "0.0.0.0"),
        ("１２７.1", "127.0.0.1"),
        ("0xff.0377.255.1", "255.255.255.1"),
        ("4294967295", "255.255.255.255"),
        ("4294967296", None),
        ("256.1", None),
        ("1.256.1.1", None),
        ("1.2.3.256", None),
        ("127.0.65536", None),
        ("1.2.3.4.5", None),
        ("1.2.3.4.0", None),
        ("a.b.5", None),
        ("1..2", None),
        ("09", None),
        ("1.2.3.08", None),
        ("0x7g.1", None),
    ],
)
def test_ipv4_forms(host, expected):
    assert normalised(f"https://{host}/") == (None if expected is None else f"https://{expected}/")


@pytest.mark.parametrize("host", ["1.example", "1a", "a1", "0xy.example", "1.2.3.4a"])
def test_hosts_that_only_look_like_ipv4(host):
    assert normalised(f"https://{host}/") == f"https://{host}/"


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("[::1]", "[::1]"),
        ("[0:0:0:0:0:0:0:1]", "[::1]"),
        ("[2001:DB8::0001]", "[2001:db8::1]"),
        ("[1:0:0:2:0:0:0:3]", "[1:0:0:2::3]"),
        ("[1:0:0:2:3:0:0:4]", "[1::2:3:0:0:4]"),
        ("[1:0:2:3:4:5:6:7]", "[1:0:2:3:4:5:6:7]"),
        ("[1::]", "[1::]"),
        ("[::]", "[::]"),
        ("[::ffff:127.0.0.1]", "[::ffff:7f00:1]"),
        ("[1:2:3:4:5:6:7]", None),
        ("[1::2::3]", None),
        ("[::g]", None),
        ("[fe80::1%eth0]", None),
        ("[fe80::1%25eth0]", None),
        ("[::1", None),
        ("[]", None),
        ("::1", None),
    ],
)
def test_ipv6_forms(host, expected):
    assert normalised(f"https://{host}/") == (None if expected is None else f"https://{expected}/")


def test_ipv6_with_a_port():
    assert normalised("https://[::1]:0443/x") == "https://[::1]/x"
    assert normalised("http://[::1]:8080") == "http://[::1]:8080/"
    assert normalised("https://[::1]x/") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a.example",
        "//a.example",
        "ftp://a.example",
        "file:///x",
        "mailto:a@b.example",
        "https:",
        "https://",
        "https:///",
        "https://?x",
        "https://#x",
        "https://@/",
        "https://u@/",
        "https://a.example:x/",
        "https://a.example:-1/",
        "https://a.example:65536/",
        "https://a.example:100443/",
        "https://a.example:1000443/",
        "https://a.example:4 43/",
        "https://a.example:４/",
        "https://a b/",
        "https://a<b/",
        "https://a|b/",
        "https://a^b/",
        "https://a[b/",
        "https://a%b/",
        "https://a%00b/",
        "https://a%2fb/",
        "https://a%25b/",
        "https://a%3Ab/",
        "https://a\x7fb/",
        "https://\u00ad/",
        "https://é..example/",
    ],
)
def test_what_is_no_url(text):
    assert parse_url(text) is None


def test_parts():
    url = parse_url("https://u:p@A.example:8443/x y?a b'#c d")
    assert url is not None
    assert url.values() == ("https", "a.example", 8443, "/x%20y", "u:p", "a%20b%27", "c%20d")
    assert url.origin == "https://a.example:8443"
    assert url.text == "https://u:p@a.example:8443/x%20y?a%20b%27#c%20d"
    marks = parse_url("https://a b[c@a.example/#\"<`>'{x")
    assert marks is not None
    assert (marks.credentials, marks.fragment) == ("a%20b%5Bc", "%22%3C%60%3E'{x")
    plain = parse_url("https://a.example:443?#")
    assert plain is not None
    assert (plain.port, plain.query, plain.fragment) == (None, "", "")


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("x", "https://h.example/a/x"),
        ("./x", "https://h.example/a/x"),
        ("../x", "https://h.example/x"),
        ("../../../x", "https://h.example/x"),
        ("x/", "https://h.example/a/x/"),
        (".", "https://h.example/a/"),
        ("..", "https://h.example/"),
        ("/x", "https://h.example/x"),
        ("\\x", "https://h.example/x"),
        ("//o.example/x", "https://o.example/x"),
        ("\\\\o.example\\x", "https://o.example/x"),
        ("//o.example:443", "https://o.example/"),
        ("https://o.example/x", "https://o.example/x"),
        ("HTTP://O.example", "http://o.example/"),
        ("?z", "https://h.example/a/b?z"),
        ("?", "https://h.example/a/b?"),
        ("#z", "https://h.example/a/b?q#z"),
        ("", "https://h.example/a/b?q"),
        ("x?y#z", "https://h.example/a/x?y#z"),
        ("x?y/../z", "https://h.example/a/x?y/../z"),
        (" x\n", "https://h.example/a/x"),
        ("x\ry\nz\t.", "https://h.example/a/xyz."),
        ("ä", "https://h.example/a/%C3%A4"),
        ("./c:d", "https://h.example/a/c:d"),
        ("1:2", "https://h.example/a/1:2"),
        ("%2e%2e/x", "https://h.example/x"),
        ("https:x", "https://h.example/a/x"),
        ("https:/x", "https://h.example/x"),
        ("HTTPS:?z", "https://h.example/a/b?z"),
        ("http:x", "http://x/"),
        ("é:x", "https://h.example/a/%C3%A9:x"),
        ("a_b:x", "https://h.example/a/a_b:x"),
        ("mailto:x", None),
        ("ftp://o.example", None),
        ("javascript:x", None),
        ("//", None),
        ("https://", None),
        ("//a b", None),
    ],
)
def test_joining(reference, expected):
    assert join_url("https://h.example/a/b?q#f", reference) == expected


def test_joining_keeps_port_and_user():
    assert join_url("https://u:p@h.example:8/a/b", "../c") == "https://u:p@h.example:8/c"
    assert join_url("http://h.example", "x") == "http://h.example/x"


@pytest.mark.parametrize("base", ["", "a/b", "ftp://h.example/", "https://"])
def test_joining_needs_a_web_base(base):
    assert join_url(base, "x") is None
    assert join_url(base, "https://h.example/") is None


WORDS = "https http // ::1 .. %2e 0x7f 443 0443 127.1 xn-- x=y".split()
PIECES = st.sampled_from([*WORDS, *":/@?#[]aÉß.% \t\0\ud800\U0001f600-\u00ad{\n"])


@given(st.lists(PIECES, max_size=12).map("".join))
def test_serialising_is_stable(text):
    """Parsing never fails otherwise than by None, and a serialised URL parses to itself."""
    for start in (text, f"https://{text}", f"https://a.example/{text}"):
        url = parse_url(start)
        if url is not None:
            assert parse_url(url.text) == url
            assert url.text.isascii()
            assert parse_url(url.normalised) == url.replace(credentials="", query=None, fragment=None)
            joined = join_url(url.text, text)
            assert joined is None or parse_url(joined) is not None
