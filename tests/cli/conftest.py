"""How tests call the program: in this process, or as a process of its own.

With KCP_BINARY, which scripts/test-binary sets, every call starts that built program, and tests that reach
into the source are skipped.
"""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from kcp.cli.main import main

BINARY = os.environ.get("KCP_BINARY")
# What only a test says that replaces a part of the program or starts an interpreter.
_OF_THE_SOURCE = ("setattr", "sys.executable", "python=", "main([", "imported", "other_pythons")

# The checkout comes first, whatever is installed.
START = "import sys; sys.path.insert(0, {root!r}); from kcp.cli.main import entry; entry()"

MANIFEST = """\
project: harbour
version: 1.2.0
kcp_version: "0.32"
manifests:
  - id: pilots
    url: https://pilots.example/knowledge.yaml
    local_mirror: ../pilots/knowledge.yaml
    agent_identity: {required: true, credential_hint: pilot_token, docs_url: https://pilots.example/help}
  - id: drills
    url: https://drills.example/knowledge.yaml
    context: [test]
rate_limits: {default: {requests_per_minute: 30}}
units:
  - id: berthing
    path: berthing.md
    intent: How a ship berths at the quay
    triggers: [berth, quay]
    audience: [agent, human]
    size_tokens: 1900
  - id: tide-tables
    path: tides.md
    intent: Tide tables for every quay
    triggers: [tide]
    audience: [agent]
    size_tokens: 1000
    payment: {methods: [{type: x402, price_per_request: "0.05", currency: USDC}]}
  - id: customs
    path: customs.md
    intent: Customs papers for goods
    triggers: [customs]
    audience: [agent]
"""


class Result(NamedTuple):
    """What a run of the program came to."""

    code: int
    out: str
    err: str


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items if BINARY else ():
        if here in item.path.parents and isinstance(item, pytest.Function):
            # A module's own fixtures may reach in for the test.
            fixtures = [each for found in item._fixtureinfo.name2fixturedefs.values() for each in found]
            own = [each.func for each in fixtures if each.func.__module__ == item.module.__name__]
            sources = [inspect.getsource(function) for function in (item.function, *own)]
            if any(word in source for word in _OF_THE_SOURCE for source in sources):
                item.add_marker(pytest.mark.skip(reason="reaches into the source"))


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    """A folder with a manifest of three units and two references."""
    folder = tmp_path / "harbour"
    folder.mkdir()
    (folder / "knowledge.yaml").write_text(MANIFEST, encoding="utf-8")
    for name in ("berthing.md", "tides.md", "customs.md"):
        (folder / name).write_text("text\n", encoding="utf-8")
    return folder


@pytest.fixture
def manifest(tmp_path: Path) -> Callable[[str | bytes], str]:
    """Writes a manifest and gives its path."""

    def write(content: str | bytes) -> str:
        path = tmp_path / "m.yaml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return str(path)

    return write


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Runs a command line in this process, or the built program."""

    def start(*words: str | Path) -> Result:
        line = [str(BINARY), *map(str, words)]
        if any("\0" in word for word in line):
            pytest.skip("no process can be given a NUL")
        done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def call(*words: str | Path) -> Result:
        capsys.readouterr()
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return start if BINARY else call


@pytest.fixture
def command(repository: Path) -> Callable[..., list[str | bytes]]:
    """The words that start the program as a process."""

    def make(*words: str | bytes | Path, python: str = sys.executable) -> list[str | bytes]:
        arguments = [str(word) if isinstance(word, Path) else word for word in words]
        if BINARY:
            return [BINARY, *arguments]
        return [python, "-I", "-c", START.format(root=str(repository)), *arguments]

    return make


@pytest.fixture
def spawn(command: Callable[..., list[str | bytes]]) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Runs a command line as a process, with variables added to a small environment."""

    def call(
        *words: str | bytes | Path, python: str = sys.executable, **variables: str
    ) -> subprocess.CompletedProcess[bytes]:
        environment = {"PATH": os.environ.get("PATH", ""), **variables}
        line = command(*words, python=python)
        return subprocess.run(line, env=environment, capture_output=True, timeout=60, check=False)

    return call
