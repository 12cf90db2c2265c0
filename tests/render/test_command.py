"""`render` on the command line: streams, files, exit codes (render contract §2)."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.render.conftest import ATTACKER, MINIMAL, ORG, PINNED, UNPINNED, Desk, public_text


def test_standard_output_is_the_artifact_alone(desk: Desk):
    desk.write(MINIMAL)
    result = desk.render()
    assert (result.code, result.err) == (0, "")
    assert desk.render("--out", "-").out == result.out


def test_file(desk: Desk, tmp_path: Path):
    desk.write(MINIMAL)
    target = tmp_path / "kcp-rendered.yaml"
    result = desk.render("--out", str(target))
    assert (result.code, result.out) == (0, f"✓ rendered (tier: unsigned) → {target}\n")
    assert target.read_text("utf-8") == desk.render().out


def test_folder_and_default_name(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    desk.write(MINIMAL)
    text = desk.render().out
    monkeypatch.chdir(desk.folder)
    assert desk.run("render", "--origin", UNPINNED).out == text
    assert desk.run("render", ".", "--origin", UNPINNED).out == text


def test_timestamp(desk: Desk):
    desk.write(MINIMAL)
    at = desk.render("--timestamp").artifact["render"]["rendered_at"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", at)


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_refusal_removes_an_older_render(desk: Desk, tmp_path: Path, form: tuple[str, ...]):
    target = tmp_path / "out.yaml"
    desk.write(MINIMAL)
    assert desk.render("--out", str(target), *form).code == 0
    result = desk.render("--out", str(target), *form, origin=PINNED)
    assert (result.code, result.out) == (2, "")
    assert "✗ render refused: tier=failed (unsigned manifest from pinned origin (§4.1))\n" in result.err
    assert f"⚠ removed {target}, an older render of this manifest\n" in result.err
    assert not target.exists()


@pytest.mark.parametrize("text", ["a: [\n", "- a\n", "a: *x\n"])
def test_what_cannot_be_parsed_removes_it_too(desk: Desk, tmp_path: Path, text: str):
    target = tmp_path / "out.yaml"
    desk.write(MINIMAL)
    desk.render("--out", str(target))
    desk.write(text)
    result = desk.render("--out", str(target))
    assert (result.code, result.out) == (3, "")
    assert not target.exists()


@pytest.mark.parametrize("content", ["notes\n", "render:\n  source:\n    path: other.yaml\n", ""])
def test_other_files_are_left_with_a_warning(desk: Desk, tmp_path: Path, content: str):
    target = tmp_path / "out.yaml"
    target.write_text(content)
    desk.write(MINIMAL)
    result = desk.render("--out", str(target), origin=PINNED)
    assert result.code == 2
    assert f"⚠ {target} is left as it was; it is not the outcome of this run\n" in result.err
    assert target.read_text() == content


def test_nothing_is_written_or_removed_through_a_link(desk: Desk, tmp_path: Path):
    target, link = tmp_path / "out.yaml", tmp_path / "link.yaml"
    os.symlink(target, link)
    desk.write(MINIMAL)
    assert desk.render("--out", str(link)).code == 3
    assert not target.exists()
    assert desk.render("--out", str(target)).code == 0
    before = target.read_bytes()
    # Not even where the render is refused and an older one would go.
    for result in (desk.render("--out", str(link)), desk.render("--out", str(link), origin=PINNED)):
        assert (result.code, result.out) == (3, "")
        assert "it is a symbolic link; remove it" in result.err
        assert target.read_bytes() == before


def test_no_file_is_written_at_tier_failed(desk: Desk, tmp_path: Path):
    desk.write(MINIMAL)
    before = set(tmp_path.rglob("*"))
    assert desk.render("--out", str(tmp_path / "out.yaml"), origin=PINNED).code == 2
    assert set(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", ["knowledge.yaml", "knowledge.yaml.sig", "./sub/../knowledge.yaml"])
def test_manifest_and_signature_are_never_replaced(desk: Desk, name: str):
    desk.write(MINIMAL, ORG)
    (desk.folder / "sub").mkdir()
    before = {path: path.read_bytes() for path in desk.folder.glob("*.*")}
    result = desk.render("--out", str(desk.folder / name), origin=PINNED)
    assert (result.code, result.out) == (2, "")
    assert {path: path.read_bytes() for path in desk.folder.glob("*.*")} == before


@pytest.mark.parametrize(
    "flags",
    [
        ("--lint", "none"),
        ("--unknown",),
        ("a", "b"),
        ("--origin",),
        ("--verify", "x", "--out", "y"),
        ("--verify", "x", "--json"),
        ("--verify", "x", "--timestamp"),
        ("--keys", ""),
    ],
)
def test_usage(desk: Desk, flags: tuple[str, ...]):
    desk.write(MINIMAL)
    (desk.folder / "x").write_text("")
    result = desk.run("render", str(desk.path), *flags)
    assert (result.code, result.out) == (2, "")


@pytest.mark.parametrize("location", ["missing.yaml", "https://a.example/knowledge.yaml", "folder"])
def test_what_cannot_be_read(desk: Desk, location: str, no_sockets: None):
    (desk.folder / "folder").mkdir()
    place = location if location.startswith("https") else str(desk.folder / location)
    result = desk.run("render", place)
    assert (result.code, result.out) == (3, "")
    assert result.err.startswith("kcp-agent: ")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"\xef\xbb\xbfproject: p\n", ":1:1: "),
        (b"a: b\na: c\n", ":2:1: duplicated mapping key"),
        (b"a: \xff\n", ":1:4: "),
        (b"a: !x b\n", ":1:4: tags are not read here"),
        (b"#" * (2**20 + 1), "larger than 1,048,576 bytes"),
        (b"", "manifest is not a YAML mapping"),
    ],
)
def test_parsing_limits(desk: Desk, data: bytes, place: str):
    desk.write(data)
    result = desk.render()
    assert (result.code, result.out) == (3, "")
    assert place in result.err


def test_signature_failure_is_not_hidden_by_a_syntax_error(desk: Desk):
    desk.write("a: [\n")
    desk.sign(ORG, signature="AA==")
    result = desk.render()
    assert result.code == 2
    assert "signature verification failed" in result.err


def test_missing_allowlist(desk: Desk):
    desk.write(MINIMAL, ORG)
    assert desk.render(origin=PINNED, keys=False).artifact["trust"]["tier"] == "known"
    result = desk.render("--keys", str(desk.home / "none.yaml"), keys=False)
    assert (result.code, result.out) == (3, "")
    assert "allowlist not found" in result.err


def test_default_allowlist_is_the_users(desk: Desk):
    desk.write(MINIMAL, ORG)
    (desk.home / ".kcp").mkdir()
    desk.keys.rename(desk.home / ".kcp" / "trusted-keys.yaml")
    assert desk.render(origin=PINNED, keys=False).artifact["trust"]["tier"] == "trusted"
    result = desk.render("--keys", "~/.kcp/trusted-keys.yaml", origin=PINNED, keys=False)
    assert result.artifact["trust"]["tier"] == "trusted"


BAD_ALLOWLISTS = [
    "",
    "keys: []\n",
    "version: 2\nkeys: []\n",
    "version: 1\nkeys: {}\n",
    "version: 1\nkeys: [x]\n",
    "version: 1\nkeys: [{key_id: a, public_key: x}]\n",
    "version: 1\nkeys:\n - {key_id: a b, public_key: " + public_text(ORG) + "}\n",
    "version: 1\nkeys:\n - {key_id: a, scope: {}, public_key: " + public_text(ORG) + "}\n",
    "version: 1\nkeys:\n - {key_id: a, scope: {domains: ['a b']}, public_key: " + public_text(ORG) + "}\n",
    "version: 1\nkeys: [\n",
]


@pytest.mark.parametrize("text", BAD_ALLOWLISTS)
@pytest.mark.parametrize("default", [False, True])
def test_broken_allowlist(desk: Desk, text: str, default: bool):
    desk.write(MINIMAL)
    desk.keys.write_text(text)
    if default:
        (desk.home / ".kcp").mkdir()
        desk.keys.rename(desk.home / ".kcp" / "trusted-keys.yaml")
    result = desk.render(keys=not default)
    assert (result.code, result.out) == (3, "")


@pytest.mark.parametrize(
    "scope", ["https://GitHub.com/Cantara/", "GITHUB.com/Cantara", "github.com/Cantara.git"]
)
def test_scope_is_normalised(desk: Desk, scope: str):
    desk.allow(f"  - {{key_id: k, public_key: {public_text(ORG)}, scope: {{domains: ['{scope}']}}}}\n")
    desk.write(MINIMAL)
    assert desk.render(origin=PINNED).code == 2


def test_unscoped_key_does_not_satisfy_a_pin(desk: Desk):
    entry = "  - {{key_id: {}, public_key: {}{}}}\n"
    desk.allow(
        entry.format("cantara-org-2026", public_text(ORG), ", scope: {domains: [github.com/Cantara]}"),
        entry.format("helpful-key-2026", public_text(ATTACKER), ""),
    )
    desk.write(MINIMAL, ATTACKER)
    assert "signing key out of scope for pinned origin" in desk.render(origin=PINNED).err
    assert desk.render().artifact["trust"]["tier"] == "trusted"


def test_origin_unknown_never_reaches_trusted(desk: Desk):
    desk.allow(f"  - {{key_id: cantara-org-2026, public_key: {public_text(ORG)}}}\n")
    desk.write(MINIMAL, ORG)
    assert desk.render(origin="unknown").artifact["trust"]["tier"] == "known"


def test_what_a_manifest_says_of_its_signature(desk: Desk):
    block = "trust: {content_integrity: {signing: {enabled: true, key_id: other}}}\n"
    desk.write(MINIMAL + block)
    assert "says that it is signed" in desk.render().err
    desk.sign(ATTACKER)
    assert "names key 'other', but the signature is by 'helpful-key-2026'" in desk.render().err


def test_hostile_text_does_not_reach_the_terminal(desk: Desk):
    desk.write(
        'project: p\ncomposition: {includes: [{source: "\\e[2Jx\\u202e"}], excludes: ["\\e[1m"]}\n'
        'units: [{id: "a\\e[0m", path: p, content_hash: x}]\n'
    )
    result = desk.render()
    assert result.err.count("\n") == 3
    assert result.err.replace("\n", "").isprintable()
    assert result.out.replace("\n", "").isprintable()


def test_verify(desk: Desk, tmp_path: Path):
    desk.write(MINIMAL, ORG)
    file = tmp_path / "artifact"
    for flags in ((), ("--json",), ("--timestamp",), ("--timestamp", "--json")):
        file.write_text(desk.render(*flags, origin=PINNED).out, encoding="utf-8")
        result = desk.render("--verify", str(file), origin=PINNED)
        assert (result.code, result.err) == (0, "")
        assert result.out == f"✓ {file} is what {desk.path} renders to (tier: trusted)\n"
        differing = desk.render("--verify", str(file), origin=UNPINNED)
        assert (differing.code, differing.out) == (1, "")
    desk.write(MINIMAL + "# changed\n", ORG)
    assert desk.render("--verify", str(file), origin=PINNED).code == 1
    desk.signature.unlink()
    assert desk.render("--verify", str(file), origin=PINNED).code == 2
    assert desk.render("--verify", str(tmp_path / "none"), origin=PINNED).code == 3


def test_verify_ignores_the_cache(desk: Desk, tmp_path: Path):
    desk.write(MINIMAL)
    genuine = desk.render().out
    (cached,) = (desk.home / ".kcp" / "render-cache").glob("*.yaml")
    forged = genuine.replace("unsigned", "trusted")
    cached.write_text(forged)
    file = tmp_path / "artifact"
    file.write_text(forged)
    assert desk.render("--verify", str(file)).code == 1
