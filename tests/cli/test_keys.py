"""`kcp-agent keys`: what it prints, its exit codes, and that other commands read what it writes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

MANIFEST = """\
kcp_version: "0.32"
project: harbour
version: "1.0.0"
units:
  - {id: quay, path: quay.md, intent: Quay}
"""
ORIGIN = "github.com/Acme/lib"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable) -> Path:
    """A home, a key pair `org`, and a manifest in the working directory."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "knowledge.yaml").write_text(MANIFEST)
    (tmp_path / "quay.md").write_text("Quay.\n")
    assert run("keygen", "--key-id", "org").code == 0
    return tmp_path


def test_round_trip_with_keygen_sign_verify_and_render(place: Path, run: Callable):
    assert run("keys", "list") == (
        0,
        "No trusted keys in {}\n".format(place / "home/.kcp/trusted-keys.yaml"),
        "",
    )
    code, out, err = run("keys", "add", "org.pub", "--scope", "https://GitHub.com/Acme/")
    assert (code, err) == (0, "")
    assert out.endswith("  vouches for: github.com/Acme\n")
    assert run("render", "--origin", ORIGIN).code == 2  # unsigned, and the origin is pinned now
    assert run("sign", "knowledge.yaml", "--key", "org.key").code == 0
    assert "tier: trusted" in run("render", "--origin", ORIGIN).out
    store = str(place / "home/.kcp/trusted-keys.yaml")
    assert run("sign", "knowledge.yaml", "--key", "org.key", "--add-block").code == 0
    # A file on this machine has no origin, so a key with a scope does not vouch for it.
    assert run("verify", "knowledge.yaml", "--keyring", store).code != 0
    assert run("keys", "add", "org.pub", "--key-id", "everywhere").code == 0
    assert run("verify", "knowledge.yaml", "--keyring", store).code == 0


def test_show_remove_and_pin(place: Path, run: Callable):
    run("keys", "add", "org.pub", "--source-url", "https://a.example/org.pub")
    shown = json.loads(run("keys", "show", "org", "--json").out)
    assert list(shown) == ["keyId", "publicKey", "fingerprint", "sourceUrl", "added"]
    assert "any origin (pins none)" in run("keys", "show", shown["fingerprint"]).out
    code, out, err = run("keys", "pin", "org", "github.com/Acme", "https://github.com/Acme/x")
    assert (code, out) == (0, "✓ pinned github.com/Acme to org\n· github.com/Acme/x is covered already\n")
    assert err == "⚠ org vouched for any origin; from now on only for those of its scope\n"
    listed = json.loads(run("keys", "list", "--json").out)
    assert listed["keys"][0]["origins"] == ["github.com/Acme"]
    code, out, err = run("keys", "remove", "org")
    assert (code, err) == (0, "⚠ no longer pinned: github.com/Acme\n")
    assert run("keys", "remove", "org").code == 1


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["keys"], 2, "Missing list, show"),
        (["keys", "lst"], 2, "Missing list, show"),
        (["keys", "list", "x"], 2, "Unexpected argument: x"),
        (["keys", "show"], 2, "Missing key for keys show"),
        (["keys", "pin", "org"], 2, "Missing origin for keys pin"),
        (["keys", "pin", "org", "a b"], 2, "'a b' is no origin"),
        (["keys", "list", "--scope", "a.example"], 2, "keys list takes no --scope"),
        (["keys", "add", "org.pub", "--json"], 2, "keys add takes no --json"),
        (["keys", "add", "org.pub", "--key-id", "a b"], 2, "--key-id must be"),
        (["keys", "add", "missing.pub"], 3, "cannot use missing.pub: key not found"),
        (["keys", "add", "org.key"], 3, "this is a private key"),
        (
            ["keys", "add", "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="],
            3,
            "not an Ed25519 point of prime order",
        ),
        (["keys", "show", "org"], 1, "no key 'org'"),
        (["keys", "list", "--keys", "missing.yaml"], 3, "keyring not found"),
        (["keys", "remove", "org", "--keys", "missing.yaml"], 3, "keyring not found"),
        (["keys", "list", "--keys", "knowledge.yaml"], 3, "expected 'version: 1' and a list 'keys'"),
    ],
)
def test_what_goes_wrong(place: Path, run: Callable, words: list[str], code: int, message: str):
    result = run(*words)
    assert (result.code, result.out if code != 1 else "") == (code, "")
    assert message in result.err
    assert "BEGIN" not in result.err


def test_inline_key_needs_an_id(place: Path, run: Callable):
    shown = [line for line in (place / "org.pub").read_text().splitlines() if "-----" not in line]
    assert run("keys", "add", shown[0]).code == 2
    assert run("keys", "add", shown[0], "--key-id", "inline").code == 0
    assert run("keys", "add", shown[0], "--key-id", "inline").code == 1


@pytest.mark.skipif(os.name == "nt", reason="no such permissions")
def test_file_open_to_others_is_told(place: Path, run: Callable):
    run("keys", "add", "org.pub", "--keys", "mine.yaml")
    (place / "mine.yaml").chmod(0o666)
    code, out, err = run("keys", "list", "--keys", "mine.yaml")
    assert (code, "org" in out) == (0, True)
    assert err == "⚠ mine.yaml can be written by anyone; make it yours alone: chmod go-w\n"
    assert run("keys", "remove", "org", "--keys", "mine.yaml").code == 3
    assert "⚠ mine.yaml can be written by anyone" in run("render", "--keys", "mine.yaml").err


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_keyring_behind_a_link_is_not_changed(place: Path, run: Callable):
    (place / "real").mkdir()
    (place / "keys.yaml").symlink_to("real/keys.yaml")
    for _ in range(2):
        code, out, err = run("keys", "add", "org.pub", "--keys", "keys.yaml", "--scope", ORIGIN)
        assert (code, out) == (3, "")
        assert "it is a symbolic link; remove it" in err
        (place / "real" / "keys.yaml").write_text("version: 1\nkeys: []\n")
        (place / "real" / "keys.yaml").chmod(0o600)
    assert os.listdir(place / "real") == ["keys.yaml"]
    assert (place / "real" / "keys.yaml").read_text() == "version: 1\nkeys: []\n"
