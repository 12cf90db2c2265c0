"""`run`: what it checks, what it says of a difference, and what it refuses to read."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from kcp.errors import ArtifactError
from kcp.evidence.artifacts import find_artifacts
from kcp.evidence.cases import MAX_LINE
from kcp.evidence.conformance import MAX_DIFFERING_LINES, run

MANIFEST = "project: p\nversion: '1'\nkcp_version: '0.32'\nunits:\n  - {id: a, path: a.md, intent: deploy}\n"
OUTCOME: dict[str, Any] = {
    "selected": [{"id": "a", "loadEligible": True, "score": 3}],
    "skipped": [],
    "federation": [],
    "trust": {"requiresAttestation": False, "agentCanAttest": True},
    "budget": {"rateTier": "default"},
    "context": {"approximate": False, "unmeasured": 1},
    "warnings": [],
}
CASE = {"name": "one", "manifest": MANIFEST, "task": "deploy", "options": {"asOf": "2026-01-01"}}
PLAN = {"manifest": {"project": "p"}, "task": "t", "selected": [], "skipped": [], "warnings": []}


# What a system does that does not list a folder, whoever asks.
def refuse(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    scan = os.scandir

    def scandir(path: str) -> Any:
        if Path(path) == folder:
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)


def conform(*paths: Path, skips: Path | None = None) -> tuple[int, list[str]]:
    """The exit code and the lines of a run."""
    lines: list[str] = []
    return run([str(path) for path in paths], None if skips is None else str(skips), lines.append), lines


def save(path: Path, *cases: dict[str, Any]) -> Path:
    """Cases as a vector file or as lines, by the path's ending."""
    text = "\n".join(json.dumps(case) for case in cases)
    path.write_text(text, encoding="utf-8")
    return path


def test_an_outcome_may_stand_alone_or_by_name_in_any_order(tmp_path: Path) -> None:
    backwards = dict(reversed(OUTCOME.items()))
    save(tmp_path / "a.json", {**CASE, "expect": OUTCOME})
    save(tmp_path / "b.json", {**CASE, "expect": {"outcome": backwards}})
    assert conform(tmp_path) == (0, ["2 cases: 2 identical, 0 different, 0 skipped"])


@pytest.mark.parametrize(
    "wrong",
    [
        {"warnings": ["x"]},
        {"budget": {"rateTier": "default", "ceiling": 1}},
        {"selected": []},
        {"context": {"approximate": False, "unmeasured": 1.5}},
    ],
)
def test_every_member_of_an_outcome_counts(wrong: dict[str, Any], tmp_path: Path) -> None:
    code, lines = conform(save(tmp_path / "a.json", {**CASE, "expect": {**OUTCOME, **wrong}}))
    assert code == 1
    assert lines[-1] == "1 cases: 0 identical, 1 different, 0 skipped"


def test_a_difference_shows_its_first_lines(tmp_path: Path) -> None:
    path = save(tmp_path / "a.json", {**CASE, "expect": {"manifest": {"project": "p", "source": "one"}}})
    code, lines = conform(path)
    assert code == 1
    assert lines[0] == f"✗ one ({path})"
    assert lines[1:-1] == [
        "  manifest differs at line 2:",
        '    expected:   "project": "p",',
        '    expected:   "source": "one"',
        "    expected: }",
        '    actual:     "kcp_version": "0.32",',
        '    actual:     "manifests": [],',
        '    actual:     "project": "p",',
        '    actual:     "source": "one",',
        '    actual:     "units": [',
    ]
    assert len([line for line in lines if line.startswith("    actual:")]) == MAX_DIFFERING_LINES
    assert lines[-1] == "1 cases: 0 identical, 1 different, 0 skipped"


def test_findings_are_of_the_day_the_case_says(tmp_path: Path) -> None:
    manifest = MANIFEST.replace("intent: deploy", "intent: deploy, temporal: {valid_until: '2026-01-01'}")
    messages = (
        "no 'triggers' — unit is only findable through its intent text",
        "no 'audience' — declare who this unit serves (e.g. [agent, human])",
        "expired 2026-01-01 with no 'superseded_by' — agents get a dead end instead of a successor",
    )
    findings = [{"level": "warning", "where": "unit 'a'", "message": message} for message in messages]
    case = {"name": "one", "manifest": manifest}
    path = tmp_path / "cases.jsonl"
    save(
        path,
        {**case, "today": "2026-01-02", "expect": {"findings": findings}},
        {**case, "today": "2026-01-01", "expect": {"findings": findings[:2]}},
    )
    assert conform(path) == (0, ["2 cases: 2 identical, 0 different, 0 skipped"])


@pytest.mark.parametrize(
    ("manifest", "expect", "code"),
    [
        ("a: b: c", {"error": "any text"}, 0),
        (MANIFEST, {"error": "any text"}, 1),
        ("a: b: c", {"manifest": {}}, 1),
        ("a: b: c", OUTCOME, 1),
        ("\ud800", {"error": "not UTF-8"}, 0),
    ],
)
def test_an_error_asks_only_that_reading_fails(manifest: str, expect: Any, code: int, tmp_path: Path) -> None:
    path = save(tmp_path / "a.json", {**CASE, "manifest": manifest, "expect": expect})
    assert conform(path)[0] == code


def test_a_part_of_a_trace_may_be_expected(tmp_path: Path) -> None:
    right = {**CASE, "expect": {"trace": {"taskTerms": ["deploy"]}}}
    wrong = {**CASE, "expect": {"trace": {"taskTerms": ["deploy"], "gateSummary": []}}}
    code, lines = conform(save(tmp_path / "cases.jsonl", right, wrong))
    assert code == 1
    assert lines[-1] == "2 cases: 1 identical, 1 different, 0 skipped"


def test_the_source_of_a_case_may_be_null(tmp_path: Path) -> None:
    manifest = MANIFEST + "serving: {manifest: ['https://a.example/k.yaml']}\n"
    case = {**CASE, "manifest": manifest}
    unbound = ["serving binding: retrieved from https://b.example/k.yaml, which is not in the declared "]
    unbound[0] += "serving.manifest list [https://a.example/k.yaml] — trust capped at 'known' (KCP §16.5 C22)"
    path = save(
        tmp_path / "cases.jsonl",
        {**case, "source": None, "expect": OUTCOME},
        {**case, "source": "https://a.example/k.yaml", "expect": OUTCOME},
        {**case, "source": "https://b.example/k.yaml", "expect": {**OUTCOME, "warnings": unbound}},
    )
    assert conform(path) == (0, ["3 cases: 3 identical, 0 different, 0 skipped"])


def test_diffs(tmp_path: Path) -> None:
    label = {"project": "p", "task": "t"}
    expect = {
        "a": label,
        "b": label,
        "identical": True,
        **{key: [] for key in ("moves", "scoreChanges", "presence", "budgetShifts", "reasonChanges")},
        "warningChanges": {"added": [], "removed": []},
    }
    same = {"id": "d", "a": PLAN, "b": {"plan": PLAN}, "expect": expect}
    other = {"id": "e", "a": PLAN, "b": {**PLAN, "warnings": ["w"]}, "expect": expect}
    code, lines = conform(save(tmp_path / "cases.jsonl", same, other))
    assert code == 1
    assert lines[1].startswith("  diff differs at line ")
    assert lines[-1] == "2 cases: 1 identical, 1 different, 0 skipped"


def test_files_are_found_in_order_and_gzip_is_read(tmp_path: Path) -> None:
    wrong = {**CASE, "expect": {**OUTCOME, "warnings": ["x"]}}
    (tmp_path / "sub").mkdir()
    save(tmp_path / "sub" / "z.json", {**wrong, "name": "first"})
    lines = json.dumps({**wrong, "name": "third"}) + "\n\n" + json.dumps({**CASE, "expect": OUTCOME})
    (tmp_path / "sub" / "zz.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    save(tmp_path / "sub" / "zy.jsonl", {**wrong, "name": "second"})
    (tmp_path / "sub" / "notes.md").write_text("not a case")
    code, report = conform(tmp_path)
    assert code == 1
    assert [line.split()[1] for line in report if line.startswith("✗")] == ["first", "second", "third"]
    assert report[-1] == "4 cases: 1 identical, 3 different, 0 skipped"


def test_skipped_cases_are_named_and_counted(tmp_path: Path) -> None:
    path = save(tmp_path / "cases.jsonl", {**CASE, "expect": {}}, {**CASE, "name": "two", "expect": OUTCOME})
    skips = tmp_path / "skips"
    skips.write_text("# known\n\none\t decided otherwise \nthree\tgone\n", encoding="utf-8")
    assert conform(path, skips=skips) == (
        0,
        [
            "- one: skipped: decided otherwise",
            "⚠ skip 'three' matches no case",
            "2 cases: 1 identical, 0 different, 1 skipped",
        ],
    )


@pytest.mark.parametrize("text", ["one\n", "one\t\n", "one  because\n"])
def test_a_skip_needs_a_reason(text: str, tmp_path: Path) -> None:
    path = save(tmp_path / "a.json", {**CASE, "expect": OUTCOME})
    skips = tmp_path / "skips"
    skips.write_text(text, encoding="utf-8")
    with pytest.raises(ArtifactError, match=":1: a skip needs an id, a tab and a reason"):
        conform(path, skips=skips)


def test_a_skip_file_must_be_readable(tmp_path: Path) -> None:
    path = save(tmp_path / "a.json", {**CASE, "expect": OUTCOME})
    (tmp_path / "latin").write_bytes(b"on\xe9\treason\n")
    for skips in (tmp_path / "missing", tmp_path, tmp_path / "latin"):
        with pytest.raises(ArtifactError, match=r"cannot read|skip file"):
            conform(path, skips=skips)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.json", b""),
        ("a.json", b"[]"),
        ("a.json", b"{"),
        ("a.json", b"\xff"),
        ("a.json", b'{"id": "x"}'),
        ("a.json", b'{"expect": {}}'),
        ("a.json", b'{"id": 1, "expect": {}}'),
        ("a.json", b'{"id": "x", "expect": []}'),
        ("a.json", b'{"id": "x", "manifest": 1, "expect": {}}'),
        ("a.json", b'{"id": "x", "manifest": "a: 1", "expect": {}}'),
        ("a.json", b'{"id": "x", "manifest": "a: 1", "task": "t", "options": [], "expect": {}}'),
        ("a.json", b'{"id": "x", "manifest": "a: 1", "task": "t", "options": {"role": 1}, "expect": {}}'),
        ("a.json", b'{"id": "x", "manifest": "a: 1", "task": "t", "expect": {}}'),
        ("a.json", b'{"id": "x", "a": 1, "b": 2, "expect": {}}'),
        ("a.jsonl", b'{"id": "x", "expect": {}'),
        ("a.jsonl", b"[1]"),
        ("a.jsonl.gz", b"not gzip"),
        ("a.jsonl.gz", gzip.compress(b'{"id": "x", "expect": {}}', mtime=0)[:-9]),
    ],
)
def test_odd_files_are_refused_in_one_line(name: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(ArtifactError) as error:
        conform(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({**CASE, "expect": OUTCOME}) + "\n\n{}\n", encoding="utf-8")
    with pytest.raises(ArtifactError, match=r"a\.jsonl, line 3: not a conformance case"):
        conform(path)


def test_an_endless_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b" " * (MAX_LINE + 1), compresslevel=1))
    with pytest.raises(ArtifactError, match="a line is longer than"):
        conform(path)


def test_nothing_to_run_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match="no conformance cases found"):
        conform(tmp_path)
    with pytest.raises(ArtifactError, match="not found"):
        conform(tmp_path / "missing.json")
    with pytest.raises(ArtifactError, match="cannot read"):
        conform(tmp_path / "missing.jsonl")
    with pytest.raises(ArtifactError):
        conform(tmp_path / "missing")


def test_a_folder_that_cannot_be_listed_is_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(tmp_path / "a.json", {**CASE, "expect": OUTCOME})
    closed = tmp_path / "b" / "closed"
    closed.mkdir(parents=True)
    refuse(monkeypatch, closed)
    for search in (conform, lambda folder: find_artifacts(str(folder))):
        with pytest.raises(ArtifactError, match=f"^cannot list {closed}: permission denied$"):
            search(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders there")
@pytest.mark.parametrize("name", ["pipe", "pipe.json", "pipe.jsonl", "pipe.jsonl.gz"])
def test_pipes_are_not_waited_for(tmp_path: Path, name: str) -> None:
    pipe = tmp_path / name
    os.mkfifo(pipe)
    case = save(tmp_path / "case.json", {**CASE, "expect": OUTCOME})
    with pytest.raises(ArtifactError, match=r"pipe.* not a regular file$"):
        conform(pipe)
    with pytest.raises(ArtifactError, match=r"pipe.* not a regular file$"):
        conform(case, skips=pipe)
