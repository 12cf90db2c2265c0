"""The specification's own fixtures, with the specification's rules alone and the folder unknown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kcp.authoring.validate.lint import LintOptions, lint
from kcp.authoring.validate.spec.node import Spec
from kcp.reading.sources import ManifestBytes
from kcp.reading.yaml12 import read_manifest_mapping

TODAY = "2026-07-06"
AT_LEAST = 70


def fixtures(shared_data: Path) -> list[tuple[Path, dict[str, Any]]]:
    found = []
    for manifest in sorted((shared_data / "spec-conformance").rglob("*.yaml")):
        # Where there are both, the upstream file is the one that counts.
        for kind in ("expected", "derived"):
            expectation = manifest.with_suffix(f".{kind}.json")
            if expectation.exists():
                found.append((manifest, json.loads(expectation.read_text("utf-8"))))
                break
    return found


def differences(manifest: Path, expected: dict[str, Any]) -> list[str]:
    """What the rules say otherwise than expected."""
    data = manifest.read_bytes()
    result = lint(ManifestBytes(str(manifest), data), LintOptions(TODAY, rules="spec", disk=False))
    refused = not result.read
    if refused:
        assert len(result.findings) == 1
        assert not result.ok
        allowed = expected.get("parse_error") or expected.get("parse_error_also_acceptable")
        return [] if allowed else [f"refused: {result.findings[0].finding.message}"]
    if expected.get("parse_error"):
        return ["not refused"]
    root = read_manifest_mapping(data).root
    found = []
    if result.valid != expected["valid"]:
        found.append(f"valid is {result.valid}: {[each.finding.message for each in result.findings]}")
    if expected.get("warnings") and not any(each.level == "warning" for each in result.findings):
        found.append("no warning")
    counts = {"unit_count": "units", "relationship_count": "relationships"}
    for key, member in counts.items():
        if key in expected and len(root.get(member) or ()) != expected[key]:
            found.append(f"{key} is {len(root.get(member) or ())}")
    return found + [f"{path} is not {value}" for path, value in values(root, expected) if not value]


def values(root: dict[str, Any], expected: dict[str, Any]) -> list[tuple[str, bool]]:
    """Whether each value reads as expected; in a boolean field only true and false are declared."""
    spec = Spec(root, TODAY, None)
    read = []
    for path, value in expected.get("values", {}).items():
        kind, index, field = path.split(".")
        assert kind == "units"
        declared = spec.units[int(index)].get(field)
        read.append((path, (declared if isinstance(declared, bool) else None) is value))
    return read


def test_every_fixture_comes_out_as_expected(shared_data: Path):
    every = fixtures(shared_data)
    assert len(every) >= AT_LEAST
    assert {
        str(manifest): found for manifest, expected in every if (found := differences(manifest, expected))
    } == {}


def test_a_grant_ceiling_with_every_kind_of_source_is_clean(shared_data: Path):
    manifest = shared_data / "spec-conformance" / "level3" / "valid-grant-ceiling-refs.yaml"
    data = manifest.read_bytes()
    result = lint(ManifestBytes(str(manifest), data), LintOptions(TODAY, rules="spec", disk=False))
    assert result.findings == ()


@pytest.mark.slow
def test_mutations_of_the_fixtures_never_break_the_rules(shared_data: Path):
    """Every scalar and every block of every fixture replaced by something of another type."""
    strange: list[Any] = [None, -1.5, "x", {"a": {}}, [None, 5, "x", [], {}]]
    for manifest, _ in fixtures(shared_data):
        root = read_manifest_mapping(manifest.read_bytes()).root
        for path in paths(root):
            for value in strange:
                judge(replaced(root, path, value))


def paths(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    members = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [path, *[inner for step, member in members for inner in paths(member, (*path, step))]][: 10**4]


def replaced(node: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    step, *rest = path
    if isinstance(node, list):
        return [replaced(item, tuple(rest), value) if n == step else item for n, item in enumerate(node)]
    return {**node, step: replaced(node[step], tuple(rest), value)}


def judge(root: Any) -> None:
    data = json.dumps(root).encode()
    result = lint(ManifestBytes("m.yaml", data), LintOptions(TODAY, rules="all", drafts=True, disk=False))
    assert result.ok == all(each.level != "error" for each in result.findings)
