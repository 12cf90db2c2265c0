"""Runs the program in this process, for the tests of the commands that authors use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kcp.cli.main import main
from tests.cli.conftest import Result


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Runs a command line."""

    def call(*words: str | Path) -> Result:
        capsys.readouterr()
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return call
