"""`validate --fix`: files change in place, at once or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kcp.cli.lint import repair
from kcp.cli.main import main

BEFORE = """\
project: p
version: "1"
kcp_version: "0.32"
units:
  - id: a
    path: a.md
    intent: i
    triger: [t]  # what for?
    triggers: t
    audience: [agent]
"""
AFTER = BEFORE.replace("triggers: t", "triggers: [t]")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    file = tmp_path / "knowledge.yaml"
    file.write_text(BEFORE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return file


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*words: str | Path) -> tuple[int, str, str]:
        code = main(["validate", *[str(word) for word in words]])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_a_file_is_repaired_and_judged_as_it_then_is(run: Callable, file: Path):
    file.chmod(0o640)
    assert run(file)[0] == 1
    code, out, _ = run(file, "--fix")
    assert code == 0
    assert out.splitlines() == [
        f"Fixed: {file}: triggers made a list",
        "",
        f"Validate: {file} (p)",
        "✓ valid — 0 warning(s)",
    ]
    assert file.read_text("utf-8") == AFTER
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in file.parent.iterdir()) == ["a.md", "knowledge.yaml"]
    assert run(file, "--fix")[1].splitlines()[0] == f"Validate: {file} (p)"


def test_a_folder_is_repaired(run: Callable, file: Path):
    assert run(file.parent, "--fix")[0] == 0
    assert file.read_text("utf-8") == AFTER


@pytest.mark.parametrize("words", [["--fix", "--preview"], ["--preview"]])
def test_a_preview_changes_nothing(run: Callable, file: Path, words: list[str]):
    code, out, _ = run(file, *words)
    assert code == 1
    assert file.read_text("utf-8") == BEFORE
    lines = out.splitlines()
    assert lines[:2] == [f"--- {file}", f"+++ {file} (fixed)"]
    assert "-    triggers: t" in lines
    assert "+    triggers: [t]" in lines


def test_a_preview_shows_changes_at_the_edges(run: Callable, file: Path):
    file.write_bytes(b"\xef\xbb\xbf" + AFTER.rstrip("\n").encode())
    out = run(file, "--preview")[1]
    assert "-\\ufeffproject: p" in out.splitlines()
    assert file.read_bytes().startswith(b"\xef\xbb\xbf")
    run(file, "--fix")
    assert file.read_text("utf-8") == AFTER


def test_unsafe_repairs_are_asked_for(run: Callable, file: Path):
    file.write_text(BEFORE.replace("    triggers: t\n", ""), encoding="utf-8")
    run(file, "--fix")
    assert "triger: [t]" in file.read_text("utf-8")
    assert f"Fixed: {file}: triger renamed to triggers" in run(file, "--unsafe-fixes")[1]
    assert "    triggers: [t]  # what for?\n" in file.read_text("utf-8")


def test_a_signed_manifest_is_to_be_signed_again(run: Callable, file: Path):
    file.write_text(BEFORE + "signing: {scheme: ed25519}\n", encoding="utf-8")
    assert "the manifest declares a signature; sign it again" in run(file, "--fix")[1]


@pytest.mark.parametrize("location", ["-", "https://h.example/knowledge.yaml"])
def test_only_files_are_repaired(run: Callable, file: Path, location: str):
    code, _, err = run(file, location, "--fix")
    assert (code, err) == (2, f"kcp-agent: --fix changes files, and {location} is none\n")
    assert file.read_text("utf-8") == BEFORE


def test_what_cannot_be_read_is_left_and_reported(run: Callable, file: Path):
    bad = file.parent / "bad.yaml"
    bad.write_text("a: b: c", encoding="utf-8")
    code, out, _ = run(bad, file, "--fix")
    assert code == 3
    assert out.startswith(f"not fixed: {bad}: bad indentation of a mapping entry\nFixed: {file}")
    assert bad.read_text("utf-8") == "a: b: c"


def test_a_file_that_changes_meanwhile_is_left(run: Callable, file: Path, monkeypatch: pytest.MonkeyPatch):
    other = AFTER + "# another's\n"

    def interfering(data: bytes, **options: object) -> object:
        from kcp.authoring.validate.fixes import Fixed

        file.write_text(other, encoding="utf-8")
        return Fixed(data + b"#", ("x",))

    monkeypatch.setattr("kcp.authoring.validate.fixes.fix", interfering)
    assert f"not fixed: {file}: the file changed meanwhile" in run(file, "--fix")[1]
    assert file.read_text("utf-8") == other


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_is_not_repaired_through(run: Callable, file: Path):
    (file.parent / "repo").mkdir()
    link = file.parent / "repo" / "knowledge.yaml"
    link.symlink_to(file)
    (link.parent / "a.md").write_text("x", encoding="utf-8")
    before = b"\xef\xbb\xbf" + AFTER.encode()
    file.write_bytes(before)
    assert run(link)[0] == 0  # sound, and yet there is something to repair
    code, out, _ = run(link, "--fix")
    assert code == 3
    assert out.startswith(f"not fixed: {link}: cannot write {link}: it is a symbolic link; remove it")
    assert file.read_bytes() == before
    assert link.is_symlink()


def test_other_formats_stay_pure(run: Callable, file: Path):
    code, out, err = run(file, "--fix", "--format", "json")
    assert code == 0
    assert out.startswith("{")
    assert err == f"Fixed: {file}: triggers made a list\n"


def test_repairs_are_counted():
    assert repair._counted(("a", "b", "a")) == ["a (2×)", "b"]
