"""`kcp-agent sign` (render contract §18)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kcp.trust.keys import private_pem
from tests.trust.support import pair, spki_b64

SOUND = """\
project: p
version: "1"
units:
  - id: a
    path: a.md
    intent: hello to the world
    triggers: [hello]
    audience: [agent]
    content_hash: {algorithm: sha256, value: 98ea6e4f216f2fb4b69fff9b3a44842c38686ca685f3f55dc48c5d3fb1107be4}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "m"
    place.mkdir()
    (place / "knowledge.yaml").write_text(SOUND)
    (place / "a.md").write_text("hi\n")
    key = tmp_path / "ops.key"
    key.write_text(private_pem(pair(1)))
    key.chmod(0o600)
    return place


@pytest.fixture
def sign(run: Callable, folder: Path) -> Callable:
    def call(*words: str | Path):
        return run("sign", folder / "knowledge.yaml", "--key", folder.parent / "ops.key", *words)

    return call


def test_what_is_printed(sign: Callable, folder: Path):
    assert sign() == (
        0,
        f"✓ signed → {folder}/knowledge.yaml.sig (key_id: ops)\n  allowlist public_key: {spki_b64(1)}\n",
        "",
    )
    assert json.loads((folder / "knowledge.yaml.sig").read_text())["key_id"] == "ops"


def test_refreshed_hashes_are_printed(sign: Callable, folder: Path):
    (folder / "a.md").write_text("ho\n")
    code, out, err = sign("--update-hashes", "--key-id", "k1")
    assert (code, err) == (0, "")
    assert out.splitlines()[:2] == [
        "↻ content_hash refreshed: a",
        f"✓ signed → {folder}/knowledge.yaml.sig (key_id: k1)",
    ]


def test_all_that_speaks_against_signing_is_told(sign: Callable, folder: Path):
    (folder / "a.md").write_text("ho\n")
    with (folder / "knowledge.yaml").open("a") as file:
        file.write("  - {id: a, path: ../b.md, intent: x}\n")
    before = (folder / "knowledge.yaml").read_bytes()
    code, out, err = sign()
    assert (code, out) == (1, "")
    lines = err.splitlines()
    assert lines[0].startswith("✗ ")
    assert "duplicate" in lines[0]
    assert "✗ unit 'a': content_hash does not match a.md; --update-hashes refreshes it" in lines
    assert "✗ unit 'a': ../b.md is outside the manifest's folder" in lines
    assert lines[-1] == f"kcp-agent: {folder}/knowledge.yaml is not signed"
    assert sign("--update-hashes", "--add-block").code == 1
    assert (folder / "knowledge.yaml").read_bytes() == before
    assert not (folder / "knowledge.yaml.sig").exists()


def test_warnings_of_validation_do_not_matter(sign: Callable, folder: Path):
    text = (folder / "knowledge.yaml").read_text().replace("    triggers: [hello]\n", "")
    (folder / "knowledge.yaml").write_text(text)
    assert sign().code == 0


@pytest.mark.skipif(os.name != "posix", reason="POSIX only")
def test_a_key_that_others_can_read(sign: Callable, folder: Path):
    key = folder.parent / "ops.key"
    key.chmod(0o644)
    code, out, err = sign()
    assert code == 0
    assert err == f"⚠ others can read or change the private key {key}; chmod 600 it\n"
    assert "⚠" not in out


def test_nothing_private_is_printed(sign: Callable, folder: Path):
    secrets = [pair(1).seed.hex(), *private_pem(pair(1)).splitlines()[1:-1]]
    for words in ((), ("--bare",), ("--add-block",), ("--key-id", "a b")):
        _, out, err = sign(*words)
        assert not any(secret in out + err for secret in secrets)


def test_block_and_bare(sign: Callable, folder: Path, run: Callable):
    assert sign("--add-block", "--bare").code == 0
    assert run("verify", folder).code == 0
    code, _, err = sign("--add-block")
    assert code == 1
    assert err == "kcp-agent: the manifest declares its signature already; there is no second block to add\n"


def test_wrong_use(run: Callable, folder: Path):
    code, _, err = run("sign", folder / "knowledge.yaml")
    assert code == 2
    assert err.startswith("Missing --key.\n\nUsage: kcp-agent sign MANIFEST --key FILE")
    code, _, err = run("sign", "--key", folder.parent / "ops.key")
    assert code == 2
    assert err.startswith("Missing manifest.\n")
    assert run("sign", "https://a.example/k.yaml", "--key", folder.parent / "ops.key").code == 2


@pytest.mark.parametrize("name", ["nowhere.key", "m/a.md", "m"])
def test_unusable_keys(run: Callable, folder: Path, name: str):
    code, out, err = run("sign", folder, "--key", folder.parent / name, "--key-id", "k")
    assert (code, out) == (3, "")
    assert err.count("\n") == 1


def test_unreadable_manifests(run: Callable, folder: Path, tmp_path: Path):
    key = folder.parent / "ops.key"
    assert run("sign", tmp_path / "nowhere.yaml", "--key", key).code == 3
    (folder / "knowledge.yaml").write_text("a: [")
    code, _, err = run("sign", folder, "--key", key)
    assert code == 3
    assert err.count("\n") == 1


def test_hostile_names_cannot_write_to_the_terminal(sign: Callable, folder: Path):
    text = SOUND.replace("id: a", 'id: "a\\x1b[2J"').replace("path: a.md", 'path: "../\\x1b]0;t\\a"')
    (folder / "knowledge.yaml").write_text(text)
    code, _, err = sign()
    assert code == 1
    assert err.replace("\n", "").isprintable()


@pytest.mark.skipif(os.name != "posix", reason="links")
@pytest.mark.parametrize("name", ["knowledge.yaml", "knowledge.yaml.sig"])
def test_nothing_is_written_through_a_link(sign: Callable, folder: Path, name: str):
    (folder / "a.md").write_text("ho\n")
    victim, link = folder.parent / "victim", folder / name
    if link.exists():
        link.rename(victim)
    else:
        victim.write_text("precious\n")
    link.symlink_to("../victim")
    before = {path: path.read_bytes() for path in (victim, folder / "knowledge.yaml")}
    code, out, err = sign("--update-hashes")
    assert (code, out) == (3, "")
    said = "it is a symbolic link; remove it, or name the file that it leads to"
    assert err == f"kcp-agent: cannot write {link}: {said}\n"
    assert {path: path.read_bytes() for path in before} == before
    assert link.is_symlink()
