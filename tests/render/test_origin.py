"""Where a manifest is said to come from, and what says so (render contract §4, §7)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kcp.errors import UsageError
from kcp.render.git_remote import find_checkout, origin_url
from kcp.render.origin import Corroboration, Sighting, corroborate, corroboration_url, find_origin
from kcp.render.tier import Origin
from tests.render.conftest import MINIMAL, ORG, PINNED, Desk, Web

UNKNOWN = Origin()


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("github.com/Org/repo", "github.com/Org/repo"),
        ("https://user:tok@GitHub.com/Org/repo.git/", "github.com/Org/repo"),
        ("git@github.com:Cantara/lib-pcb.GIT", "github.com/Cantara/lib-pcb"),
        ("ssh://git@GITLAB.example.com:22/grp/proj.git/", "gitlab.example.com/grp/proj"),
        ("https://a.example:443/x", "a.example/x"),
        ("https://a.example:8443/x", "a.example:8443/x"),
    ],
)
def test_asserted_origin_is_normalised(given: str, name: str):
    assert find_origin("k.yaml", given).origin == Origin(name, "asserted")


def test_the_word_unknown_asserts_nothing(desk: Desk):
    desk.git()
    desk.write(MINIMAL)
    assert find_origin(str(desk.path), "unknown").origin == UNKNOWN


@pytest.mark.parametrize("given", ["a b", "github.com/../x", "github.com/é", "x\ny", "/srv/x", " ", "a//b"])
def test_what_is_no_origin_is_refused(desk: Desk, given: str):
    with pytest.raises(UsageError):
        find_origin("k.yaml", given)
    desk.write(MINIMAL)
    result = desk.render(origin=given)
    assert (result.code, result.out) == (2, "")


def test_fetched_from():
    found = find_origin("k.yaml", None, "https://Example.org/team/knowledge.yaml")
    assert found.origin == Origin("example.org/team", "fetched")
    assert find_origin("k.yaml", "a.example/x", "https://example.org/k.yaml").origin.evidence == "asserted"


def test_derived(desk: Desk):
    desk.git()
    found = find_origin(str(desk.path), None)
    assert found == Sighting(Origin(PINNED, "derived"), "knowledge.yaml")


def test_derived_from_a_parent_with_the_path_inside(desk: Desk):
    desk.git()
    (desk.folder / "docs").mkdir()
    found = find_origin(str(desk.folder / "docs" / "knowledge.yaml"), None)
    assert found == Sighting(Origin(PINNED, "derived"), "docs/knowledge.yaml")


@pytest.mark.parametrize("url", ["/srv/git/x.git", "../x", "file:///srv/x", "", "https://é.example/x"])
def test_remote_that_names_no_origin(desk: Desk, url: str):
    desk.git(url)
    assert find_origin(str(desk.path), None).origin == UNKNOWN


def test_environment_of_git_is_ignored(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    other = tmp_path / "other" / ".git"
    other.mkdir(parents=True)
    (other / "config").write_text('[remote "origin"]\nurl = https://evil.example/x\n')
    monkeypatch.setenv("GIT_DIR", str(other))
    monkeypatch.setenv("GIT_CONFIG", str(other / "config"))
    desk.git()
    assert find_origin(str(desk.path), None).origin.name == PINNED


@pytest.mark.parametrize(
    ("config", "url"),
    [
        ('[remote "origin"]\n\turl = https://a.example/x\n', "https://a.example/x"),
        ('[REMOTE "origin"] URL=https://a.example/x', "https://a.example/x"),
        ("[remote.origin]\nurl = https://a.example/x ; comment\n", "https://a.example/x"),
        ('[remote "origin"]\nurl = "https://a.example/x#y" # c\n', "https://a.example/x#y"),
        ('[remote "origin"]\nurl = https://a.ex\\\nample/x\n', "https://a.example/x"),
        ('[remote "origin"]\nurl = a\nurl = b\n', "a"),
        ('[remote "Origin"]\nurl = a\n', None),
        ('[remote "upstream"]\nurl = a\n[branch "main"]\nremote = origin\n', None),
        ('[remote "origin"]\npushurl = a\nurlx = b\n', None),
        ('[remote "origin\nurl = a\n', None),
        ("", None),
    ],
)
def test_config(config: str, url: str | None):
    assert origin_url(config) == url


def test_work_tree_and_submodule(desk: Desk, tmp_path: Path):
    desk.git()
    git = desk.folder / ".git"
    (git / "worktrees" / "side").mkdir(parents=True)
    (git / "worktrees" / "side" / "commondir").write_text("../..\n")
    side = tmp_path / "side"
    side.mkdir()
    (side / ".git").write_text(f"gitdir: {git}/worktrees/side\n")
    assert find_origin(str(side / "knowledge.yaml"), None).origin.name == PINNED
    module = desk.folder / "module"
    (git / "modules" / "module").mkdir(parents=True)
    (git / "modules" / "module" / "config").write_text('[remote "origin"]\nurl = https://a.example/m\n')
    module.mkdir()
    (module / ".git").write_text("gitdir: ../.git/modules/module\n")
    assert find_origin(str(module / "knowledge.yaml"), None).origin.name == "a.example/m"


def test_git_file_that_leads_elsewhere_is_not_followed(desk: Desk, tmp_path: Path):
    elsewhere = tmp_path / "private"
    elsewhere.mkdir()
    (elsewhere / "config").write_text('[remote "origin"]\nurl = https://private.example/x\n')
    (desk.folder / ".git").write_text(f"gitdir: {elsewhere}\n")
    assert find_origin(str(desk.path), None).origin == UNKNOWN
    (desk.folder / ".git").unlink()
    (desk.folder / ".git").mkdir()
    os.symlink(elsewhere / "config", desk.folder / ".git" / "config")
    assert find_origin(str(desk.path), None).origin == UNKNOWN
    os.unlink(desk.folder / ".git" / "config")
    (desk.folder / ".git" / "commondir").write_text(str(elsewhere))
    assert find_origin(str(desk.path), None).origin == UNKNOWN


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b"x" * 300_000])
def test_broken_git_folder(desk: Desk, content: bytes | None):
    (desk.folder / ".git").mkdir()
    if content is None:
        (desk.folder / ".git" / "config").mkdir()
    else:
        (desk.folder / ".git" / "config").write_bytes(content)
    checkout = find_checkout(str(desk.folder))
    assert checkout is not None
    assert checkout.url is None


@pytest.mark.parametrize(
    ("sighting", "url"),
    [
        (
            Sighting(Origin("github.com/o/r", "derived")),
            "https://raw.githubusercontent.com/o/r/HEAD/knowledge.yaml",
        ),
        (
            Sighting(Origin("github.com/o/r", "derived"), "a b/å/k.yaml"),
            "https://raw.githubusercontent.com/o/r/HEAD/a%20b/%C3%A5/k.yaml",
        ),
        (
            Sighting(Origin("github.com/o/r/s", "derived")),
            "https://github.com/o/r/s/knowledge.yaml",
        ),
        (Sighting(Origin("a.example:8443/x", "derived")), "https://a.example:8443/x/knowledge.yaml"),
    ],
)
def test_corroboration_url(sighting: Sighting, url: str):
    assert corroboration_url(sighting) == url


def test_corroboration():
    sighting = Sighting(Origin("a.example/x", "derived"))
    url = "https://a.example/x/knowledge.yaml"
    web = Web()
    assert corroborate(sighting, b"x", web) == Corroboration(url, "unreachable")
    web.pages[url] = b"x"
    assert corroborate(sighting, b"x", web) == Corroboration(url, "matched")
    assert corroborate(sighting, b"x\n", web) == Corroboration(url, "mismatch")
    assert corroborate(sighting, b"x", web, "https://b.example/k") == Corroboration(
        "https://b.example/k", "unreachable"
    )


def test_unreachable_leaves_the_evidence_and_warns(desk: Desk):
    desk.git()
    desk.write(MINIMAL, ORG)
    result = desk.render("--corroborate", origin=None)
    assert result.artifact["trust"]["origin_evidence"] == "derived"
    assert result.artifact["trust"]["corroboration"]["result"] == "unreachable"
    url = "https://raw.githubusercontent.com/Cantara/lib-pcb/HEAD/knowledge.yaml"
    assert (
        f"⚠ origin corroboration unreachable ({url}); evidence remains derived (RFC-0019 §4.3)" in result.err
    )


def test_explicit_url_implies_corroboration(desk: Desk):
    desk.git()
    desk.write(MINIMAL, ORG)
    url = "https://mirror.example/k.yaml"
    desk.web.pages[url] = desk.path.read_bytes()
    result = desk.render("--corroborate-url", url, origin=None)
    assert result.artifact["trust"]["corroboration"] == {"url": url, "result": "matched"}
    assert result.artifact["trust"]["tier"] == "trusted"
    assert {unit["load_eligible"] for unit in result.artifact["units"]} == {False}


def test_corroborated_with_the_opt_in_does_not_rest_on_it(desk: Desk):
    desk.git()
    desk.write(MINIMAL, ORG)
    desk.web.pages["https://mirror.example/k"] = desk.path.read_bytes()
    flags = ["--corroborate-url", "https://mirror.example/k", "--allow-derived-origin"]
    result = desk.render(*flags, origin=None)
    assert result.units["berthing"]["load_eligible"] is True
    assert "rests on corroboration" not in result.err


@pytest.mark.parametrize("origin", [PINNED, "unknown"])
def test_only_derived_evidence_is_corroborated(desk: Desk, origin: str):
    desk.write(MINIMAL, ORG)
    desk.render("--corroborate", origin=origin)
    assert desk.web.asked == []


def test_nothing_is_asked_for_at_tier_failed(desk: Desk):
    desk.git()
    desk.write(MINIMAL)
    assert desk.render("--corroborate", origin=None).code == 2
    assert desk.web.asked == []


def test_unknown_origin_warns_where_there_is_an_allowlist(desk: Desk):
    desk.write(MINIMAL)
    warning = "⚠ origin could not be derived (no --origin, no git remote); scope pinning cannot apply"
    assert warning in desk.render(origin=None).err
    assert desk.render(origin=None, keys=False).err == ""
    assert desk.render().err == ""
    assert desk.render("--strict-origin", origin=None).code == 2
