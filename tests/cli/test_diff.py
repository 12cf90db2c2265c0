"""`diff`: two saved plans compared."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def save(run: Callable, harbour: Path, tmp_path: Path) -> Callable[..., Path]:
    def plan(name: str, *words: str) -> Path:
        path = tmp_path / name
        arguments = ["plan", *words, "--manifest", harbour, "--as-of", "2026-07-01", "--json"]
        path.write_text(run(*arguments).out, encoding="utf-8")
        return path

    return plan


def test_identical(run: Callable, save: Callable):
    a, b = save("a.json", "quay"), save("b.json", "quay")
    code, out, err = run("diff", a, b)
    assert (code, err) == (0, "")
    label = 'harbour v1.2.0 · "quay" · as of 2026-07-01'
    assert out == f"a: {label}\nb: {label}\n✓ identical\n"
    assert json.loads(run("diff", a, b, "--json").out)["identical"] is True


def test_different(run: Callable, save: Callable):
    a = save("a.json", "quay berth", "--budget", "1", "--methods", "x402")
    b = save("b.json", "quay customs", "--budget", "2", "--strict")
    code, out, _ = run("diff", a, b)
    assert code == 1
    assert "Moved (2):\n  · tide-tables: selected (score 3) → skipped (unaffordable: needs x402)\n" in out
    assert "  · customs: skipped (no task-relevance match) → selected (score 9)\n" in out
    assert "Scores (1):\n  · berthing: 16 → 7 (-9)\n" in out
    assert "Budget (3):\n  · budget.ceiling: 1 → 2\n" in out
    assert out.endswith("✗ different\n")
    assert json.loads(run("diff", a, b, "--json").out)["identical"] is False


def test_other_differences(run: Callable, tmp_path: Path):
    def plan(name: str, unit: str, reason: str, warnings: list[str]) -> Path:
        skipped = [{"id": "x", "reason": reason}, {"id": unit, "reason": "r"}]
        path = tmp_path / name
        path.write_text(json.dumps({"selected": [], "skipped": skipped, "warnings": warnings}))
        return path

    a, b = plan("a", "only-a", "one", ["old"]), plan("b", "only-b", "two", ["new"])
    out = run("diff", a, b).out
    assert "Only in one (2):\n  · only-a: only in a\n  · only-b: only in b\n" in out
    assert "Reasons (1):\n  · x: one → two\n" in out
    assert "Warnings (2):\n  + new\n  - old\n" in out


def test_a_trace_is_compared_by_its_plan(run: Callable, save: Callable):
    assert run("diff", save("a.json", "quay"), save("b.json", "quay", "--trace")).code == 0


@pytest.mark.parametrize(
    "content", ["{}", "[]", "null", "{", '{"plan": 3}', '{"selected": 3, "skipped": []}']
)
def test_what_is_not_a_plan(run: Callable, save: Callable, tmp_path: Path, content: str):
    other = tmp_path / "other.json"
    other.write_text(content, encoding="utf-8")
    code, out, err = run("diff", save("a.json", "quay"), other)
    assert (code, out) == (3, "")
    assert err.startswith(f"kcp-agent: {other}: ")


def test_a_missing_artifact(run: Callable, tmp_path: Path):
    code, out, err = run("diff", tmp_path / "a", tmp_path / "b")
    assert (code, out) == (3, "")
    assert err == f"kcp-agent: artifact not found: {tmp_path / 'a'}\n"


def test_what_a_diff_does_not_compare_is_said(run: Callable, harbour: Path, tmp_path: Path):
    saved = []
    for name, methods in (("a", "free"), ("b", "free,lightning")):
        file = tmp_path / f"{name}.json"
        plan = run(
            "plan", "customs", "--manifest", harbour, "--as-of", "2026-07-01", "--methods", methods, "--json"
        )
        file.write_text(plan.out, encoding="utf-8")
        saved.append(file)
    code, out, _ = run("diff", *saved)
    assert code == 0
    assert '  · options.capabilities.paymentMethods: ["free"] → ["free","lightning"]\n' in out
    assert out.endswith("⚠ identical in what a diff compares, but not in all\n")
