"""A folder that relative paths start from: files are read there, and reported as given."""

from __future__ import annotations

from pathlib import Path

import pytest

from kcp.errors import ManifestError
from kcp.reading.sources import Sources


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a manifest, its files and a sibling; not the working directory."""
    home = tmp_path / "home"
    for path, text in (
        ("hub/k.yaml", "project: hub\n"),
        ("hub/u.md", "u"),
        ("mirror/knowledge.yaml", "x: 1\n"),
    ):
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text)
    (tmp_path / "secret").write_text("s")
    (home / "hub" / "link.md").symlink_to(tmp_path / "secret")
    (tmp_path / "cwd").mkdir()
    monkeypatch.chdir(tmp_path / "cwd")
    return home


@pytest.mark.parametrize("base", ["absolute", "../home"])
def test_paths_are_reported_as_given(home: Path, base: str) -> None:
    sources = Sources(base=str(home) if base == "absolute" else base)
    read = sources.read_manifest("hub/k.yaml")
    assert (read.source, read.data) == ("hub/k.yaml", b"project: hub\n")
    assert sources.read_manifest("mirror").source == "mirror/knowledge.yaml"
    assert sources.read_unit("hub/k.yaml", "u.md") == b"u"
    assert sources.read_beside("hub/k.yaml", "u.md", "file") == "u"
    assert sources.mirror("hub/k.yaml", "../mirror") == "mirror"
    assert sources.mirror("hub/k.yaml", "../mirror/knowledge.yaml") == "mirror/knowledge.yaml"
    assert sources.mirror("hub/k.yaml", "../nowhere") is None
    assert sources.identity("hub/k.yaml") == str(home / "hub" / "k.yaml")
    assert sources.identity("mirror") == str(home / "mirror" / "knowledge.yaml")
    assert sources.identity("nowhere") == str(home / "nowhere")


@pytest.mark.parametrize(
    ("path", "message"),
    [("nope.md", "unit not found: hub/nope.md"), ("link.md", "unsafe path"), ("../x", "unsafe path")],
)
def test_errors_name_the_path_as_given(home: Path, path: str, message: str) -> None:
    with pytest.raises(ManifestError) as caught:
        Sources(base=str(home)).read_unit("hub/k.yaml", path)
    assert str(caught.value) == message
    with pytest.raises(ManifestError) as caught:
        Sources(base=str(home)).read_manifest("hub/nope.yaml")
    assert str(caught.value) == "manifest not found: hub/nope.yaml"


def test_absolute_paths_and_the_root(home: Path) -> None:
    whole = str(home / "hub" / "k.yaml")
    assert Sources(base="/nowhere").read_manifest(whole).source == whole
    assert Sources(base=str(home), root=str(home / "hub")).read_manifest("hub/k.yaml").source == "hub/k.yaml"
    with pytest.raises(ManifestError, match="outside the root"):
        Sources(base=str(home), root=str(home / "hub")).read_manifest("mirror")


def test_what_the_operator_names_is_not_moved(home: Path) -> None:
    (Path.cwd() / "key").write_text("k")
    assert Sources(base=str(home)).read_trusted("key", "key") == b"k"
    moved = Sources(root="/").with_base(str(home)).with_fetcher(None)
    assert (moved.base, moved.root) == (str(home), "/")
