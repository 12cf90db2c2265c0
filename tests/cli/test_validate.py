"""`validate`: each location judged, the worst verdict as exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

GOOD = 'project: p\nversion: "1"\nkcp_version: "0.32"\nunits:\n'
GOOD += "  - {id: a, path: a.md, intent: i, triggers: [t], audience: [agent]}\n"


def write(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "a.md").write_text("x", encoding="utf-8")
    file = folder / "knowledge.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_clean_manifest(run: Callable, tmp_path: Path):
    good = write(tmp_path / "good", GOOD)
    assert run("validate", good) == (0, f"Validate: {good} (p)\n✓ valid — 0 warning(s)\n", "")


def test_warnings_do_not_fail(run: Callable, tmp_path: Path):
    file = write(tmp_path / "warned", GOOD.replace("version: ", "ver: ", 1))
    code, out, _ = run("validate", file)
    assert code == 0
    assert out.splitlines()[1:] == ["  ⚠ manifest: missing 'version'", "✓ valid — 1 warning(s)"]


def test_errors_fail(run: Callable, tmp_path: Path):
    file = write(tmp_path / "bad", GOOD.replace("a.md", "../a.md"))
    code, out, _ = run("validate", file.parent)
    assert code == 1
    assert out.splitlines()[1:] == [
        "  ✗ unit 'a': path must not traverse with '..'",
        "✗ invalid — 1 error(s), 0 warning(s)",
    ]


def test_what_reading_dropped_is_shown_to_people_only(run: Callable, tmp_path: Path):
    file = write(tmp_path / "dropped", GOOD + "  - just text\n")
    code, out, _ = run("validate", file)
    assert code == 0
    remark = out.splitlines()[1]
    assert remark.startswith("  · ")
    assert remark.endswith(f"({file}:6:5)")
    assert json.loads(run("validate", file, "--json").out)["findings"] == []


def test_an_unreadable_manifest_has_one_finding(run: Callable, tmp_path: Path):
    code, out, err = run("validate", tmp_path / "nowhere", "--json")
    assert (code, err) == (3, "")
    report = json.loads(out)
    assert list(report) == ["source", "findings", "ok"]
    (finding,) = report["findings"]
    assert (finding["level"], finding["where"]) == ("error", "manifest")
    assert "manifest not found" in finding["message"]


def test_several_locations_are_judged_each(run: Callable, tmp_path: Path):
    good, bad = write(tmp_path / "good", GOOD), write(tmp_path / "bad", GOOD.replace("a.md", "/a.md"))
    nowhere, remote = tmp_path / "nowhere", "https://h.example/knowledge.yaml"
    assert run("validate", good, good).code == 0
    assert run("validate", good, bad).code == 1
    assert run("validate", remote, bad, good).code == 3
    code, out, _ = run("validate", nowhere, bad, good)
    assert code == 3
    assert [line for line in out.splitlines() if line.startswith("Validate: ")] == [
        f"Validate: {nowhere}",
        f"Validate: {bad} (p)",
        f"Validate: {good} (p)",
    ]
    reports = json.loads(run("validate", nowhere, bad, good, "--json").out)
    assert [report["ok"] for report in reports] == [False, False, True]


def test_the_manifest_flag_wins(run: Callable, tmp_path: Path):
    good = write(tmp_path / "good", GOOD)
    assert run("validate", tmp_path / "nowhere", "--manifest", good).code == 0


def test_max_bytes(run: Callable, tmp_path: Path):
    good = write(tmp_path / "good", GOOD)
    assert run("validate", good, "--max-bytes", "10").code == 3
