"""The vector corpus: identical to this build, current, and complete (planner contract §16)."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kcp.evidence.conformance import run
from kcp.planning.cascade import GATES

ROOT = Path(__file__).resolve().parent.parent.parent
VECTORS = ROOT / "vectors"
LEAST = {"planner": 60, "plan": 15, "trace": 15, "validate": 15, "yaml": 40, "diff": 8}
# These gates close a unit without stopping it: in the trace they fail by this ending of their detail (§10).
SOFT_GATES = ("attestation", "payment", "access")
CLOSED = "(loadEligible=false)"


def load(kind: str = "*") -> dict[str, dict[str, Any]]:
    """The vectors of a kind by name."""
    paths = sorted(VECTORS.glob(f"{kind}/*.json"))
    return {f"{path.parent.name}/{path.stem}": json.loads(path.read_bytes()) for path in paths}


@pytest.mark.parametrize("kind", LEAST)
def test_every_vector_holds(kind: str) -> None:
    lines: list[str] = []
    assert run([str(VECTORS / kind)], None, lines.append) == 0, "\n".join(lines)
    count = len(load(kind))
    assert lines == [f"{count} cases: {count} identical, 0 different, 0 skipped"]
    assert count >= LEAST[kind]


def test_vectors_are_what_their_sources_give() -> None:
    script = ROOT / "scripts" / "lib" / "gen_vectors.py"
    command = [sys.executable, "-I", str(script), "--check"]
    check = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert check.returncode == 0, check.stdout + check.stderr


@pytest.mark.parametrize(("name", "vector"), load().items())
def test_shape(name: str, vector: dict[str, Any]) -> None:
    kind = name.partition("/")[0]
    assert vector["name"] == name
    assert vector["spec"].startswith("0.32")
    assert vector["description"].endswith(".")
    inputs = {
        "planner": {"manifest", "task", "options"},
        "plan": {"manifest", "task", "options"},
        "trace": {"manifest", "task", "options"},
        "validate": {"manifest", "today"},
        "yaml": {"manifest"},
        "diff": {"a", "b"},
    }[kind]
    optional = {"source", "stricter"}
    assert vector.keys() - optional == {"name", "spec", "description", "expect"} | inputs
    assert set(vector.get("stricter", [])) <= {"B1", "B2", "B3", "B4", "B5", "B6", "B20", "C"}


def texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every message in an expectation, with where it stands as messages.txt has it."""
    if isinstance(value, list):
        for item in value:
            yield from texts(item, key)
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from texts(member, _place(value, key, name))
    elif isinstance(value, str) and key:
        yield key, value


def _place(members: dict[str, Any], key: str, name: str) -> str:
    if name == "detail":
        return f"trace {members['gate']}" if "gate" in members else f"serving {members['status']}"
    if name == "message":
        return f"finding {members['level']}"
    if name == "reason" and key == "federation":
        return "federation"
    if name == "note":
        return {"grantRequests": "grant", "prohibitedAttempts": "prohibited"}.get(key, key)
    named = {
        "reason": "reason",
        "reasons": "reason",
        "warnings": "warning",
        "bindingSource": "binding",
        "cost": "cost",
    }
    containers = ("federation", "trust", "budget", "context", "grantRequests", "prohibitedAttempts")
    return named.get(name, name if name in containers else "")


@pytest.fixture(scope="module")
def said() -> dict[str, set[str]]:
    """The messages of all expectations, by place."""
    found: dict[str, set[str]] = {}
    for name, vector in load().items():
        for place, text in texts(vector["expect"]) if not name.startswith("yaml/") else ():
            found.setdefault(place, set()).add(text)
    return found


def messages() -> list[tuple[str, str]]:
    """Places and templates of messages.txt."""
    lines = Path(__file__).with_name("messages.txt").read_text(encoding="utf-8").split("\n")
    pairs = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [(place, template) for place, template in pairs]


def pattern(template: str) -> re.Pattern[str]:
    """A template as a regular expression: each placeholder stands for some text."""
    return re.compile(re.sub(r"\\{\w+\\}", "(?s:.+)", re.escape(template)))


@pytest.mark.parametrize(("place", "template"), messages())
def test_every_message_occurs(place: str, template: str, said: dict[str, set[str]]) -> None:
    assert any(pattern(template).fullmatch(text) for text in said[place]), f"no vector says: {template}"


PLACES = sorted({place for place, _ in messages()})


@pytest.mark.parametrize("place", PLACES)
def test_no_other_message_occurs(place: str, said: dict[str, set[str]]) -> None:
    known = [pattern(template) for at, template in messages() if at == place]
    if place == "trace skill_eligibility":  # the reasons of gate 7 with and without the ending
        known += [
            pattern(template + end)
            for at, template in messages()
            if at == "reason"
            for end in ("", f" {CLOSED}")
        ]
    unknown = {text for text in said[place] if not any(form.fullmatch(text) for form in known)}
    assert not unknown


def test_every_gate_passes_and_fails() -> None:
    outcomes: Counter[tuple[str, bool]] = Counter()
    for vector in load("trace").values():
        trace = vector["expect"]["trace"]
        for count in trace["gateSummary"]:
            outcomes[count["gate"], True] += count["passed"]
            outcomes[count["gate"], False] += count["failed"]
        for gate in [gate for unit in trace["units"] for gate in unit["gates"]]:
            if gate["gate"] in SOFT_GATES and gate["detail"].endswith(CLOSED):
                outcomes[gate["gate"], False] += 1
    assert [gate for gate in GATES if not outcomes[gate, True]] == []
    assert [gate for gate in GATES if not outcomes[gate, False]] == []


def test_decisions_have_vectors() -> None:
    decisions = {decision for vector in load().values() for decision in vector.get("stricter", [])}
    assert decisions == {"B1", "B2", "B3", "B4", "B5", "B6", "B20", "C"}


def test_every_serving_status_and_rate_tier_occurs() -> None:
    plans = [vector["expect"]["plan"] for vector in load("plan").values()]
    assert {plan["serving"]["status"] for plan in plans if "serving" in plan} == {
        "no-binding",
        "local",
        "bound",
        "unbound",
    }
    assert {plan["budget"]["rateTier"] for plan in plans} == {"default", "authenticated", "premium"}


def test_readings_that_fail_say_where() -> None:
    errors = [vector["expect"]["error"] for vector in load("yaml").values() if "error" in vector["expect"]]
    assert len(errors) >= 20
    assert all("\n" not in error for error in errors)
