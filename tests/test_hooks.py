"""The hooks for pre-commit and the action for GitHub: they are well formed, and what they run works."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kcp.cli.flags import flags_of
from kcp.cli.lint.config import FAIL_ON
from kcp.reading.locate import MANIFEST_NAMES
from tests.test_guides import make_program

needs_posix = pytest.mark.skipif(os.name != "posix", reason="runs a shell script for the program")

GOOD = """\
project: p
version: "1"
kcp_version: "0.32"
units:
  - {id: tides, path: a.md, intent: Tides, scope: global, triggers: [tide], audience: [agent]}
"""
BAD = GOOD.replace("a.md", "gone.md")


@pytest.fixture
def hooks(repository: Path) -> list[dict[str, Any]]:
    text = (repository / ".pre-commit-hooks.yaml").read_text("utf-8")
    loaded: list[dict[str, Any]] = yaml.safe_load(text)
    return loaded


@pytest.fixture
def action(repository: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((repository / "action.yml").read_text("utf-8"))
    return loaded


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A repository with a good manifest, a bad one below it, and questions."""
    sample = tmp_path / "sample repository"
    (sample / "docs").mkdir(parents=True)
    (sample / "a.md").write_text("x", encoding="utf-8")
    (sample / "knowledge.yaml").write_text(GOOD, encoding="utf-8")
    (sample / "docs" / "knowledge.yaml").write_text(BAD, encoding="utf-8")
    (sample / "q.txt").write_text("tide? => tides\nmoon? => tides\n", encoding="utf-8")
    return sample


def test_hooks_are_as_pre_commit_wants_them(hooks: list[dict[str, Any]]):
    assert [(hook["id"], hook["language"]) for hook in hooks] == [
        ("kcp-validate", "python"),
        ("kcp-validate-system", "system"),
    ]
    known = {"id", "name", "description", "entry", "language", "files", "types", "minimum_pre_commit_version"}
    for hook in hooks:
        assert set(hook) == known
        assert hook["types"] == ["yaml"]
        for name in (*MANIFEST_NAMES, "a/b/knowledge.yaml"):
            assert re.search(hook["files"], name)
        for name in ("knowledge.yml", "my-knowledge.yaml", "knowledge.yaml.sig", "knowledgeXyaml"):
            assert not re.search(hook["files"], name)


@needs_posix
def test_hooks_check_the_files_they_are_given(
    hooks: list[dict[str, Any]], repository: Path, tmp_path: Path, sample: Path
):
    programs = make_program(repository, tmp_path)
    for hook in hooks:
        entry = shlex.split(hook["entry"])
        assert entry[0] == "kcp-agent"
        for files, code in ((["knowledge.yaml"], 0), (["knowledge.yaml", "docs/knowledge.yaml"], 1)):
            line = [str(programs / "kcp-agent"), *entry[1:], *files]
            done = subprocess.run(line, cwd=sample, capture_output=True, text=True, timeout=60, check=False)
            assert (done.returncode, done.stderr) == (code, "")
            assert done.stdout.count("Validate: ") == len(files)


def test_the_action_is_well_formed(action: dict[str, Any]):
    assert action["runs"]["using"] == "composite"
    assert all(isinstance(action[key], str) for key in ("name", "description"))
    for name, given in action["inputs"].items():
        assert set(given) == {"description", "default"}, name
        assert isinstance(given["default"], str), name
    assert action["inputs"]["fail-on"]["default"] in FAIL_ON
    for step in action["runs"]["steps"]:
        assert ("uses" in step) != ("run" in step)
        if "run" in step:
            assert step["shell"] == "bash"
            assert "${{" not in step["run"], "an input in a script is read as shell text"


def test_the_action_uses_inputs_and_steps_that_are_there(action: dict[str, Any], repository: Path):
    text = (repository / "action.yml").read_text("utf-8")
    steps = [step["id"] for step in action["runs"]["steps"]]
    assert set(re.findall(r"\$\{\{ inputs\.([\w-]+) }}", text)) == set(action["inputs"])
    assert set(re.findall(r"\$\{\{ steps\.([\w-]+)\.", text)) <= set(steps)
    flags = {flag.name for flag in flags_of("validate")}
    assert set(re.findall(r"--[a-z-]+", action["runs"]["steps"][-1]["run"])) <= flags | {"--"}


@pytest.fixture
def act(
    action: dict[str, Any], repository: Path, tmp_path: Path, sample: Path
) -> Callable[..., tuple[int, list[str]]]:
    """Runs the action's last step on the sample; the exit code and the lines."""
    programs = make_program(repository, tmp_path)
    step = action["runs"]["steps"][-1]

    def call(**inputs: str) -> tuple[int, list[str]]:
        given = {key.replace("-", "_"): value["default"] for key, value in action["inputs"].items()} | inputs
        environment = {"PATH": os.environ.get("PATH", ""), "PROGRAM": str(programs / "kcp-agent")}
        for name, value in step["env"].items():
            found = re.fullmatch(r"\$\{\{ inputs\.([\w-]+) }}", value)
            if found:
                environment[name] = given[found.group(1).replace("-", "_")]
        line = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
        done = subprocess.run(
            line, cwd=sample, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        return done.returncode, (done.stdout + done.stderr).splitlines()

    return call


@needs_posix
def test_the_action_annotates(act: Callable):
    code, lines = act()
    assert code == 1
    (line,) = [line for line in lines if line.startswith("::error ")]
    assert line.startswith("::error file=docs/knowledge.yaml,line=5,col=")
    assert act(manifests="knowledge.yaml") == (0, [])
    assert act(manifests="knowledge.yaml\n\ndocs/*.yaml\n")[0] == 1
    assert act(fail_on="never")[0] == 0
    assert act(fail_on="sometimes")[0] == 2


@needs_posix
def test_the_action_applies_both_sets_by_default(act: Callable, sample: Path):
    text = GOOD.replace("scope: global", "scope: team")
    (sample / "knowledge.yaml").write_text(text, encoding="utf-8")
    assert act(manifests="knowledge.yaml")[0] == 1
    assert act(manifests="knowledge.yaml", rules="agent") == (0, [])


@needs_posix
def test_the_action_asks(act: Callable):
    code, lines = act(manifests="knowledge.yaml", questions="q.txt", fail_on="warning")
    assert code == 1
    (line,) = lines
    assert line.startswith(
        "::warning file=knowledge.yaml,line=5,col=5,title=KCP152::unit 'tides': not selected"
    )


@needs_posix
def test_no_input_of_the_action_is_shell_text_or_a_flag(act: Callable, sample: Path):
    for hostile in ("$(touch owned)", "`touch owned`", "; touch owned", "--fix", "x' \"y"):
        code, lines = act(manifests=hostile)
        assert code == 3, lines
        for name in ("rules", "fail_on"):
            assert act(**{name: hostile})[0] == 2
        assert act(manifests="knowledge.yaml", questions=hostile)[0] == 3
    assert not (sample / "owned").exists()
