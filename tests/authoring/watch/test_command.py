"""`kcp-agent watch --once`, and what the command refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.authoring.watch.processes import versioned


def test_once_prints_the_report_and_a_line(run: Callable, folder: Path):
    code, out, err = run("watch", folder, "--once")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"Validate: {folder}/knowledge.yaml (harbour)",
        "✓ valid — 0 warning(s)",
        "Manifest valid.",
    ]


def test_once_with_errors(run: Callable, folder: Path):
    (folder / "berth.md").unlink()
    code, out, err = run("watch", folder, "--once")
    assert (code, err) == (1, "Manifest validation failed.\n")
    assert "✗ unit 'berth': path 'berth.md' does not exist" in out


def test_once_when_nothing_can_be_read(run: Callable, folder: Path):
    code, out, err = run("watch", folder / "none.yaml", "--once")
    assert (code, err) == (3, "Manifest validation failed.\n")
    assert "manifest not found" in out


def test_once_json_is_the_event_stream(run: Callable, folder: Path):
    code, out, err = run(
        "watch", "--manifest", folder, "--once", "--json", "--task", "berth", "--max-units", "0"
    )
    assert (code, err) == (0, "")
    events = [json.loads(line) for line in out.splitlines()]
    assert [event["type"] for event in events] == ["validate", "plan"]
    assert events[1]["data"]["selected"] == []
    assert '": ' not in out


def test_once_json_with_errors_says_nothing_on_standard_error(run: Callable, folder: Path):
    (folder / "knowledge.yaml").write_text("units: 3\n", "utf-8")
    code, out, err = run("watch", folder, "--once", "--json")
    assert err == ""
    assert json.loads(out)["type"] == "validate"
    assert code == 0 if json.loads(out)["data"]["ok"] else 1


def test_task_means_task_and_the_word_the_location(run: Callable, folder: Path):
    code, out, _ = run("watch", folder, "--task", "berth", "--once")
    assert code == 0
    assert 'Plan for: "berth"' in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Missing manifest location."),
        (["a", "b"], "Unexpected argument: b"),
        (["a", "--diff"], "--diff needs --task"),
        (["https://a.test/"], "--interval SECONDS"),
        (["https://a.test/", "--interval", "0"], "--interval must be at least 1 second"),
        (["a", "--interval", "0"], "--interval must be at least 0.01"),
        (["a", "--interval", "-1"], "--interval must be a number"),
        (["a", "--follow"], "Unknown option: --follow"),
    ],
)
def test_wrong_use(run: Callable, words: list[str], said: str):
    code, out, err = run("watch", *words)
    assert (code, out) == (2, "")
    assert said in err


def test_changes_for_people(folder: Path):
    from kcp.authoring.watch.cycle import Watched
    from kcp.cli.show.page import Page
    from kcp.cli.show.watch import add_round
    from kcp.options import PlanOptions
    from kcp.reading.sources import Sources

    watched = Watched(
        str(folder),
        Sources(),
        task="berth",
        options=lambda: PlanOptions(as_of="2026-07-06"),
        compare=True,
    )
    watched.round()
    page = Page()
    add_round(page, watched.round())
    assert page.plain().endswith("✓ valid — 0 warning(s)\n  (plan unchanged)\n")
    (folder / "knowledge.yaml").write_text(versioned(1).replace("id: berth", "id: quay"), "utf-8")
    page = Page()
    add_round(page, watched.round())
    assert "  Only in one (2):\n" in page.plain()
