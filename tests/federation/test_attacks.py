"""An honest estate with one thing changed, and what the walk makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kcp.federation import Node
from kcp.federation.walk import WORKERS
from kcp.planning.results import SignatureResult
from kcp.trust.keys import envelope_text, public_pem, sign
from tests.federation.simulator import (
    HUB,
    KEY,
    LEDGER,
    OTHER_KEY,
    SIGNING,
    VENDOR,
    Redirect,
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

MISMATCH = "signature invalid: ed25519 signature does not match manifest bytes"
SIGNATURE = f"{LEDGER}.sig"
PUBLIC_KEY = "https://ledger.example/estate.pub"
EVIL_KEY = "https://evil.example/estate.pub"

pytestmark = pytest.mark.parametrize("workers", [1, WORKERS])


def ledger_of(web: Web, workers: int, **settings: Any) -> Node:
    return child(walk(web, workers=workers, **settings), "ledger")


def signature_of(node: Node) -> SignatureResult:
    assert node.signature is not None
    return node.signature


def content(web: Web, url: str) -> bytes:
    page = web.pages[url]
    assert isinstance(page, bytes)
    return page


class TestSignatures:
    def test_every_bit_counts(self, workers: int) -> None:
        web = honest()
        data = bytearray(content(web, LEDGER))
        data[data.index(b"1.0.0")] ^= 1
        web.pages[LEDGER] = bytes(data)
        node = ledger_of(web, workers)
        assert node.error == MISMATCH
        assert node.plan is None

    def test_signature_of_another_manifest(self, workers: int) -> None:
        web = honest()
        web.put_signed(VENDOR)
        web.pages[SIGNATURE] = web.pages[f"{VENDOR}.sig"]
        assert ledger_of(web, workers).error == MISMATCH

    def test_resigned_by_the_attacker_verifies_only_where_no_key_is_pinned(self, workers: int) -> None:
        """Who can change manifest, signature and key together can be told only from outside."""
        web = honest()
        web.put_signed(LEDGER, OTHER_KEY, project="ledger", units=[unit("evil accounts")])
        assert signature_of(ledger_of(web, workers)).status == "verified"
        assert ledger_of(web, workers, pinned=(KEY,)).error == MISMATCH

    def test_replayed_old_manifest_still_verifies_and_shows_its_version(self, workers: int) -> None:
        """A signature says who, not when. The version and the digest of what was read stand in the plan."""
        web = honest()
        old_pages = dict(web.pages)
        web.put_signed(LEDGER, project="ledger", version="2.0.0")
        new = ledger_of(web, workers, pinned=(KEY,)).plan
        web.pages |= {url: old_pages[url] for url in (LEDGER, SIGNATURE)}
        old = ledger_of(web, workers, pinned=(KEY,)).plan
        assert new is not None
        assert old is not None
        assert new.signature == old.signature
        assert (new.manifest.version, old.manifest.version) == ("2.0.0", "1.0.0")
        assert new.manifest.sha256 != old.manifest.sha256

    def test_signature_taken_away_is_not_verified_and_not_let_pass_where_required(self, workers: int) -> None:
        web = honest()
        del web.pages[SIGNATURE]
        detail = "cannot load signature: 404 Not Found"
        assert signature_of(ledger_of(web, workers)) == SignatureResult("unverifiable", detail)
        web.put_signed(HUB, manifests=[ref("ledger", LEDGER)])
        error = f"signature required but unverifiable: {detail}"
        assert ledger_of(web, workers, require=True).error == error

    def test_signing_block_taken_away(self, workers: int) -> None:
        web = honest()
        web.put(LEDGER, project="ledger")
        assert signature_of(ledger_of(web, workers)).status == "unsigned"
        web.put_signed(HUB, manifests=[ref("ledger", LEDGER)])
        error = "signature required but unsigned: manifest declares no signature"
        assert ledger_of(web, workers, require=True).error == error

    def test_signature_that_redirects_elsewhere(self, workers: int) -> None:
        web = honest()
        elsewhere = "https://evil.example/knowledge.yaml.sig"
        web.pages[elsewhere] = web.pages[SIGNATURE]
        web.pages[SIGNATURE] = Redirect(elsewhere)
        assert signature_of(ledger_of(web, workers)).detail == (
            f"cannot load signature: refused {elsewhere}: redirected outside the manifest's folder"
        )

    @pytest.mark.parametrize(
        "place", [EVIL_KEY, "//evil.example/estate.pub", "http://ledger.example/estate.pub"]
    )
    def test_key_of_another_origin_is_never_requested(self, place: str, workers: int) -> None:
        web = honest()
        web.put_signed(LEDGER, OTHER_KEY, signing={**SIGNING, "public_key": place})
        web.pages[EVIL_KEY] = public_pem(OTHER_KEY.public).encode()
        signature = signature_of(ledger_of(web, workers))
        assert signature.status == "unverifiable"
        assert signature.detail.startswith("cannot load public key: refused http")
        assert signature.detail.endswith(": outside the manifest's folder")
        assert not any("evil" in url or url.startswith("http:") for url in web.requests)

    def test_unreachable_key_is_not_replaced_by_the_envelopes_own(self, workers: int) -> None:
        web = honest()
        web.put_signed(LEDGER, OTHER_KEY)
        del web.pages[PUBLIC_KEY]
        signature = signature_of(ledger_of(web, workers))
        assert (signature.status, signature.detail) == (
            "unverifiable",
            "cannot load public key: 404 Not Found",
        )

    def test_huge_signature_and_key(self, workers: int) -> None:
        web = honest()
        web.pages[PUBLIC_KEY] = b"A" * (8 * 2**20)
        assert signature_of(ledger_of(web, workers)).detail == (
            "cannot load public key: file is larger than 65,536 bytes"
        )
        web.pages[SIGNATURE] = b"A" * (8 * 2**20)
        assert signature_of(ledger_of(web, workers)).detail == (
            "cannot load signature: file is larger than 65,536 bytes"
        )

    def test_answers_for_one_manifest_never_serve_another(self, workers: int) -> None:
        """Two manifests in one folder name the same files; each is verified with what it asked for itself."""
        web = honest()
        twin = "https://ledger.example/twin.yaml"
        web.put(twin, signing=SIGNING)
        web.put(HUB, manifests=[ref("twin", twin), ref("ledger", LEDGER)])
        node = walk(web, workers=workers)
        assert child(node, "twin").error == MISMATCH
        assert signature_of(child(node, "ledger")).status == "verified"

    def test_signature_and_key_in_one_place(self, workers: int) -> None:
        web = honest()
        web.put_signed(LEDGER, signing={**SIGNING, "public_key": "knowledge.yaml.sig"})
        signature = signature_of(ledger_of(web, workers))
        assert signature.detail == "cannot import public key: unrecognized public key encoding"
        assert web.requests.count(SIGNATURE) == 2

    def test_refused_manifest_is_named_by_where_it_was_found(self, workers: int) -> None:
        web = honest()
        web.put_signed(LEDGER)
        web.sign(LEDGER, OTHER_KEY)
        web.pages["https://old.example/k.yaml"] = Redirect(LEDGER)
        web.put(HUB, manifests=[ref("ledger", "https://old.example/k.yaml")])
        node = ledger_of(web, workers, pinned=(KEY,))
        assert (node.location, node.error) == (LEDGER, MISMATCH)

    def test_verification_off_requests_no_signatures(self, workers: int) -> None:
        web = honest()
        assert ledger_of(web, workers, verify=False).signature is None
        assert web.requests == [HUB, VENDOR, LEDGER]


class TestCycles:
    """B22: one manifest is visited once, whatever it is called."""

    @pytest.mark.parametrize(
        "spelling",
        [
            HUB,
            f"{HUB}#again",
            "https://hub.example:443/knowledge.yaml",
            "https://HUB.example/./kb/../knowledge.yaml",
            "https:\\\\hub.example\\knowledge.yaml",
            "https://user@hub.example/knowledge.yaml",
            "",
            "knowledge.yaml",
            "/knowledge.yaml",
            "//hub.example/knowledge.yaml",
        ],
    )
    def test_spellings_of_the_hub(self, spelling: str, workers: int) -> None:
        web = Web()
        web.put(HUB, manifests=[ref("again", spelling)])
        if spelling.startswith("https:\\"):
            assert walk(web, workers=workers).children == ()
        else:
            assert reasons(walk(web, workers=workers)) == {"again": "already visited (cycle)"}
            assert web.requests == [HUB]

    def test_cycle_through_a_redirect(self, workers: int) -> None:
        web = honest()
        web.pages[VENDOR] = Redirect(HUB)
        node = walk(web, workers=workers)
        assert reasons(node)["vendor"] == "already visited (cycle)"
        assert child(node, "ledger").plan is not None

    def test_redirect_to_a_sibling_counts_for_whichever_comes_first(self, workers: int) -> None:
        web = honest()
        web.pages[VENDOR] = Redirect(LEDGER)
        node = walk(web, workers=workers)
        assert child(node, "vendor").location == LEDGER
        assert reasons(node)["ledger"] == "already visited (cycle)"

    def test_page_that_redirects_is_requested_once(self, workers: int) -> None:
        web = Web()
        web.pages[VENDOR] = Redirect(HUB)
        web.put(HUB, manifests=[ref(f"r{number}", VENDOR) for number in range(20)])
        node = walk(web, workers=workers)
        assert list(reasons(node).values()) == ["already visited (cycle)"] * 20
        assert web.requests == [HUB, VENDOR]

    def test_folder_its_file_and_links_to_them_are_one(self, tmp_path: Path, workers: int) -> None:
        hub = tmp_path / "hub"
        hub.mkdir()
        (tmp_path / "link").symlink_to(hub)
        (hub / "also.yaml").symlink_to(hub / "knowledge.yaml")
        places = [
            "knowledge.yaml",
            "../hub",
            "../hub/",
            "../link",
            "../link/knowledge.yaml",
            "also.yaml",
            ".",
        ]
        refs = [ref(f"r{number}", place) for number, place in enumerate(places)]
        (hub / "knowledge.yaml").write_bytes(manifest(manifests=refs))
        node = walk(None, str(hub), workers=workers)
        assert list(reasons(node).values()) == ["already visited (cycle)"] * len(places)


class TestFanOut:
    """However many references an estate has, requests and nodes stay within their caps."""

    def test_ten_thousand_references(self, workers: int) -> None:
        web = Web()
        names = [f"https://h{number}.example/k.yaml" for number in range(10_000)]
        web.put(HUB, manifests=[ref(f"r{number}", name) for number, name in enumerate(names)])
        for name in names:
            web.put(name)
        node = walk(web, workers=workers)
        assert count(node) == 64
        assert set(reasons(node).values()) == {"beyond max nodes 64 (fan-out cap)"}
        assert len(web.requests) == 64

    @pytest.mark.parametrize("depth", [1, 3])
    def test_ten_thousand_redirects_to_the_hub(self, workers: int, depth: int) -> None:
        web = Web()
        names = [f"https://h{number}.example/k.yaml" for number in range(10_000)]
        web.put(HUB, manifests=[ref(f"r{number}", name) for number, name in enumerate(names)])
        for name in names:
            web.pages[name] = Redirect(HUB)
        node = walk(web, workers=workers, depth=depth)
        assert node.children == ()
        assert len(web.requests) == 192
        told = list(reasons(node).values())
        assert told[:191] == ["already visited (cycle)"] * 191
        assert set(told[191:]) == {"beyond max fetches 192 (fan-out cap)"}

    def test_signatures_and_keys_count(self, workers: int) -> None:
        web = Web()
        names = [f"https://h{number}.example/knowledge.yaml" for number in range(100)]
        web.put_signed(HUB, manifests=[ref(f"r{number}", name) for number, name in enumerate(names)])
        for name in names:
            web.put_signed(name, manifests=[ref(f"x{number}", each) for number, each in enumerate(names)])
        for depth in (1, 2, 100):
            web.requests.clear()
            node = walk(web, workers=workers, depth=depth, nodes=20)
            assert count(node) == 20
            assert len(web.requests) == 60
            assert "unverifiable" not in node.to_json()

    def test_signature_beyond_the_cap_is_unverifiable(self, workers: int) -> None:
        """Redirects that lead nowhere new can use up what a later manifest would need."""
        web = Web()
        names = [f"https://h{number}.example/k.yaml" for number in range(4)]
        for name in names:
            web.pages[name] = Redirect(HUB)
        refs = [ref(f"r{number}", name) for number, name in enumerate(names)]
        web.put(HUB, manifests=[*refs, ref("ledger", LEDGER)])
        web.put_signed(LEDGER)
        node = walk(web, workers=workers, nodes=2)
        assert len(web.requests) == 6
        assert signature_of(child(node, "ledger")).detail == (
            "cannot load signature: beyond max fetches 6 (fan-out cap)"
        )

    def test_siblings_that_redirect_to_each_other(self, workers: int) -> None:
        web = Web()
        names = [f"https://h{number}.example/k.yaml" for number in range(1000)]
        web.put(HUB, manifests=[ref(f"r{number}", name) for number, name in enumerate(names)])
        for number, name in enumerate(names):
            web.pages[name] = Redirect(names[number + 1 - 2 * (number % 2)])
            if number % 4 == 1:
                web.put(name)
        for depth in (1, 5):
            web.requests.clear()
            walk(web, workers=workers, depth=depth)
            assert len(web.requests) <= 192

    def test_answers_that_wait_are_few(self, workers: int) -> None:
        """What is read ahead of its turn is bounded on all levels together."""
        web = Web()
        level = [HUB, *[f"https://h{number}.example/k.yaml" for number in range(300)]]
        for number, name in enumerate(level):
            following = [level[each % 301] for each in range(number + 30, number, -1)]
            web.put(name, manifests=[ref(f"r{each}", url) for each, url in enumerate(following)])
        run = start(web, depth=30, nodes=200, workers=workers)
        most = 0

        def look(_location: str) -> None:
            nonlocal most
            most = max(most, 0 if run._ahead is None else len(run._ahead._waiting))

        run.on_visit = look
        assert count(run.run(HUB)) == 200
        assert most <= 2 * workers
        assert run._ahead is None or run._ahead._waiting == {}


class TestConfinement:
    """With `root` set, local references stay below it, links followed (B12)."""

    @pytest.fixture
    def estate(self, tmp_path: Path) -> Path:
        for name in ("root/hub", "root/team", "outside"):
            (tmp_path / name).mkdir(parents=True)
            (tmp_path / name / "knowledge.yaml").write_bytes(manifest(project=name))
        (tmp_path / "root" / "leak").symlink_to(tmp_path / "outside")
        (tmp_path / "root" / "leak.yaml").symlink_to(tmp_path / "outside" / "knowledge.yaml")
        return tmp_path

    @pytest.mark.parametrize("member", ["url", "local_mirror"])
    @pytest.mark.parametrize(
        "place", ["../leak", "../leak.yaml", "../../outside", "../team/../../outside", "{outside}"]
    )
    def test_escape(self, estate: Path, place: str, member: str, workers: int) -> None:
        target = place.format(outside=estate / "outside")
        hub = estate / "root" / "hub"
        both = {"url": "../team", member: target}
        (hub / "knowledge.yaml").write_bytes(
            manifest(manifests=[{"id": "out", **both}, ref("team", "../team")])
        )
        node = walk(None, str(hub), root=str(estate / "root"), workers=workers)
        out = child(node, "out")
        assert out.plan is None
        assert (out.error or "").startswith("fetch failed: refused ")
        assert (out.error or "").endswith(f": outside the root {(estate / 'root').resolve()}")
        assert child(node, "team").plan is not None
        assert child(walk(None, str(hub), workers=workers), "out").plan is not None

    def test_root_manifest_itself(self, estate: Path, workers: int) -> None:
        node = walk(None, str(estate / "outside"), root=str(estate / "root"), workers=workers)
        assert (node.error or "").startswith("fetch failed: refused ")

    def test_signature_of_a_local_manifest(self, estate: Path, workers: int) -> None:
        team = estate / "root" / "team"
        signing = {**SIGNING, "public_key": "../../outside/estate.pub"}
        (team / "knowledge.yaml").write_bytes(data := manifest(signing=signing))
        (team / "knowledge.yaml.sig").write_text(envelope_text("estate", KEY, sign(data, KEY)))
        (estate / "outside" / "estate.pub").write_text(public_pem(KEY.public))
        assert signature_of(walk(None, str(team), workers=workers)).detail == (
            "cannot load public key: refused ../../outside/estate.pub: outside the manifest's folder"
        )


def test_manifest_larger_than_the_cap(workers: int) -> None:
    web = honest()
    run = start(web, workers=workers)
    run._sources.max_bytes = len(content(web, HUB)) + 10
    web.pages[VENDOR] = content(web, VENDOR) + b"# padding\n" * 1000
    error = child(run.run(HUB), "vendor").error or ""
    assert error.startswith("parse failed: manifest is larger than ")


def test_large_manifests_are_parsed_in_their_turn(workers: int) -> None:
    """Beyond 256 KiB nothing is parsed before its turn; the result is the same."""
    web = honest()
    web.put_signed(LEDGER, padding="x" * 300_000)
    web.put(VENDOR, padding="x" * 300_000)
    node = walk(web, workers=workers)
    assert signature_of(child(node, "ledger")).status == "verified"
    assert child(node, "vendor").plan is not None
    assert sorted(web.requests) == sorted([HUB, VENDOR, LEDGER, SIGNATURE, PUBLIC_KEY])
