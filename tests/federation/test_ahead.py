"""What is requested ahead of its turn: nothing twice, nothing that would be missed, and not too much."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kcp.federation import ahead
from kcp.federation.loading import Loaded, parsed
from tests.federation.simulator import (
    HUB,
    LEDGER,
    VENDOR,
    Redirect,
    Web,
    child,
    count,
    honest,
    reasons,
    ref,
    start,
    walk,
)

SIGNATURE = f"{LEDGER}.sig"
PUBLIC_KEY = "https://ledger.example/estate.pub"


def refs(*places: str) -> list[dict[str, Any]]:
    return [ref(f"r{number}", place) for number, place in enumerate(places)]


def tree(put: Callable[..., None], place: str, fan_out: int, levels: int) -> None:
    """Manifests below one another, none named twice."""
    below = [place.replace("/knowledge.yaml", f"/{each}/knowledge.yaml") for each in range(fan_out)]
    put(place, manifests=refs(*below) if levels else [])
    for each in below if levels else []:
        tree(put, each, fan_out, levels - 1)


def most_waiting(web: Web, workers: int, **settings: Any) -> int:
    """How many answers waited at once while another had its turn."""
    run = start(web, workers=workers, **settings)
    most = 0

    def look(_location: str) -> None:
        nonlocal most
        most = max(most, 0 if run._ahead is None else len(run._ahead._waiting))

    run.on_visit = look
    run.run(HUB)
    assert run._ahead is not None
    assert run._ahead._waiting == {}
    return most


class TestNothingTwice:
    """Exactly these requests, in whatever order."""

    def requests(self, web: Web, **settings: Any) -> list[str]:
        walk(web, **settings)
        return sorted(web.requests)

    @pytest.mark.parametrize("depth", [1, 3])
    def test_manifest_that_is_visited_already(self, depth: int) -> None:
        web = honest()
        web.put(HUB, manifests=refs(VENDOR, f"{HUB}#again", LEDGER))
        assert self.requests(web, depth=depth) == sorted([HUB, VENDOR, LEDGER, SIGNATURE, PUBLIC_KEY])

    @pytest.mark.parametrize("depth", [1, 3])
    def test_one_manifest_under_two_names(self, depth: int) -> None:
        web = honest()
        web.put(
            HUB, manifests=refs(VENDOR, LEDGER, f"{LEDGER}#b", "https://ledger.example:443/knowledge.yaml")
        )
        assert self.requests(web, depth=depth) == sorted([HUB, VENDOR, LEDGER, SIGNATURE, PUBLIC_KEY])

    @pytest.mark.parametrize("depth", [1, 3])
    def test_page_that_redirects_under_one_name(self, depth: int) -> None:
        web = honest()
        web.pages[HUB] = Redirect(VENDOR)
        old = "https://old.example/k.yaml"
        web.pages[old] = Redirect(LEDGER)
        web.put(VENDOR, manifests=refs(old, HUB, old))
        assert self.requests(web, depth=depth) == sorted([HUB, old, SIGNATURE, PUBLIC_KEY])

    def test_signature_of_what_a_sibling_has_redirected_to(self) -> None:
        web = honest()
        web.pages[VENDOR] = Redirect(LEDGER)
        web.put(HUB, manifests=refs(VENDOR, LEDGER))
        assert self.requests(web) == sorted([HUB, VENDOR, LEDGER, SIGNATURE, PUBLIC_KEY])

    def test_signature_of_what_is_visited_already(self) -> None:
        web = honest()
        web.pages[VENDOR] = Redirect(LEDGER)
        web.put_signed(LEDGER, manifests=refs(VENDOR, "https://old.example/k.yaml"))
        web.pages["https://old.example/k.yaml"] = Redirect(VENDOR)
        walk(web, LEDGER)
        assert sorted(web.requests) == sorted(
            [LEDGER, SIGNATURE, PUBLIC_KEY, VENDOR, "https://old.example/k.yaml"]
        )


class TestNothingMissed:
    """A walk that is signed throughout and uses up its nodes has no request to give away."""

    @pytest.mark.parametrize("depth", [1, 2, 3, 9])
    @pytest.mark.parametrize("nodes", [2, 5, 23])
    def test_signed_tree(self, depth: int, nodes: int) -> None:
        web = Web()
        tree(web.put_signed, HUB, 4, 3)
        node = walk(web, depth=depth, nodes=nodes)
        assert count(node) == min(nodes, 5 if depth == 1 else 21 if depth == 2 else nodes)
        assert len(web.requests) == 3 * count(node)
        assert node == walk(web, depth=depth, nodes=nodes, workers=1)
        assert '"status": "unverifiable"' not in node.to_json()

    def test_signature_of_a_manifest_that_may_not_be_reached(self) -> None:
        """Its manifest was requested with what the hub left over; what it names waits until it is certain."""
        web = honest()
        web.put(HUB, manifests=refs(VENDOR, LEDGER))
        web.put(VENDOR, manifests=refs("https://next.example/k.yaml"))
        web.put("https://next.example/k.yaml")
        run = start(web, depth=3, nodes=3)
        node = run.run(HUB)
        assert reasons(node) == {"r1": "beyond max nodes 3 (fan-out cap)"}
        assert web.requests[1:3] in ([VENDOR, LEDGER], [LEDGER, VENDOR])
        assert SIGNATURE not in web.requests
        assert run._ahead is not None
        assert run._ahead._waiting == {}

    def test_signatures_come_before_manifests_that_find_no_fetches_left(self) -> None:
        """Eight redirects that lead nowhere leave six fetches, enough for two signed manifests."""
        web = Web()
        idle = [f"https://i{number}.example/k.yaml" for number in range(8)]
        signed = [f"https://s{number}.example/knowledge.yaml" for number in range(4)]
        web.put(HUB, manifests=refs(*idle, *signed))
        for place in idle:
            web.pages[place] = Redirect(HUB)
        for place in signed:
            web.put_signed(place)
        node = walk(web, nodes=5)
        assert [each.signature.status for each in node.children if each.signature] == ["verified"] * 2
        assert [reasons(node)[f"r{number}"] for number in (10, 11)] == [
            "beyond max fetches 15 (fan-out cap)"
        ] * 2


class TestNotTooMuch:
    def test_one_level(self) -> None:
        web = Web()
        tree(web.put, HUB, 150, 1)
        assert most_waiting(web, 8, nodes=200) == 7

    def test_many_levels_together(self) -> None:
        web = Web()
        tree(web.put, HUB, 7, 4)
        assert 7 <= most_waiting(web, 8, depth=9, nodes=400) <= 15

    def test_siblings_that_redirect_to_each_other(self) -> None:
        web = Web()
        pairs = [f"https://h{number}.example/k.yaml" for number in range(200)]
        web.put(HUB, manifests=refs(*pairs))
        for number, place in enumerate(pairs):
            if number % 2:
                web.put(place)
            else:
                web.pages[place] = Redirect(pairs[number + 1])
        assert most_waiting(web, 8, nodes=200) <= 16

    def test_large_manifest_is_parsed_in_its_turn(self, monkeypatch: pytest.MonkeyPatch) -> None:
        early: list[str] = []

        def noting(loaded: Loaded, *rest: Any) -> Loaded:
            early.append(loaded.location)
            return parsed(loaded, *rest)

        monkeypatch.setattr(ahead, "parsed", noting)
        web = honest()
        web.put(VENDOR, padding="x" * 300_000)
        node = walk(web)
        assert child(node, "vendor").plan is not None
        assert set(early) == {HUB, LEDGER}
