"""`kcp-agent init` (surfaces contract §6)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kcp.cli.commands import init


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(init, "today", lambda: "2026-07-06")
    folder = tmp_path / "harbour"
    folder.mkdir()
    (folder / "README.md").write_text("# Harbour\n", "utf-8")
    return folder


def test_writes_the_draft_and_says_so(run: Callable, project: Path):
    printed = run("init", project, "--dry-run").out
    assert not (project / "knowledge.yaml").exists()
    assert run("init", project) == (0, f"knowledge.yaml written to {project}\n", "")
    assert (project / "knowledge.yaml").read_text("utf-8") == printed
    assert run("validate", project).code == 0


def test_working_directory_by_default(run: Callable, project: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(project)
    assert run("init").out == "knowledge.yaml written to .\n"
    assert "project: harbour\n" in (project / "knowledge.yaml").read_text("utf-8")


def test_manifest_that_is_there_is_not_replaced(run: Callable, project: Path):
    target = project / "knowledge.yaml"
    target.write_text("mine\n", "utf-8")
    said = f"kcp-agent: knowledge.yaml already exists in {project} — use --force to overwrite\n"
    assert run("init", project) == (2, "", said)
    assert target.read_text("utf-8") == "mine\n"
    # A dry run never refuses.
    code, out, err = run("init", project, "--dry-run")
    assert (code, err) == (0, "")
    assert out.startswith("# Drafted")
    assert target.read_text("utf-8") == "mine\n"
    assert run("init", project, "--force").code == 0
    assert target.read_text("utf-8") == out


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_link_is_not_written_through(run: Callable, project: Path, tmp_path: Path):
    outside = tmp_path / "precious"
    outside.write_text("precious\n", "utf-8")
    (project / "knowledge.yaml").symlink_to(outside)
    assert run("init", project).code == 2
    code, out, err = run("init", project, "--force")
    assert (code, out) == (3, "")
    assert "it is a symbolic link; remove it" in err
    assert outside.read_text("utf-8") == "precious\n"


@pytest.mark.parametrize("flag", ["--publisher", "--attest"])
def test_publisher(run: Callable, project: Path, flag: str):
    assert '    publisher: "Acme, Inc."\n' in run("init", project, flag, "Acme, Inc.", "--dry-run").out


def test_no_such_folder(run: Callable, tmp_path: Path):
    assert run("init", tmp_path / "none") == (3, "", f"kcp-agent: no such folder: {tmp_path}/none\n")


def test_surplus_word(run: Callable):
    assert run("init", "a", "b").code == 2


def test_draft_with_errors_is_not_written(run: Callable, project: Path, monkeypatch: pytest.MonkeyPatch):
    from kcp.authoring.init import scaffold
    from kcp.authoring.validate.findings import Finding, make_report

    real = scaffold.draft_project

    def broken(*words: object) -> object:
        draft = real(*words)  # type: ignore[arg-type]
        return draft.replace(report=make_report("k", "p", [Finding("error", "unit 'a'", "no good")]))

    monkeypatch.setattr(scaffold, "draft_project", broken)
    code, out, err = run("init", project)
    assert (code, out) == (1, "")
    assert err == "Generated manifest has validation errors:\n  ✗ unit 'a': no good\n"
    assert not (project / "knowledge.yaml").exists()
