"""`kcp-agent verify`, and what a broken signature does to `plan`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kcp.reading.source import sha256_hex
from kcp.trust.keys import keyring_entry, private_pem, public_pem
from tests.trust.support import envelope, pair, spki_b64

PLAIN = """\
project: p
version: "1"
units: [{id: hello, path: a.md, intent: hello, triggers: [hello], audience: [agent]}]
"""


class World:
    """Manifests signed by key 1: `declared` with a block, `plain` without, `bad` changed after signing."""

    def __init__(self, path: Path, run: Callable) -> None:
        self.path = path
        self.key = path / "k1.key"
        self.key.write_text(private_pem(pair(1)))
        self.key.chmod(0o600)
        (path / "a.md").write_text("hello\n")
        for number in (1, 2):
            (path / f"k{number}.pub").write_text(public_pem(pair(number).public))
            (path / f"ring{number}.yaml").write_text(
                "version: 1\nkeys:\n" + keyring_entry(f"r{number}", pair(number).public)
            )
        for name, words in {"declared": ["--add-block"], "plain": [], "bad": ["--add-block"]}.items():
            (path / f"{name}.yaml").write_text(PLAIN)
            assert run("sign", path / f"{name}.yaml", "--key", self.key, *words).code == 0
        (path / "unsigned.yaml").write_text(PLAIN)
        bad = bytearray((path / "bad.yaml").read_bytes())
        bad[9] ^= 1
        (path / "bad.yaml").write_bytes(bad)

    def __truediv__(self, name: str) -> str:
        return str(self.path / name)


@pytest.fixture
def world(tmp_path: Path, run: Callable) -> World:
    return World(tmp_path, run)


@pytest.mark.parametrize(
    ("name", "trust", "code", "said"),
    [
        ("declared.yaml", [], 0, "verified — ed25519 signature verified (declared key)"),
        ("declared.yaml", ["--trust-key", "k1.pub"], 0, "verified — ed25519 signature verified (pinned key)"),
        ("declared.yaml", ["--trust-key", "k2.pub"], 1, "invalid — ed25519 signature does not match"),
        ("declared.yaml", ["--keyring", "ring1.yaml"], 0, "verified (keyring key r1)"),
        ("declared.yaml", ["--keyring", "ring2.yaml"], 1, "invalid — "),
        ("declared.yaml", ["--keyring", "ring2.yaml", "--trust-key", "k1.pub"], 0, "(pinned key)"),
        ("plain.yaml", [], 3, "unverifiable — key vouches for itself; pass --trust-key"),
        ("plain.yaml", ["--trust-key", "k1.pub"], 0, "verified (pinned key)"),
        ("plain.yaml", ["--keyring", "ring1.yaml"], 0, "verified (keyring key r1)"),
        ("bad.yaml", [], 1, "invalid — ed25519 signature does not match manifest bytes"),
        (
            "bad.yaml",
            ["--trust-key", "k1.pub"],
            1,
            "invalid — ed25519 signature does not match manifest bytes",
        ),
        ("unsigned.yaml", [], 1, "unsigned — manifest declares no signature"),
        ("unsigned.yaml", ["--trust-key", "k1.pub"], 1, "unsigned — "),
        ("nowhere.yaml", [], 3, "unverifiable — manifest not found: "),
    ],
)
def test_one_manifest(run: Callable, world: World, name: str, trust: list[str], code: int, said: str):
    words = [word if word.startswith("--") else world / word for word in trust]
    result = run("verify", world / name, *words)
    assert (result.code, result.err) == (code, "")
    assert result.out.startswith({0: "✓", 1: "✗", 3: "?"}[code] + f" {world / name}: ")
    assert said in result.out
    assert result.out.count("\n") == 1


def test_every_trust_key_counts_and_the_one_is_named(run: Callable, world: World):
    both = ["--trust-key", world / "k2.pub", f"--trust-key={world / 'k1.pub'}"]
    result = run("verify", world / "declared.yaml", *both)
    assert result.code == 0
    assert f"verified (pinned key {world / 'k1.pub'})" in result.out
    inline = run("verify", world / "plain.yaml", "--trust-key", spki_b64(2), "--trust-key", spki_b64(1))
    assert "verified (pinned key #2 (inline))" in inline.out


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["declared", "declared"], 0),
        (["declared", "bad"], 1),
        (["bad", "plain", "declared"], 3),
        (["unsigned", "nowhere"], 3),
        (["unsigned", "declared"], 1),
    ],
)
def test_the_worst_of_several_counts(run: Callable, world: World, names: list[str], code: int):
    result = run("verify", *[world / f"{name}.yaml" for name in names])
    assert result.code == code
    assert result.out.count("\n") == len(names)
    listed = run("verify", *[world / f"{name}.yaml" for name in names], "--json")
    assert listed.code == code
    assert [entry["manifest"] for entry in json.loads(listed.out)] == [
        world / f"{name}.yaml" for name in names
    ]


def test_json_of_one(run: Callable, world: World):
    text = run("verify", world / "declared.yaml", "--json").out
    data = (world.path / "declared.yaml").read_bytes()
    assert text == json.dumps(json.loads(text), indent=2) + "\n"
    assert list(json.loads(text).items()) == [
        ("manifest", world / "declared.yaml"),
        ("sha256", sha256_hex(data)),
        ("status", "verified"),
        ("detail", "ed25519 signature verified (declared key)"),
        ("keyId", "k1"),
        ("by", "declared key"),
    ]
    assert list(json.loads(run("verify", world / "nowhere.yaml", "--json").out)) == [
        "manifest",
        "status",
        "detail",
    ]
    itself = json.loads(run("verify", world / "plain.yaml", "--json").out)
    assert (itself["status"], itself["by"]) == ("unverifiable", "envelope key")


def test_a_signature_elsewhere(run: Callable, world: World, tmp_path: Path):
    moved = tmp_path / "moved.sig"
    moved.write_text((world.path / "plain.yaml.sig").read_text())
    (world.path / "plain.yaml.sig").unlink()
    key = ["--trust-key", world / "k1.pub"]
    assert run("verify", world / "plain.yaml", *key).code == 1
    assert run("verify", world / "plain.yaml", "--signature", moved, *key).code == 0
    assert run("verify", world / "plain.yaml", "--signature", moved).code == 3
    assert run("verify", world / "declared.yaml", "--signature", moved).code == 1
    code, out, err = run("verify", world / "plain.yaml", world / "bad.yaml", "--signature", moved)
    assert (code, out) == (2, "")
    assert err == "kcp-agent: --signature goes with one manifest\n"


@pytest.mark.parametrize(
    "words",
    [
        ["--trust-key", "nowhere.pub"],
        ["--trust-key", "declared.yaml"],
        ["--trust-key", "k1.pub", "--trust-key", "nowhere.pub"],
        ["--keyring", "nowhere.yaml"],
        ["--keyring", "declared.yaml"],
        ["--signature", "nowhere.sig"],
    ],
)
def test_what_the_operator_names_must_be_usable(run: Callable, world: World, words: list[str]):
    """B21: never a quieter trust state."""
    named = [word if word.startswith("--") else world / word for word in words]
    code, out, err = run("verify", world / "declared.yaml", *named)
    assert (code, out) == (3, "")
    assert err.count("\n") == 1


def test_a_private_key_as_trust_key_is_refused_and_not_repeated(run: Callable, world: World):
    for word in (world / "k1.key", private_pem(pair(1))):
        code, out, err = run("verify", world / "plain.yaml", f"--trust-key={word}")
        assert (code, out) == (3, "")
        assert private_pem(pair(1)).splitlines()[1] not in err


def test_wrong_use(run: Callable):
    for words in ((), ("",)):
        code, _, err = run("verify", *words)
        assert code == 2
        assert err.startswith("Missing manifest.\n\nUsage: kcp-agent verify MANIFEST...")
    assert run("verify", "x", "--trust-key", "").code == 2


def test_offline(run: Callable, world: World):
    code, out, _ = run("verify", "https://a.example/k.yaml", "--offline")
    assert code == 3
    assert "unverifiable" in out


def test_a_changed_byte_anywhere_is_found(run: Callable, world: World):
    data = (world.path / "plain.yaml").read_bytes()
    for place in range(0, len(data) - 1, 7):
        changed = bytearray(data)
        changed[place] ^= 1
        (world.path / "plain.yaml").write_bytes(changed)
        assert run("verify", world / "plain.yaml", "--trust-key", world / "k1.pub").code != 0


def test_plan_refuses_what_verify_refuses(run: Callable, world: World):
    def plan(name: str, *words: str):
        return run("plan", "hello", "--manifest", world / name, *words)

    bad = plan("bad.yaml")
    assert (bad.code, bad.out) == (3, "")
    assert "signature invalid: ed25519 signature does not match manifest bytes" in bad.err
    assert plan("declared.yaml").code == 0
    assert (
        run("plan", "hello", "--manifest", world / "declared.yaml", "--trust-key", world / "k2.pub").code == 3
    )


def test_hostile_envelopes_cannot_write_to_the_terminal(run: Callable, world: World):
    hostile = envelope(1, b"x", key_id="\x1b[2J", algorithm="\x1b]0;t\x07\u202e")
    (world.path / "declared.yaml.sig").write_text(hostile)
    code, out, _ = run("verify", world / "declared.yaml")
    assert code == 3
    assert out.replace("\n", "").isprintable()
