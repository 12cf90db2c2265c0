"""The renderer's door to the network: shut unless asked for, and narrow (render contract §7; C5)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kcp.cli.command_table import find_command
from kcp.cli.commands import render as command
from kcp.cli.parser import parse
from kcp.network.guard import GuardedFetcher
from tests.render.conftest import MINIMAL, ORG, PINNED, Desk

PROBE = """
import sys
sys.path.insert(0, {root!r})
before = set(sys.modules)
from kcp.cli.main import main
code = main(sys.argv[1:])
sys.stdout.flush()
sys.stderr.write("\\n".join(sorted(set(sys.modules) - before)))
raise SystemExit(code)
"""
NETWORK = {"socket", "ssl", "urllib3", "http", "kcp.network.guard", "kcp.network.sockets"}
SLOW = {
    "json",
    "rich",
    "hashlib",
    "ruamel",
    "nacl",
    "typing",
    "dataclasses",
    "logging",
    "subprocess",
    "tempfile",
}


def imported(repository: Path, desk: Desk, *flags: str) -> set[str]:
    line = [sys.executable, "-I", "-c", PROBE.format(root=str(repository)), "render", str(desk.path)]
    line += ["--keys", str(desk.keys), *flags]
    done = subprocess.run(
        line, env={"HOME": str(desk.home)}, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split("\n"))


def test_unsigned_render_loads_little(repository: Path, desk: Desk):
    desk.write(MINIMAL)
    modules = imported(repository, desk)
    assert not modules & (NETWORK | SLOW)
    assert "kcp.reading.pure_parser" not in modules


def test_signed_render_loads_no_network(repository: Path, desk: Desk):
    desk.write(MINIMAL + "composition: {includes: [{source: 'https://a.example/k.yaml'}]}\n", ORG)
    modules = imported(repository, desk, "--origin", PINNED, "--retrieved-from", "https://a.example/")
    assert not modules & (NETWORK - {"socket"})


def test_no_fetcher_is_made_without_a_flag(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    made: list[object] = []
    monkeypatch.setattr(command, "make_fetcher", lambda _arguments: made.append(1))
    desk.git()
    desk.write(MINIMAL, ORG)
    desk.render("--retrieved-from", "https://a.example/", "--allow-derived-origin", origin=None)
    desk.render("--allow-private-hosts", "--require-unit-hashes")
    assert made == []


@pytest.mark.parametrize("private", [False, True])
def test_fetcher_is_narrow(private: bool):
    found = find_command("render")
    assert found is not None
    fetcher = command.make_fetcher(parse(found, ["--allow-private-hosts"] if private else []))
    assert isinstance(fetcher, GuardedFetcher)
    assert (fetcher.timeout, fetcher.max_bytes, fetcher.max_redirects) == (10.0, 2**20, 3)
    assert fetcher.allow_private_hosts is private


@pytest.mark.parametrize("origin", ["localhost/x", "127.0.0.1/x", "169.254.169.254/x", "[::1]/x"])
def test_private_origin_is_not_asked(desk: Desk, monkeypatch: pytest.MonkeyPatch, origin: str):
    from kcp.network import sockets

    def refuse(*_arguments: object) -> object:
        raise AssertionError("a connection was made")

    monkeypatch.setattr(sockets, "dial", refuse)
    monkeypatch.setattr(sockets, "system_resolver", lambda *_: ["127.0.0.1"])
    monkeypatch.setattr(command, "make_fetcher", lambda _arguments: GuardedFetcher(timeout=5.0))
    desk.git(f"https://{origin}.git")
    desk.write(MINIMAL)
    result = desk.render("--corroborate", origin=None)
    assert result.artifact["trust"]["corroboration"]["result"] == "unreachable"
