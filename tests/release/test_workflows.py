"""Workflows: pinned, with few rights, and made of scripts that are there."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
if not WORKFLOWS:
    pytest.skip("not a checkout: no workflows", allow_module_level=True)
FILES = [*WORKFLOWS, ROOT / "action.yml"]


def read(path: Path) -> dict[str, Any]:
    return yaml.load(path.read_text("utf-8"), Loader=yaml.BaseLoader)  # noqa: S506 — `on` is a word there


def names(path: Path) -> str:
    return path.name


RELEASE = read(ROOT / ".github" / "workflows" / "release.yml")


def everything_before(job: str) -> set[str]:
    """The jobs that must have succeeded before one starts."""
    needs = RELEASE["jobs"][job].get("needs", [])
    return {*needs, *(each for name in needs for each in everything_before(name))}


@pytest.mark.parametrize("path", FILES, ids=names)
def test_actions_are_pinned_by_one_digest_each(path: Path):
    pins = dict[str, str]()
    for other in FILES:
        for action, pin in re.findall(r"uses: ([\w/.-]+)@(.*)", other.read_text("utf-8")):
            assert pins.setdefault(action, pin) == pin, f"{action} differs in {other.name}"
    text = path.read_text("utf-8")
    for pin in re.findall(r"uses: \S+@(.*)", text):
        assert re.fullmatch(r"[0-9a-f]{40} # v\d+\.\d+\.\d+", pin)
    for image in re.findall(r"(?:image|container): +(quay\S+)", text):
        assert re.search(r"@sha256:[0-9a-f]{64}$", image)


@pytest.mark.parametrize("path", FILES, ids=names)
def test_scripts_are_there(path: Path):
    for script in re.findall(r"\./(scripts/[\w-]+)", path.read_text("utf-8")):
        assert os.path.isfile(ROOT / script), script


@pytest.mark.parametrize("path", WORKFLOWS, ids=names)
def test_jobs_have_a_limit_and_no_credentials(path: Path):
    workflow = read(path)
    assert workflow["permissions"] in ({}, {"contents": "read"})
    assert workflow["concurrency"]["group"]
    for name, job in workflow["jobs"].items():
        assert int(job["timeout-minutes"]) <= 90, name
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] == "false"
            assert "${{" not in step.get("run", ""), "an expression in a script is read as shell text"
    assert "secrets." not in path.read_text("utf-8")


def test_only_the_last_jobs_of_a_release_may_write():
    writers = {
        name: {right for right, kind in job["permissions"].items() if kind == "write"}
        for name, job in RELEASE["jobs"].items()
    }
    assert {name: rights for name, rights in writers.items() if rights} == {
        "attest": {"id-token", "attestations"},
        "publish-package": {"id-token"},
        "publish-files": {"contents"},
    }
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    assert "actions/cache" not in text
    assert not re.search(r"^\s*cache:", text, re.MULTILINE)


def test_nothing_is_published_before_everything_was_tried():
    built = {"check", "package", "linux", "others", "smoke", "smoke-package", "gather"}
    for job in ("attest", "publish-package", "publish-files"):
        assert built <= everything_before(job)
    assert RELEASE["jobs"]["attest"]["if"] == "github.event_name == 'push'"
    assert RELEASE["on"]["push"] == {"tags": ["v*"]}
    for job in ("linux", "smoke", "smoke-package", "gather", "check", "package"):
        assert "continue-on-error" not in RELEASE["jobs"][job]


def test_every_system_that_is_built_is_tried():
    def systems(job: str) -> set[str]:
        return {entry["system"] for entry in RELEASE["jobs"][job]["strategy"]["matrix"]["include"]}

    assert systems("smoke") == systems("linux") | systems("others")


def test_ci_covers_the_supported_pythons_and_systems():
    matrix = read(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]["test"]["strategy"]["matrix"]
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert matrix["python"] == re.findall(r'"Programming Language :: Python :: (3\.\d+)"', project)
    assert {os_name.partition("-")[0] for os_name in matrix["os"]} == {"ubuntu", "macos", "windows"}
