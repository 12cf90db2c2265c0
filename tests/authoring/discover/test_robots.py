"""robots.txt by RFC 9309."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kcp.authoring.discover.robots import CLOSED, OPEN, parse_robots

TWO_GROUPS = (
    "User-agent: kcp-agent\nDisallow: /x\nUser-agent: *\nDisallow: /\nUser-agent: KCP-Agent\nDisallow: /y\n"
)
CASES = [
    ("", "/a", True),
    ("User-agent: *\nDisallow:\n", "/a", True),
    ("User-agent: *\nDisallow: /\n", "/a", False),
    ("User-agent: *\nDisallow: /a\n", "/ab", False),
    ("User-agent: *\nDisallow: /a\n", "/b", True),
    ("User-agent: *\nDisallow: /a/\n", "/a", True),
    ("User-agent: *\nDisallow: /A\n", "/a", True),
    # Allow, the longest rule, ties
    ("User-agent: *\nDisallow: /a\nAllow: /a/b\n", "/a/b/c", True),
    ("User-agent: *\nAllow: /a/b\nDisallow: /a\n", "/a/c", False),
    ("User-agent: *\nDisallow: /a\nAllow: /a\n", "/a", True),
    ("User-agent: *\nAllow: /\nDisallow: /a\n", "/a", False),
    # wildcards
    ("User-agent: *\nDisallow: /*.pdf$\n", "/x/y.pdf", False),
    ("User-agent: *\nDisallow: /*.pdf$\n", "/x/y.pdf?z", True),
    ("User-agent: *\nDisallow: /*.pdf\n", "/x/y.pdf?z", False),
    ("User-agent: *\nDisallow: /a*b*c\n", "/aXbYc", False),
    ("User-agent: *\nDisallow: /a*b*c\n", "/aXcYb", True),
    ("User-agent: *\nDisallow: *\n", "/", False),
    ("User-agent: *\nDisallow: /$\n", "/", False),
    ("User-agent: *\nDisallow: /$\n", "/a", True),
    ("User-agent: *\nDisallow: /a*$\n", "/abc", False),
    ("User-agent: *\nDisallow: /aa*aa$\n", "/aaa", True),
    ("User-agent: *\nDisallow: *?session=\n", "/a?session=1", False),
    # groups
    ("User-agent: other\nDisallow: /\n", "/a", True),
    ("User-agent: other\nUser-agent: kcp-agent\nDisallow: /\n", "/a", False),
    ("User-agent: other\n\n# note\nUser-agent: kcp-agent\n\nDisallow: /\n", "/a", False),
    ("User-agent: *\nDisallow: /\nUser-agent: kcp-agent\nDisallow:\n", "/a", True),
    (TWO_GROUPS, "/x", False),
    (TWO_GROUPS, "/y", False),
    (TWO_GROUPS, "/z", True),
    ("User-agent: kcp-agent/1.0\nDisallow: /\n", "/a", False),
    ("User-agent: kcp\nDisallow: /\n", "/a", True),
    ("User-agent: kcp-agent-two\nDisallow: /\n", "/a", True),
    ("User-agent: * # all\nDisallow: /a # not this\n", "/a", False),
    ("User-agent: *\nCrawl-delay: 1\nUser-agent: x\nDisallow: /\n", "/a", True),
    ("User-agent: *\nSitemap: /s\nDisallow: /a\n", "/a", False),
    ("Disallow: /\n", "/a", True),
    # writing
    ("USER-AGENT : *\nDISALLOW : /a\n", "/a", False),
    ("\ufeffUser-agent: *\nDisallow: /\n", "/a", False),
    ("User-agent: *\rDisallow: /\r", "/a", False),
    ("User-agent: *\r\nDisallow: /\r\n", "/a", False),
    ("User-agent *\nDisallow /\n", "/a", True),
    # encodings
    ("User-agent: *\nDisallow: /~joe\n", "/%7Ejoe", False),
    ("User-agent: *\nDisallow: /%7ejoe\n", "/~joe", False),
    ("User-agent: *\nDisallow: /über\n", "/%C3%BCber", False),
    ("User-agent: *\nDisallow: /a%2fb\n", "/a/b", True),
    ("User-agent: *\nDisallow: /a%2fb\n", "/a%2Fb", False),
    ("User-agent: *\nDisallow: /100%\n", "/100%", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "target", "allowed"), CASES)
def test_rules(text: str, target: str, allowed: bool):
    assert parse_robots(text.encode()).allows(target) is allowed


def test_no_file_and_no_access():
    assert OPEN.allows("/a")
    assert not CLOSED.allows("/a")
    assert CLOSED.disallowed == ("/",)


def test_delay_and_what_is_disallowed():
    robots = parse_robots(b"User-agent: *\nCrawl-delay: 2.5\nDisallow: /b\nAllow: /b/c\nDisallow: /a\n")
    assert robots.delay == 2
    assert robots.disallowed == ("/b", "/a")
    assert parse_robots(b"User-agent: *\nCrawl-delay: soon\n").delay == 0


def test_patterns_take_no_time():
    text = "User-agent: *\n" + ("Disallow: /" + "*a" * 200 + "b$\n") * 900
    robots = parse_robots(text.encode())
    start = time.perf_counter()
    assert robots.allows("/" + "a" * 2000)
    assert time.perf_counter() - start < 5


@given(st.binary(max_size=200), st.text(max_size=20))
@settings(max_examples=60)
def test_no_file_is_too_strange(data: bytes, target: str):
    assert parse_robots(b"User-agent: *\n" + data).allows("/" + target) in (True, False)


@given(st.text("ab*", max_size=6), st.text("ab", max_size=8), st.booleans())
@settings(max_examples=150)
def test_wildcards_mean_any_run(pattern: str, rest: str, whole: bool):
    import re

    expected = re.match("/" + pattern.replace("*", ".*") + ("$" if whole else ""), "/" + rest) is not None
    robots = parse_robots(f"User-agent: *\nDisallow: /{pattern}{'$' if whole else ''}\n".encode())
    assert robots.allows("/" + rest) is not expected
