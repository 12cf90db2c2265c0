"""What the operator asks for: verification on, off or required, and whose keys count."""

from __future__ import annotations

from pathlib import Path

import pytest

from kcp.errors import FetchError, KcpError
from kcp.model import Signing
from kcp.planning.results import SignatureResult
from kcp.reading.sources import ManifestBytes, Sources
from kcp.trust.keyring import Keyring, KeyringEntry
from kcp.trust.keys import private_pem, public_pem, spki_text
from kcp.trust.policy import TrustPolicy, load_keyring, load_pins
from kcp.trust.signature import PinnedKey
from tests.trust.support import MANIFEST, envelope, pair, signature_b64, spki_b64

INLINE = Signing(public_key=spki_b64(1), signature=signature_b64(1))
LOCAL = ManifestBytes("knowledge.yaml", MANIFEST)
REMOTE = ManifestBytes("https://a.example/team/knowledge.yaml", MANIFEST)


class Fetched:
    def __init__(self, url: str, data: bytes) -> None:
        self.url = url
        self.data = data


class Shelf:
    """A fetcher over a dictionary that notes what was asked for."""

    def __init__(self, **pages: str) -> None:
        self.pages = {
            f"https://a.example/team/{name.replace('_', '.')}": text for name, text in pages.items()
        }
        self.asked: list[str] = []

    def fetch(self, url: str) -> Fetched:
        self.asked.append(url)
        if url not in self.pages:
            raise FetchError(f"HTTP 404 for {url}")
        return Fetched(url, self.pages[url].encode())


def ring(number: int, *domains: str, scoped: bool = True) -> Keyring:
    return Keyring((KeyringEntry(f"r{number}", pair(number).public, domains if scoped else None),))


def test_verification_can_be_off():
    assert TrustPolicy(verify=False).check(INLINE, LOCAL, Sources()) is None
    assert TrustPolicy(verify=False, require=True).refusal(None) is None


def test_declared_key_by_default():
    result = TrustPolicy().check(INLINE, LOCAL, Sources())
    assert result is not None
    assert result.detail == "ed25519 signature verified (declared key)"


def test_pins_and_keyring_are_the_only_keys_that_count():
    others = (PinnedKey("pinned key", pair(2).public),)
    assert TrustPolicy(pinned=others).check(INLINE, LOCAL, Sources()).status == "invalid"  # type: ignore[union-attr]
    both = TrustPolicy(pinned=others, keyring=ring(1, scoped=False)).check(INLINE, LOCAL, Sources())
    assert both == SignatureResult("verified", "ed25519 signature verified (keyring key r1)")
    assert TrustPolicy(keyring=Keyring()).check(INLINE, LOCAL, Sources()) == SignatureResult(
        "unverifiable", "no public key available"
    )


def test_keyring_scopes_look_at_where_the_bytes_came_from():
    policy = TrustPolicy(keyring=ring(1, "a.example/team"))
    assert policy.check(INLINE, REMOTE, Sources()).status == "verified"  # type: ignore[union-attr]
    assert policy.check(INLINE, LOCAL, Sources()).status == "unverifiable"  # type: ignore[union-attr]
    elsewhere = REMOTE.replace(source="https://a.example/teams/knowledge.yaml")
    assert policy.check(INLINE, elsewhere, Sources()).status == "unverifiable"  # type: ignore[union-attr]
    assert policy.pins_for("https://a.example/team/deep/k.yaml") == (
        PinnedKey("keyring key r1", pair(1).public),
    )


def test_without_pins_and_keyring_a_manifest_may_bring_its_key():
    assert TrustPolicy().pins_for("k.yaml") is None
    assert TrustPolicy(keyring=Keyring()).pins_for("k.yaml") == ()


def test_a_signature_beside_the_manifest(tmp_path: Path):
    source = tmp_path / "knowledge.yaml"
    (tmp_path / "knowledge.yaml.sig").write_text(envelope(1))
    (tmp_path / "k.pub").write_text(public_pem(pair(1).public))
    read = ManifestBytes(str(source), MANIFEST)
    block = Signing(public_key="k.pub", signature="knowledge.yaml.sig")
    assert TrustPolicy().check(block, read, Sources()).status == "verified"  # type: ignore[union-attr]


@pytest.mark.parametrize("way", ["../outside.sig", "/outside.sig", "link.sig", "folder/../../outside.sig"])
def test_a_signature_outside_the_folder_is_not_read(tmp_path: Path, way: str):
    """B12: a manifest cannot make the reader look elsewhere on the disk."""
    (tmp_path / "outside.sig").write_text(envelope(1))
    folder = tmp_path / "folder"
    (folder / "folder").mkdir(parents=True)
    (folder / "link.sig").symlink_to(tmp_path / "outside.sig")
    location = str(tmp_path / "outside.sig") if way.startswith("/") else way
    result = TrustPolicy().check(
        INLINE.replace(signature=location), ManifestBytes(str(folder / "k.yaml"), MANIFEST), Sources()
    )
    assert result is not None
    assert result.status == "unverifiable"
    assert result.detail.endswith("outside the manifest's folder")


@pytest.mark.parametrize("location", ["a\0b", "a\ud800b"])
def test_a_signature_at_no_valid_path(location: str):
    result = TrustPolicy().check(INLINE.replace(signature=location), LOCAL, Sources())
    assert result is not None
    assert result.status == "unverifiable"
    assert "\n" not in result.detail


def test_remote_material_is_fetched_below_the_manifest():
    shelf = Shelf(k_sig=envelope(1))
    sources = Sources(shelf)  # type: ignore[arg-type]
    result = TrustPolicy().check(INLINE.replace(signature="k.sig"), REMOTE, sources)
    assert result is not None
    assert result.status == "verified"
    for location in ("../k.sig", "/k.sig", "https://evil.example/k.sig", "//evil.example/k.sig"):
        result = TrustPolicy().check(INLINE.replace(signature=location), REMOTE, sources)
        assert result is not None
        assert result.status == "unverifiable"
    assert shelf.asked == ["https://a.example/team/k.sig"]


@pytest.mark.parametrize(
    ("status", "require", "refused"),
    [
        ("verified", False, None),
        ("verified", True, None),
        ("invalid", False, "signature invalid: d"),
        ("invalid", True, "signature invalid: d"),
        ("unsigned", False, None),
        ("unsigned", True, "signature required but unsigned: d"),
        ("unverifiable", False, None),
        ("unverifiable", True, "signature required but unverifiable: d"),
    ],
)
def test_refusals(status: str, require: bool, refused: str | None):
    assert TrustPolicy(require=require).refusal(SignatureResult(status, "d")) == refused


def test_urls_to_fetch_ahead():
    here = REMOTE.source
    block = Signing(public_key="k.pub", signature="k.sig")
    both = ["https://a.example/team/k.sig", "https://a.example/team/k.pub"]
    assert TrustPolicy().material_urls(block, here) == both
    pinned = TrustPolicy(pinned=(PinnedKey("p", pair(1).public),))
    assert pinned.material_urls(block, here) == both[:1]
    assert TrustPolicy(keyring=Keyring()).material_urls(block, here) == both[:1]
    assert TrustPolicy(verify=False).material_urls(block, here) == []
    assert TrustPolicy().material_urls(INLINE, here) == []
    assert TrustPolicy().material_urls(block, "k.yaml") == []
    assert TrustPolicy().material_urls(Signing(public_key="k.pub"), here) == []
    for unread in ("//[bad", "https://evil.example/k.sig", "../k.sig", "/k.sig", "x%2f..%2f..%2fk.sig"):
        assert TrustPolicy().material_urls(block.replace(signature=unread), here) == both[1:]
    elsewhere = block.replace(signature="https://b.example/k.sig")
    assert TrustPolicy().material_urls(elsewhere, "k.yaml") == ["https://b.example/k.sig"]


# --- what the operator names (B21) --------------------------------------------------------------------------


def test_one_pin_is_called_the_pinned_key(tmp_path: Path):
    file = tmp_path / "k.pub"
    file.write_text(public_pem(pair(1).public))
    for location in (str(file), spki_text(pair(1).public), pair(1).public.hex(), public_pem(pair(1).public)):
        assert load_pins([location], Sources()) == (PinnedKey("pinned key", pair(1).public),)


def test_several_pins_are_told_apart(tmp_path: Path):
    file = tmp_path / "k.pub"
    file.write_text(spki_b64(2))
    pins = load_pins([spki_b64(1), str(file)], Sources())
    assert [pin.key for pin in pins] == [pair(1).public, pair(2).public]
    assert [pin.name for pin in pins] == ["pinned key #1 (inline)", f"pinned key {file}"]


def test_no_pins():
    assert load_pins([], Sources()) == ()


@pytest.mark.parametrize("content", [None, "nonsense!", "", "AAAA"])
def test_an_unusable_pin_stops_everything(tmp_path: Path, content: str | None):
    file = tmp_path / "k.pub"
    if content is not None:
        file.write_text(content)
    with pytest.raises(KcpError) as caught:
        load_pins([spki_b64(1), str(file)], Sources())
    assert caught.value.exit_code == 3
    assert caught.value.message.startswith(f"cannot use --trust-key {file}: ")


def test_a_private_key_given_by_mistake_is_not_repeated():
    secret = private_pem(pair(1))
    with pytest.raises(KcpError) as caught:
        load_pins([secret], Sources())
    assert caught.value.message == "cannot use --trust-key #1 (inline): Invalid keyData"


def test_a_remote_pin_without_network_stops_everything():
    with pytest.raises(KcpError, match="no network access"):
        load_pins(["https://a.example/k.pub"], Sources())


@pytest.mark.parametrize("content", [None, b"", b"version: 1\n", b"\xff", b"[", b"x" * 70_000])
def test_an_unusable_keyring_stops_everything(tmp_path: Path, content: bytes | None):
    file = tmp_path / "ring.yaml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(KcpError) as caught:
        load_keyring(str(file), Sources())
    assert caught.value.exit_code == 3
    assert str(file) in caught.value.message


def test_a_keyring_file(tmp_path: Path):
    file = tmp_path / "ring.yaml"
    file.write_text(f"version: 1\nkeys: [{{key_id: r1, public_key: {spki_b64(1)}}}]\n")
    assert load_keyring(str(file), Sources()) == ring(1, scoped=False)
