"""`plan`: flags reach the planner, and people and programs get what the contract says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kcp import today


def planned(run: Callable, *words: str | Path) -> dict:
    code, out, err = run("plan", *words, "--json")
    assert (code, err) == (0, "")
    assert out.endswith("}\n")
    return json.loads(out)


def test_defaults(run: Callable, harbour: Path):
    plan = planned(run, "where", "to", "berth", "--manifest", harbour)
    assert plan["task"] == "where to berth"
    assert plan["asOf"] == today()
    assert plan["options"] == {
        "capabilities": {"role": "agent", "paymentMethods": ["free"], "credentials": []},
        "maxUnits": 5,
        "strict": False,
    }
    assert plan["manifest"]["source"] == str(harbour / "knowledge.yaml")
    assert (plan["schemaVersion"], plan["kind"]) == (1, "plan")
    assert "correlationId" not in plan


def test_every_planner_flag_is_echoed(run: Callable, harbour: Path):
    words = "--task quay --env prod --as-of 2026-07-01 --max-units 2 --role human --methods x402,free "
    words += "--credentials a,b --attest idp --budget 1.5 --currency EURC --context-budget 3000 "
    words += "--grant-ceiling suggest --spend 2 --spend-currency USD --spend-vendor acme --action-tool git "
    words += "--action-path a/b --action-capability net --strict --correlation-id c-1"
    plan = planned(run, *words.split(), "--manifest", harbour)
    assert plan["task"] == "quay"
    assert plan["environment"] == "prod"
    assert plan["asOf"] == "2026-07-01"
    assert plan["correlationId"] == "c-1"
    assert plan["options"] == {
        "capabilities": {
            "role": "human",
            "paymentMethods": ["x402", "free"],
            "credentials": ["a", "b"],
            "attestationProvider": "idp",
        },
        "maxUnits": 2,
        "strict": True,
        "budget": {"amount": 1.5, "currency": "EURC"},
        "contextBudget": 3000,
        "grantCeiling": "suggest",
        "spend": {"amount": 2, "vendor": "acme", "currency": "USD"},
        "action": {"tool": "git", "path": "a/b", "capability": "net"},
    }


def test_empty_values(run: Callable, harbour: Path):
    words = ["--role=", "--attest=", "--methods=", "--env=", "--correlation-id="]
    plan = planned(run, "quay", "--manifest", harbour, *words)
    assert plan["options"]["capabilities"] == {"role": "agent", "paymentMethods": [], "credentials": []}
    assert "environment" not in plan
    assert "correlationId" not in plan


def test_the_task_flag_wins_over_words(run: Callable, harbour: Path):
    assert planned(run, "tide", "--task", "quay", "--manifest", harbour)["task"] == "quay"


def test_trace(run: Callable, harbour: Path):
    trace = planned(run, "quay", "--manifest", harbour, "--trace")
    assert trace["kind"] == "trace"
    assert [unit["id"] for unit in trace["units"]] == ["berthing", "tide-tables", "customs"]
    plan = planned(run, "quay", "--manifest", harbour)
    del plan["schemaVersion"], plan["kind"]
    assert trace["plan"] == plan


def test_the_plan_for_people(run: Callable, harbour: Path):
    words = ["--methods", "x402", "--budget", "1", "--context-budget", "3000", "--env", "prod"]
    code, out, err = run("plan", "quay berth", "--manifest", harbour, "--as-of", "2026-07-01", *words)
    assert (code, err) == (0, "")
    assert out == (
        'Plan for: "quay berth"\n'
        "  harbour v1.2.0 · kcp 0.32 · env prod · as of 2026-07-01\n"
        "\n"
        "Trust: · no manifest-level attestation requirement\n"
        "Signature: · manifest declares no signature\n"
        "\n"
        "Load plan (2 units):\n"
        "  ● 1. berthing (score 16)  berthing.md  free\n"
        "      How a ship berths at the quay\n"
        "      why: intent matches 2 term(s); triggers match 2 term(s); id/path matches 1 term(s)\n"
        "  ● 2. tide-tables (score 3)  tides.md  0.05 USDC/request\n"
        "      Tide tables for every quay\n"
        "      why: intent matches 1 term(s)\n"
        "\n"
        "Budget: tier default · 30 req/min · 0.05/1 USDC (0.95 remaining)\n"
        "  pay-per-request: tide-tables → 0.05 USDC/request\n"
        "Context: 2,900/3,000 tokens (100 remaining)\n"
        "Federation:\n"
        "  → pilots needs pilot_token before fetch [acquire pilot_token]\n"
        "      https://pilots.example/knowledge.yaml · mirror ../pilots/knowledge.yaml"
        " · docs https://pilots.example/help\n"
        "  · drills context [\"test\"] excludes env 'prod'\n"
        "Skipped (1):\n"
        "  · customs: no task-relevance match\n"
    )


def test_the_trace_for_people(run: Callable, harbour: Path):
    out = run("plan", "quay", "--manifest", harbour, "--trace").out
    assert "Trace (3 units):\n  terms: quay\n" in out
    assert "\n  berthing (score 7)  berthing.md  selected\n    ✓ audience         role 'agent' in " in out
    assert "\n  customs  customs.md  skipped at relevance\n" in out
    assert "\n    ✗ relevance        no task-relevance match\n" in out
    assert "\n  audience         3 passed, 0 failed\n" in out


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere", "{0}: fetch failed: manifest not found: {0}"),
        (".", "{0}: fetch failed: no knowledge.yaml found in {0}"),
    ],
)
def test_what_cannot_be_read(run: Callable, tmp_path: Path, name: str, message: str):
    location = str(tmp_path / name)
    code, out, err = run("plan", "x", "--manifest", location)
    assert (code, out, err) == (3, "", f"kcp-agent: {message.format(location)}\n")


def test_what_does_not_parse_is_shown_with_its_place(run: Callable, harbour: Path):
    file = harbour / "knowledge.yaml"
    file.write_text("project: a\nproject: b\n", encoding="utf-8")
    code, out, err = run("plan", "x", "--manifest", harbour)
    assert (code, out) == (3, "")
    assert err.startswith(f"kcp-agent: {file}: parse failed: duplicated mapping key")
    assert f"{file}:2:1" in err


def test_a_url_is_refused_in_one_line(run: Callable):
    code, out, err = run("plan", "x", "--manifest", "https://h.example/knowledge.yaml")
    assert (code, out) == (3, "")
    assert err.startswith("kcp-agent: https://h.example/knowledge.yaml: fetch failed: ")
    assert err.count("\n") == 1


def test_max_bytes(run: Callable, harbour: Path):
    assert run("plan", "x", "--manifest", harbour, "--max-bytes", "100").code == 3
    assert run("plan", "x", "--manifest", harbour, "--max-bytes", "100000").code == 0


def test_keys_are_not_named_where_nothing_is_verified(run: Callable, harbour: Path):
    key = "MCowBQYDK2VwAyEA9JqHEsMJSixLFJ5W0ZjPhAXDtIrKqAjcnlxhAlVbMb4="
    words = ("plan", "quay", "--manifest", harbour, "--no-verify")
    code, out, err = run(*words, "--trust-key", key)
    assert (code, out) == (2, "")
    assert err.startswith("kcp-agent: --no-verify contradicts --trust-key and --keyring\n")
    code, _, err = run(*words, "--require-signature")
    assert code == 0
    assert err == "kcp-agent: warning: with --no-verify, --require-signature requires nothing\n"


def test_what_aliases_repeat_is_bounded(run: Callable, tmp_path: Path):
    file = tmp_path / "knowledge.yaml"
    units = "".join("  - {id: *g, path: *g, intent: deploy}\n" for _ in range(400))
    file.write_text(f"project: p\nversion: 1\nx: &g '{'x' * 1_000_000}'\nunits:\n{units}", encoding="utf-8")
    code, out, err = run("plan", "deploy", "--manifest", file)
    assert (code, out) == (3, "")
    assert "aliases repeat more than 16,777,216 characters" in err


def test_an_endless_argument_is_not_echoed_whole(run: Callable):
    code, _, err = run("plan", "x", "--manifest", "m" * 100_000)
    assert code == 3
    assert len(err) < 3_000
