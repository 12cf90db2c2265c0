"""Reading saved artifacts from disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kcp.errors import ArtifactError
from kcp.evidence.artifacts import plan_digest, read_artifact


def test_size_is_bounded(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(b"1234")
    assert read_artifact(str(file), max_bytes=4) == 1234
    with pytest.raises(ArtifactError, match="artifact is larger than 3 bytes"):
        read_artifact(str(file), max_bytes=3)


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_bytes('{"é": [1]}'.encode())
    assert read_artifact(str(file)) == {"é": [1]}
    with pytest.raises(ArtifactError, match=r"artifact not found: .*missing"):
        read_artifact(str(tmp_path / "missing"))
    with pytest.raises(ArtifactError, match="is a directory, not an artifact"):
        read_artifact(str(tmp_path))
    with pytest.raises(ArtifactError, match="artifact not found"):
        read_artifact("a\0b")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(ArtifactError, match="not a regular file"):
        read_artifact(str(pipe))


@pytest.mark.parametrize(
    ("artifact", "message"),
    [
        (3, "not a saved plan"),
        ({"plan": []}, "not a saved plan"),
        ({"selected": []}, "member 'skipped' is missing"),
        ({"selected": [{"id": 1}], "skipped": []}, r"selected\[0\]: member 'id' must be a string"),
        ({"selected": [], "skipped": [], "warnings": [1]}, r"warnings\[0\] must be a string"),
    ],
)
def test_what_is_no_plan_is_refused_by_name(artifact: object, message: str) -> None:
    with pytest.raises(ArtifactError, match=rf"^x: (.*)?{message}"):
        plan_digest(artifact, "x")
