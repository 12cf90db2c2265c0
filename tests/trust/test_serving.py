"""Whether a manifest was retrieved from where it is served (planner contract §13)."""

from __future__ import annotations

from typing import Any

import pytest

from kcp.planning.results import ServingBinding
from kcp.trust.serving import check_serving
from tests.support import manifest

HOME = "https://a.example/k.yaml"
BOUND = "retrieval URL is in the declared serving.manifest list"
LOCAL = "loaded from a local path — retrieval binding applies to HTTP(S) retrieval only"
NOTHING = "serving block declares no manifest URLs — retrieval binding not in effect"


def binding(source: str | None, serving: str = f"{{manifest: ['{HOME}']}}") -> Any:
    return check_serving(manifest(source=source, serving=serving))


def test_without_a_block_there_is_no_verdict():
    assert check_serving(manifest(source=HOME)) is None


@pytest.mark.parametrize("serving", ["{}", "{manifest: []}", "{manifest: x}", f"{{mcp: ['{HOME}']}}"])
@pytest.mark.parametrize("source", [HOME, "k.yaml"])
def test_no_binding(serving, source):
    assert binding(source, serving) == ServingBinding("no-binding", NOTHING)


@pytest.mark.parametrize("source", ["k.yaml", None, "file:///k.yaml", "ftp://a.example/k.yaml", "httpx://a"])
def test_local(source):
    assert binding(source) == ServingBinding("local", LOCAL, None, (HOME,))


@pytest.mark.parametrize(
    "source",
    [
        HOME,
        "HTTPS://A.Example/k.yaml",
        "https://a.example:443/k.yaml",
        "https://a.example:0443/k.yaml",
        "https://user:pass@a.example/k.yaml?q=1#f",
        "https://a.example/x/../k.yaml",
        "https://a.example\\k.yaml",
    ],
)
def test_bound(source):
    assert binding(source) == ServingBinding("bound", BOUND, source, (HOME,))


@pytest.mark.parametrize(
    "source",
    [
        "http://a.example/k.yaml",
        "https://a.example/K.yaml",
        "https://a.example/k.yaml/",
        "https://a.example./k.yaml",
        "https://a.example:444/k.yaml",
        "https://b.example/k.yaml",
        "https://a.example/%6B.yaml",
        "https://a.example//k.yaml",
        "https://",
    ],
)
def test_unbound(source):
    detail = (
        f"retrieved from {source}, which is not in the declared serving.manifest list [{HOME}] — trust "
        "capped at 'known' (KCP §16.5 C22)"
    )
    assert binding(source) == ServingBinding("unbound", detail, source, (HOME,))


def test_domains_that_differ_by_a_sharp_s_are_two():
    assert (
        binding("https://strasse.example/k", "{manifest: ['https://straße.example/k']}").status == "unbound"
    )


def test_any_entry_may_match():
    serving = f"{{manifest: ['not a url', 'https://z.example/k', '{HOME}']}}"
    made = binding(HOME, serving)
    assert made.status == "bound"
    assert made.declared == ("not a url", "https://z.example/k", HOME)
    other = binding("https://c.example/k", serving)
    assert f"[not a url, https://z.example/k, {HOME}]" in other.detail


def test_what_is_no_url_matches_nothing():
    assert binding("https://[x", "{manifest: ['https://[x']}").status == "unbound"
