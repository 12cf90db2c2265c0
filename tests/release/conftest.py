"""A release of a program that is a shell script, and a web server on the loopback interface that has it."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tarfile
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

SYSTEM = f"{os.uname().sysname.lower()}-{os.uname().machine}" if os.name == "posix" else "none"
PROGRAM = (
    '#!/bin/sh\ncase $1 in --version) echo "kcp-agent {version}" ;; *) echo "{version} runs: $*" ;; esac\n'
)


def write_sums(folder: Path) -> None:
    files = sorted(path for path in folder.iterdir() if path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / "SHA256SUMS").write_text("".join(lines))


@pytest.fixture
def release(tmp_path: Path) -> Callable[..., Path]:
    """Makes the files of a release in one folder, in place of an earlier one; returns the archive."""

    def make(version: str = "1.2.3", program: str = PROGRAM, system: str = SYSTEM) -> Path:
        folder = tmp_path / "kcp-agent"
        (folder / "share" / "man" / "man1").mkdir(parents=True, exist_ok=True)
        (folder / "share" / "man" / "man1" / "kcp-agent.1").write_text(".TH KCP-AGENT 1\n")
        (folder / "kcp-agent").write_text(program.format(version=version))
        (folder / "kcp-agent").chmod(0o755)
        files = tmp_path / "files"
        files.mkdir(exist_ok=True)
        for old in files.iterdir():
            old.unlink()
        archive = files / f"kcp-agent-{version}-{system}.tar.xz"
        with tarfile.open(archive, "w:xz") as tar:
            tar.add(folder, "kcp-agent")
        (files / f"kcp-agent-{version}-{system}").write_text("the single file")
        (files / f"kcp-agent-{version}-plan9-mips.tar.xz").write_text("of another system")
        write_sums(files)
        return archive

    return make


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that keeps no log."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where the files of the release can be fetched from."""
    (tmp_path / "files").mkdir(exist_ok=True)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path / "files"))) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with a space in its name."""
    folder = tmp_path / "a home"
    folder.mkdir()
    return folder


@pytest.fixture
def install(repository: Path, address: str, home: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the installer with a home folder of its own."""

    def run(*words: str, source: str = address, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(home.parent), **variables}
        line = ["sh", str(repository / "build" / "install" / "install.sh"), "--from", source, *words]
        return subprocess.run(
            line, env=environment, cwd=home, capture_output=True, text=True, timeout=60, check=False
        )

    return run
