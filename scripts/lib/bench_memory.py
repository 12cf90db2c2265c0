"""What memory costs: recall over 10,000 episodes, and recording one while planning.

`measure` gives milliseconds and megabytes by what was measured; `python -m scripts.lib.bench_memory` prints
them beside their budgets.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from kcp import PlanOptions, load_manifest, plan
from kcp.evidence.episodes import make_entry, timestamp
from kcp.evidence.options_key import KeyFlags, options_key
from kcp.wire.encode import to_wire
from kcp.wire.jsontext import encode_json

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = (sys.executable, "-I", str(ROOT / "kcp" / "__main__.py"))
HUB = str(ROOT / "examples" / "demo-hub")
EPISODES = 10_000
RUNS = 7
TASK = "how is the tide at the harbour?"
_WORDS = "harbour berth pilot tide quay crane customs invoice payroll signing retention hygiene quota".split()
_SETTLED = 3.0  # seconds after which the store's index keeps a file

BUDGETS_MS = {
    "recall, 10,000 episodes, first": 1500.0,
    "recall, 10,000 episodes, again": 1500.0,
    "recording one, above planning": 10.0,
}


class Cost(NamedTuple):
    """One run: milliseconds, and the largest resident set in megabytes where the system tells it."""

    ms: float
    mb: float | None


def fill_store(folder: Path, episodes: int = EPISODES) -> int:
    """Write entries as recording lays them down, of about 3 kB each; the size of one in bytes."""
    made: dict[str, Any] = to_wire(plan(load_manifest(HUB), "tide", PlanOptions(as_of="2026-07-01")))
    made["selected"], made["skipped"] = made["selected"][:2], made["skipped"][:4]
    key = options_key(KeyFlags(as_of="2026-07-01"))
    folder.mkdir(parents=True, exist_ok=True)
    data = b""
    for number in range(episodes):
        words = _WORDS[number % len(_WORDS)], _WORDS[number // len(_WORDS) % len(_WORDS)]
        made["task"] = f"{words[0]} {words[1]} number {number}"
        entry = make_entry(made, timestamp(1_780_000_000 * 10**9 + number * 10**9), key)
        data = encode_json(entry).encode()
        (folder / f"{entry['id']}.json").write_bytes(data)
    return len(data)


def run_once(command: list[str]) -> Cost:
    """Run the program with its output thrown away; an exit code other than 0 ends the whole."""
    start = time.perf_counter()
    process = subprocess.Popen([*PROGRAM, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if sys.platform == "win32":
        code, mb = process.wait(), None
    else:
        _pid, status, usage = os.wait4(process.pid, 0)
        process.returncode = code = os.waitstatus_to_exitcode(status)
        mb = usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 1024)
    if code:
        raise SystemExit(f"exit code {code}: {command}")
    return Cost((time.perf_counter() - start) * 1000, mb)


def median_of(command: list[str], runs: int = RUNS) -> Cost:
    """The run in the middle, by time."""
    return sorted([run_once(command) for _ in range(runs)])[runs // 2]


def measure(folder: Path) -> dict[str, Cost]:
    """Fill a store in a folder that is not there yet, and measure."""
    fill_store(folder)
    recall = ["recall", TASK, "--memory", str(folder), "--limit", "10", "--json"]
    # Without an index, the first search reads all; the index keeps only files that have settled.
    first = median_of(recall, 3)
    time.sleep(_SETTLED)
    run_once(recall)
    again = median_of(recall)
    planning = ["plan", "how do I deploy to production?", "--manifest", HUB, "--json"]
    recording = [*planning, "--memory", str(folder.with_name(folder.name + "-small"))]
    large = [*planning, "--memory", str(folder)]
    run_once(recording)
    pairs = [(run_once(planning), run_once(recording), run_once(large)) for _ in range(2 * RUNS)]
    above = sorted([recorded.ms - planned.ms for planned, recorded, _ in pairs])[RUNS]
    above_large = sorted([recorded.ms - planned.ms for planned, _, recorded in pairs])[RUNS]
    return {
        "recall, 10,000 episodes, first": first,
        "recall, 10,000 episodes, again": again,
        "recording one, above planning": Cost(above, None),
        "recording one among 10,000, above planning": Cost(above_large, None),
    }


def main() -> None:
    """Print what was measured."""
    with tempfile.TemporaryDirectory() as folder:
        for name, cost in measure(Path(folder) / "memory").items():
            budget = f" (budget {BUDGETS_MS[name]:,.0f} ms)" if name in BUDGETS_MS else ""
            memory = "" if cost.mb is None else f"  {cost.mb:.0f} MB"
            print(f"{name}: {cost.ms:,.0f} ms{memory}{budget}")


if __name__ == "__main__":
    main()
