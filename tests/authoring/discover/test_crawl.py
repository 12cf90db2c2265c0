"""The crawl and its draft."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kcp.authoring.discover.draft import draft_site
from kcp.authoring.discover.pages import Page
from kcp.errors import FetchError

SITE = "https://quay.test"
HTML = "text/html"


def page(title: str, *links: str, text: str = "") -> tuple[bytes, str]:
    anchors = "".join(f'<a href="{link}">x</a>' for link in links)
    return f"<title>{title}</title><h1>{title}</h1><p>{text}</p>{anchors}".encode(), HTML


def crawled(internet: Any) -> list[str]:
    """What was asked after the manifests."""
    return [
        url.removeprefix(SITE) for url in internet.asked[internet.asked.index(f"{SITE}/robots.txt") + 1 :]
    ]


def test_breadth_first_within_the_origin(search: Callable):
    pages = {
        f"{SITE}/": page(
            "Home", "/a", "b/", "https://other.test/", "/logo.png", "#top", "mailto:x@y.test", "/A.ZIP"
        ),
        f"{SITE}/a": page("A", "/deep", "/", "/b"),
        f"{SITE}/b/": page("B", "c#x", "//quay.test/a/", "https://quay.test:443/a"),
        f"{SITE}/deep": page("Deep"),
        f"{SITE}/b/c": page("C"),
    }
    result, internet, pauses = search(SITE, pages)
    assert crawled(internet) == ["/", "/a", "/b/", "/deep", "/b/c"]
    assert [each.title for each in result.crawl.pages] == ["Home", "A", "B", "Deep", "C"]
    assert [each.path for each in result.crawl.pages] == ["index", "a", "b", "deep", "b/c"]
    assert pauses == [1.0] * 4


def test_twenty_pages_and_forty_requests(search: Callable):
    links = [f"/{number}" for number in range(100)]
    result, internet, _ = search(SITE, {"*": 404, f"{SITE}/": page("Home", *links)} | {
        f"{SITE}/{number}": page(f"P{number}") for number in range(100)
    })  # fmt: skip
    assert len(result.crawl.pages) == 20
    _, internet, pauses = search(SITE, {f"{SITE}/": page("Home", *links)})
    assert len(crawled(internet)) == 40
    assert len(pauses) == 39  # failures wait their turn too
    result, _, _ = search(SITE, {f"{SITE}/": page("Home", *links)}, max_pages=1)
    assert len(result.crawl.pages) == 1


def test_robots_are_obeyed(search: Callable):
    pages = {
        f"{SITE}/robots.txt": b"User-agent: *\nDisallow: /private\nAllow: /private/open\nCrawl-delay: 3\n",
        f"{SITE}/": page("Home", "/private/a", "/private/open", "/free"),
        f"{SITE}/private/open": page("Open"),
        f"{SITE}/free": page("Free"),
    }
    result, internet, pauses = search(SITE, pages)
    assert crawled(internet) == ["/", "/private/open", "/free"]
    assert result.crawl.robots_disallowed == ("/private",)
    assert pauses == [3.0, 3.0]


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        (404, ["/"]),
        (410, ["/"]),
        (500, []),
        (503, []),
        (FetchError("fetch failed"), []),
        (b"User-agent: *\nDisallow: /", []),
    ],
)
def test_robots_that_are_missing_or_cannot_be_read(search: Callable, answer: Any, asked: list[str]):
    _, internet, _ = search(SITE, {f"{SITE}/robots.txt": answer, f"{SITE}/": page("Home")})
    assert crawled(internet) == asked


def test_longest_delay_is_ten_seconds(search: Callable):
    pages = {f"{SITE}/robots.txt": b"User-agent: *\nCrawl-delay: 9999\n", f"{SITE}/": page("Home", "/a")}
    assert search(SITE, pages)[2] == [10.0]
    assert search(SITE, pages, delay=0)[2] == []


def test_pages_that_are_none_of_the_site(search: Callable):
    pages = {
        f"{SITE}/": page("Home", "/away", "/text", "/untyped", "/again", "/sealed"),
        f"{SITE}/away": "https://other.test/x",
        "https://other.test/x": page("Other"),
        f"{SITE}/text": (b"<title>t</title>", "text/plain"),
        f"{SITE}/untyped": b"<title>t</title>",
        f"{SITE}/again": f"{SITE}/",
        f"{SITE}/sealed": f"{SITE}/closed",
        f"{SITE}/closed": page("Closed"),
        f"{SITE}/robots.txt": b"User-agent: *\nDisallow: /closed\n",
    }
    result, _, _ = search(SITE, pages)
    assert [each.title for each in result.crawl.pages] == ["Home"]


def test_site_that_lives_elsewhere(search: Callable):
    www = "https://www.quay.test"
    pages = {
        f"{SITE}/": f"{www}/",
        f"{www}/": page("Home", "/a", f"{SITE}/b"),
        f"{www}/a": page("A"),
        f"{www}/robots.txt": b"User-agent: *\nDisallow: /b\n",
    }
    result, internet, _ = search(SITE, pages)
    assert [each.url for each in result.crawl.pages] == [f"{www}/", f"{www}/a"]
    assert f"{www}/robots.txt" in internet.asked


def made(path: str, title: str = "T", headings: tuple[str, ...] = (), paragraph: str = "") -> Page:
    return Page(f"{SITE}/{path}", title, headings, paragraph, path)


def test_draft():
    pages = (
        made("index", "Quay: home", ("Welcome to the port", "Berths and tides"), "All about berths."),
        made("docs/Start.html", "", ("Getting started",)),
        made("docs/start.md", "null", (), "x" * 30 + " " + "y" * 90),
        made("1.10", "- dash", ("To do",)),
        made("日本", "", ()),
        made("index", "again"),
    )
    draft = draft_site(pages, "2026-07-06")
    assert draft.report.findings == ()
    assert draft.text.startswith(
        "# Drafted by kcp-agent discover from the pages of a site that has no manifest.\n# TODO: "
    )
    assert 'project: "Quay: home"\n' in draft.text
    assert [(unit.id, unit.intent) for unit in draft.units] == [
        ("index", "Quay: home — All about berths."),
        ("docs-start", "Getting started"),
        ("docs-start-2", "null — " + "x" * 30 + "..."),
        ("1", "- dash"),
        ("index-2", "日本"),
    ]
    assert draft.units[0].triggers == ("welcome", "port", "berths", "tides")
    assert draft.units[4].triggers == ("日本",)


def test_richest_pages_are_kept():
    poor = [made(f"p{number}", "T") for number in range(30)]
    rich = made("rich", "T", ("a", "b"), "text")
    assert draft_site((*poor, rich), "2026-07-06").units[0].path == "rich"
    assert len(draft_site((*poor, rich), "2026-07-06").units) == 30


@pytest.mark.parametrize(
    ("url", "name"), [("https://www.quay.test/", "quay"), ("https://quay.test/", "quay")]
)
def test_name_without_a_title(url: str, name: str):
    assert f"project: {name}\n" in draft_site((Page(url, "", (), "", "index"),), "2026-07-06").text
