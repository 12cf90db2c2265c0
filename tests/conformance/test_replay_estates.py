"""Replay of everything the reference printed for the estates: nothing moved, so nothing may drift.

Where a decision makes this implementation stricter, the report names the decision (decisions.md, part D).
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kcp.errors import KcpError
from kcp.evidence.plan_replay import ReplaySettings
from kcp.evidence.replay import replay_any
from kcp.reading.sources import Sources
from kcp.trust.policy import load_pins
from kcp.trust.signature import PinnedKey

STRICTER = {
    ("e8080-012", 2): "B21",
    ("e8080-019", 2): "B21",
    ("e8080-073", 2): "B22",
}


def printed(shared_data: Path) -> Iterator[tuple[dict[str, Any], int, dict[str, Any]]]:
    """Each estate with the number of a run that printed an artifact, and the artifact."""
    with gzip.open(shared_data / "oracle" / "estates.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            estate = json.loads(line)
            for number, run in enumerate(estate["runs"]):
                if run["args"][0] == "plan" and run["stdout"]:
                    yield estate, number, json.loads(run["stdout"])


def settings_for(arguments: list[str]) -> ReplaySettings:
    """What the artifact's own command line said of trust; a key that is not there cannot be given."""
    sources = Sources()
    pins: tuple[PinnedKey, ...] = ()
    if "--trust-key" in arguments:
        try:
            pins = load_pins([arguments[arguments.index("--trust-key") + 1]], sources)
        except KcpError:
            pins = ()
    return ReplaySettings(sources, "--no-verify" not in arguments, pins)


@pytest.mark.parametrize("with_flags", [True, False])
def test_what_the_reference_printed(
    shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_flags: bool
) -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for estate, number, artifact in printed(shared_data):
        place = tmp_path / f"{estate['id']}-{number}"
        for path, text in estate["files"].items():
            file = place / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="")
        monkeypatch.chdir(place)
        arguments = [word for word in estate["runs"][number]["args"] if with_flags or word != "--no-verify"]
        report = replay_any(artifact, "x", settings_for(arguments))
        statuses = {check.status for check in report.checks}
        if (estate["id"], number) in STRICTER:
            moved = [check.detail for check in report.checks if check.status == "drifted"]
            assert any(STRICTER[estate["id"], number] in detail for detail in moved)
            statuses = {"stricter"}
        assert len(statuses) == 1, (estate["id"], number, report)
        assert report.ok == (statuses == {"identical"})
        seen[artifact["kind"], statuses.pop()] += 1
    assert seen == {
        ("plan", "identical"): 75,
        ("tree", "identical"): 69,
        ("trace", "unpinned"): 75,
        ("tree", "stricter"): 3,
    }
