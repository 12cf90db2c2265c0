"""`conform`: handed on to the runner, safe on a terminal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path


def case(path: Path, expected: str) -> Path:
    text = "project: p\nversion: '1'\nunits: []\n"
    expect = {"error": expected}
    path.write_text(json.dumps({"id": "c\u202e1", "manifest": text, "task": "x", "expect": expect}))
    return path


def test_a_difference_fails_and_is_escaped(run: Callable, tmp_path: Path):
    code, out, err = run("conform", case(tmp_path / "c.json", "unreadable"))
    assert (code, err) == (1, "")
    assert "✗ c\\u202e1" in out
    assert out.splitlines()[-1].startswith("1 cases: 0 identical, 1 different")


def test_a_skip_is_named(run: Callable, tmp_path: Path):
    skips = tmp_path / "skips"
    skips.write_text("c\u202e1\tnot today\n", encoding="utf-8")
    code, out, _ = run("conform", case(tmp_path / "c.json", "unreadable"), "--skip", skips)
    assert code == 0
    assert "not today" in out


def test_nothing_to_run_is_not_a_pass(run: Callable, tmp_path: Path):
    code, out, err = run("conform", tmp_path)
    assert (code, out) == (3, "")
    assert err.startswith("kcp-agent: no conformance cases found")
