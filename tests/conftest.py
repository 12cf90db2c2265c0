"""What all tests share: where the reference data lies, and how Hypothesis searches."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# Deadlines measure the machine, not the code; the machine is shared with the other workers of the run.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, database=None)
settings.register_profile("thorough", settings.get_profile("default"), max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default"))


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of the reference's answers: $KCP_SHARED/data, or else shared/data beside the checkout.

    Skips where neither is set nor there; fails where KCP_SHARED is set and the folder is not there.
    """
    named = os.environ.get("KCP_SHARED")
    if named:
        data = Path(named) / "data"
        if not data.is_dir():
            pytest.fail(f"KCP_SHARED is set, but there is no folder {data}")
        return data
    data = ROOT.parent / "shared" / "data"
    if not data.is_dir():
        pytest.skip("reference data not found: no ../shared/data, and KCP_SHARED is not set")
    return data
