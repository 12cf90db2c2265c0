"""Laws of replay, on generated manifests, tasks and options."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kcp.errors import KcpError
from kcp.evidence.differences import find_differences
from kcp.evidence.reports import ReplayReport, report_wire
from kcp.wire.jsontext import encode_json
from tests.evidence.replaying import Raw, edited, replayed, saved
from tests.planning.estates import OPTIONS, TASKS, manifests

OUTPUTS = (
    "manifest",
    "trust",
    "selected",
    "skipped",
    "federation",
    "budget",
    "context",
    "warnings",
    "signature",
)
VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from(["", "x", "free", 0.5, [], {}, [[]], {"id": "a"}])
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where each example's manifest is written in turn."""
    return tmp_path_factory.mktemp("laws") / "knowledge.yaml"


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every member in a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from places(item, (*path, key))


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def alike(a: Any, b: Any) -> bool:
    """Whether two values have the same JSON text, members in any order."""
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


@given(manifests(), TASKS, OPTIONS)
def test_what_was_planned_replays_as_identical(place: Path, raw: Raw, task: str, options: Any) -> None:
    place.write_text(json.dumps(raw))
    report = replayed(saved(place, task, options))
    assert report.ok, report


@given(manifests(), TASKS, OPTIONS, st.integers(0, 2))
def test_trees_replay_as_identical(place: Path, raw: Raw, task: str, options: Any, depth: int) -> None:
    place.write_text(json.dumps(raw))
    report = replayed(saved(place, task, options, depth=depth))
    assert report.ok, report


@given(manifests(), TASKS, OPTIONS, st.data())
def test_any_edit_of_an_output_drifts_and_is_named(
    place: Path, raw: Raw, task: str, options: Any, data: st.DataObject
) -> None:
    place.write_text(json.dumps(raw))
    plan = saved(place, task, options)
    every = [path for path in places(plan) if path[0] in OUTPUTS and path[:2] != ("manifest", "source")]
    path = data.draw(st.sampled_from(every))
    value = data.draw(VALUES)
    assume(not alike(at(plan, path), value))
    # Without a list `selected` it is no plan at all.
    assume(path != ("selected",) or isinstance(value, list))
    report = replayed(edited(plan, *path, to=value))
    (check,) = report.checks
    assert not report.ok
    if path == ("manifest",):
        assert check.status == "error"
    elif path == ("manifest", "sha256"):
        assert check.status in ("unpinned", "drifted")
    else:
        assert check.status == "drifted"
        assert check.fields == (path[0],)
        assert check.moved is not None
        differences = find_differences(*check.moved)
        assert differences.places or (differences.diff is not None and not differences.diff.identical)


@given(manifests(), TASKS, OPTIONS, st.integers(0, 10_000), st.sampled_from(b" \n#x"))
def test_any_byte_of_the_manifest_counts(
    place: Path, raw: Raw, task: str, options: Any, where: int, byte: int
) -> None:
    data = json.dumps(raw).encode()
    place.write_bytes(data)
    plan = saved(place, task, options)
    where %= len(data) + 1
    place.write_bytes(data[:where] + bytes([byte]) + data[where:])
    (check,) = replayed(plan).checks
    assert check.status == "drifted"
    assert check.detail.startswith("manifest bytes changed: ")


@given(manifests(), TASKS, OPTIONS, st.data())
def test_any_edit_or_loss_gives_a_report_or_an_error(
    place: Path, raw: Raw, task: str, options: Any, data: st.DataObject
) -> None:
    place.write_text(json.dumps(raw))
    artifact = saved(place, task, options, depth=data.draw(st.sampled_from([None, 1])))
    for _ in range(data.draw(st.integers(1, 3))):
        every = list(places(artifact))
        path = data.draw(st.sampled_from(every))
        artifact = edited(artifact, *path, to=data.draw(st.just(...) | VALUES))
        assume(artifact)
    try:
        report = replayed(artifact)
    except KcpError:
        return
    assert isinstance(report, ReplayReport)
    assert encode_json(report_wire(report))
    for check in report.checks:
        if check.moved is not None:
            find_differences(*check.moved)


@given(manifests(), TASKS, OPTIONS, st.data())
def test_an_edited_input_is_planned_again_or_drifts(
    place: Path, raw: Raw, task: str, options: Any, data: st.DataObject
) -> None:
    place.write_text(json.dumps(raw))
    plan = saved(place, task, options)
    inputs = [path for path in places(plan) if path[0] in ("task", "environment", "asOf", "options")]
    path = data.draw(st.sampled_from(inputs))
    changed = edited(plan, *path, to=data.draw(VALUES))
    try:
        (check,) = replayed(changed).checks
    except KcpError:
        return
    if check.status == "identical":
        # Then it is the plan that the edited options give.
        assert alike(at(changed, path), at(saved(place, changed["task"], reread(changed)), path))


def reread(plan: Raw) -> Any:
    from kcp.wire.options import read_options

    env = {"env": plan["environment"]} if "environment" in plan else {}
    return read_options({**plan["options"], "asOf": plan["asOf"], **env}, "x")


MEMBERS = (
    "plan task selected children notFollowed error grounding claims synthesis unitsLoaded artifact id "
    "basePlans finalPlans rounds final answer units gateSummary manifest options"
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(MEMBERS.split()),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(JSON)
def test_whatever_is_given_never_crashes(value: Any) -> None:
    try:
        report = replayed(value)
    except KcpError:
        return
    assert not report.ok
