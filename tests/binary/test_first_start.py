"""The single file unpacks itself once, where nobody else can write, whatever happens meanwhile."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.binary.conftest import Program, copy_program, one_line, wait_in_reading

VERSION = ("--version",)
ROUNDS = 30
AT_ONCE = 16


def works(done: tuple[int, bytes, bytes]) -> bool:
    code, out, err = done
    return (code, err) == (0, b"") and out.startswith(b"kcp-agent ")


def entries(cache: Path) -> list[Path]:
    """What the cache holds, without the lock."""
    folder = cache / "kcp-agent"
    return sorted(path for path in folder.iterdir() if path.name != ".lock") if folder.is_dir() else []


@pytest.fixture
def cache(single: Program) -> Path:
    """The empty cache of the program."""
    return single.scratch / "home" / ".cache"


@pytest.fixture
def entry(single: Program, cache: Path) -> Path:
    """The unpacked folder after a first start."""
    assert works(single.run(*VERSION))
    (found,) = entries(cache)
    return found


def test_the_first_start_unpacks_and_the_second_finds(single: Program, cache: Path, entry: Path):
    assert stat.S_IMODE((cache / "kcp-agent").stat().st_mode) == 0o700
    before = {path: path.stat().st_ctime_ns for path in entry.rglob("*")}
    for path in [entry, *before]:
        mode = stat.S_IMODE(path.lstat().st_mode)
        assert mode == 0o700 if path.is_dir() else mode in (0o400, 0o500)
    assert works(single.run(*VERSION))
    assert {path: path.stat().st_ctime_ns for path in entry.rglob("*")} == before
    assert list((single.scratch / "tmp").iterdir()) == []


def test_a_loose_umask_opens_nothing(single: Program, cache: Path):
    assert works(single.run(*VERSION, before=("sh", "-c", 'umask 0; exec "$@"', "sh")))
    for path in (cache / "kcp-agent").rglob("*"):
        assert not path.stat().st_mode & 0o077
    assert works(single.run(*VERSION, before=("sh", "-c", 'umask 0777; exec "$@"', "sh")))


@pytest.mark.slow
def test_first_starts_at_once(single: Program):
    for number in range(ROUNDS):
        cache = single.scratch / f"cache {number}"
        running = [single.start(*VERSION, env={"XDG_CACHE_HOME": cache}) for _ in range(AT_ONCE)]
        results = []
        for process in running:
            with process:
                out, err = process.communicate(timeout=120)
            results.append((process.returncode, out, err))
        assert all(map(works, results)), (number, [each for each in results if not works(each)])
        assert len(entries(cache)) == 1
        shutil.rmtree(cache)


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_during_the_first_start(single: Program, sent: signal.Signals):
    for step in range(12):
        cache = single.scratch / f"cache {step}"
        process = single.start(*VERSION, env={"XDG_CACHE_HOME": cache})
        with process:
            time.sleep(step * 0.012)
            process.send_signal(sent)
            out, err = process.communicate(timeout=60)
        if process.returncode == 0:
            assert works((0, out, err))  # it was faster
        else:
            assert process.returncode in (-sent, 130)
        if sent != signal.SIGKILL:
            assert [path for path in entries(cache) if path.name.startswith(".new-")] == []
        assert works(single.run(*VERSION, env={"XDG_CACHE_HOME": cache}))
        shutil.rmtree(cache)


def test_what_a_killed_start_left_goes(single: Program, cache: Path, entry: Path):
    left = cache / "kcp-agent" / ".new-0123456789abcdef"
    (left / "deep" / "er").mkdir(parents=True)
    (left / "deep" / "file").touch()
    shutil.rmtree(entry)
    assert works(single.run(*VERSION))
    assert left.exists()  # it may still be at work
    entry.rename(cache / "kcp-agent" / "other")
    # Only time makes it abandoned, and nobody can set back when an item changed: move the clock instead.
    faketime = shutil.which("faketime")
    if not faketime:
        pytest.skip("faketime is not installed")
    assert works(single.run(*VERSION, before=(faketime, "+1 hour")))


def truncate(entry: Path) -> None:
    program = entry / "kcp-agent"
    program.chmod(0o700)
    os.truncate(program, 1000)
    program.chmod(0o500)


def change_a_byte(entry: Path) -> None:
    program = entry / "kcp-agent"
    program.chmod(0o700)
    with program.open("r+b") as file:
        file.seek(5000)
        file.write(b"\xff")
    program.chmod(0o500)


def empty_a_library(entry: Path) -> None:
    library = entry / "yaml" / "_yaml.so"
    library.unlink()
    library.touch(0o500)


def replace_by_a_link(entry: Path) -> None:
    library = entry / "math.so"
    library.rename(entry.parent / "math.so")
    library.symlink_to(entry.parent / "math.so")


def turn_into_a_file(entry: Path) -> None:
    shutil.rmtree(entry)
    entry.write_text("not a folder")


def turn_into_a_link(entry: Path) -> None:
    entry.rename(entry.parent / "elsewhere")
    entry.symlink_to(entry.parent / "elsewhere")


def remove_all(entry: Path) -> None:
    shutil.rmtree(entry)
    entry.mkdir(mode=0o700)


DAMAGE: dict[str, Callable[[Path], Any]] = {
    "truncated": truncate,
    "a byte changed": change_a_byte,
    "empty library": empty_a_library,
    "a file gone": lambda entry: (entry / "math.so").unlink(),
    "a folder gone": lambda entry: shutil.rmtree(entry / "yaml"),
    "a link": replace_by_a_link,
    "file open to others": lambda entry: (entry / "math.so").chmod(0o666),
    "folder open to others": lambda entry: entry.chmod(0o777),
    "inner folder open to others": lambda entry: (entry / "yaml").chmod(0o777),
    "a file in its place": turn_into_a_file,
    "a link in its place": turn_into_a_link,
    "empty": remove_all,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_cache_is_made_anew(single: Program, cache: Path, entry: Path, hub: Path, damage: str):
    DAMAGE[damage](entry)
    assert single.run("validate", hub).code == 0
    assert works(single.run(*VERSION))
    assert entry.is_dir()
    assert not entry.is_symlink()
    assert [path.name for path in entries(cache) if path.name.startswith(".new-")] == []


def test_a_damaged_cache_found_by_many_at_once(single: Program, entry: Path):
    for _ in range(5):
        empty_a_library(entry)
        running = [single.start(*VERSION) for _ in range(8)]
        for process in running:
            with process:
                out, err = process.communicate(timeout=120)
            assert works((process.returncode, out, err))


def refused(single: Program, cache: Path, **how: Any) -> None:
    """The program works, and puts nothing into that cache."""
    before = entries(cache)
    assert works(single.run(*VERSION, **how))
    assert entries(cache) == before
    assert list((single.scratch / "tmp").glob("kcp-agent-*/[!.]*"))


def test_a_cache_that_others_can_write_is_refused(single: Program, cache: Path):
    for path, mode in ((cache, 0o777), (cache, 0o770), (cache / "kcp-agent", 0o777), (cache.parent, 0o777)):
        (cache / "kcp-agent").mkdir(mode=0o700, parents=True, exist_ok=True)
        usual = stat.S_IMODE(path.stat().st_mode)
        path.chmod(mode)
        refused(single, cache)
        path.chmod(usual)
    assert works(single.run(*VERSION))
    assert len(entries(cache)) == 1


def test_a_link_for_a_cache_is_refused(single: Program, cache: Path, tmp_path: Path):
    cache.mkdir()
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (cache / "kcp-agent").symlink_to(tmp_path / "elsewhere")
    assert works(single.run(*VERSION))
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_linked_home_is_fine(single: Program, tmp_path: Path):
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert works(single.run(*VERSION, env={"HOME": tmp_path / "link"}))
    assert len(entries(tmp_path / "real" / ".cache")) == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_another_user_s_cache_is_refused(single: Program, cache: Path):
    (cache / "kcp-agent").mkdir(parents=True)
    for path in (cache / "kcp-agent", cache, cache.parent):
        os.chown(path, 12345, 12345)
        refused(single, cache)
        os.chown(path, 0, 0)


@pytest.mark.parametrize("home", [None, "", "relative", "/nonexistent/home"])
def test_without_a_home(single: Program, home: str | None, tmp_path: Path):
    assert works(single.run(*VERSION, env={"HOME": home}, cwd=tmp_path))
    assert len(list((tmp_path / "tmp").glob("kcp-agent-*/[!.]*"))) == 1
    assert not (tmp_path / "relative").exists()


def test_a_home_to_read_only(single: Program, open_copy: Path, open_folder: Path, as_other_user: dict):
    (open_folder / "home").mkdir(mode=0o555)
    (open_folder / "tmp").mkdir(mode=0o1777)
    (open_folder / "tmp").chmod(0o1777)
    environment = {"HOME": open_folder / "home", "TMPDIR": open_folder / "tmp"}
    for _ in range(2):
        assert works(single.run(*VERSION, program=open_copy, env=environment, **as_other_user))
    assert list((open_folder / "home").iterdir()) == []
    assert len(list((open_folder / "tmp").glob("kcp-agent-*/[!.]*"))) == 1


NOWHERE = """
mount --bind "$1" /mnt
for place in /tmp /var/tmp /dev/shm "$2"; do mount -t tmpfs -o {options} none "$place"; done
shift 2
exec /mnt/kcp-agent "$@"
"""


@pytest.mark.parametrize("options", ["noexec", "ro", "size=200k"])
def test_nowhere_to_unpack(single: Program, built: Path, apart: Callable, options: str, tmp_path: Path):
    folder = copy_program(built, tmp_path / "copy").parent
    home = Path("/srv")
    script = NOWHERE.format(options=options)
    line = (*apart("--mount"), "sh", "-ec", script, "sh", str(folder), str(home))
    done = subprocess.run(
        [*line, "--version"],
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, b"")
    said = one_line(done.stderr)
    assert said.startswith("kcp-agent: nowhere to unpack itself: ")
    assert {"noexec": "noexec", "ro": "Read-only", "size=200k": "No space"}[options] in said


NOEXEC_CACHE = 'mount -t tmpfs -o {options} none "$1"; shift; exec "$@"'


@pytest.mark.parametrize("options", ["noexec", "ro", "size=5m"])
def test_a_cache_that_does_not_serve(single: Program, apart: Callable, options: str, tmp_path: Path):
    (tmp_path / "cache").mkdir()
    script = NOEXEC_CACHE.format(options=options)
    before = (*apart("--mount"), "sh", "-ec", script, "sh", str(tmp_path / "cache"))
    environment = {"XDG_CACHE_HOME": tmp_path / "cache"}
    for _ in range(2):
        assert works(single.run(*VERSION, before=before, env=environment))
    assert len(list((tmp_path / "tmp").glob("kcp-agent-*/[!.]*"))) == 1


@pytest.mark.parametrize("part", ["half", "all but a byte", "a byte more", "payload", "list", "footer"])
def test_a_damaged_file_says_so(single: Program, built: Path, tmp_path: Path, part: str):
    data = bytearray(built.read_bytes())
    index_size = int.from_bytes(data[-40:-32], "little")
    if part == "half":
        del data[len(data) // 2 :]
    elif part == "all but a byte":
        del data[-1]
    elif part == "a byte more":
        data.append(0)
    else:
        at = {"payload": len(data) // 2, "list": len(data) - 64 - index_size // 2, "footer": len(data) - 20}[
            part
        ]
        data[at] ^= 1
    copy = tmp_path / "copy"
    copy.write_bytes(data)
    copy.chmod(0o700)
    for _ in range(2):
        done = single.run(*VERSION, program=copy)
        assert (done.code, done.out) == (3, b"")
        assert "damaged" in one_line(done.err)
        assert entries(tmp_path / "home" / ".cache") == []


def test_debugging_says_why_a_place_was_refused(single: Program, cache: Path):
    cache.mkdir(mode=0o777)
    cache.chmod(0o777)
    done = single.run(*VERSION, env={"KCP_DEBUG": "1"})
    assert done.code == 0
    assert one_line(done.err) == f"kcp-agent: not unpacked there: others may write to {cache}"


def test_the_program_takes_its_own_place(single: Program, entry: Path):
    process = single.start("validate", "-", stdin=subprocess.PIPE)
    with process:
        wait_in_reading(process)
        running = os.readlink(f"/proc/{process.pid}/exe")
        process.kill()
        process.communicate(timeout=60)
    assert running == str(entry / "kcp-agent")
