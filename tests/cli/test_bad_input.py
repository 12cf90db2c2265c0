"""Bad input: one clear line, the documented code, nothing on standard output."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kcp.cli.main import main

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + level)}: &{chr(98 + level)} [{','.join(['*' + chr(97 + level)] * 9)}]\n" for level in range(9)
)

CONTENTS = {
    "empty": b"",
    "not YAML": b"a: [1, 2\n",
    "not YAML at all": b"{{{: %\x01",
    "a scalar": b"just a text\n",
    "a list": b"- a\n- b\n",
    "not UTF-8": b"project: caf\xe9\n",
    "alias bomb": BOMB.encode(),
    "nesting, flow": b"a: " + b"[" * 200 + b"]" * 200,
    "nesting, block": b"".join(b" " * level + b"k:\n" for level in range(200)),
    "brackets": b"[" * 60_000,
    "NUL bytes": b"project: a\x00b\n",
    "only NUL bytes": b"\x00" * 4096,
    "huge integer": b"project: p\nunits:\n- id: a\n  size_tokens: " + b"9" * 100_000 + b"\n",
    "duplicate key": b"project: a\nproject: b\n",
    "two documents": b"project: a\n---\nproject: b\n",
    "unknown tag": b"project: !!python/object:os.system a\n",
    "escape sequences": b"project: a\n\x1b[31mred: b\n",
}


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS.keys())
def test_contents(run: Callable, manifest: Callable, content: bytes):
    path = manifest(content)
    code, out, err = run("plan", "x", "--manifest", path)
    assert (code, out) == (3, "")
    assert err.startswith(f"kcp-agent: {path}: parse failed: ")
    assert_one_line(err)

    code, out, err = run("validate", path)
    assert (code, err) == (3, "")
    lines = out.splitlines()
    assert lines[0] == f"Validate: {path}"
    assert lines[1].startswith("  ✗ manifest: ")
    assert lines[2].startswith("      KCP100")
    assert lines[-1] == "✗ invalid — 1 error(s), 0 warning(s)"
    assert not any(line.startswith(("  ✗ ", "  ⚠ ")) for line in lines[2:])
    assert out.replace("\n", "").isprintable()


def assert_one_line(err: str) -> None:
    """One line that says what is wrong, at most one more that says what to do."""
    what, *hint = err.splitlines()
    assert what.startswith("kcp-agent: ")
    assert len(hint) <= 1
    assert all(line.isprintable() for line in (what, *hint))
    assert len(err) < 500
    assert "Traceback" not in err


def test_a_file_of_fifty_megabytes(run: Callable, tmp_path: Path):
    path = tmp_path / "big.yaml"
    with path.open("wb") as file:
        file.truncate(50 * 2**20)
    code, out, err = run("plan", "x", "--manifest", path)
    assert (code, out) == (3, "")
    assert "larger than 8,388,608 bytes" in err
    assert_one_line(err)
    assert run("validate", path).code == 3


def test_missing_file_and_folder_without_manifest(run: Callable, tmp_path: Path):
    for location in (tmp_path, tmp_path / "nowhere", "a\x00b", "x" * 5000, tmp_path / "m" / ".." / "n"):
        code, out, err = run("plan", "x", "--manifest", location)
        assert (code, out) == (3, "")
        assert "fetch failed: " in err
        assert err.count("\n") == 1
        assert run("validate", location).code == 3


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--max-units", "many"], "kcp-agent: --max-units must be a whole number, zero or more, not 'many'"),
        (["--budget", "lots"], "kcp-agent: --budget must be a number, zero or more, not 'lots'"),
        (["--as-of", "soon"], "kcp-agent: --as-of must be a date like 2026-07-01, not 'soon'"),
        (["--nonsense"], "Unknown option: --nonsense"),
        (["--env", "a\x1b[31m", "--\x1b[2J"], "Unknown option: --\\x1b[2J"),
    ],
)
def test_flags(run: Callable, harbour: Path, words: list[str], line: str):
    code, out, err = run("plan", "x", "--manifest", harbour, *words)
    assert (code, out) == (2, "")
    assert err.splitlines()[0] == line
    assert len(err.splitlines()) <= 2


def test_a_message_stays_on_one_line(run: Callable):
    code, _, err = run("plan", "x", "--manifest", "no\nwhere\x1b[31m\u202e")
    assert code == 3
    assert_one_line(err)


def test_a_bug_asks_to_be_reported(run: Callable, harbour: Path, monkeypatch: pytest.MonkeyPatch):
    def fail(*_arguments: object) -> None:
        raise ZeroDivisionError("a\nb")

    monkeypatch.setattr("kcp.federation.Walk.run", fail)
    monkeypatch.delenv("KCP_DEBUG", raising=False)
    code, out, err = run("plan", "x", "--manifest", harbour)
    assert (code, out) == (70, "")
    assert err == (
        "kcp-agent: this is a bug (ZeroDivisionError: a\\nb); please report it with what KCP_DEBUG=1 shows\n"
    )
    monkeypatch.setenv("KCP_DEBUG", "1")
    err = run("plan", "x", "--manifest", harbour).err
    assert err.startswith("Traceback")
    assert err.endswith("please report it with the lines above\n")


def test_an_interrupt_is_not_a_bug(run: Callable, harbour: Path, monkeypatch: pytest.MonkeyPatch):
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kcp.federation.Walk.run", interrupt)
    assert run("plan", "x", "--manifest", harbour) == (130, "", "kcp-agent: interrupted\n")


def test_text_streams_without_bytes_behind_them(harbour: Path, monkeypatch: pytest.MonkeyPatch):
    class Memory:
        def __init__(self) -> None:
            self.text = ""

        def write(self, text: str) -> None:
            self.text += text

        def flush(self) -> None: ...

    out, err = Memory(), Memory()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    assert main(["--version"]) == 0
    assert main(["plan", "x", "--manifest", "nowhere"]) == 3
    assert out.text.startswith("kcp-agent ")
    assert err.text.startswith("kcp-agent: nowhere")
