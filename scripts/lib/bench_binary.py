"""Measure the stand-alone program against its budgets, beside an empty program made in the same way.

Every figure is a median of several runs, taken in turns so that a busy moment of the machine hits all alike.
Budgets of time count from the empty program of the same run: what any program made like this takes. Beside
the time that passed stands the processor time; on a busy machine the first also counts waiting for others, so
a budget is kept where either keeps it.
"""

from __future__ import annotations

import os
import platform
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from scripts.lib.bench import HUB, HUB_TASK, PROGRAM, TOLERANCE, median

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"

COMMANDS = {
    "--help": ("--help",),
    "plan --json, demo-hub": ("plan", HUB_TASK, "--json", "--env", "prod", "--manifest", HUB),
    "validate --json, demo-hub": ("validate", "--json", HUB),
}
# Milliseconds above the empty program, for the folder; the single file may take so much more once unpacked.
ABOVE_EMPTY = {"--help": 6, "plan --json, demo-hub": 20, "validate --json, demo-hub": 20}
SINGLE_MORE = 15
FIRST_START_MS = 500
MOST_MB = 32
FOLDER_MB, SINGLE_MB = 30, 12


class Run(NamedTuple):
    """One run, or the medians of several."""

    ms: float
    cpu_ms: float
    mb: float


class Row(NamedTuple):
    """One line of the table; budget and processor time are None where there is none."""

    what: str
    value: float
    unit: str
    budget: float | None = None
    note: str = ""
    cpu: float | None = None
    cpu_budget: float | None = None

    @property
    def verdict(self) -> str:
        """How it stands: `over` is within the tolerance, `FAIL` is not."""
        if self.budget is None:
            return ""
        used = self.value / self.budget
        if self.cpu is not None and self.cpu_budget is not None:
            used = min(used, self.cpu / self.cpu_budget)
        return "ok" if used <= 1 else "over" if used <= TOLERANCE else "FAIL"


def run_once(command: tuple[str, ...]) -> Run:
    """Run a command with its output thrown away; an error of the command ends the whole."""
    null = os.open(os.devnull, os.O_RDWR)
    start = time.perf_counter()
    actions = [(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, null, 1)]
    child = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
    _, status, usage = os.wait4(child, 0)
    elapsed = time.perf_counter() - start
    os.close(null)
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"bench: {' '.join(command)} failed")
    return Run(elapsed * 1000, (usage.ru_utime + usage.ru_stime) * 1000, usage.ru_maxrss / (1 << 10))


def medians(runs: list[Run]) -> Run:
    """The median of each figure."""
    return Run(*(median(list(figures)) for figures in zip(*runs, strict=True)))


class Built(NamedTuple):
    """What scripts/build-binary left in one folder."""

    folder: Path
    single: Path
    download: Path
    empty: Path


def find(out: Path) -> Built:
    """The programs in a folder; the empty one is made if it is missing."""
    out = out.resolve()
    built = Built(
        out / "kcp-agent" / "kcp-agent", out / "single" / "kcp-agent", out, out / "empty" / "kcp-agent"
    )
    downloads = sorted(out.glob("*.tar.xz"))
    if not (built.folder.is_file() and built.single.is_file() and downloads):
        raise SystemExit(f"bench: {out} holds no build; scripts/build-binary makes dist/binary")
    if not built.empty.is_file():
        subprocess.run([ROOT / "scripts" / "build-binary", "--empty", "--out", out], check=True)
    return built._replace(download=downloads[-1])


def measure_starts(built: Built, rounds: int, scratch: Path) -> dict[str, Run]:
    """Medians of the empty program, of both forms of the program, and of the source."""
    os.environ["XDG_CACHE_HOME"] = str(scratch / "cache")
    commands: dict[str, tuple[str, ...]] = {"empty": (str(built.empty),)}
    for name, words in COMMANDS.items():
        commands[f"folder: {name}"] = (str(built.folder), *words)
        commands[f"single file: {name}"] = (str(built.single), *words)
        commands[f"source: {name}"] = (*PROGRAM, *words)
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for command in commands.values():
        run_once(command)
    for _ in range(rounds):
        for name, command in commands.items():
            runs[name].append(run_once(command))
    return {name: medians(some) for name, some in runs.items()}


def measure_first_starts(built: Built, rounds: int, scratch: Path) -> Run:
    """Medians of a start that has to unpack."""
    taken = []
    for number in range(rounds):
        os.environ["XDG_CACHE_HOME"] = str(scratch / f"first {number}")
        os.mkdir(os.environ["XDG_CACHE_HOME"], 0o700)
        taken.append(run_once((str(built.single), "--version")))
    return medians(taken)


def time_row(what: str, run: Run, base: Run, more: float, base_name: str) -> Row:
    """A time that may be so much more than another."""
    return Row(what, run.ms, "ms", base.ms + more, f"{base_name} + {more}", run.cpu_ms, base.cpu_ms + more)


def rows_of(built: Built, rounds: int) -> list[Row]:
    """All figures."""
    with tempfile.TemporaryDirectory(prefix="kcp-bench-") as name:
        scratch = Path(name)
        starts = measure_starts(built, rounds, scratch)
        first = measure_first_starts(built, min(rounds, 9), scratch)
    empty = starts["empty"]
    rows = [Row("empty program", empty.ms, "ms", cpu=empty.cpu_ms)]
    for name, above in ABOVE_EMPTY.items():
        folder, single, source = (starts[f"{form}: {name}"] for form in ("folder", "single file", "source"))
        rows.append(time_row(f"folder, {name}", folder, empty, above, "empty"))
        rows.append(time_row(f"single file, {name}", single, folder, SINGLE_MORE, "folder"))
        rows.append(Row(f"CPython from source, {name}", source.ms, "ms", cpu=source.cpu_ms))
    rows.append(
        Row("single file, first start", first.ms, "ms", FIRST_START_MS, "", first.cpu_ms, FIRST_START_MS)
    )
    for form in ("folder", "single file"):
        most = max(run.mb for name, run in starts.items() if name.startswith(form))
        rows.append(Row(f"peak memory, {form}", most, "MB", MOST_MB))
    size: Callable[[Path], float] = lambda path: path.stat().st_size / 1e6  # noqa: E731
    files = [path for path in built.folder.parent.rglob("*") if path.is_file()]
    rows.append(Row("size of the folder", sum(map(size, files)), "MB", FOLDER_MB))
    rows.append(Row("size of the single file", size(built.single), "MB", SINGLE_MB))
    rows.append(Row("size of the download (.tar.xz)", size(built.download), "MB", SINGLE_MB))
    return rows


def glibc_floor(built: Built) -> str:
    """The newest version of the GNU C library that anything in the folder asks for."""
    wanted = set()
    for path in built.folder.parent.rglob("*"):
        if path.is_file() and path.read_bytes()[:4] == b"\x7fELF":
            listed = subprocess.run(
                ["objdump", "-T", path], capture_output=True, text=True, check=False
            ).stdout
            for line in listed.splitlines():
                if "*UND*" in line and "GLIBC_" in line:
                    found = line.rpartition("GLIBC_")[2].split(")")[0].split()[0]
                    if found[0].isdigit():
                        wanted.add((tuple(map(int, found.split("."))), found, path.name))
    if not wanted:
        return "unknown"
    number, text, _ = max(wanted)
    names = sorted({name for each, _, name in wanted if each == number})
    return f"{text}, asked for by {', '.join(names)}"


def table(rows: list[Row]) -> str:
    """The figures as Markdown."""
    lines = ["| what | measured | processor time | budget | |", "|---|---:|---:|---:|---|"]
    for row in rows:
        cpu = "" if row.cpu is None else f"{row.cpu:.1f} ms"
        budget = row.note or ("" if row.budget is None else f"{row.budget:g} {row.unit}")
        lines.append(f"| {row.what} | {row.value:.1f} {row.unit} | {cpu} | {budget} | {row.verdict} |")
    return "\n".join(lines)


def page(rows: list[Row], floor: str, rounds: int) -> str:
    """docs/benchmarks.md."""
    system = f"{platform.system()} {platform.machine()} with {os.cpu_count()} cores"
    system += f", CPython {platform.python_version()}"
    how = f"medians of {rounds} runs taken in turns, at a load of {os.getloadavg()[0]:.1f}"
    return f"""# Benchmarks of the stand-alone program

Made by `scripts/bench --binary dist/binary --write` on {system};
{how}.

Budgets of time count from the empty program of the same run, made with the same options. On a busy machine
the time that passed counts waiting for others, so a budget is kept where that or the processor time keeps
it. Above {TOLERANCE} times a budget `--check` fails.

{table(rows)}

The program needs a GNU C library of at least {floor}.
"""


def main(out: Path, rounds: int, check: bool, write: bool) -> int:
    """Exit code 1 with `check` when a figure is above its budget and the tolerance."""
    built = find(out)
    rows = rows_of(built, rounds)
    floor = glibc_floor(built)
    print(table(rows))
    print(f"\nGNU C library: {floor}")
    if write:
        PAGE.write_text(page(rows, floor, rounds), encoding="utf-8")
    over = [row.what for row in rows if row.verdict == "FAIL"]
    if over and check:
        print(f"bench: above {TOLERANCE} times the budget: {'; '.join(over)}")
        return 1
    return 0
