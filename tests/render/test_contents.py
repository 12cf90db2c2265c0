"""Declared content hashes against what lies there (render contract §12; C11)."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from kcp.render.contents import Contents
from kcp.trust import content_hash as hashing
from tests.render.conftest import ORG, PINNED, Desk

TEXT = b"# Berths\n"
DIGEST = hashlib.sha256(TEXT).hexdigest()
EMPTY = hashlib.sha256(b"").hexdigest()


def check(folder: Path, path: object, value: object = DIGEST, algorithm: object = "sha256"):
    return Contents(str(folder)).check(
        {"id": "u", "path": path, "content_hash": {"algorithm": algorithm, "value": value}}
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "berths.md").write_bytes(TEXT)
    return folder


@pytest.mark.parametrize("algorithm", ["sha256", "sha384", "sha512"])
@pytest.mark.parametrize("shape", [str.lower, str.upper])
def test_verified(folder: Path, algorithm: str, shape):
    value = shape(hashlib.new(algorithm, TEXT).hexdigest())
    assert check(folder, "berths.md", value, algorithm).shown is True


def test_undeclared(folder: Path):
    assert Contents(str(folder)).check({"path": "berths.md"}).shown == "absent"
    assert Contents(str(folder)).check("no unit").shown == "absent"


def test_other_content(folder: Path):
    (folder / "berths.md").write_bytes(b"other\n")
    content = check(folder, "berths.md", DIGEST.upper())
    assert content.reason == "content_hash_mismatch"
    observed = hashlib.sha256(b"other\n").hexdigest()
    assert dict(content.detail) == {"algorithm": "sha256", "expected": DIGEST, "observed": observed}


@pytest.mark.parametrize(
    ("value", "algorithm"),
    [
        (DIGEST, "md5"),
        (DIGEST, "SHA256"),
        (DIGEST, None),
        (DIGEST, ["sha256"]),
        (DIGEST + "0", "sha256"),
        (DIGEST, "sha512"),
        ("g" * 64, "sha256"),
        ("", "sha256"),
        (None, "sha256"),
    ],
)
def test_malformed(folder: Path, value: object, algorithm: object):
    content = check(folder, "berths.md", value, algorithm)
    assert (content.shown, content.reason) == ("mismatch", "content_hash_invalid")


@pytest.mark.parametrize("declared", [None, "x", [], 5])
def test_block_that_is_no_mapping(folder: Path, declared: object):
    content = Contents(str(folder)).check({"path": "berths.md", "content_hash": declared})
    assert (content.shown, content.reason) == ("mismatch", "content_hash_invalid")


@pytest.mark.parametrize(
    "path",
    [
        *("missing.md", "../outside.md", "a/../../outside.md", "link.md", "linked/", "linked", "pipe"),
        *("linked/secret.md", "", ".", None, 5, "file:///etc/hostname", "a\\b", "a\0b", "x" * 600),
    ],
)
def test_what_cannot_be_hashed_is_unreadable(folder: Path, path: object):
    secret = folder.parent / "secret"
    secret.mkdir()
    (secret / "secret.md").write_bytes(TEXT)
    (folder.parent / "outside.md").write_bytes(TEXT)
    os.symlink(folder.parent / "outside.md", folder / "link.md")
    os.symlink(secret, folder / "linked")
    os.mkfifo(folder / "pipe")
    content = check(folder, path)
    if path != ".":
        assert dict(content.detail)["observed"] == "unreadable"
    assert content.shown == "mismatch"
    assert hashlib.sha256(TEXT).hexdigest() not in dict(content.detail)["observed"]


def test_absolute_path_is_unreadable(folder: Path):
    assert dict(check(folder, str(folder / "berths.md")).detail)["observed"] == "unreadable"


def tree(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


@pytest.mark.parametrize(
    ("files", "digest"),
    [
        (
            {"Z.md": "z\n", "a.md": "a\n", "a/b.md": "ab\n", "a-b.md": "a-b\n"},
            "3424d9bf5be09c8ca19aaafd132e16115cbcc15e01f81e5c58bf5e8fa3e07ff5",
        ),
        (
            {"\ufb01.md": "lig\n", "\U0001f600.md": "emoji\n", "z.md": "z\n"},
            "5c36e347e52b2a8d92e91326041be98af796e0eb91abf8a81d43b4cad7831b8b",
        ),
    ],
)
def test_directory_vectors(folder: Path, files: dict[str, str], digest: str):
    tree(folder, **files)
    assert check(folder, "tree/", digest).shown is True
    assert check(folder, "tree", digest).shown is True


def test_empty_directory(folder: Path):
    (folder / "tree").mkdir()
    assert check(folder, "tree", EMPTY).shown is True


def test_links_in_a_directory_are_not_followed(folder: Path):
    (folder / "tree").mkdir()
    os.symlink("/etc", folder / "tree" / "etc")
    os.symlink(folder / "berths.md", folder / "tree" / "b.md")
    assert check(folder, "tree", EMPTY).shown is True


def test_units_share_the_caps(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hashing, "MAX_CONTENT_BYTES", 2 * len(TEXT))
    for name in ("b.md", "c.md"):
        (folder / name).write_bytes(TEXT)
    contents = Contents(str(folder))
    block = {"algorithm": "sha256", "value": DIGEST}
    paths = ["berths.md", "b.md", "c.md", "berths.md"]
    found = [contents.check({"path": path, "content_hash": block}).shown for path in paths]
    assert found == [True, True, "mismatch", True]


def test_through_the_command(desk: Desk):
    (desk.folder / "berths.md").write_bytes(TEXT)
    unit = "  - {id: u%d, path: berths.md, intent: x, content_hash: %s}\n"
    blocks = [f"{{algorithm: sha256, value: {DIGEST}}}", "{algorithm: sha256, value: '00'}", "null"]
    other = f"{{algorithm: sha256, value: '{'0' * 64}'}}"
    text = "units:\n" + "".join(unit % (i, each) for i, each in enumerate([*blocks, other]))
    desk.write(text, ORG)
    result = desk.render(origin=PINNED)
    assert [unit["content_verified"] for unit in result.artifact["units"]] == [True, *["mismatch"] * 3]
    assert [unit["load_eligible"] for unit in result.artifact["units"]] == [True, *[False] * 3]
    dropped = result.artifact["sanitization"]["dropped"]
    assert dropped[0] == {"path": "units[0].content_hash", "reason": "consumed_by_renderer"}
    assert dropped[1] == {"path": "units[1].content_hash", "reason": "content_hash_invalid"}
    assert dropped[3] == {
        "path": "units[3].content_hash",
        "reason": "content_hash_mismatch",
        "algorithm": "sha256",
        "expected": "0" * 64,
        "observed": DIGEST,
    }
    warning = "unit 'u1' content does not match its signed content_hash; demoted to pointer (RFC-0019 §3.3)"
    assert f"⚠ {warning}\n" in result.err


def test_required_hashes(desk: Desk):
    (desk.folder / "berths.md").write_bytes(TEXT)
    block = f"content_hash: {{algorithm: sha256, value: {DIGEST}}}"
    text = f"units:\n  - {{id: a, path: berths.md, {block}}}\n  - {{id: b, path: berths.md}}\n"
    desk.write(text, ORG)
    units = desk.render("--require-unit-hashes", origin=PINNED).units
    assert [units["a"]["load_eligible"], units["b"]["load_eligible"]] == [True, False]
