"""A manifest got from where its publisher does not serve it is not trusted (render contract §8, C22)."""

from __future__ import annotations

import pytest

from kcp.render.serving import check_retrieval
from tests.render.conftest import MINIMAL, ORG, PINNED, UNPINNED, Desk

HOME = "https://a.example/k.yaml"


@pytest.mark.parametrize(
    ("url", "result"),
    [
        (HOME, "match"),
        ("HTTPS://A.Example/k.yaml", "match"),
        ("https://a.example:443/k.yaml?q=1#f", "match"),
        ("https://a.example/K.yaml", "mismatch"),
        ("https://a.example/x/../k.yaml", "mismatch"),
        ("https://a.example/%6b.yaml", "mismatch"),
        ("https://a.example:8443/k.yaml", "mismatch"),
        ("http://a.example/k.yaml", "mismatch"),
        ("https://a.example", "mismatch"),
    ],
)
def test_urls(url: str, result: str):
    assert check_retrieval({"serving": {"manifest": [HOME, 5, "https://b.example/"]}}, url) == result


@pytest.mark.parametrize("serving", [None, "x", [], {}, {"manifest": HOME}, {"manifest": None}])
def test_not_declared(serving: object):
    assert check_retrieval({"serving": serving}, HOME) == "not_declared"
    assert check_retrieval({}, HOME) == "not_declared"


def test_empty_list_matches_nothing():
    assert check_retrieval({"serving": {"manifest": []}}, HOME) == "mismatch"


def test_mismatch_demotes_trusted_to_known(desk: Desk):
    desk.write(MINIMAL + f"serving: {{manifest: [{HOME}, https://b.example/k]}}\n", ORG)
    result = desk.render("--retrieved-from", "https://evil.example/k.yaml", origin=PINNED)
    trust = result.artifact["trust"]
    assert trust["tier"] == "known"
    assert "reason" not in trust
    assert trust["serving_check"] == {"retrieved_from": "https://evil.example/k.yaml", "result": "mismatch"}
    assert trust["signature"]["status"] == "valid"
    assert result.artifact["discovery"]["confidence"] == 0.6
    assert result.units["berthing"]["load_eligible"] is False
    assert result.err == (
        "⚠ retrieval URL 'https://evil.example/k.yaml' is not in the manifest's serving.manifest list "
        f"[{HOME}, https://b.example/k]; trusted tier demoted to known (§3.12 / C22)\n"
    )


def test_lower_tiers_stay(desk: Desk):
    desk.write(MINIMAL + "serving: {manifest: []}\n")
    result = desk.render("--retrieved-from", HOME, origin=UNPINNED)
    assert result.artifact["trust"]["tier"] == "unsigned"
    assert "serving.manifest list [(empty)]; tier remains unsigned (§3.12 / C22)" in result.err


def test_match_and_undeclared_change_nothing(desk: Desk):
    desk.write(MINIMAL + f"serving: {{manifest: [{HOME}]}}\n", ORG)
    assert desk.render("--retrieved-from", HOME, origin=PINNED).artifact["trust"]["tier"] == "trusted"
    desk.write(MINIMAL, ORG)
    result = desk.render("--retrieved-from", HOME, origin=PINNED)
    assert result.artifact["trust"]["serving_check"]["result"] == "not_declared"
    assert result.artifact["trust"]["tier"] == "trusted"


@pytest.mark.parametrize("url", ["ftp://a.example", "x", "https://a b", "https://é.example", "https://a\n"])
@pytest.mark.parametrize("flag", ["--retrieved-from", "--corroborate-url"])
def test_what_is_no_url_is_refused(desk: Desk, flag: str, url: str):
    desk.write(MINIMAL)
    assert desk.render(flag, url).code == 2
