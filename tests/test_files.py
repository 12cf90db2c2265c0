"""Files appear whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from kcp.files import WriteError, write_atomically, write_exclusively

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_and_one_in_its_place(tmp_path: Path):
    file = tmp_path / "a"
    write_atomically(str(file), b"one")
    assert file.read_bytes() == b"one"
    write_atomically(str(file), b"")
    assert file.read_bytes() == b""
    assert os.listdir(tmp_path) == ["a"]


def test_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    write_atomically("a", b"x" * 100_000)
    assert (tmp_path / "a").stat().st_size == 100_000


@posix
def test_permissions_stay(tmp_path: Path):
    file = tmp_path / "a"
    file.write_bytes(b"")
    file.chmod(0o640)
    write_atomically(str(file), b"x", 0o600)
    assert mode(file) == 0o640
    write_atomically(str(tmp_path / "b"), b"x", 0o600)
    assert mode(tmp_path / "b") == 0o600


@posix
@pytest.mark.parametrize("target", ["real/a", "real", "nowhere", "link"])
def test_links_are_not_written_through(tmp_path: Path, target: str):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a").write_bytes(b"old")
    link = tmp_path / "link"
    link.symlink_to(target)
    with pytest.raises(WriteError) as caught:
        write_atomically(str(link), b"new")
    said = "it is a symbolic link; remove it, or name the file that it leads to"
    assert caught.value.message == f"cannot write {link}: {said}"
    assert os.readlink(link) == target
    assert sorted(os.listdir(tmp_path)) == ["link", "real"]
    assert (tmp_path / "real" / "a").read_bytes() == b"old"


@posix
def test_a_link_made_meanwhile_is_not_written_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "link").symlink_to("a")
    monkeypatch.setattr("kcp.files.refuse_link", lambda _path: None)
    with pytest.raises(WriteError, match="not a regular file"):
        write_atomically(str(tmp_path / "link"), b"new")
    assert (tmp_path / "a").read_bytes() == b"old"


@posix
def test_only_regular_files_are_replaced(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/null")):
        with pytest.raises(WriteError, match="not a regular file"):
            write_atomically(str(path), b"x")


@pytest.mark.parametrize("path", ["nowhere/a", "file/a", "a\0b", ""])
def test_what_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_bytes(b"")
    for write in (write_atomically, lambda at, data: write_exclusively(at, data, 0o600)):
        with pytest.raises(WriteError) as caught:
            write(path, b"x")
        assert caught.value.exit_code == 3
        assert "\n" not in caught.value.message
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("step", ["replace", "fsync", "write"])
def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
):
    def fail(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "a"
    file.write_bytes(b"old")
    monkeypatch.setattr(f"kcp.files.os.{step}", fail)
    with pytest.raises(WriteError, match="no space left on device"):
        write_atomically(str(file), b"new")
    monkeypatch.undo()
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("step", ["fsync", "write"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_new_file_is_whole_or_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
):
    def fail(*_arguments: object) -> None:
        raise error

    monkeypatch.setattr(f"kcp.files.os.{step}", fail)
    with pytest.raises((WriteError, KeyboardInterrupt)):
        write_exclusively(str(tmp_path / "a"), b"x", 0o600)
    monkeypatch.undo()
    assert os.listdir(tmp_path) == []
    write_exclusively(str(tmp_path / "a"), b"x", 0o600)


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kcp.files.os.replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(str(tmp_path / "a"), b"new")
    assert os.listdir(tmp_path) == []


def test_short_writes_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    whole = os.write
    monkeypatch.setattr("kcp.files.os.write", lambda handle, data: whole(handle, bytes(data[:3])))
    write_atomically(str(tmp_path / "a"), b"0123456789")
    assert (tmp_path / "a").read_bytes() == b"0123456789"


@posix
def test_exclusive_files(tmp_path: Path):
    file = tmp_path / "a"
    write_exclusively(str(file), b"x", 0o600)
    assert mode(file) == 0o600
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for path in (file, tmp_path / "dangling", tmp_path):
        with pytest.raises(WriteError, match="exists already"):
            write_exclusively(str(path), b"y", 0o600)
    assert file.read_bytes() == b"x"
    assert not (tmp_path / "nowhere").exists()
