"""Measure the program against its budgets.

Every figure is a median of several runs, taken in turns so that a busy moment of the machine hits all alike.
Beside it stands what is left above the bare interpreter (`python -I -c pass`) and above the bare parser
import (`import yaml`). Peak memory is the largest resident set of the process, where the system tells it;
Linux counts in what this process held when it started the other, so a figure near that shows with a `<`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from scripts.lib.gen_manifest import AS_OF, TASK, manifest_text

ROOT = Path(__file__).resolve().parent.parent.parent
PYTHON = (sys.executable, "-I")
PROGRAM = (*PYTHON, str(ROOT / "kcp" / "__main__.py"))
HUB = str(ROOT / "examples" / "demo-hub")
HUB_TASK = "how do I deploy to production?"
TOLERANCE = 1.25  # --check fails above this many times a budget

FLOOR = "python -I -c pass"
PARSER = "python -I -c 'import yaml'"


class Budget(NamedTuple):
    """What a command may take: milliseconds, from zero or above the floor, and megabytes."""

    ms: float
    above_floor: bool = False
    mb: float | None = None


COMMAND_BUDGETS = {
    "--help": Budget(30, above_floor=True),
    "plan --json, demo-hub": Budget(45, above_floor=True, mb=30),
    "plan --json, 1,000 units": Budget(160, mb=40),
    "plan --json, 10,000 units": Budget(850, mb=75),
    "render, 30 units": Budget(70, above_floor=True, mb=30),
    "render, 1,000 units": Budget(1000, mb=40),
}

# Planning alone: (units, percent of them relevant) to the least units a second.
PLANNING_BUDGETS = {
    (1_000, 10): None,
    (10_000, 10): 150_000,
    (10_000, 90): 60_000,
    (100_000, 10): None,
}
# How much longer a unit may take among 100,000 than among 10,000: linear is 1.
LINEARITY_BUDGET = 1.2

PART = 10_000  # a bigger manifest than this is put together from parts: one file may not hold it


class Run(NamedTuple):
    """One run of a command; `mb` is None where the system does not tell."""

    ms: float
    mb: float | None


def median(values: list[float]) -> float:
    """The middle value, or the mean of the two middle ones."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def run_once(command: tuple[str, ...]) -> Run:
    """Run a command with its output thrown away; an error of the command ends the whole."""
    start = time.perf_counter()
    if sys.platform == "win32":
        code = subprocess.call(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        elapsed, mb = time.perf_counter() - start, None
    else:
        null = os.open(os.devnull, os.O_RDWR)
        actions = [(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, null, 1)]
        child = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
        _, status, usage = os.wait4(child, 0)
        elapsed = time.perf_counter() - start
        os.close(null)
        code = os.waitstatus_to_exitcode(status)
        mb = usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    if code != 0:
        raise SystemExit(f"bench: exit code {code} from: {' '.join(command)}")
    return Run(elapsed * 1000, mb)


def measure_commands(folder: str, rounds: int) -> dict[str, Run]:
    """Medians for the floors and for every command that has a budget."""
    plan_generated = ("plan", TASK, "--json", "--as-of", AS_OF, "--manifest")
    commands: dict[str, tuple[str, ...]] = {
        FLOOR: (*PYTHON, "-c", "pass"),
        PARSER: (*PYTHON, "-c", "import yaml"),
        "--help": (*PROGRAM, "--help"),
        "plan --json, demo-hub": (*PROGRAM, "plan", HUB_TASK, "--json", "--env", "prod", "--manifest", HUB),
    }
    for units in (30, 1_000, 10_000):
        path = os.path.join(folder, f"{units}.yaml")
        # Another process makes the text: what this one holds would count as its children's peak memory.
        generator = str(ROOT / "scripts" / "lib" / "gen_manifest.py")
        subprocess.run([*PYTHON, generator, str(units), "--output", path], check=True)
        on_generated: dict[str, tuple[str, ...]] = {
            f"plan --json, {units:,} units": (*PROGRAM, *plan_generated, path),
            f"render, {units:,} units": (*PROGRAM, "render", "--no-cache", "--out", "-", path),
        }
        commands |= {name: command for name, command in on_generated.items() if name in COMMAND_BUDGETS}
    for command in commands.values():
        run_once(command)
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            runs[name].append(run_once(command))
    return {
        name: Run(
            median([run.ms for run in some]),
            median([run.mb for run in some if run.mb is not None] or [0]) or None,
        )
        for name, some in runs.items()
    }


def plan_once(units: int, percent: int) -> float:
    """Seconds to plan for a manifest of many units, without reading it. Runs in a process of its own."""
    import gc

    from kcp import load_manifest, plan
    from kcp.options import PlanOptions

    def generated(count: int, seed: int, first: int) -> Any:
        path = os.path.join(folder, "knowledge.yaml")
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(manifest_text(count, percent / 100, seed, first))
        return load_manifest(path)

    gc.disable()  # as the program does
    options = PlanOptions(as_of=AS_OF)
    with tempfile.TemporaryDirectory() as folder:
        plan(generated(20, seed=99, first=0), TASK, options)  # constructors and tables are made on first use
        parts = [
            generated(min(PART, units - first), seed=1 + first, first=first)
            for first in range(0, units, PART)
        ]
    manifest = parts[0].replace(units=tuple(unit for part in parts for unit in part.units))
    start = time.perf_counter()
    plan(manifest, TASK, options)
    return time.perf_counter() - start


def measure_planning(repeats: int) -> dict[tuple[int, int], float]:
    """Median seconds for each case, every run in a fresh process, as caches would flatter a second plan."""
    seconds: dict[tuple[int, int], list[float]] = {case: [] for case in PLANNING_BUDGETS}
    for repeat in range(repeats):
        for (units, percent), some in seconds.items():
            if units > PART and repeat >= 3:  # reading the parts takes long
                continue
            command = [*PYTHON, str(Path(__file__).resolve()), "--plan-once", str(units), str(percent)]
            done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
            some.append(float(done.stdout))
    return {case: median(some) for case, some in seconds.items()}


def own_peak() -> float:
    """The largest resident set of this process so far in megabytes; 0 where the system does not tell."""
    if sys.platform != "linux":
        return 0.0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 10)


def command_rows(measured: dict[str, Run]) -> list[dict[str, Any]]:
    """One row a command: its figures, its budgets, and how far it is from each."""
    rows = []
    for name, run in measured.items():
        budget = COMMAND_BUDGETS.get(name)
        row: dict[str, Any] = {
            "what": name,
            "ms": run.ms,
            "above_python_ms": run.ms - measured[FLOOR].ms,
            "above_parser_ms": run.ms - measured[PARSER].ms,
            "mb": run.mb,
            "mb_is_upper_bound": run.mb is not None and run.mb < own_peak() + 0.5,
        }
        if budget:
            allowed = budget.ms + (measured[FLOOR].ms if budget.above_floor else 0)
            row |= {"budget_ms": allowed, "budget_mb": budget.mb, "used": run.ms / allowed}
            if budget.mb and run.mb:
                row["used"] = max(row["used"], run.mb / budget.mb)
        rows.append(row)
    return rows


def planning_rows(measured: dict[tuple[int, int], float]) -> list[dict[str, Any]]:
    """One row a case of planning alone, and one for linearity."""
    rows: list[dict[str, Any]] = []
    for (units, percent), seconds in measured.items():
        row: dict[str, Any] = {
            "what": f"planning alone, {units:,} units, {percent} % relevant",
            "units_per_second": units / seconds,
        }
        budget = PLANNING_BUDGETS[units, percent]
        if budget:
            row |= {"budget_units_per_second": budget, "used": budget / row["units_per_second"]}
        rows.append(row)
    ratio = (measured[100_000, 10] / 100_000) / (measured[10_000, 10] / 10_000)
    used = ratio / LINEARITY_BUDGET
    rows.append(
        {
            "what": "a unit among 100,000 against 10,000",
            "ratio": ratio,
            "budget_ratio": LINEARITY_BUDGET,
            "used": used,
        }
    )
    return rows


def verdict(row: dict[str, Any]) -> str:
    """How a row stands against its budget."""
    used = row.get("used")
    if used is None:
        return ""
    return "ok" if used <= 1 else "over" if used <= TOLERANCE else "FAIL"


def number(value: float | None, digits: int = 1) -> str:
    """A figure for the table, empty where there is none."""
    return "" if value is None else f"{value:,.{digits}f}"


def print_tables(commands: list[dict[str, Any]], planning: list[dict[str, Any]]) -> None:
    """The figures for a person."""
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores; medians\n")
    form = "{:<30}{:>9}{:>10}{:>10}{:>9}{:>8}{:>8}  {}"
    print(form.format("command", "ms", "- python", "- parser", "budget", "MB", "budget", "").rstrip())
    for row in commands:
        keys = ("ms", "above_python_ms", "above_parser_ms", "budget_ms")
        memory = ("<" if row["mb_is_upper_bound"] else "") + number(row["mb"]), number(row.get("budget_mb"))
        print(
            form.format(row["what"], *(number(row.get(key)) for key in keys), *memory, verdict(row)).rstrip()
        )
    form = "{:<46}{:>14}{:>14}  {}"
    print("\n" + form.format("planning", "units a second", "budget", "").rstrip())
    for row in planning:
        figure, digits = ("ratio", 2) if "ratio" in row else ("units_per_second", 0)
        figures = number(row[figure], digits), number(row.get(f"budget_{figure}"), digits)
        print(form.format(row["what"], *figures, verdict(row)).rstrip())


def main() -> int:
    """Exit code 1 with --check when a figure is above its budget and the tolerance."""
    parser = argparse.ArgumentParser(prog="bench", description="Measure the program against its budgets.")
    parser.add_argument("--check", action="store_true", help=f"fail above {TOLERANCE} times a budget")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--rounds", type=int, default=15, help="runs of each command (default 15)")
    parser.add_argument(
        "--plan-once", nargs=2, type=int, metavar=("UNITS", "PERCENT"), help=argparse.SUPPRESS
    )
    parser.add_argument(
        "--binary", type=Path, metavar="FOLDER", help="measure what scripts/build-binary made there instead"
    )
    parser.add_argument("--write", action="store_true", help="with --binary: write docs/benchmarks.md")
    given = parser.parse_args()
    if given.binary:
        from scripts.lib import bench_binary

        return bench_binary.main(given.binary, given.rounds, given.check, given.write)
    if given.plan_once:
        print(plan_once(*given.plan_once))
        return 0
    if given.rounds < 1:
        parser.error("--rounds must be at least 1")
    with tempfile.TemporaryDirectory(prefix="kcp-bench-") as folder:
        commands = command_rows(measure_commands(folder, given.rounds))
    planning = planning_rows(measure_planning(repeats=min(5, given.rounds)))
    if given.json:
        print(
            json.dumps(
                {"python": sys.version.split()[0], "commands": commands, "planning": planning}, indent=2
            )
        )
    else:
        print_tables(commands, planning)
    over = [row["what"] for row in commands + planning if verdict(row) == "FAIL"]
    if over and given.check:
        print(f"bench: above {TOLERANCE} times the budget: {'; '.join(over)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
