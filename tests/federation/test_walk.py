"""What is followed, in which order, and what is said of the rest (planner contract §11)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kcp.errors import FetchError, UsageError
from kcp.federation import MAX_DEPTH
from kcp.network.fetcher import Fetched, OfflineFetcher
from tests.federation.simulator import (
    HUB,
    LEDGER,
    PLATFORM,
    VENDOR,
    Web,
    child,
    count,
    honest,
    manifest,
    reasons,
    ref,
    start,
    unit,
    walk,
)

CREDENTIAL = {"required": True, "credential_hint": "platform_token"}


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    """Writes a manifest into a folder below the test's own and gives the folder."""

    def write(name: str, **members: Any) -> Path:
        place = tmp_path / name
        place.mkdir(parents=True, exist_ok=True)
        (place / "knowledge.yaml").write_bytes(manifest(**members))
        return place

    return write


def test_honest_estate_in_production_with_a_credential() -> None:
    node = walk(honest(), env="prod", credentials=("platform_token",), depth=2)
    assert [each.ref_id for each in node.children] == ["platform", "vendor", "ledger"]
    assert [each.location for each in node.children] == [PLATFORM, VENDOR, LEDGER]
    assert node.ref_id is None
    assert reasons(child(node, "platform")) == {"hub": "already visited (cycle)"}
    ledger = child(node, "ledger")
    assert ledger.signature is not None
    assert ledger.plan is not None
    assert ledger.plan.signature == ledger.signature
    assert ledger.signature.detail == "ed25519 signature verified (declared key)"


def test_reference_that_needs_a_credential_is_never_requested() -> None:
    web = honest()
    node = walk(web, env="prod")
    assert reasons(node) == {"platform": "needs platform_token before fetch"}
    assert PLATFORM not in web.requests


def test_reference_of_another_environment_is_never_requested() -> None:
    web = honest()
    assert reasons(walk(web, env="dev", credentials=("platform_token",))) == {
        "platform": "context [\"prod\"] excludes env 'dev'"
    }
    assert reasons(walk(web)) == {
        "platform": 'context ["prod"] requires a declared env; none given (fail-closed)'
    }
    assert PLATFORM not in web.requests


def test_first_rule_that_applies_gives_the_reason() -> None:
    """Context, credential, depth, cycle, nodes: each reference meets its rule and all that come after it."""
    web = Web()
    both = {"context": ["prod"], "agent_identity": CREDENTIAL}
    web.put(
        HUB,
        manifests=[
            ref("context", HUB, **both),
            ref("credential", HUB, agent_identity=CREDENTIAL),
            ref("cycle", HUB),
            ref("nodes", VENDOR),
        ],
    )
    assert reasons(walk(web, env="dev", depth=0, nodes=1)) == {
        "context": "context [\"prod\"] excludes env 'dev'",
        "credential": "needs platform_token before fetch",
        "cycle": "beyond max depth 0",
        "nodes": "beyond max depth 0",
    }
    assert reasons(walk(web, env="dev", depth=1, nodes=1)) == {
        "context": "context [\"prod\"] excludes env 'dev'",
        "credential": "needs platform_token before fetch",
        "cycle": "already visited (cycle)",
        "nodes": "beyond max nodes 1 (fan-out cap)",
    }


@pytest.mark.parametrize("workers", [1, 32])
def test_subtree_is_walked_before_the_next_sibling(workers: int) -> None:
    web = Web()
    a, b, c = (f"https://{name}.example/knowledge.yaml" for name in "abc")
    web.put(HUB, manifests=[ref("a", a), ref("b", b), ref("c", c)])
    web.put(a, manifests=[ref("c", c)])
    web.put(b)
    web.put(c)
    node = walk(web, depth=2, workers=workers)
    assert child(child(node, "a"), "c").location == c
    assert reasons(node) == {"c": "already visited (cycle)"}
    assert sorted(web.requests) == [a, b, c, HUB]


def test_a_walk_of_no_nodes_still_plans_its_root() -> None:
    node = walk(honest(), nodes=0, env="prod", credentials=("platform_token",))
    assert node.plan is not None
    assert set(reasons(node).values()) == {"beyond max nodes 0 (fan-out cap)"}


class TestErrors:
    """A manifest that cannot be planned is a node with an error; the walk goes on."""

    def test_unreadable_manifest_keeps_the_location_that_was_asked_for(self) -> None:
        web = honest()
        web.put(HUB, manifests=[ref("gone", "https://gone.example:443/./a#b"), ref("vendor", VENDOR)])
        node = walk(web)
        gone = child(node, "gone")
        assert (gone.location, gone.error) == (
            "https://gone.example:443/./a#b",
            "fetch failed: 404 Not Found",
        )
        assert (gone.plan, gone.signature, gone.children, gone.not_followed) == (None, None, (), ())
        assert child(node, "vendor").plan is not None

    def test_unparsable_manifest_has_its_final_location(self) -> None:
        web = honest()
        web.pages[VENDOR] = b"- a list\n"
        vendor = child(walk(web), "vendor")
        assert vendor.error == "parse failed: manifest is not a YAML mapping"
        assert vendor.location == VENDOR

    def test_root_that_cannot_be_read(self) -> None:
        node = walk(Web())
        assert (node.location, node.error) == (HUB, "fetch failed: 404 Not Found")

    @pytest.mark.parametrize("url", ["ftp://vendor.example/k.yaml", "file:///etc/hosts", "c:secret.yaml"])
    def test_remote_manifest_never_leads_to_a_file_of_this_machine(
        self, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A reference with another scheme is no URL; it must not become a path either."""
        monkeypatch.chdir(tmp_path)
        (tmp_path / "c:secret.yaml").write_bytes(manifest())
        web = honest()
        web.put(HUB, manifests=[ref("odd", url)])
        (odd,) = walk(web).children
        assert (odd.location, odd.error) == (url, f"fetch failed: not a valid URL: {url}")

    def test_name_that_no_file_has(self, folder: Callable[..., Path]) -> None:
        hub = folder("hub", manifests=[ref("nul", "a\0b")])
        (nul,) = walk(None, str(hub)).children
        assert nul.error is not None
        assert nul.error.startswith("fetch failed: manifest not found: ")

    def test_without_network_access(self, folder: Callable[..., Path]) -> None:
        hub = folder("hub", manifests=[ref("vendor", VENDOR)])
        (vendor,) = walk(None, str(hub)).children
        assert vendor.error == f"fetch failed: cannot read {VENDOR}: no network access"

    def test_offline(self, folder: Callable[..., Path]) -> None:
        hub = folder("hub", manifests=[ref("vendor", VENDOR), ref("next", "../next")])
        folder("next")
        node = walk(OfflineFetcher(), str(hub))
        assert child(node, "vendor").error == f"fetch failed: offline: refused to fetch {VENDOR} (--offline)"
        assert child(node, "next").plan is not None

    @pytest.mark.parametrize("workers", [1, 32])
    @pytest.mark.parametrize("fault", [ValueError("line\nbreak"), OSError(), KeyError("k")], ids=repr)
    def test_fetcher_that_breaks_its_promise(self, fault: Exception, workers: int) -> None:
        web = honest()
        web.pages[VENDOR] = fault
        node = walk(web, workers=workers)
        error = child(node, "vendor").error or ""
        assert error.startswith(f"fetch failed: the fetcher failed: {type(fault).__name__}: ")
        assert error.isprintable()
        assert child(node, "ledger").plan is not None

    @pytest.mark.parametrize("workers", [1, 32])
    def test_fetcher_that_gives_a_path_in_place_of_a_url(self, workers: int) -> None:
        class Odd(Web):
            def fetch(self, url: str) -> Fetched:
                fetched = super().fetch(url)
                return fetched if url == HUB else fetched.replace(url="/etc/knowledge.yaml")

        web = Odd()
        web.pages = honest().pages
        error = "fetch failed: the fetcher gave no URL: /etc/knowledge.yaml"
        assert [each.error for each in walk(web, workers=workers).children] == [error, error]


class TestMirrors:
    """Rule 4: a local manifest's reference leads to its local mirror where there is one."""

    def test_file_or_folder_with_a_manifest(self, folder: Callable[..., Path]) -> None:
        folder("copy")
        well_known = folder("other") / ".well-known"
        well_known.mkdir()
        (well_known.parent / "knowledge.yaml").rename(well_known / "knowledge.yaml")
        hub = folder(
            "hub",
            manifests=[
                ref("file", VENDOR, local_mirror="../copy/knowledge.yaml"),
                ref("folder", VENDOR, local_mirror="../other"),
            ],
        )
        node = walk(None, str(hub))
        assert child(node, "file").location.endswith("copy/knowledge.yaml")
        assert child(node, "folder").location.endswith("other/.well-known/knowledge.yaml")

    @pytest.mark.parametrize("mirror", ["../nowhere", "../empty", ""])
    def test_elsewhere_the_url_is_taken(self, folder: Callable[..., Path], mirror: str) -> None:
        hub = folder("hub", manifests=[ref("vendor", VENDOR, local_mirror=mirror)])
        (hub.parent / "empty").mkdir()
        assert child(walk(honest(), str(hub)), "vendor").location == VENDOR

    def test_remote_manifest_has_no_mirrors(self, folder: Callable[..., Path]) -> None:
        copy = folder("copy")
        web = honest()
        web.put(HUB, manifests=[ref("vendor", VENDOR, local_mirror=str(copy))])
        assert child(walk(web), "vendor").location == VENDOR


class TestLedger:
    """Money is one ledger over the tree; what is committed before a node lowers what it may spend."""

    PAYING: dict[str, Any] = {"payment_methods": ("free", "x402")}

    def test_arithmetic(self) -> None:
        node = walk(honest(), **self.PAYING, budget={"amount": 0.6})
        vendor, ledger = (child(node, name).plan for name in ("vendor", "ledger"))
        assert vendor is not None
        assert ledger is not None
        assert vendor.budget.note == "projected spend 0.3 of 0.6 USDC; 0.3 remaining."
        assert ledger.budget.note == (
            "projected spend 0.2 (+0.3 committed upstream) of 0.6 USDC; 0.1 remaining."
        )
        assert ledger.budget.already_committed == 0.3

    def test_refused_manifest_commits_nothing(self) -> None:
        web = honest()
        web.put_signed(VENDOR, units=[unit("report", "0.30")])
        web.sign(LEDGER)
        web.pages[f"{VENDOR}.sig"] = web.pages[f"{LEDGER}.sig"]
        node = walk(web, **self.PAYING, budget={"amount": 0.6})
        assert (child(node, "vendor").error or "").startswith("signature invalid: ")
        ledger = child(node, "ledger").plan
        assert ledger is not None
        assert ledger.budget.note == "projected spend 0.2 of 0.6 USDC; 0.4 remaining."

    def test_what_the_operator_spent_comes_first(self) -> None:
        node = walk(honest(), **self.PAYING, budget={"amount": 0.6, "spent": 0.35})
        vendor = child(node, "vendor").plan
        assert vendor is not None
        assert [each.id for each in vendor.skipped] == ["report"]
        ledger = child(node, "ledger").plan
        assert ledger is not None
        assert ledger.budget.note == (
            "projected spend 0.2 (+0.35 committed upstream) of 0.6 USDC; 0.05 remaining."
        )


class TestLimits:
    def test_depth_is_bounded(self) -> None:
        for depth in (-1, MAX_DEPTH + 1):
            with pytest.raises(UsageError, match="max depth must be 0 to 100"):
                start(None, depth=depth)

    def test_longest_chain_is_walked_written_and_compared(self) -> None:
        """Each manifest as deeply nested as YAML may be, so that the stack is as deep as it gets."""
        web = Web()
        places = [f"https://h{number}.example/k.yaml" for number in range(MAX_DEPTH + 2)]
        nested: Any = "x"
        for _ in range(90):
            nested = [nested]
        for place, following in zip(places, [*places[1:], HUB], strict=True):
            web.put(place, manifests=[ref("next", following)], extra=nested)
        node = walk(web, places[0], depth=MAX_DEPTH, nodes=1000)
        assert count(node) == MAX_DEPTH + 1
        assert node == walk(web, places[0], depth=MAX_DEPTH, nodes=1000, workers=1)
        assert json.loads(node.to_json())["children"][0]["refId"] == "next"
        assert f"beyond max depth {MAX_DEPTH}" in node.to_json()

    def test_locations_are_told_before_they_are_read(self) -> None:
        told: list[str] = []
        run = start(honest())
        run.on_visit = told.append
        run.run(HUB)
        assert told == [HUB, VENDOR, LEDGER]

    def test_root_is_kept_for_a_trace_of_the_same_bytes(self) -> None:
        run = start(honest())
        node = run.run(HUB)
        assert node.plan is not None
        assert run.root_manifest is not None
        assert run.root_manifest.sha256 == node.plan.manifest.sha256
        assert run.root_signature == node.signature

    def test_error_of_the_fetcher_keeps_its_text(self) -> None:
        web = honest()
        web.pages[VENDOR] = FetchError("503 Service Unavailable")
        assert child(walk(web), "vendor").error == "fetch failed: 503 Service Unavailable"
