"""`kcp-agent keygen` (render contract §18)."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from kcp.trust.keyring import read_keyring
from kcp.trust.keys import fingerprint, private_pem, read_private_key, spki_text
from kcp.trust.material import import_key

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")


def test_a_pair_that_fits(run: Callable, tmp_path: Path):
    code, out, err = run("keygen", "--key-id", "ops@x:1", "--out", tmp_path)
    assert (code, err) == (0, "")
    assert set(os.listdir(tmp_path)) == {"ops@x:1.key", "ops@x:1.pub"}
    pair = read_private_key((tmp_path / "ops@x:1.key").read_text(), "key")
    assert import_key((tmp_path / "ops@x:1.pub").read_text()) == pair.public
    assert out.splitlines()[:4] == [
        f"✓ private key → {tmp_path}/ops@x:1.key (keep it secret)",
        f"✓ public key → {tmp_path}/ops@x:1.pub",
        f"  fingerprint: {fingerprint(pair.public)}",
        f"  allowlist public_key: {spki_text(pair.public)}",
    ]
    entry = "\n".join(out.splitlines()[-4:])
    (trusted,) = read_keyring(f"version: 1\nkeys:\n{entry}\n".encode(), "k").entries
    assert (trusted.key_id, trusted.key, trusted.domains) == ("ops@x:1", pair.public, None)


def test_nothing_private_is_printed(run: Callable, tmp_path: Path):
    _, out, err = run("keygen", "--key-id", "k", "--out", tmp_path)
    text = (tmp_path / "k.key").read_text()
    pair = read_private_key(text, "key")
    shown = out + err
    for secret in (pair.seed.hex(), repr(pair.seed), *private_pem(pair).splitlines()[1:-1], "PRIVATE KEY"):
        assert secret not in shown


@posix
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_only_the_owner_reads_the_private_key(run: Callable, tmp_path: Path, umask: int):
    before = os.umask(umask)
    try:
        assert run("keygen", "--key-id", "k", "--out", tmp_path).code == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "k.key").stat().st_mode) == 0o600


@pytest.mark.parametrize("there", ["k.key", "k.pub"])
def test_nothing_is_overwritten_and_nothing_half_done(run: Callable, tmp_path: Path, there: str):
    (tmp_path / there).write_text("mine")
    code, out, err = run("keygen", "--key-id", "k", "--out", tmp_path)
    assert (code, out) == (3, "")
    assert err == f"kcp-agent: {tmp_path}/{there} exists already; nothing is overwritten\n"
    assert os.listdir(tmp_path) == [there]
    assert (tmp_path / there).read_text() == "mine"


@posix
def test_a_dangling_link_is_not_written_through(run: Callable, tmp_path: Path):
    (tmp_path / "k.key").symlink_to(tmp_path / "elsewhere")
    assert run("keygen", "--key-id", "k", "--out", tmp_path).code == 3
    assert os.listdir(tmp_path) == ["k.key"]


@pytest.mark.parametrize(
    "key_id", [".", "..", "...", "a/b", "../k", "/k", "a b", "a\\b", "é", "a\nb", "k" * 129]
)
def test_key_ids_that_are_no_names(run: Callable, tmp_path: Path, key_id: str):
    code, out, err = run("keygen", "--key-id", key_id, "--out", tmp_path)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert os.listdir(tmp_path) == []


def test_missing_and_surplus_arguments(run: Callable, tmp_path: Path):
    code, _, err = run("keygen", "--out", tmp_path)
    assert code == 2
    assert err.startswith("Missing --key-id.\n\nUsage: kcp-agent keygen --key-id ID")
    assert run("keygen", "k").code == 2
    assert run("keygen", "--key-id", "k", "--out", tmp_path / "nowhere").code == 3


def test_here_by_default(run: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert run("keygen", "--key-id", "k").out.startswith("✓ private key → k.key ")
    assert set(os.listdir(tmp_path)) == {"k.key", "k.pub"}


def test_two_keys_differ(run: Callable, tmp_path: Path):
    run("keygen", "--key-id", "a", "--out", tmp_path)
    run("keygen", "--key-id", "b", "--out", tmp_path)
    assert (tmp_path / "a.key").read_text() != (tmp_path / "b.key").read_text()


@pytest.mark.parametrize("full", ["k.pub", "k.key"])
def test_a_full_disk_leaves_nothing_that_blocks_the_next_try(
    run: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: str
):
    whole, files = os.write, []

    def fail(handle: int, data: bytes) -> int:
        files.append(handle)
        if len(files) == ("k.pub", "k.key").index(full) + 1:
            raise OSError(28, "No space left on device")
        return whole(handle, data)

    monkeypatch.setattr("kcp.files.os.write", fail)
    said = f"kcp-agent: cannot write {tmp_path}/{full}: no space left on device\n"
    assert run("keygen", "--key-id", "k", "--out", tmp_path) == (3, "", said)
    assert os.listdir(tmp_path) == []
    monkeypatch.undo()
    assert run("keygen", "--key-id", "k", "--out", tmp_path).code == 0
