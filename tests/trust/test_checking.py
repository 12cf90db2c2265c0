"""The check of a manifest's signature: where it is found, and whose key counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from kcp.reading.source import sha256_hex
from kcp.reading.sources import Sources
from kcp.trust.checking import SignatureCheck, check_signature
from kcp.trust.keyring import Keyring, KeyringEntry
from kcp.trust.policy import TrustPolicy
from kcp.trust.signature import PinnedKey
from tests.trust.support import b64, envelope, pair, signature_b64, spki_b64

PLAIN = "project: p\nunits: []\n"
DECLARED = PLAIN + f"signing: {{scheme: ed25519, key_id: k, public_key: {spki_b64(1)}, signature: k.sig}}\n"


def pinned(*numbers: int) -> TrustPolicy:
    return TrustPolicy(pinned=tuple([PinnedKey(f"pinned key {n}", pair(n).public) for n in numbers]))


class Place:
    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, text: str, **signatures: str) -> None:
        (self.path / "knowledge.yaml").write_text(text)
        for name, signature in signatures.items():
            (self.path / name.replace("__", ".")).write_text(signature)

    def check(self, trust: TrustPolicy | None = None, text: str | None = None) -> SignatureCheck:
        return check_signature(str(self.path / "knowledge.yaml"), trust or TrustPolicy(), Sources(), text)

    def outcome(
        self, trust: TrustPolicy | None = None, text: str | None = None
    ) -> tuple[str, str, str | None]:
        check = self.check(trust, text)
        return check.status, check.detail, check.by


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


SELF = ("unverifiable", "key vouches for itself; pass --trust-key", "envelope key")


def by(name: str) -> tuple[str, str, str]:
    return "verified", f"ed25519 signature verified ({name})", name


def test_unsigned(place: Place):
    place.write(PLAIN)
    detail = "manifest declares no signature, and there is no knowledge.yaml.sig"
    assert place.outcome() == place.outcome(pinned(1)) == ("unsigned", detail, None)


def test_by_a_declared_key(place: Place):
    place.write(DECLARED, k__sig=envelope(1, DECLARED.encode()))
    location = str(place.path / "knowledge.yaml")
    sha256 = sha256_hex(DECLARED.encode())
    assert place.check() == SignatureCheck(
        location,
        sha256,
        "verified",
        "ed25519 signature verified (declared key)",
        "of-envelope",
        "declared key",
    )
    assert place.outcome(pinned(1)) == by("pinned key 1")
    assert place.outcome(pinned(2))[0] == "invalid"


def test_the_block_comes_before_the_file_beside(place: Place):
    beside = {"knowledge__yaml__sig": envelope(1, DECLARED.encode())}
    place.write(DECLARED, **beside)
    assert place.outcome()[:2] == (
        "unverifiable",
        f"cannot load signature: file not found: {place.path / 'k.sig'}",
    )
    place.write(DECLARED, k__sig=envelope(1, b"other"), **beside)
    assert place.outcome()[0] == "invalid"


def test_the_file_beside_is_by_its_own_key_alone(place: Place):
    place.write(PLAIN, knowledge__yaml__sig=envelope(1, PLAIN.encode()))
    assert place.outcome() == SELF
    assert place.outcome(pinned(2, 1)) == by("pinned key 1")
    assert place.outcome(pinned(2))[0] == "invalid"
    ring = TrustPolicy(keyring=Keyring((KeyringEntry("r", pair(1).public),)))
    assert place.outcome(ring) == by("keyring key r")
    assert place.outcome(TrustPolicy(keyring=Keyring()))[:2] == ("unverifiable", "no public key available")


def test_a_wrong_file_beside_is_invalid_whosever_key(place: Place):
    place.write(PLAIN, knowledge__yaml__sig=envelope(1, b"other"))
    assert place.outcome()[0] == place.outcome(pinned(1))[0] == "invalid"


def test_a_block_without_location_takes_the_file_beside_and_its_own_key(place: Place):
    text = PLAIN + f"signing: {{public_key: {spki_b64(1)}}}\n"
    place.write(text)
    assert place.outcome()[0] == "unverifiable"
    place.write(text, knowledge__yaml__sig=envelope(2, text.encode()))
    assert place.outcome()[0] == "invalid"
    place.write(text, knowledge__yaml__sig=envelope(1, text.encode()))
    assert place.outcome() == by("declared key")


def test_a_block_without_key_is_by_the_envelope(place: Place):
    text = PLAIN + "signing: {signature: k.sig}\n"
    place.write(text, k__sig=envelope(1, text.encode()))
    assert place.outcome() == SELF
    place.write(text, k__sig=signature_b64(1, text.encode()))
    assert place.outcome()[:2] == ("unverifiable", "no public key available")


def test_an_unreachable_declared_key_never_gives_way_to_the_envelope(place: Place):
    text = PLAIN + "signing: {signature: k.sig, public_key: k.pub}\n"
    place.write(text, k__sig=envelope(1, text.encode()))
    status, detail, name = place.outcome()
    assert (status, name) == ("unverifiable", None)
    assert detail.startswith("cannot load public key: ")


@pytest.mark.parametrize("text", [PLAIN, DECLARED])
def test_a_given_signature(place: Place, text: str):
    place.write(text, k__sig="junk", knowledge__yaml__sig="junk")
    expected = SELF if text == PLAIN else by("declared key")
    assert place.outcome(text=envelope(1, text.encode())) == expected
    assert place.outcome(pinned(1), envelope(2, text.encode()))[0] == "invalid"
    assert place.outcome(pinned(1), signature_b64(1, text.encode())) == by("pinned key 1")


def test_a_link_beside_the_manifest_is_not_followed_out(place: Place, tmp_path: Path):
    inner = Place(tmp_path / "inner")
    inner.path.mkdir()
    (tmp_path / "x.sig").write_text(envelope(1, PLAIN.encode()))
    inner.write(PLAIN)
    (inner.path / "knowledge.yaml.sig").symlink_to(tmp_path / "x.sig")
    assert inner.outcome(pinned(1))[0] == "unverifiable"
    (inner.path / "knowledge.yaml.sig").unlink()
    (inner.path / "knowledge.yaml.sig").symlink_to("nowhere")
    assert inner.outcome(pinned(1))[0] == "unverifiable"


def test_what_cannot_be_read(place: Place):
    check = place.check()
    assert (check.status, check.sha256) == ("unverifiable", None)
    assert check.detail.startswith("manifest not found: ")
    place.write("a: [")
    check = place.check()
    assert check.status == "unverifiable"
    assert check.sha256 == sha256_hex(b"a: [")
    assert check.detail.startswith("does not parse: ")


@pytest.mark.parametrize(
    "location", ['"a\\0b"', '"\\ud800"', "../x", "/etc/hostname", b64(bytes(63)), "k" * 5000]
)
@pytest.mark.parametrize("field", ["signature", "public_key"])
def test_hostile_locations(place: Place, field: str, location: str):
    members = {"signature": "k.sig", "public_key": spki_b64(1)} | {field: location}
    text = PLAIN + "signing:\n" + "".join([f"  {name}: {value}\n" for name, value in members.items()])
    place.write(text, k__sig=signature_b64(1, text.encode()))
    check = place.check()
    assert check.status in ("unverifiable", "invalid")


class Web:
    """A fetcher over a few pages."""

    def __init__(self, pages: dict[str, str]) -> None:
        self.pages = pages
        self.asked: list[str] = []

    def fetch(self, url: str) -> object:
        from kcp.errors import FetchError
        from kcp.network.fetcher import Fetched

        self.asked.append(url)
        if url not in self.pages:
            raise FetchError(f"HTTP 404 for {url}")
        return Fetched(url, self.pages[url].encode())


@pytest.mark.parametrize("query", ["", "?v=1/2", "#x"])
def test_remote_manifests_have_their_file_beside_too(query: str):
    url = "https://a.example/team/k.yaml"
    web = Web({url + query: PLAIN, url + ".sig": envelope(1, PLAIN.encode())})
    check = check_signature(url + query, pinned(1), Sources(web))  # type: ignore[arg-type]
    assert (check.status, check.by) == ("verified", "pinned key 1")
    del web.pages[url + ".sig"]
    check = check_signature(url + query, pinned(1), Sources(web))  # type: ignore[arg-type]
    assert check.status == "unverifiable"
    assert check.detail.startswith("cannot load signature: HTTP 404")
