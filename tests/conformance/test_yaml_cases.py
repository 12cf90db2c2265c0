"""The reference's readings of small documents: identical but for the rows of decisions D, each as decided."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from kcp.errors import ManifestError
from kcp.model import Manifest
from kcp.reading.parse import parse_manifest
from kcp.reading.yaml12 import read_yaml
from kcp.wire.encode import to_wire
from kcp.wire.jsontext import encode_json

Row = dict[str, Any]

# B1: unquoted dates, the text as written where the reference has an instant in English.
DATES = {
    "scalar-000": "2026-07-01",
    "scalar-002": "2026-07-01T10:00:00Z",
    "scalar-003": "2026-07-01 10:00:00",
    "scalar-004": "2026-07-01T10:00:00.123456Z",
    "scalar-005": "2001-12-14 21:59:43.10 -5",
    "scalar-006": "2001-12-14t21:59:43.10-05:00",
    "scalar-007": "2026-13-45",
    "scalar-008": "0000-00-00",
    "scalar-155": "2026-07-01",
    "temporal-00": "2026-07-01",
    "temporal-01": "2026-07-01T10:00:00Z",
    "temporal-07": "2026-07-01",
    "version-01": "2026-07-01",
    "triggers-02": "2026-07-01",
    "audience-02": "2026-07-01",
    "not_for-02": "2026-07-01",
    "signing-serving-4": "2026-07-01",
    "number-21": "2026-07-01",
}
DATE_FINDINGS = [
    f"temporal.{field} is an unquoted date — quote it" for field in ("valid_from", "valid_until")
]
# B2: values that are no booleans, as the finding shows them; the reference reads them by truthiness.
GRANTS = {
    "load_eligible-02": "yes",
    "load_eligible-03": "no",
    "load_eligible-04": "0",
    "load_eligible-05": "1",
    "load_eligible-06": "",
    "load_eligible-07": "no",
    "load_eligible-09": "",
    "load_eligible-10": "[object Object]",
    "load_eligible-11": "0",
    "load_eligible-12": "NaN",
    "load_eligible-13": "2026-07-01",
}
# B3: a scalar is a list of one, where the reference has none.
LISTS = {
    "triggers-00": ["agent"],
    "triggers-08": ["a, b"],
    "audience-00": ["agent"],
    "audience-08": ["a, b"],
    "not_for-00": ["agent"],
    "not_for-08": ["a, b"],
    "escalation-0": ["a"],
    "escalation-6": ["3"],
    "escalation-8": ["true"],
    "ref-4": ["prod"],
}
# B3: a mapping is an empty list, as in the reference, but with the same finding.
MAPPINGS = ("triggers-03", "audience-03", "not_for-03", "escalation-5")
# B4: blocks of the wrong type; the wire form is the reference's, and the unit is marked.
MALFORMED = {
    "escalation-5": ("escalation",),
    "escalation-6": ("escalation",),
    "escalation-8": ("escalation",),
    "steps-3": ("steps",),
    "steps-4": ("steps",),
    "steps-9": ("steps",),
}
# C and B20: what the reference reads and is refused here.
REFUSED = {
    "scalar-090": "tag !<tag:yaml.org,2002:binary> is not read here",
    "scalar-150": "tag !<tag:yaml.org,2002:set> is not read here",
    "scalar-151": "tag !<tag:yaml.org,2002:omap> is not read here",
    "scalar-152": "tag !<tag:yaml.org,2002:pairs> is not read here",
    "scalar-116": "an escape names no character",
    "scalar-117": "an escape names no character",
    "directive-13": "only %YAML 1.1 and 1.2 are read (1:1)",
}
# Refused by the reference too, a quoted text under !!null.
REFUSED_BY_BOTH = ("scalar-089",)


@pytest.fixture(scope="module")
def rows(shared_data: Path) -> dict[str, Row]:
    """All rows by id."""
    lines = (shared_data / "oracle" / "yaml-cases.jsonl").read_text(encoding="utf-8").split("\n")
    return {row["id"]: row for row in map(json.loads, filter(None, lines))}


def read(row: Row) -> Manifest:
    """Our reading of a row."""
    document = read_yaml(row["manifest"].encode("utf-8", "surrogatepass"))
    return parse_manifest(document, source=row["source"])


def canonical(manifest: Any) -> str:
    """A manifest's wire form without the order of members; a number that is none is null in both."""
    return json.dumps(json.loads(encode_json(manifest)), sort_keys=True)


def same(row: Row, expected: Any) -> bool:
    """Whether our reading is the expected manifest."""
    return canonical(to_wire(read(row))) == canonical(expected)


def agrees(row: Row) -> bool:
    """Whether a row is read as the reference reads it, or refused by both."""
    try:
        return same(row, row["expect"].get("manifest", {}))
    except ManifestError:
        return "error" in row["expect"]


def messages(row: Row, rule: str) -> list[str]:
    """The findings of one decision."""
    return [problem.message for problem in read(row).problems if problem.rule == rule]


def replaced(value: Any, change: Callable[[str], str]) -> Any:
    """A structure with every text changed."""
    if isinstance(value, dict):
        return {key: replaced(member, change) for key, member in value.items()}
    if isinstance(value, list):
        return [replaced(item, change) for item in value]
    return change(value) if isinstance(value, str) else value


def test_all_other_rows_are_identical(rows: dict[str, Row]) -> None:
    differing = {*DATES, *GRANTS, *LISTS, *REFUSED}
    assert len(rows) == 402
    assert differing <= rows.keys()
    assert [name for name, row in rows.items() if name not in differing and not agrees(row)] == []


@pytest.mark.parametrize("identifier", DATES)
def test_dates_stay_text(identifier: str, rows: dict[str, Row]) -> None:
    row = rows[identifier]
    in_english = "(Coordinated Universal Time)"
    expected = replaced(
        row["expect"]["manifest"], lambda text: DATES[identifier] if text.endswith(in_english) else text
    )
    if identifier == "number-21":  # a date is no number either: the optional ones are absent
        unit = expected["units"][0]
        del unit["size_tokens"], unit["bytes"], unit["action_scope"]["spend"]["max_spend"]
        del unit["rate_limits"]["default"]["requests_per_minute"]
        unit["payment"]["methods"][0]["free_requests_per_day"] = None
    assert same(row, expected)
    # A date inside a list is the text of the list, not an unquoted date.
    assert messages(row, "B1") == (DATE_FINDINGS if identifier in ("temporal-00", "temporal-01") else [])


@pytest.mark.parametrize("identifier", GRANTS)
def test_no_grant_without_a_boolean(identifier: str, rows: dict[str, Row]) -> None:
    row = rows[identifier]
    expected = deepcopy(row["expect"]["manifest"])
    del expected["units"][0]["load_eligible"]
    assert same(row, expected)
    assert read(row).units[0].load_eligible is None
    shown = GRANTS[identifier]
    assert messages(row, "B2") == [f"load_eligible '{shown}' is not a boolean — no grant is read"]


@pytest.mark.parametrize("identifier", LISTS)
def test_scalars_are_lists_of_one(identifier: str, rows: dict[str, Row]) -> None:
    row = rows[identifier]
    expected = deepcopy(row["expect"]["manifest"])
    family = identifier.rpartition("-")[0]
    field = {"escalation": "depends_on", "ref": "context"}.get(family, family)
    if family == "escalation":
        owner = expected["units"][0]["steps"][0]
    else:
        owner = expected["manifests" if family == "ref" else "units"][0]
    assert owner.get(field, []) == []
    owner[field] = LISTS[identifier]
    assert same(row, expected)
    assert messages(row, "B3") == [f"{field} must be a list — read as one entry"]


@pytest.mark.parametrize("identifier", MAPPINGS)
def test_mappings_are_empty_lists(identifier: str, rows: dict[str, Row]) -> None:
    row = rows[identifier]
    assert same(row, row["expect"]["manifest"])
    family = identifier.rpartition("-")[0]
    field = {"escalation": "depends_on"}.get(family, family)
    assert messages(row, "B3") == [f"{field} must be a list — read as one entry"]


def test_malformed_blocks_are_absent_and_named(rows: dict[str, Row]) -> None:
    found = {}
    for identifier, row in rows.items():
        if "manifest" not in row["expect"] or identifier in REFUSED:
            continue
        marks = [unit.malformed for unit in read(row).units if unit.malformed]
        if marks:
            found[identifier] = marks[0]
            assert messages(row, "B4") == [f"{block} is malformed — fail-closed" for block in marks[0]]
    # A ceiling that is no number keeps its parsed form and closes the unit (docs/decisions/0002).
    no_ceiling = {
        i for i, blocks in found.items() if i.startswith("number-") and blocks == ("action_scope.spend",)
    }
    assert no_ceiling == {f"number-{n:02}" for n in (8, 14, 15, 16, 17, 21, 22, 28, 29)}
    assert {i: blocks for i, blocks in found.items() if i not in no_ceiling} == MALFORMED


@pytest.mark.parametrize("identifier", REFUSED)
def test_refused_here(identifier: str, rows: dict[str, Row]) -> None:
    assert "manifest" in rows[identifier]["expect"]
    with pytest.raises(ManifestError) as error:
        read(rows[identifier])
    assert str(error.value).startswith(REFUSED[identifier])
    assert error.value.line is not None


@pytest.mark.parametrize("identifier", REFUSED_BY_BOTH)
def test_refused_by_both(identifier: str, rows: dict[str, Row]) -> None:
    assert "error" in rows[identifier]["expect"]
    with pytest.raises(ManifestError, match="cannot resolve a node"):
        read(rows[identifier])
