"""The hook of examples/hooks: what it lets through and what it blocks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HOOK = Path(__file__).resolve().parents[2] / "examples" / "hooks" / "block-raw-manifests"


def call(data: bytes, **environment: str) -> tuple[int, str, str]:
    """Runs the hook as an agent program would, without the interpreter's own settings."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    line = [sys.executable, "-I", str(HOOK)]
    done = subprocess.run(
        line, input=data, capture_output=True, timeout=60, env=kept | environment, check=False
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def verdict(tool: str, cwd: Path, own: str = "", **given: Any) -> int:
    data = json.dumps({"tool_name": tool, "tool_input": given, "cwd": str(cwd)}).encode()
    code, out, err = call(data, KCP_OWN_MANIFESTS=own)
    assert out == ""
    assert (code, err == "") in ((0, True), (2, False))
    return code


@pytest.mark.parametrize(
    "path",
    [
        "knowledge.yaml",
        "/a/b/knowledge.yaml",
        "docs/Knowledge.YAML",
        "../knowledge.yaml/",
        "a\\knowledge.yaml",
    ],
)
def test_reading_a_manifest_is_blocked(tmp_path: Path, path: str):
    assert verdict("Read", tmp_path, file_path=path) == 2
    assert verdict("Grep", tmp_path, pattern="x", path=path) == 2
    assert verdict("Any", tmp_path, deep=[{"files": ["a.md", path]}]) == 2


@pytest.mark.parametrize(
    "path", ["readme.md", "my-knowledge.yaml", "knowledge.yaml.sig", "knowledge.yaml/a.md"]
)
def test_other_files_are_read(tmp_path: Path, path: str):
    assert verdict("Read", tmp_path, file_path=path) == 0


def test_text_that_mentions_a_manifest_is_no_path(tmp_path: Path):
    assert verdict("Write", tmp_path, file_path="a.md", content="see\nknowledge.yaml\n") == 0


def test_link_to_a_manifest_is_blocked(tmp_path: Path):
    (tmp_path / "knowledge.yaml").write_text("a: b")
    (tmp_path / "notes.txt").symlink_to("knowledge.yaml")
    assert verdict("Read", tmp_path, file_path="notes.txt") == 2


@pytest.mark.parametrize(
    "command",
    [
        "cat knowledge.yaml",
        "cd x && head -5 ./knowledge.yaml",
        "cat < knowledge.yaml",
        "python3 -c \"print(open('knowledge.yaml').read())\"",
        'cat know"led"ge.yaml',
        "cat know\\ledge.yaml",
        "cat *.yaml",
        "less k*",
        "grep x --file=knowledge.yaml",
        "./kcp render knowledge.yaml",
        "kcp render knowledge.yaml | sh",
        "kcp render knowledge.yaml; cat knowledge.yaml",
        "kcp render $(cat knowledge.yaml)",
        "kcp plan x --manifest knowledge.yaml",
        "kcp validate knowledge.yaml",
        "kcp 'knowledge.yaml",
    ],
)
def test_commands_that_would_show_it_are_blocked(tmp_path: Path, command: str):
    assert verdict("Bash", tmp_path, command=command) == 2


@pytest.mark.parametrize(
    "command",
    [
        "kcp render a/knowledge.yaml --keys ~/.kcp/trusted-keys.yaml --out -",
        "kcp-agent render 'my folder/knowledge.yaml'",
        'kcp load "how to berth" --manifest a/knowledge.yaml --render',
        "ls *",
        "git status",
        "kcp plan x --manifest elsewhere",
    ],
)
def test_the_renderer_and_other_commands_are_let_through(tmp_path: Path, command: str):
    assert verdict("Bash", tmp_path, command=command) == 0


def test_folder_of_a_manifest(tmp_path: Path):
    (tmp_path / "knowledge.yaml").write_text("a: b")
    assert verdict("Bash", tmp_path, command="kcp plan x --manifest .") == 2
    assert verdict("Bash", tmp_path, command="kcp plan x --manifest . --render") == 0
    for command in ("--manifest=.", "--manifest=./knowledge.yaml", "--manifest . -- --render"):
        assert verdict("Bash", tmp_path, command=f"kcp plan x {command}") == 2


def test_own_manifests_may_be_read(tmp_path: Path):
    own = tmp_path / "own"
    own.mkdir()
    paths = os.pathsep.join(["relative", str(own)])
    assert verdict("Read", tmp_path, own=paths, file_path="own/knowledge.yaml") == 0
    assert verdict("Bash", tmp_path, own=paths, command="kcp validate own/knowledge.yaml") == 0
    assert verdict("Read", tmp_path, own=paths, file_path="owned/knowledge.yaml") == 2
    (own / "inner").symlink_to(tmp_path)
    assert verdict("Read", tmp_path, own=paths, file_path="own/inner/knowledge.yaml") == 2


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x",
        b"[]",
        b"{}",
        b'{"tool_name":"Read"}',
        b'{"tool_name":1,"tool_input":{}}',
        b"\xff",
        b"[" * 99_999,
    ],
)
def test_what_is_not_understood_is_blocked(data: bytes):
    code, out, err = call(data)
    assert (code, out) == (2, "")
    assert err == "blocked: the tool call could not be understood\n"


def test_text_of_the_call_is_not_repeated(tmp_path: Path):
    data = {
        "tool_name": "Read",
        "tool_input": {"file_path": "\x1b[31mdo this/knowledge.yaml"},
        "cwd": str(tmp_path),
    }
    _, _, err = call(json.dumps(data).encode())
    assert "do this" not in err
    assert err.count("\n") == 1
