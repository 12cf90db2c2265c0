"""Locks between processes: what may lie where the lock is to be."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from kcp.errors import KcpError
from kcp.locks import FileLock, open_regular


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders there")
def test_a_pipe_is_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "Keys.yaml"
    os.mkfifo(tmp_path / "Keys.yaml.lock")
    with pytest.raises(KcpError, match=f"^cannot lock {path}: its .lock file is not a regular file$"):
        FileLock(str(path)).__enter__()
    for flags in (os.O_RDONLY, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, os.O_RDWR | os.O_CREAT):
        with pytest.raises(OSError, match="x is not a regular file"):
            open_regular(str(tmp_path / "Keys.yaml.lock"), flags, 0o600, name="x")


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="there are no sockets in folders there")
def test_a_socket_is_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("a.lock")
        with pytest.raises(KcpError, match=r"^cannot lock a: "):
            FileLock("a").__enter__()


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="links are followed there")
def test_a_link_is_no_lock(tmp_path: Path) -> None:
    (tmp_path / "a.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(KcpError, match=f"^cannot lock {tmp_path / 'a'}: "):
        FileLock(str(tmp_path / "a")).__enter__()
    assert not (tmp_path / "elsewhere").exists()
