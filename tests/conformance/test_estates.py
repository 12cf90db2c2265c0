"""80 small estates on disk, planned, traced, walked and validated as the reference does, byte for byte.

Ten runs differ by decision (decisions B21 and B22); what was decided for each is asserted in its place.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kcp.cli.main import main

ESTATES = 80
RUNS = 5
SHARD = 10

# In each, --trust-key names a file that is not there (B21).
MISSING_KEY = {
    f"e8080-{number}" for number in ("012", "013", "019", "031", "034", "041", "043", "059", "074")
}
# A folder and the manifest in it are one place, here `../dev` (B22).
ONE_PLACE = "e8080-073"
DECIDED_RUN = 2


class Result(NamedTuple):
    """What a run of the program came to."""

    code: int
    out: str
    err: str


@cache
def estates(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture
def all_estates(shared_data: Path) -> list[dict[str, Any]]:
    return estates(shared_data / "oracle" / "estates.jsonl.gz")


def program(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> Result:
    """Run one command line in the working directory."""
    capsys.readouterr()
    code = main(arguments)
    captured = capsys.readouterr()
    return Result(code, captured.out, captured.err)


def settle(folder: Path, estate: dict[str, Any]) -> None:
    """Write an estate's files."""
    for name, text in estate["files"].items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))


def without_verification(text: str) -> Any:
    """A trace without what only ours says of its inner plan (B10)."""
    trace = json.loads(text)
    trace["plan"]["manifest"].pop("sha256", None)
    trace["plan"].pop("signature", None)
    return json.dumps(trace)


def check_identical(result: Result, run: dict[str, Any]) -> None:
    """Compare with the reference's answer; its 1 is our 3 where nothing could be checked (B19)."""
    out, expected = result.out, run["stdout"]
    if "--trace" in run["args"] and out and expected:
        out, expected = without_verification(out), without_verification(expected)
    assert out == expected
    warning = ""
    if {"--no-verify", "--require-signature"} <= set(run["args"]):
        warning = "kcp-agent: warning: with --no-verify, --require-signature requires nothing\n"
    assert result.err == warning + run["stderr"]
    assert result.code == (3 if run["exit"] == 1 and run["stderr"] else run["exit"])


def check_missing_key(result: Result) -> None:
    """No plan is printed with less trust than was asked for."""
    message = "kcp-agent: cannot use --trust-key hub/signing.pub: key not found: hub/signing.pub\n"
    assert (result.code, result.out) == (3, "")
    assert result.err == message


def check_one_place(result: Result, run: dict[str, Any]) -> None:
    """The reference's tree, but for a second visit that is a cycle here."""
    expected = json.loads(run["stdout"])
    moved = make_cycle(expected, set())
    assert moved == ["../dev"]
    assert json.loads(result.out) == expected
    assert (result.code, result.err) == (0, "")


def make_cycle(node: dict[str, Any], seen: set[str]) -> list[str]:
    """Turn children at places seen before into references that are not followed; their URLs."""
    seen.add(node["location"])
    moved = []
    entries = {entry["id"]: entry for entry in node["plan"]["federation"]}
    for child in list(node["children"]):
        if child["location"] in seen:
            node["children"].remove(child)
            url = entries[child["refId"]]["url"]
            node["notFollowed"].append(
                {"id": child["refId"], "url": url, "reason": "already visited (cycle)"}
            )
            order = list(entries)
            node["notFollowed"].sort(key=lambda refusal: order.index(refusal["id"]))
            moved.append(url)
        else:
            moved += make_cycle(child, seen)
    return moved


def test_corpus_is_whole(all_estates: list[dict[str, Any]]) -> None:
    assert len(all_estates) == ESTATES
    assert sum(len(estate["runs"]) for estate in all_estates) == ESTATES * RUNS
    assert {*MISSING_KEY, ONE_PLACE} <= {estate["id"] for estate in all_estates}


@pytest.mark.parametrize("start", range(0, ESTATES, SHARD))
def test_every_run_is_identical_or_as_decided(
    start: int,
    all_estates: list[dict[str, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for estate in all_estates[start : start + SHARD]:
        folder = tmp_path / estate["id"]
        settle(folder, estate)
        monkeypatch.chdir(folder)
        for number, run in enumerate(estate["runs"]):
            result = program(run["args"], capsys)
            if number == DECIDED_RUN and estate["id"] in MISSING_KEY:
                check_missing_key(result)
            elif number == DECIDED_RUN and estate["id"] == ONE_PLACE:
                check_one_place(result, run)
            else:
                check_identical(result, run)
