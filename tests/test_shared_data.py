"""Where tests look for the reference's answers, and what happens when they are not there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).resolve().parent / "conftest.py"
TEST = "def test_it(shared_data):\n    assert (shared_data / 'mark').is_file()\n"


@pytest.mark.parametrize(
    ("folder", "named", "outcome"),
    [
        ("shared", None, "1 passed"),
        ("elsewhere", "elsewhere", "1 passed"),
        (None, None, "1 skipped"),
        ("shared", "elsewhere", "1 error"),
    ],
    ids=["beside the checkout", "KCP_SHARED", "nowhere", "KCP_SHARED and missing"],
)
def test_reference_data_is_found_skipped_or_missed(
    tmp_path: Path, folder: str | None, named: str | None, outcome: str
) -> None:
    tests = tmp_path / "checkout" / "tests"
    tests.mkdir(parents=True)
    shutil.copy(CONFTEST, tests)
    (tests / "test_it.py").write_text(TEST)
    if folder:
        (tmp_path / folder / "data").mkdir(parents=True)
        (tmp_path / folder / "data" / "mark").touch()
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("KCP_", "PYTEST_"))
    }
    if named:
        environment["KCP_SHARED"] = str(tmp_path / named)
    command = [sys.executable, "-m", "pytest", "-rsE", "-p", "no:xdist", "-p", "no:cacheprovider", str(tests)]
    done = subprocess.run(
        command,
        cwd=tests,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome in done.stdout.splitlines()[-1]
    if outcome == "1 skipped":
        assert "reference data not found: no ../shared/data, and KCP_SHARED is not set" in done.stdout
    if outcome == "1 error":
        assert f"KCP_SHARED is set, but there is no folder {tmp_path / 'elsewhere' / 'data'}" in done.stdout
