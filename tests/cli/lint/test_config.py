"""Settings from files: where they are looked for, what they may say, and what they may never do."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kcp.cli.lint.config import Config, find_config
from kcp.cli.main import main
from kcp.errors import UsageError

MANIFEST = 'project: p\nversion: "1"\nkcp_version: "0.32"\nunits: []\n'  # one warning, KCP104
IGNORING = 'ignore = ["KCP104"]\n'


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def check(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str]]:
    """Validates a manifest from a working directory; the exit code and the output."""

    def call(directory: Path, manifest: Path, *words: str) -> tuple[int, str]:
        monkeypatch.chdir(directory)
        code = main(["validate", str(manifest), *words])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return call


def test_without_a_file_nothing_is_set(tmp_path: Path):
    write(tmp_path / "pyproject.toml", '[project]\nname = "kcp-agent"\n')
    (tmp_path / ".git").mkdir()
    assert find_config(str(tmp_path)) == Config()


def test_all_settings(tmp_path: Path):
    text = (
        'rules = "all"\nfail-on = "warning"\nselect = ["KCP1"]\nignore = ["a", "b"]\n'
        "drafts = true\ninline-ignores = false\n"
    )
    expected = ("all", "warning", ("KCP1",), ("a", "b"), True, False)
    own = write(tmp_path / "own" / ".kcp-agent.toml", text)
    shared = write(tmp_path / "shared" / "pyproject.toml", f"[tool.kcp-agent]\n{text}")
    for path in (own, shared):
        assert find_config(str(path.parent)).values() == (str(path), *expected)


def test_the_nearest_file_counts_and_our_own_comes_first(tmp_path: Path):
    write(tmp_path / "pyproject.toml", '[tool.kcp-agent]\nrules = "spec"\n')
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    write(inner / "pyproject.toml", "[tool.other]\nx = 1\n")
    assert find_config(str(inner)).rules == "spec"
    write(tmp_path / "a" / "pyproject.toml", '[tool.kcp-agent]\nrules = "agent"\n')
    assert find_config(str(inner)).rules == "agent"
    write(tmp_path / "a" / ".kcp-agent.toml", 'rules = "all"\n')
    assert find_config(str(inner)).rules == "all"


def test_nothing_above_a_repository_counts(tmp_path: Path):
    write(tmp_path / ".kcp-agent.toml", 'rules = "spec"\n')
    inner = tmp_path / "repository" / "docs"
    inner.mkdir(parents=True)
    (tmp_path / "repository" / ".git").mkdir()
    assert find_config(str(inner)) == Config()
    write(tmp_path / "repository" / ".kcp-agent.toml", 'rules = "all"\n')
    assert find_config(str(inner)).rules == "all"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="files of others need root")
def test_another_s_file_in_a_public_folder_does_not_count(tmp_path: Path):
    file = write(tmp_path / ".kcp-agent.toml", 'rules = "spec"\n')
    (tmp_path / ".git").mkdir()
    os.chown(file, 12345, 12345)
    assert find_config(str(tmp_path)).rules == "spec"
    tmp_path.chmod(0o1777)
    assert find_config(str(tmp_path)) == Config()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rules = ", "is not valid TOML"),
        ("colour = 1", "unknown setting 'colour'"),
        ('rules = "every"', "rules must be one of agent, spec, all"),
        ("fail-on = 1", "fail-on must be one of warning, error, never"),
        ('ignore = "KCP101"', "ignore must be a list of rules"),
        ("select = [1]", "select must be a list of rules"),
        ('drafts = "yes"', "drafts must be true or false"),
        ("\xff", "is not valid TOML"),
    ],
)
def test_mistakes_are_named_with_their_file(tmp_path: Path, text: str, said: str):
    file = tmp_path / ".kcp-agent.toml"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError) as caught:
        find_config(str(tmp_path))
    assert caught.value.message.startswith(f"{file}")
    assert said in caught.value.message


def test_an_unknown_rule_in_a_file_is_a_mistake(check: Callable, tmp_path: Path):
    file = write(tmp_path / ".kcp-agent.toml", 'ignore = ["KCP999"]\n')
    code, text = check(tmp_path, write(tmp_path / "k.yaml", MANIFEST))
    assert (code, text.splitlines()[0]) == (2, f"kcp-agent: {file}: no rule 'KCP999'")


def test_settings_are_applied_and_counted(check: Callable, tmp_path: Path):
    manifest = write(tmp_path / "elsewhere" / "k.yaml", MANIFEST)
    work = tmp_path / "work"
    write(work / ".kcp-agent.toml", IGNORING + 'fail-on = "warning"\n')
    code, text = check(work, manifest)
    assert code == 0
    assert "  · 1 finding(s) suppressed: KCP104 by the settings" in text.splitlines()
    write(work / ".kcp-agent.toml", 'fail-on = "warning"\n')
    assert check(work, manifest)[0] == 1
    assert check(work, manifest, "--fail-on", "error")[0] == 0


def test_a_manifest_s_own_folder_has_no_say(check: Callable, tmp_path: Path):
    work = tmp_path / "work"
    (work / ".git").mkdir(parents=True)
    hostile = write(work / "vendor" / "k.yaml", MANIFEST)
    write(work / "vendor" / ".kcp-agent.toml", IGNORING)
    write(work / "vendor" / "pyproject.toml", f"[tool.kcp-agent]\n{IGNORING}")
    assert check(work, hostile) == check(work, hostile, "--no-inline-ignores")
    code, text = check(work, hostile, "--fail-on", "warning")
    assert code == 1
    assert "suppressed" not in text


def test_the_reference_s_report_is_the_same_whatever_is_configured(check: Callable, tmp_path: Path):
    manifest = write(tmp_path / "k.yaml", MANIFEST)
    plain = check(tmp_path, manifest, "--json")
    write(tmp_path / ".kcp-agent.toml", IGNORING + 'rules = "all"\nfail-on = "warning"\n')
    assert check(tmp_path, manifest, "--json") == plain


def test_a_file_can_turn_comments_off(check: Callable, tmp_path: Path):
    manifest = write(tmp_path / "k.yaml", MANIFEST.replace("[]", "[] # kcp: ignore[KCP104]"))
    assert check(tmp_path, manifest, "--fail-on", "warning")[0] == 0
    write(tmp_path / ".kcp-agent.toml", "inline-ignores = false\n")
    assert check(tmp_path, manifest, "--fail-on", "warning")[0] == 1


def cannot_be_read(folder: Path, name: str, what: str) -> Path:
    path = folder / name
    match what:
        case "pipe":
            if not hasattr(os, "mkfifo"):
                pytest.skip("no named pipes here")
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "loop":
            path.symlink_to(name)
        case "dangling":
            path.symlink_to("nowhere")
        case "large":
            path.write_bytes(b"#" * (1024 * 1024 + 1))
    return path


@pytest.mark.parametrize("what", ["pipe", "folder", "loop", "dangling", "large"])
@pytest.mark.parametrize("name", [".kcp-agent.toml", "pyproject.toml"])
def test_settings_that_cannot_be_read_are_not_ignored(check: Callable, tmp_path: Path, name: str, what: str):
    file = cannot_be_read(tmp_path, name, what)
    code, text = check(tmp_path, write(tmp_path / "k.yaml", MANIFEST))
    assert code == 3
    assert text.startswith("kcp-agent: ")
    assert str(file) in text
    assert text.count("\n") == 1


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="files of others need root")
@pytest.mark.parametrize("what", ["pipe", "folder", "loop", "dangling", "large"])
def test_what_others_leave_in_a_public_folder_does_not_stop_us(tmp_path: Path, what: str):
    (tmp_path / ".git").mkdir()
    file = cannot_be_read(tmp_path, ".kcp-agent.toml", what)
    os.chown(file, 12345, 12345, follow_symlinks=False)
    tmp_path.chmod(0o1777)
    assert find_config(str(tmp_path)) == Config()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="files of others need root")
def test_another_s_link_in_a_public_folder_does_not_count(tmp_path: Path):
    write(tmp_path / "mine" / "s.toml", 'rules = "spec"\n')
    public = tmp_path / "public"
    (public / ".git").mkdir(parents=True)
    link = public / ".kcp-agent.toml"
    link.symlink_to("../mine/s.toml")
    assert find_config(str(public)).rules == "spec"
    os.chown(link, 12345, 12345, follow_symlinks=False)
    public.chmod(0o1777)
    assert find_config(str(public)) == Config()


NESTED = "ignore = " + "[" * 20_000 + "]" * 20_000


@pytest.mark.parametrize("text", [NESTED, "ignore = " + "9" * 5000, "rules = "])
def test_toml_that_does_not_parse(check: Callable, tmp_path: Path, text: str):
    manifest = write(tmp_path / "k.yaml", MANIFEST)
    shared = write(tmp_path / "pyproject.toml", f"[tool.kcp-agent]\n{text}\n")
    code, said = check(tmp_path, manifest)
    assert (code, said.count("\n")) == (3, 1)
    assert said.startswith(f"kcp-agent: {shared} is not valid TOML: ")
    own = write(tmp_path / ".kcp-agent.toml", text)
    code, said = check(tmp_path, manifest)
    assert code == 2
    assert said.startswith(f"kcp-agent: {own} is not valid TOML: ")
