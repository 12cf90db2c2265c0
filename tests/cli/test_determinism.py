"""The same inputs give the same bytes: other hash seeds, locales, time zones and interpreters."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
COMMANDS = (
    ["plan", "where does a ship berth at the quay?", "--as-of", "2026-07-01", "--manifest", "{}", "--json"],
    ["plan", "quay tide customs", "--as-of", "2026-07-01", "--manifest", "{}", "--trace", "--json"],
    ["validate", "{}", "--json"],
    ["plan", "--help"],
)


def outputs(spawn: Callable, folder: Path, python: str = sys.executable, **variables: str) -> list[bytes]:
    results = []
    for words in COMMANDS:
        result = spawn(*[word.format(folder) for word in words], python=python, **variables)
        assert (result.returncode, result.stderr) == (0, b"")
        results.append(result.stdout)
    return results


@pytest.fixture(scope="module")
def other_pythons() -> list[str]:
    """Other interpreters that have PyYAML: on the path, or named in KCP_TEST_PYTHONS."""
    candidates = os.environ.get("KCP_TEST_PYTHONS", "").split(os.pathsep)
    candidates += [shutil.which(f"python{version}") or "" for version in VERSIONS]
    return list(_usable(candidates))


def _usable(candidates: list[str]) -> Iterator[str]:
    running = "{}.{}".format(*sys.version_info)
    seen = {running}
    probe = "import sys, yaml; print('%d.%d' % sys.version_info[:2])"
    for python in filter(None, candidates):
        result = subprocess.run([python, "-I", "-c", probe], capture_output=True, text=True, check=False)
        version = result.stdout.strip()
        if result.returncode == 0 and version in VERSIONS and version not in seen:
            seen.add(version)
            yield python


def test_hash_seeds_locales_and_time_zones(spawn: Callable, harbour: Path):
    expected = outputs(spawn, harbour)
    settings = [
        {"LC_ALL": "C", "TZ": "Pacific/Kiritimati"},
        {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "America/Adak"},
        {"LC_ALL": "de_DE.ISO-8859-1", "TZ": "Asia/Kathmandu", "NO_COLOR": "1"},
    ]
    for variables in settings:
        assert outputs(spawn, harbour, **variables) == expected


def test_hash_seeds(command: Callable, harbour: Path):
    # -I, which the other tests run under, ignores PYTHONHASHSEED.
    def output(seed: str) -> bytes:
        line = [word for word in command(*COMMANDS[1][:-1], "--json") if word != "-I"]
        line = [str(word).format(harbour) if word == "{}" else word for word in line]
        environment = {"PATH": os.environ.get("PATH", ""), "PYTHONHASHSEED": seed}
        return subprocess.run(line, env=environment, capture_output=True, timeout=60, check=True).stdout

    assert len({output(seed) for seed in ("0", "1", "4242")}) == 1


def test_interpreters(spawn: Callable, harbour: Path, other_pythons: list[str]):
    if not other_pythons:
        pytest.skip("no other interpreter with PyYAML on the path or in KCP_TEST_PYTHONS")
    expected = outputs(spawn, harbour)
    for python in other_pythons:
        assert outputs(spawn, harbour, python) == expected
