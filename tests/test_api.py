"""The library as `from kcp import …` offers it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kcp
from kcp import Capabilities, Manifest, ManifestError, PlanOptions, load_manifest
from kcp.authoring.validate.findings import Finding
from tests.support import AS_OF, SOUND, plain, text_of

DATED = PlanOptions(as_of=AS_OF)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "u.md").write_text("text", encoding="utf-8")
    gone = SOUND.replace("id: u, path: u.md", "id: v, path: gone.md")
    (tmp_path / "knowledge.yaml").write_text(text_of((SOUND, gone), {}), encoding="utf-8")
    return tmp_path


def test_every_name_is_there():
    for name in kcp.__all__:
        assert getattr(kcp, name) is not None
    assert kcp.Manifest is Manifest
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", kcp.__version__)


def test_other_names_are_not():
    with pytest.raises(AttributeError, match="module 'kcp' has no attribute 'nothing'"):
        _ = kcp.nothing


def test_a_manifest_becomes_a_plan(folder: Path):
    manifest = load_manifest(str(folder))
    assert manifest.source == str(folder / "knowledge.yaml")
    assert manifest.sha256 is not None
    made = kcp.plan(manifest, "deploy", DATED)
    assert [unit.id for unit in made.selected] == ["u", "v"]
    assert made.manifest.sha256 == manifest.sha256
    assert kcp.trace(manifest, "deploy", DATED).plan == made
    options = DATED.replace(capabilities=Capabilities(role="human"))
    change = kcp.diff(made, kcp.plan(manifest, "deploy", options))
    assert [move.direction for move in change.moves] == ["selected_to_skipped"] * 2
    assert kcp.diff(made, made).identical


def test_without_options_the_date_is_todays(folder: Path):
    manifest = load_manifest(str(folder))
    before = kcp.today()
    dates = {kcp.plan(manifest, "deploy").as_of, kcp.trace(manifest, "deploy").as_of}
    assert dates <= {before, kcp.today()}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", before)
    assert kcp.plan(manifest, "deploy").options.capabilities == Capabilities()


def test_validation_looks_up_paths_beside_the_manifest(folder: Path):
    missing = Finding("error", "unit 'v'", "path 'gone.md' does not exist")
    report = kcp.validate(str(folder), as_of=AS_OF)
    assert plain(report.findings) == (missing,)
    assert report.source == str(folder / "knowledge.yaml")
    assert report.read
    assert not report.ok
    assert kcp.validate(load_manifest(str(folder)), as_of=AS_OF) == report


def test_a_path_with_a_nul_does_not_exist(tmp_path: Path):
    where = tmp_path / "k.yaml"
    where.write_text(text_of((SOUND.replace("u.md", '"u\\0.md"'),), {}), encoding="utf-8")
    assert [each.message for each in kcp.validate(str(where)).findings] == ["path 'u\0.md' does not exist"]


def test_a_manifest_that_was_not_read_from_a_file_has_no_paths_to_look_up():
    report = kcp.validate(Manifest("p", "1", "0.32", units=(kcp.Unit("u", "gone.md", "i"),)), as_of=AS_OF)
    assert report.source == "(text)"
    assert report.ok


def test_expiry_is_judged_by_the_date_given(tmp_path: Path):
    where = tmp_path / "u.md"
    where.write_text(text_of((f"{SOUND}, temporal: {{valid_until: '2026-07-05'}}",), {}), encoding="utf-8")
    assert len(kcp.validate(str(where), as_of="2026-07-06").findings) == 1
    assert kcp.validate(str(where), as_of="2026-07-05").findings == ()
    assert len(kcp.validate(str(where)).findings) == 1


def test_a_manifest_that_cannot_be_read_gives_one_error(tmp_path: Path):
    gone = str(tmp_path / "gone.yaml")
    report = kcp.validate(gone)
    assert plain(report.findings) == (Finding("error", "manifest", f"manifest not found: {gone}"),)
    assert (report.source, report.project, report.read) == (gone, None, False)
    with pytest.raises(ManifestError, match="manifest not found"):
        load_manifest(gone)


def test_a_cap_on_the_size_of_manifests(folder: Path):
    with pytest.raises(ManifestError):
        load_manifest(str(folder), max_bytes=10)
