"""The reference's plans, traces, findings and diffs, every case identical and none skipped."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from kcp.evidence.conformance import run

CORPORA = {
    "planner-cases": 900,
    "planner-cases-governed": 300,
    "planner-cases-unicode": 150,
    "diff-cases": 150,
}
SHARD = 225


@pytest.mark.parametrize("corpus", CORPORA)
def test_corpus_is_whole(corpus: str, shared_data: Path) -> None:
    data = gzip.decompress((shared_data / "oracle" / f"{corpus}.jsonl.gz").read_bytes())
    assert data.count(b"\n") == CORPORA[corpus]


@pytest.mark.parametrize(
    ("corpus", "start"),
    [(corpus, start) for corpus, count in CORPORA.items() for start in range(0, count, SHARD)],
)
def test_every_case_is_identical(corpus: str, start: int, shared_data: Path, tmp_path: Path) -> None:
    with gzip.open(shared_data / "oracle" / f"{corpus}.jsonl.gz") as lines:
        shard = list(lines)[start : start + SHARD]
    path = tmp_path / "shard.jsonl"
    path.write_bytes(b"".join(shard))
    report: list[str] = []
    code = run([str(path)], None, report.append)
    assert report == [f"{len(shard)} cases: {len(shard)} identical, 0 different, 0 skipped"]
    assert code == 0


def test_gzipped_corpora_are_read_as_they_are(shared_data: Path) -> None:
    report: list[str] = []
    assert run([str(shared_data / "oracle" / "diff-cases.jsonl.gz")], None, report.append) == 0
    assert report == ["150 cases: 150 identical, 0 different, 0 skipped"]
