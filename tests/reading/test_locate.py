"""Locations (planner contract §2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from kcp.errors import FetchError, ManifestError
from kcp.reading.locate import is_remote, join, locate, resolve


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_is_taken_as_given(place: Path) -> None:
    (place / "m.yaml").write_text("")
    for path in ("m.yaml", "./m.yaml", ".//m.yaml", str(place / "m.yaml")):
        assert locate(path) == path


def test_a_directory_holds_one_of_two_names(place: Path) -> None:
    known = place / "d" / ".well-known"
    known.mkdir(parents=True)
    with pytest.raises(ManifestError) as caught:
        locate("./d/")
    assert str(caught.value) == "no knowledge.yaml found in ./d/"
    (known / "knowledge.yaml").write_text("")
    assert locate("./d/") == "d/.well-known/knowledge.yaml"
    (place / "d" / "knowledge.yaml").write_text("")
    assert locate("./d/") == locate("d") == locate("d/../d/.") == "d/knowledge.yaml"
    assert locate(f"{place}//d") == f"{place}/d/knowledge.yaml"
    assert locate("d/.well-known") == "d/.well-known/knowledge.yaml"


def test_the_current_directory(place: Path) -> None:
    (place / "knowledge.yaml").write_text("")
    assert locate(".") == locate("./") == "knowledge.yaml"


@pytest.mark.parametrize(
    ("location", "shown"),
    [
        ("nope", "nope"),
        ("./nope/x.yaml", "./nope/x.yaml"),
        ("", ""),
        ("a\nb", r"'a\nb'"),
        ("a\0b", r"'a\x00b'"),
    ],
)
def test_nothing_there(place: Path, location: str, shown: str) -> None:
    with pytest.raises(ManifestError) as caught:
        locate(location)
    assert str(caught.value) == f"manifest not found: {shown}"


def test_what_counts_as_a_url() -> None:
    assert is_remote("http://x.example/k.yaml")
    assert is_remote("https://")
    assert not any(
        is_remote(text) for text in ("HTTPS://x", "https:/x", " https://x", "ftp://x", "httpsx://")
    )


@pytest.mark.parametrize(
    ("base", "location", "expected"),
    [
        ("a/b/k.yaml", "../../../x", "../x"),
        ("./k.yaml", "x.sig", "x.sig"),
        ("k.yaml", "x.sig", "x.sig"),
        ("a/k.yaml", "", "a"),
        ("k.yaml", "", "."),
        ("dir/k.yaml", "HTTPS://z/x", "dir/HTTPS:/z/x"),
        ("a/k.yaml", "https://z/x", "https://z/x"),
        ("a/k.yaml", "/abs//x", "/abs//x"),
        ("/k.yaml", "x", "/x"),
        ("/a/k.yaml", "../../x", "/x"),
        ("a//b/k.yaml", "./x/", "a/b/x/"),
        (None, "./x", "./x"),
        ("", "./x", "./x"),
    ],
)
def test_resolve(base: str | None, location: str, expected: str) -> None:
    assert resolve(base, location) == expected


def test_resolve_against_a_url() -> None:
    assert resolve("https://x/k.yaml", "http://y/z") == "http://y/z"
    assert resolve("https://x/a/k.yaml", "../z.sig") == "https://x/z.sig"
    with pytest.raises(FetchError, match="not a valid URL: //"):
        resolve("https://x/k.yaml", "//")


@pytest.mark.parametrize(
    ("parts", "path"),
    [
        (("",), "."),
        (("", "a"), "a"),
        (("//a", "b"), "/a/b"),
        (("a/./b", "../c"), "a/c"),
        (("..", "..", "a"), "../../a"),
        (("/..", "a"), "/a"),
        (("a", ".."), "."),
        (("a/", ""), "a/"),
    ],
)
def test_join(parts: tuple[str, ...], path: str) -> None:
    assert join(*parts) == path


def test_a_base_is_where_the_look_up_starts(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "d").mkdir()
    (place / "d" / "knowledge.yaml").write_text("")
    monkeypatch.chdir("/")
    for location, found in (
        ("d", "d/knowledge.yaml"),
        ("./d/", "d/knowledge.yaml"),
        ("d/knowledge.yaml",) * 2,
    ):
        assert locate(location, str(place)) == found
    assert locate(str(place / "d"), "/nowhere") == f"{place}/d/knowledge.yaml"
    for location in ("", "e", "../x"):
        with pytest.raises(ManifestError) as caught:
            locate(location, str(place))
        assert str(caught.value) == f"manifest not found: {location}"
