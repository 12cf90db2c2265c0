"""The order of places, and what counts as a manifest (surfaces contract §8)."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from kcp.authoring.discover.find import Drafted, Found, FoundList, Nothing
from kcp.authoring.discover.places import forge_places
from kcp.errors import FetchError, UsageError
from kcp.text.weburl import parse_url
from tests.authoring.discover.conftest import MANIFEST

SITE = "https://quay.test"
HTML = "text/html; charset=utf-8"
DOCUMENT = json.dumps({"kcp_version": "0.32", "manifest": "/kcp/here.yaml"}).encode()
ORDER = [
    f"{SITE}/.well-known/kcp.json",
    f"{SITE}/knowledge.yaml",
    f"{SITE}/.well-known/knowledge.yaml",
    f"{SITE}/.well-known/kcp/knowledge.yaml",
    f"{SITE}/llms.txt",
    f"{SITE}/robots.txt",
    f"{SITE}/docs/page",
]


def test_all_places_in_order(search: Callable):
    result, internet, _ = search(f"{SITE}/docs/page", {})
    assert internet.asked == ORDER
    assert isinstance(result, Nothing)
    assert result.reached
    assert [attempt.url for attempt in result.tried] == [url for url in ORDER if "robots" not in url]


@pytest.mark.parametrize("place", ORDER[1:4])
def test_well_known_places(search: Callable, place: str):
    result, internet, _ = search(SITE, {place: MANIFEST})
    assert isinstance(result, Found)
    assert result.url == place
    assert result.manifest.values() == ("quay", "1.2", 1, "0.32")
    assert internet.asked[-1] == place


def test_discovery_document(search: Callable):
    pages = {ORDER[0]: DOCUMENT, f"{SITE}/kcp/here.yaml": MANIFEST, ORDER[1]: MANIFEST}
    assert search(SITE, pages)[0].url == f"{SITE}/kcp/here.yaml"
    elsewhere = json.dumps({"kcp_version": "0.32", "manifest": "https://cdn.test/k.yaml"}).encode()
    assert (
        search(SITE, {ORDER[0]: elsewhere, "https://cdn.test/k.yaml": MANIFEST})[0].url
        == "https://cdn.test/k.yaml"
    )


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"<html>",
        b"[]",
        b"{}",
        b'{"manifest": "/k.yaml"}',
        b'{"kcp_version": "0.32"}',
        b'{"kcp_version": 1, "manifest": "/k.yaml"}',
        b'{"kcp_version": "0.32", "manifest": 7}',
        b'{"kcp_version": "0.32", "manifest": "k.yaml"}',
        b'{"kcp_version": "0.32", "manifest": "//evil.test/k.yaml"}',
        b'{"kcp_version": "0.32", "manifest": "file:///etc/passwd"}',
        b'{"kcp_version": "0.32", "manifest": "https:k.yaml"}',
        b'{"kcp_version": "0.32", "manifest": "/a", "manifest": "/b"}',
    ],
)
def test_document_that_is_none_is_passed_over(search: Callable, document: bytes):
    result, internet, _ = search(SITE, {ORDER[0]: document, ORDER[1]: MANIFEST})
    assert result.url == ORDER[1]
    assert internet.asked == ORDER[:2]


def test_document_that_points_at_nothing(search: Callable):
    assert search(SITE, {ORDER[0]: DOCUMENT, ORDER[2]: MANIFEST})[0].url == ORDER[2]


@pytest.mark.parametrize(
    "body",
    [
        b"<!doctype html><title>project: not found</title>",
        b"just text with project: in it",
        b"- project: a\n",
        b"services:\n  project: x\n",
        b"project: [\n",
        b"project: 3\n",
        b"\xff\xfe",
        b"",
    ],
)
def test_page_that_only_looks_like_one_is_none(search: Callable, body: bytes):
    result, _, _ = search(SITE, {ORDER[1]: body, ORDER[3]: MANIFEST})
    assert result.url == ORDER[3]


@pytest.mark.parametrize(
    ("body", "facts"),
    [
        (b"project: a\n", ("a", "0.0.0", 0, None)),
        (b"units: []\n", ("(unnamed)", "0.0.0", 0, None)),
        (b"kcp_version: '0.25'\nmanifests: []\n", ("(unnamed)", "0.0.0", 0, "0.25")),
    ],
)
def test_facts_and_their_defaults(search: Callable, body: bytes, facts: tuple):
    assert search(SITE, {ORDER[1]: body})[0].manifest.values() == facts


def test_final_url_is_told(search: Callable):
    pages = {
        ORDER[1]: "https://www.quay.test/knowledge.yaml",
        "https://www.quay.test/knowledge.yaml": MANIFEST,
    }
    assert search(SITE, pages)[0].url == "https://www.quay.test/knowledge.yaml"


def test_llms_txt_that_points_at_a_manifest(search: Callable):
    llms = b"# Quay\n> knowledge: /k/m.yaml\n- [a](/a)\n"
    assert search(SITE, {ORDER[4]: llms, f"{SITE}/k/m.yaml": MANIFEST})[0].url == f"{SITE}/k/m.yaml"


def test_llms_txt_with_links_is_told_of_and_nothing_is_crawled(search: Callable):
    result, internet, _ = search(SITE, {ORDER[4]: b"# Quay\n> knowledge: /gone\n- [a](/a)\n- [b](/b)\n"})
    assert isinstance(result, FoundList)
    assert result.llms_txt.values() == (ORDER[4], 2, "Quay")
    assert internet.asked == [*ORDER[:5], f"{SITE}/gone"]


@pytest.mark.parametrize("page", [(b"# Quay\n- [a](/a)\n", HTML), b"<html><a href=x>", b"# Quay\n", b"\xff"])
def test_what_is_no_llms_txt(search: Callable, page: object):
    result, internet, _ = search(SITE, {ORDER[4]: page})
    assert isinstance(result, Nothing)
    assert internet.asked[-1] == f"{SITE}/"


FORGES = {
    "https://github.com/acme/quay": "https://raw.githubusercontent.com/acme/quay/HEAD",
    "https://github.com/acme/quay.git": "https://raw.githubusercontent.com/acme/quay/HEAD",
    "https://www.github.com/acme/quay/tree/dev/docs?x=1#y": "https://raw.githubusercontent.com/acme/quay/HEAD",
    "https://gitlab.com/acme/quay": "https://gitlab.com/acme/quay/-/raw/HEAD",
    "https://gitlab.com/acme/sub/group/quay.git": "https://gitlab.com/acme/sub/group/quay/-/raw/HEAD",
    "https://gitlab.com/acme/sub/quay/-/tree/main/docs": "https://gitlab.com/acme/sub/quay/-/raw/HEAD",
    "https://codeberg.org/acme/quay/src/branch/main": "https://codeberg.org/acme/quay/raw/branch/HEAD",
}


@pytest.mark.parametrize("page", FORGES)
def test_repository_pages(search: Callable, page: str):
    raw = f"{FORGES[page]}/.well-known/knowledge.yaml"
    result, internet, _ = search(page, {raw: MANIFEST})
    assert result.url == raw
    assert internet.asked[-2:] == [f"{FORGES[page]}/knowledge.yaml", raw]


@pytest.mark.parametrize(
    "page",
    [
        "https://github.com/",
        "https://github.com/acme",
        "https://github.com/search/x",
        "https://gitlab.com/acme",
        "https://gitlab.com/acme/-/x",
        "http://github.com/acme/quay",
        "https://github.com:444/acme/quay",
        "https://github.com.evil.test/acme/quay",
        "https://gist.github.com/acme/quay",
    ],
)
def test_pages_that_are_no_repository(page: str):
    url = parse_url(page)
    assert url is not None
    assert forge_places(url) == ()


def test_list_of_the_forge_does_not_hide_the_repository(search: Callable):
    raw = "https://raw.githubusercontent.com/acme/quay/HEAD/knowledge.yaml"
    pages = {"https://github.com/llms.txt": b"# Forge\n- [a](/a)\n", raw: MANIFEST}
    assert search("https://github.com/acme/quay", pages)[0].url == raw


def test_site_that_cannot_be_reached_is_asked_twice(search: Callable):
    result, internet, _ = search(SITE, {"*": FetchError("fetch failed", hint="no route")})
    assert isinstance(result, Nothing)
    assert not result.reached
    assert internet.asked == ORDER[:2]
    assert result.tried[0].reason == "fetch failed: no route"


def test_one_answer_is_enough_to_have_reached_it(search: Callable):
    result, _, _ = search(SITE, {"*": FetchError("fetch failed"), ORDER[1]: 500})
    assert result.reached


@pytest.mark.parametrize(
    "text", ["", "quay.test", "ftp://quay.test", "file:///etc", "https://", "https:quay", "a b"]
)
def test_what_is_no_url(search: Callable, text: str):
    with pytest.raises(UsageError):
        search(text, {})


def test_credentials_are_not_sent(search: Callable):
    with pytest.raises(UsageError, match="credentials"):
        search("https://me:secret@quay.test/", {})


def test_draft_from_pages(search: Callable):
    page = (b"<title>Quay</title><h1>Berths</h1><p>All of them.</p>", HTML)
    result, _, _ = search(SITE, {f"{SITE}/": page}, project="mine")
    assert isinstance(result, Drafted)
    assert "project: mine\n" in result.yaml
    assert 'intent: "Quay — All of them."\n' in result.yaml
