"""Bytes of a local file: bounded, regular files only, every failure one line."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.errors import ManifestError
from kcp.reading import source
from kcp.reading.source import read_bytes, sha256_hex


def refusal(path: str | Path, max_bytes: int = source.MAX_BYTES) -> str:
    """The line with which a path is refused."""
    with pytest.raises(ManifestError) as caught:
        read_bytes(str(path), max_bytes)
    assert caught.value.exit_code == 3
    return str(caught.value)


def test_the_bytes_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "k.yaml"
    path.write_bytes(b"\xef\xbb\xbfa\r\n\xff\0")
    assert read_bytes(str(path)) == b"\xef\xbb\xbfa\r\n\xff\0"
    path.write_bytes(b"")
    assert read_bytes(str(path)) == b""


def test_the_cap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "k.yaml"
    path.write_bytes(b"x" * 10)
    assert read_bytes(str(path), 10) == b"x" * 10
    assert refusal(path, 9) == "manifest is larger than 9 bytes; raise the cap with --max-bytes"
    monkeypatch.setattr(source, "_CHUNK", 3)
    assert read_bytes(str(path), 10) == b"x" * 10
    # A file that grows between the look and the reading.
    monkeypatch.setattr(source, "_check", lambda *_: None)
    assert refusal(path, 9).startswith("manifest is larger than 9 bytes")


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "k.yaml"
    with path.open("wb") as file:
        file.truncate(50 * 2**20)
    monkeypatch.setattr(source, "_read", lambda *_: pytest.fail("read"))
    assert refusal(path) == "manifest is larger than 8,388,608 bytes; raise the cap with --max-bytes"


def test_what_is_no_file(tmp_path: Path) -> None:
    assert refusal(tmp_path) == f"{tmp_path} is a directory, not a manifest"
    assert refusal(tmp_path / "nope") == f"manifest not found: {tmp_path}/nope"
    assert refusal("a\0b") == r"manifest not found: 'a\x00b'"
    (tmp_path / "file").write_text("")
    assert refusal(tmp_path / "file" / "x").endswith("not a directory")
    assert refusal("x" * 5000).endswith("file name too long")
    (tmp_path / "loop").symlink_to("loop")
    assert refusal(tmp_path / "loop").startswith(f"cannot read {tmp_path}/loop: ")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipes_and_devices_do_not_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    assert refusal(path) == f"{path} is not a regular file"
    assert refusal("/dev/zero") == "/dev/zero is not a regular file"
    # A pipe that takes the file's place after the first look is found out once it is open.
    real = os.stat
    regular = tmp_path / "regular"
    regular.write_text("")
    monkeypatch.setattr(os, "stat", lambda _path: real(regular))
    assert refusal(path) == f"{path} is not a regular file"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_no_permission(tmp_path: Path) -> None:
    path = tmp_path / "k.yaml"
    path.write_text("")
    path.chmod(0)
    assert refusal(path) == f"permission denied: {path}"


def test_no_permission_as_told_by_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "k.yaml"
    path.write_text("")

    def denied(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", denied)
    assert refusal(path) == f"permission denied: {path}"


def test_no_handle_is_left_open(tmp_path: Path) -> None:
    if not Path("/proc/self/fd").exists():
        pytest.skip("no /proc")
    path = tmp_path / "k.yaml"
    path.write_bytes(b"x" * 10)
    before = len(os.listdir("/proc/self/fd"))
    for cap in (10, 9):
        for _ in range(5):
            try:
                read_bytes(str(path), cap)
            except ManifestError:
                continue
    assert len(os.listdir("/proc/self/fd")) == before


@given(st.binary())
def test_the_digest(data: bytes) -> None:
    assert sha256_hex(data) == hashlib.sha256(data).hexdigest()


def test_the_digest_without_the_quick_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_sha2", None)
    monkeypatch.setitem(sys.modules, "_sha256", None)
    assert sha256_hex(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
