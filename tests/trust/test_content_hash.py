"""Hashes of unit content (render contract §12)."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from kcp.errors import KcpError
from kcp.trust import content_hash as module
from kcp.trust.content_hash import ALGORITHMS, content_hash

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")


def digest(algorithm: str, data: bytes) -> str:
    return hashlib.new(algorithm, data).hexdigest()


def refusal(root: Path, path: str) -> str:
    with pytest.raises(KcpError) as caught:
        content_hash("sha256", str(root), path)
    assert "\n" not in caught.value.message
    return caught.value.message


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    (folder / "docs" / "deep").mkdir(parents=True)
    (folder / "a.md").write_bytes(b"text\r\n")
    (folder / "docs" / "b.md").write_bytes(b"b")
    (folder / "docs" / ".hidden").write_bytes(b"")
    (folder / "docs" / "deep" / "c.md").write_bytes(b"c")
    (tmp_path / "outside.md").write_bytes(b"secret")
    return folder


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_file_is_hashed_as_it_is(root: Path, algorithm: str):
    found = content_hash(algorithm, str(root), "a.md")
    assert found == digest(algorithm, b"text\r\n")
    assert len(found) == ALGORITHMS[algorithm]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("path", ["docs", "docs/", "./docs", "docs/deep/.."])
def test_a_directory_is_hashed_by_its_listing(root: Path, algorithm: str, path: str):
    names = {".hidden": b"", "b.md": b"b", "deep/c.md": b"c"}
    listing = b"".join([b"%s\0%s\n" % (n.encode(), digest(algorithm, c).encode()) for n, c in names.items()])
    assert content_hash(algorithm, str(root), path) == digest(algorithm, listing)


def test_entries_sort_by_bytes_of_the_whole_path(tmp_path: Path):
    names = ["a", "a.b", "a-b", "a/x", "B", "ø", "z"]
    for name in names:
        if name != "a":
            file = tmp_path / "d" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(b"")
    ordered = sorted([name.encode() for name in names if name != "a"])
    assert ordered == [b"B", b"a-b", b"a.b", b"a/x", b"z", "ø".encode()]
    listing = b"".join([name + b"\0" + digest("sha256", b"").encode() + b"\n" for name in ordered])
    assert content_hash("sha256", str(tmp_path), "d") == digest("sha256", listing)


def test_an_empty_directory_is_the_hash_of_nothing(tmp_path: Path):
    (tmp_path / "empty" / "deeper").mkdir(parents=True)
    assert content_hash("sha256", str(tmp_path), "empty") == digest("sha256", b"")


@posix
def test_links_within_a_directory_are_not_followed(root: Path):
    before = content_hash("sha256", str(root), "docs")
    (root / "docs" / "link.md").symlink_to(root.parent / "outside.md")
    (root / "docs" / "linked").symlink_to(root)
    (root / "docs" / "dangling").symlink_to("nowhere")
    os.mkfifo(root / "docs" / "pipe")
    assert content_hash("sha256", str(root), "docs") == before


@posix
def test_a_link_is_no_target(root: Path):
    (root / "link.md").symlink_to("a.md")
    (root / "linked").symlink_to("docs")
    assert refusal(root, "link.md") == "link.md is neither a regular file nor a directory"
    assert refusal(root, "linked") == "linked is neither a regular file nor a directory"
    assert content_hash("sha256", str(root), "linked/b.md") == digest("sha256", b"b")


@posix
@pytest.mark.parametrize(
    "path", ["../outside.md", "docs/../../outside.md", "link.md", "up/outside.md", "..", "/"]
)
def test_nothing_outside_the_root(root: Path, path: str):
    (root / "link.md").symlink_to(root.parent / "outside.md")
    (root / "up").symlink_to(root.parent)
    assert refusal(root, path) == f"{path} is outside the manifest's folder"
    absolute = str(root.parent / "outside.md")
    assert refusal(root, absolute).endswith("is outside the manifest's folder")


def test_missing_and_unreadable(root: Path):
    assert refusal(root, "nowhere.md") == "cannot read nowhere.md: no such file or directory"
    assert refusal(root, "a.md/x").startswith("cannot read a.md/x: ")
    assert refusal(root, "a\0b").endswith("is outside the manifest's folder")
    assert refusal(root, "a\ud800b").endswith("is outside the manifest's folder")


@posix
def test_special_files(root: Path):
    os.mkfifo(root / "pipe")
    assert refusal(root, "pipe") == "pipe is neither a regular file nor a directory"


@pytest.mark.parametrize("algorithm", ["md5", "SHA256", "", "shake_128"])
def test_other_algorithms(root: Path, algorithm: str):
    with pytest.raises(KcpError, match="unsupported hash algorithm"):
        content_hash(algorithm, str(root), "a.md")


def test_caps(root: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MAX_FILES", 4)
    content_hash("sha256", str(root), "docs")
    monkeypatch.setattr(module, "MAX_FILES", 3)
    assert refusal(root, "docs") == "more than 3 files and folders to hash"
    assert content_hash("sha256", str(root), "a.md")
    monkeypatch.setattr(module, "MAX_CONTENT_BYTES", 6)
    assert content_hash("sha256", str(root), "a.md")
    monkeypatch.setattr(module, "MAX_CONTENT_BYTES", 5)
    assert refusal(root, "a.md") == "more than 5 bytes to hash"
    monkeypatch.setattr(module, "MAX_FILES", 4)
    monkeypatch.setattr(module, "MAX_CONTENT_BYTES", 1)
    assert refusal(root, "docs") == "more than 1 bytes to hash"


@posix
def test_deep_folders(tmp_path: Path):
    folder = tmp_path / "d"
    deep = folder
    for _ in range(300):
        deep = deep / "x"
    deep.mkdir(parents=True)
    assert content_hash("sha256", str(tmp_path), "d") == digest("sha256", b"")
