"""The built program under test: $KCP_BINARY, which scripts/test-binary sets; without it all is skipped."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

MAGIC = b"kcp-agent/file/1"
FOOTER = 64
OTHER_USER = 65534
TIMEOUT = 120


class Result(NamedTuple):
    """What a run came to; a negative code is a signal's."""

    code: int
    out: bytes
    err: bytes


class Program:
    """The program, as folder or single file, and how to run it apart from the person's own cache."""

    def __init__(self, path: Path, scratch: Path) -> None:
        self.path = path
        self.scratch = scratch
        with path.open("rb") as file:
            file.seek(-FOOTER, os.SEEK_END)
            self.is_single = file.read(len(MAGIC)) == MAGIC
        self.environment = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(scratch / "home"),
            "TMPDIR": str(scratch / "tmp"),
        }
        for folder in ("home", "tmp"):
            (scratch / folder).mkdir(mode=0o700, exist_ok=True)

    def run(self, *words: str | bytes | Path, before: tuple[str, ...] = (), **how: Any) -> Result:
        """Run to the end; `env` is added to the small environment, None takes a variable out."""
        with self.start(*words, before=before, **how) as process:
            out, err = process.communicate(how.get("input"), timeout=TIMEOUT)
        return Result(process.returncode, out or b"", err or b"")

    def start(
        self, *words: str | bytes | Path, before: tuple[str, ...] = (), **how: Any
    ) -> subprocess.Popen[bytes]:
        """Start it in a process group of its own, behind another command if one is given."""
        program = how.pop("program", self.path)
        data = how.pop("input", None)
        settings = self.environment | how.pop("env", {})
        environment = {name: str(value) for name, value in settings.items() if value is not None}
        streams = {"stdin": subprocess.DEVNULL if data is None else subprocess.PIPE}
        streams |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        line = [*before, str(program), *(str(word) if isinstance(word, Path) else word for word in words)]
        return subprocess.Popen(line, env=environment, start_new_session=True, **(streams | how))  # type: ignore[return-value]


@pytest.fixture(scope="session")
def built() -> Path:
    """Where the program lies."""
    named = os.environ.get("KCP_BINARY")
    if not named:
        pytest.skip("no built program given: scripts/test-binary builds one or takes --binary PATH")
    if sys.platform != "linux":
        pytest.skip("these tests are written for Linux")
    return Path(named).resolve()


@pytest.fixture(scope="session")
def open_folder() -> Iterator[Path]:
    """A folder that other users can reach, as pytest's own are closed."""
    folder = Path(tempfile.mkdtemp(prefix="kcp-binary-", dir="/var/tmp"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def open_copy(built: Path, open_folder: Path) -> Path:
    """The program where other users can run it."""
    return copy_program(built, open_folder / "program")


def copy_program(program: Path, folder: Path) -> Path:
    """A copy of the single file, or of the whole folder, in a folder to be made; returns the program."""
    with program.open("rb") as file:
        file.seek(-FOOTER, os.SEEK_END)
        is_single = file.read(len(MAGIC)) == MAGIC
    if is_single:
        folder.mkdir(parents=True)
        shutil.copy(program, folder)
    else:
        shutil.copytree(program.parent, folder)
    return folder / program.name


@pytest.fixture
def program(built: Path, tmp_path: Path) -> Program:
    """The program with a home of its own. It has never been started from there."""
    return Program(built, tmp_path)


def wait_in_reading(process: subprocess.Popen[bytes]) -> None:
    """Come back when the program waits for more of its standard input."""
    import fcntl
    import termios

    assert process.stdin
    process.stdin.write(b"# more than a pipe holds\n" * 10_000)
    process.stdin.flush()
    asleep, deadline = 0, time.monotonic() + 30
    while asleep < 5 and time.monotonic() < deadline:
        time.sleep(0.005)
        waiting = int.from_bytes(fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)), sys.byteorder)
        state = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]
        asleep = asleep + 1 if (waiting, state) == (0, "S") else 0


@pytest.fixture
def single(program: Program) -> Program:
    """The program, only where it is a single file."""
    if not program.is_single:
        pytest.skip("the folder unpacks nothing")
    return program


@pytest.fixture
def hub(repository: Path) -> Path:
    """A manifest that validates."""
    return repository / "examples" / "demo-hub"


@pytest.fixture
def as_other_user(open_folder: Path) -> dict[str, Any]:
    """How to start a process without root's rights; root passes every permission."""
    if os.geteuid() != 0:
        return {}
    return {"user": OTHER_USER, "group": OTHER_USER, "extra_groups": [], "cwd": "/"}


@pytest.fixture(scope="session")
def apart() -> Callable[..., tuple[str, ...]]:
    """`apart("--mount")`: the words that run a command in namespaces of its own; skips without them."""

    def words(*namespaces: str) -> tuple[str, ...]:
        for start in (("unshare", *namespaces), ("unshare", "--map-root-user", *namespaces)):
            try:
                done = subprocess.run([*start, "true"], capture_output=True, check=False)
            except FileNotFoundError:
                pytest.skip("unshare is not installed")
            if done.returncode == 0:
                return start
        reason = done.stderr.decode(errors="replace").strip()
        return pytest.skip(f"no namespaces for this user: {reason}")

    return words


def one_line(text: bytes) -> str:
    """The only line of a message, or a failed test."""
    lines = text.decode("utf-8").splitlines()
    assert len(lines) == 1, lines
    return lines[0]
