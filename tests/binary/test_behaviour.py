"""What the built program keeps of the program's promises: codes, streams, signals, arguments."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scripts.lib.gen_manifest import manifest_text
from tests.binary.conftest import Program, copy_program, wait_in_reading

PLAN = ("plan", "how do I deploy to production?", "--json", "--as-of", "2026-07-01", "--manifest")


def version(repository: Path) -> bytes:
    text = (repository / "kcp" / "_version.py").read_text("utf-8")
    return f"kcp-agent {text.partition('= ')[2].split()[0].strip(chr(34))}\n".encode()


def test_exit_codes(program: Program, repository: Path, hub: Path, tmp_path: Path):
    assert program.run("--version") == (0, version(repository), b"")
    assert program.run("validate", hub).code == 0
    (tmp_path / "bad.yaml").write_text(
        "project: p\nversion: '1'\nunits:\n- {id: a, path: /etc/x, intent: i}\n"
    )
    assert program.run("validate", tmp_path / "bad.yaml").code == 1
    assert program.run("plan", "--no-such-flag").code == 2
    assert program.run().code == 2
    missing = program.run(*PLAN, tmp_path / "none")
    assert (missing.code, missing.out) == (3, b"")
    assert missing.err.count(b"\n") == 1


def test_the_plan_is_the_one_of_the_source(program: Program, hub: Path, repository: Path):
    done = program.run(*PLAN, hub)
    assert (done.code, done.err) == (0, b"")
    source = [sys.executable, "-I", str(repository / "kcp" / "__main__.py"), *PLAN, str(hub)]
    assert subprocess.run(source, capture_output=True, check=True).stdout == done.out


def test_the_vectors(program: Program, repository: Path):
    done = program.run("conform", repository / "vectors")
    assert done.code == 0, done.out[-2000:]
    assert b" 0 different" in done.out.splitlines()[-1]


def test_a_megabyte_through_a_pipe(program: Program):
    text = manifest_text(4000, 0.1).encode()
    assert len(text) > 1_000_000
    done = program.run("validate", "-", "--json", input=text)
    assert (done.code, json.loads(done.out)["source"]) == (0, "(standard input)")


@pytest.mark.parametrize("closed", ["0", "1", "2", "0 1 2"])
def test_closed_streams(program: Program, hub: Path, closed: str):
    closing = " ".join(f"{number}{'<' if number == '0' else '>'}&-" for number in closed.split())
    shell = ("sh", "-c", f'exec "$@" {closing}', "sh")
    done = program.run(*PLAN, hub, before=shell)
    assert done.code == (3 if "1" in closed else 0)
    assert (done.out == b"") == ("1" in closed)


def test_a_reader_that_left(program: Program, tmp_path: Path):
    units = "".join(f"- {{id: quay-{n}, path: q.md, intent: quay}}\n" for n in range(3000))
    (tmp_path / "m.yaml").write_text(f"project: p\nversion: '1'\nunits:\n{units}")
    reader, writer = os.pipe()
    os.close(reader)
    done = program.run("plan", "quay", "--json", "--manifest", tmp_path / "m.yaml", stdout=writer)
    os.close(writer)
    assert (done.code, done.err) == (0, b"")


@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8", "nonsense", ""])
def test_text_is_utf8_in_every_locale(program: Program, tmp_path: Path, locale: str):
    folder = tmp_path / "für Ü 漢"
    folder.mkdir()
    unit = "- {id: a, path: a.md, intent: quay für Ü 漢}\n"
    (folder / "knowledge.yaml").write_text(f"project: p\nversion: '1'\nunits:\n{unit}", encoding="utf-8")
    for words in ((), ("--json",)):
        done = program.run("plan", "quay für 漢", "--manifest", folder, *words, env={"LC_ALL": locale})
        assert (done.code, done.err) == (0, b"")
        assert "quay für 漢" in done.out.decode("utf-8")


def test_arguments_arrive_as_they_were(program: Program, tmp_path: Path):
    for word in ("two words", "'", '"', "$HOME `id` \\", "a\tb", "", "*", "Ü漢🙂", "--multiprocessing-fork"):
        (tmp_path / "m.yaml").write_text("project: p\nversion: '1'\nunits: []\n")
        done = program.run("plan", "--json", "--manifest", tmp_path / "m.yaml", "--", word)
        if done.code == 0:
            assert json.loads(done.out)["task"] == word
        else:
            assert (done.code, word) in ((2, ""), (3, ""))


def test_paths_with_spaces(program: Program, built: Path, tmp_path: Path, hub: Path):
    copy = copy_program(built, tmp_path / "a folder 'of' mine" / "Ü")
    environment = {"HOME": tmp_path / "a home", "XDG_CACHE_HOME": tmp_path / "a cache"}
    assert program.run("validate", hub, program=copy, env=environment).code == 0
    link = tmp_path / "linked agent"
    link.symlink_to(copy)
    assert program.run("validate", hub, program=link, env=environment, cwd=tmp_path).code == 0


def test_nothing_of_python_s_settings_counts(program: Program, repository: Path, tmp_path: Path):
    for name in ("json", "kcp", "sitecustomize", "os"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('taken from outside')")
    settings: dict[str, object] = {
        "PYTHONPATH": tmp_path,
        "PYTHONHOME": tmp_path,
        "PYTHONSTARTUP": tmp_path / "os.py",
    }
    settings |= {"PYTHONIOENCODING": "latin-1", "PYTHONVERBOSE": "1", "PYTHONINSPECT": "1"}
    done = program.run("--version", env=settings, cwd=tmp_path)
    assert done == (0, version(repository), b"")


def processes_of(group: int) -> list[int]:
    """The living processes of a process group."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(fields[2]) == group and fields[0] not in "ZX":
                found.append(int(entry.name))
    return found


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP])
def test_signals_end_it_and_all_of_it(program: Program, sent: signal.Signals):
    def default_interrupt() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    process = program.start("validate", "-", stdin=subprocess.PIPE, preexec_fn=default_interrupt)
    with process:
        wait_in_reading(process)
        assert processes_of(process.pid) == [process.pid]  # no parent stays to pass things on
        process.send_signal(sent)
        process.wait(timeout=60)
        assert processes_of(process.pid) == []
        out, err = process.communicate(timeout=60)
    assert out == b""
    if sent == signal.SIGINT:
        assert (process.returncode, err) == (130, b"kcp-agent: interrupted\n")
    else:
        assert process.returncode == -sent


UNIT = "- {{id: u{0}, path: a.md, intent: deploy part {0}, triggers: [t{0}], audience: [agent]}}\n"


def many_manifests(folder: Path) -> Path:
    for number in range(200):
        place = folder / f"{number:03}"
        place.mkdir(parents=True)
        units = "".join(UNIT.format(n) for n in range(100))
        (place / "knowledge.yaml").write_text(
            f"project: p{number}\nversion: '1'\nkcp_version: '0.32'\nunits:\n{units}"
        )
        (place / "a.md").touch()
    return folder


def test_many_manifests_at_once(program: Program, tmp_path: Path):
    done = program.run("validate", many_manifests(tmp_path / "many"), "--json")
    assert (done.code, len(json.loads(done.out))) == (0, 200)


@pytest.mark.parametrize("victim", ["parent", "child"])
def test_killed_amid_many_manifests(program: Program, tmp_path: Path, victim: str):
    process = program.start("validate", many_manifests(tmp_path / "many"), "--json")
    with process:
        deadline = time.monotonic() + 30
        while len(processes_of(process.pid)) < 2 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        children = [each for each in processes_of(process.pid) if each != process.pid]
        if children:
            os.kill(process.pid if victim == "parent" else children[0], signal.SIGKILL)
        out, _ = process.communicate(timeout=60)
        deadline = time.monotonic() + 10
        while processes_of(process.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert processes_of(process.pid) == []
    if not children:
        pytest.skip("it needed no second process here")
    if victim == "parent":
        assert process.returncode == -signal.SIGKILL
    else:  # what the killed one had to do is done after all
        assert (process.returncode, len(json.loads(out))) == (0, 200)
