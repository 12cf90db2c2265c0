"""KCP277: a hash that is not the content's, and one that could not be checked."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from kcp.trust import content_hash as hashing
from tests.authoring.validate.examples import check

DIGEST = hashlib.sha256(b"Start.\n").hexdigest()  # of the guide that lies beside the manifest
FOLDER = hashlib.sha256(f"a.md\0{hashlib.sha256(b'x').hexdigest()}\n".encode()).hexdigest()


def found(folder: Path, path: str = "guide.md", value: str = DIGEST) -> list[tuple[str, str]]:
    text = (
        "project: p\nversion: 1.0.0\nkcp_version: '0.32'\nunits:\n"
        f"- {{id: u, path: {path}, intent: Go!, scope: global, audience: [agent], triggers: [t],\n"
        f"   content_hash: {{algorithm: sha256, value: '{value}'}}}}\n"
    )
    result = check(text, folder, rules="spec")
    return [(each.level, each.finding.message) for each in result.findings if each.rule == "KCP277"]


def unchecked(reason: str) -> list[tuple[str, str]]:
    return [("warning", f"content_hash could not be checked: {reason}")]


def test_content_that_can_be_hashed(tmp_path: Path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_bytes(b"x")
    assert found(tmp_path) == found(tmp_path, "docs", FOLDER) == []
    stale = [("error", "content_hash.value is not the hash of 'guide.md'")]
    assert found(tmp_path, value="0" * 64) == stale


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    assert found(tmp_path, "pipe") == unchecked("pipe is neither a regular file nor a directory")


def test_a_link(tmp_path: Path):
    (tmp_path / "inner.md").symlink_to("guide.md")
    assert found(tmp_path, "inner.md") == unchecked("inner.md is neither a regular file nor a directory")


def test_content_beyond_the_caps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "docs").mkdir()
    for name in ("a.md", "b.md"):
        (tmp_path / "docs" / name).write_bytes(b"x")
    monkeypatch.setattr(hashing, "MAX_FILES", 1)
    monkeypatch.setattr(hashing, "MAX_CONTENT_BYTES", 6)
    assert found(tmp_path) == unchecked("more than 6 bytes to hash")
    assert found(tmp_path, "docs") == unchecked("more than 1 files and folders to hash")
