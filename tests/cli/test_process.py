"""The program as a process: streams, signals, locales, colours."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")
full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")

WORDS = ("plan", "quay", "--as-of", "2026-07-01", "--manifest")


@posix
@pytest.mark.parametrize("json", [[], ["--json"]])
def test_a_closed_pipe_ends_quietly(command: Callable, tmp_path: Path, json: list[str]):
    units = "".join(f"- {{id: quay-{n}, path: q.md, intent: quay}}\n" for n in range(3000))
    file = tmp_path / "knowledge.yaml"
    file.write_text(f"project: p\nversion: '1'\nunits:\n{units}", encoding="utf-8")
    reader, writer = os.pipe()
    os.close(reader)
    line = command(*WORDS, file, *json)
    result = subprocess.run(line, stdout=writer, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writer)
    assert (result.returncode, result.stderr) == (0, b"")


@posix
def test_a_verdict_survives_a_closed_pipe(command: Callable, tmp_path: Path):
    reader, writer = os.pipe()
    os.close(reader)
    line = command("validate", tmp_path / "nowhere")
    result = subprocess.run(line, stdout=writer, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writer)
    assert (result.returncode, result.stderr) == (3, b"")


@full
@pytest.mark.parametrize("words", [(*WORDS, "{}", "--json"), (*WORDS, "{}"), ("--help",), ("--version",)])
def test_unwritable_output(command: Callable, harbour: Path, words: tuple[str, ...]):
    line = command(*[word.format(harbour) for word in words])
    with open("/dev/full", "wb") as device:
        result = subprocess.run(line, stdout=device, stderr=subprocess.PIPE, timeout=60, check=False)
    assert result.returncode == 3
    assert result.stderr == b"kcp-agent: cannot write the output: No space left on device\n"


@posix
def test_closed_output(command: Callable, harbour: Path):
    line = ["sh", "-c", 'exec "$@" >&-', "sh", *command(*WORDS, harbour)]
    result = subprocess.run(line, stderr=subprocess.PIPE, timeout=60, check=False)
    assert result.returncode == 3
    assert result.stderr == b"kcp-agent: cannot write the output: standard output is closed\n"


@posix
def test_closed_standard_error(command: Callable):
    line = ["sh", "-c", 'exec "$@" 2>&-', "sh", *command("plan", "x", "--manifest", "nowhere")]
    assert subprocess.run(line, stdout=subprocess.PIPE, timeout=60, check=False).returncode == 3


@posix
def test_interrupt(repository: Path):
    # More than a pipe holds is written, so the write ends only while the program reads. The test runner may
    # have been started with interrupts ignored, which a child inherits.
    start = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    start += f"sys.path.insert(0, {str(repository)!r}); from kcp.cli.main import entry; entry()"
    line = [sys.executable, "-I", "-c", start, "validate", "-"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(line, stdin=pipe, stdout=pipe, stderr=pipe)
    assert process.stdin is not None
    with process:
        process.stdin.write(b"#" * 1_000_000)
        process.stdin.flush()
        for _ in range(100):  # the interpreter may lose an interrupt to a read that is just under way
            process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout=0.5)
                break
            except subprocess.TimeoutExpired:
                continue
        assert process.stdout is not None
        assert process.stderr is not None
        out, err = process.stdout.read(), process.stderr.read()
    assert (process.returncode, out, err) == (130, b"", b"kcp-agent: interrupted\n")


@posix
def test_an_argument_that_is_not_utf8(spawn: Callable):
    result = spawn("plan", b"caf\xe9", "--manifest", "nowhere")
    assert result.returncode == 2
    assert result.stdout == b""
    assert result.stderr == b"kcp-agent: argument 2 is not UTF-8: caf\\xe9\n"


@posix
@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8", "nonsense"])
def test_utf8_in_every_locale(spawn: Callable, harbour: Path, locale: str):
    result = spawn("plan", "quay für Ü", "--manifest", harbour, LC_ALL=locale)
    assert (result.returncode, result.stderr) == (0, b"")
    assert '"quay für Ü"' in result.stdout.decode("utf-8")
    assert "●" in result.stdout.decode("utf-8")
    failed = spawn("plan", "x", "--manifest", "Ü", LC_ALL=locale)
    assert failed.returncode == 3
    assert failed.stderr.decode("utf-8") == "kcp-agent: Ü: fetch failed: manifest not found: Ü\n"


def test_the_module_runs(repository: Path):
    line = [sys.executable, "-m", "kcp", "--version"]
    result = subprocess.run(line, cwd=repository, capture_output=True, timeout=60, check=False)
    assert result.returncode == 0
    assert result.stdout.startswith(b"kcp-agent ")


def on_terminal(line: list[str], **variables: str) -> str:
    import pty

    terminal, end = pty.openpty()
    environment = {"PATH": os.environ.get("PATH", ""), **variables}
    with subprocess.Popen(line, stdout=end, stderr=subprocess.PIPE, env=environment) as process:
        os.close(end)
        chunks = []
        try:
            while chunk := os.read(terminal, 65536):
                chunks.append(chunk)
        except OSError:  # how Linux says that the other end is closed
            pass
        os.close(terminal)
        assert process.wait(timeout=60) == 0
    return b"".join(chunks).decode("utf-8").replace("\r\n", "\n")


@posix
def test_colours_on_a_terminal_only(command: Callable, spawn: Callable, harbour: Path):
    line = command(*WORDS, harbour, "--trace")
    plain = spawn(*WORDS, harbour, "--trace").stdout.decode("utf-8")
    assert "\x1b" not in plain
    coloured = on_terminal(line, TERM="xterm-256color")
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    assert on_terminal(line, TERM="xterm-256color", NO_COLOR="1") == plain
    assert on_terminal(line, TERM="dumb") == plain
    assert "\x1b" not in on_terminal([*line, "--json"], TERM="xterm-256color")


@posix
def test_a_manifest_cannot_write_to_the_terminal(command: Callable, manifest: Callable):
    text = 'project: "p\\x1b[2J\\u202e"\nversion: "1"\nunits:\n'
    text += '- {id: "q\\x9b31m", path: "p\\r", intent: "quay \\x1b]0;t\\a", triggers: [quay]}\n'
    path = manifest(text)
    shown = on_terminal(command("plan", "quay", "--manifest", path), TERM="xterm-256color")
    shown = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert shown.replace("\n", "").isprintable()
    assert "p\\x1b[2J\\u202e" in shown
    assert "q\\x9b31m" in shown
    assert "quay \\x1b]0;t\\x07" in shown
