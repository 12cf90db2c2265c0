"""Renders are kept outside every work tree, and used only where every input is the same (§17)."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from kcp.render import pipeline
from kcp.trust.keys import KeyPair
from tests.render.conftest import ATTACKER, MINIMAL, ORG, PINNED, UNPINNED, Desk, public_text


@pytest.fixture
def cache(desk: Desk) -> Path:
    return desk.home / ".kcp" / "render-cache"


@pytest.fixture
def assembled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tiers of the artifacts that were assembled, not found."""
    tiers: list[str] = []
    assemble = vars(pipeline)["assemble"]

    def counting(root, entries, frame, *rest):
        tiers.append(frame.tier)
        return assemble(root, entries, frame, *rest)

    monkeypatch.setattr(pipeline, "assemble", counting)
    return tiers


def kept(cache: Path) -> list[Path]:
    return sorted(cache.glob("*.yaml"))


def test_second_render_is_found(desk: Desk, cache: Path, assembled: list[str]):
    desk.write(MINIMAL)
    first, second = desk.render(), desk.render()
    assert first.out == second.out
    assert assembled == ["unsigned"]
    (file,) = kept(cache)
    assert file.read_text("utf-8") == first.out
    assert file.stem == first.artifact["render"]["source"]["sha256"]
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    assert {stat.S_IMODE(each.stat().st_mode) for each in cache.iterdir()} == {0o600}


def test_warnings_come_from_the_cache_too(desk: Desk, assembled: list[str]):
    desk.write(MINIMAL)
    first, second = desk.render(origin=None), desk.render(origin=None)
    assert first.err == second.err != ""
    assert len(assembled) == 1


def test_every_other_input_counts(desk: Desk, assembled: list[str]):
    (desk.folder / "docs").mkdir()
    page = desk.folder / "docs" / "berthing.md"
    page.write_text("x")
    desk.write(MINIMAL + f"    content_hash: {{algorithm: sha256, value: '{'0' * 64}'}}\n")

    def edit() -> None:
        page.write_text("y")

    def sign(signer: KeyPair) -> Callable[[], None]:
        return lambda: desk.sign(signer)

    def allow() -> None:
        desk.allow(f"  - {{key_id: k, public_key: {public_text(ORG)}}}\n")

    flags = [(), ("--require-unit-hashes",), ("--retrieved-from", "https://a.example/")]
    for count, each in enumerate(flags, 1):
        assert desk.render(*each).code == 0
        assert len(assembled) == count
    for count, change in enumerate([edit, sign(ATTACKER), allow, sign(ORG)], len(flags) + 1):
        change()
        assert desk.render().code == 0
        assert len(assembled) == count
    assert desk.render(origin="example.org/other").code == 0
    assert desk.render(origin="example.org/other").code == 0
    assert len(assembled) == count + 1


def test_tier_is_never_taken_from_the_cache(desk: Desk):
    desk.write(MINIMAL, ORG)
    assert desk.render(origin=PINNED).artifact["trust"]["tier"] == "trusted"
    assert desk.render(origin=UNPINNED).artifact["trust"]["tier"] == "known"
    desk.signature.unlink()
    assert desk.render(origin=PINNED).code == 2


@pytest.mark.parametrize("suffix", ["yaml", "inputs"])
def test_what_was_touched_is_not_used(desk: Desk, cache: Path, suffix: str):
    desk.write(MINIMAL)
    genuine = desk.render().out
    (file,) = kept(cache)
    file.with_suffix(f".{suffix}").write_text("render:\n  forged: true\n")
    assert desk.render().out == genuine
    assert file.read_text("utf-8") == genuine


def test_link_in_the_cache_is_not_followed(desk: Desk, cache: Path):
    desk.write(MINIMAL)
    genuine = desk.render().out
    (file,) = kept(cache)
    target = desk.home / "target"
    file.rename(target)
    os.symlink(target, file)
    assert desk.render().out == genuine
    assert not file.is_symlink()
    assert target.read_text("utf-8") == genuine


@pytest.mark.parametrize("mode", [0o755, 0o770])
def test_folder_that_others_may_enter_is_no_cache(desk: Desk, cache: Path, mode: int):
    cache.mkdir(parents=True)
    cache.chmod(mode)
    desk.write(MINIMAL)
    assert desk.render().code == 0
    assert kept(cache) == []


def test_folder_that_is_a_link_is_no_cache(desk: Desk, cache: Path):
    elsewhere = desk.home / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    cache.parent.mkdir()
    os.symlink(elsewhere, cache)
    desk.write(MINIMAL)
    assert desk.render().code == 0
    assert list(elsewhere.iterdir()) == []


def test_nothing_is_kept_in_a_work_tree(desk: Desk, cache: Path):
    (desk.home / ".git").mkdir()
    desk.write(MINIMAL)
    assert desk.render().code == 0
    assert kept(cache) == []


@pytest.mark.parametrize("flags", [("--no-cache",), ("--timestamp",), ("--json",)])
def test_renders_that_are_not_kept(desk: Desk, cache: Path, flags: tuple[str, ...]):
    desk.write(MINIMAL)
    assert desk.render(*flags).code == 0
    assert not cache.exists()


def test_no_home(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    desk.write(MINIMAL)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    assert desk.render().code == 0


def test_home_that_cannot_be_written(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    desk.write(MINIMAL)
    monkeypatch.setenv("HOME", "/proc/nowhere")
    assert desk.render().code == 0
