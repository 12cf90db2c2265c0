"""Patterns of .gitignore, compared with git itself where it is there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kcp.authoring.init.gitignore import parse_rules
from kcp.authoring.init.ignored import Ignored

PATHS = [
    *("a", "b", "ab", "abc", "a.log", "#a", "!a", "a b", "a ", "x", "aXb", "a]b", "a-b", "1", "\\a", "a*"),
    *(
        "src/a",
        "src/b",
        "src/a.log",
        "src/build/x",
        "build/x",
        "build/y/z",
        "a/b/c",
        "a/x/b",
        "a/x/y/b",
        "b/a",
    ),
    *("docs/a.md", "docs/deep/a.md", "foo/bar", "x/foo/bar", "x/y/foo", "lib/ab", "lib/a.log"),
]
FILES = [
    *("", "a", "*.log", "a*", "?b", "[ab]", "[!a]*", "[a-c]b?", "build/", "/build", "/a", "src/a", "src/*"),
    *(
        "src/**",
        "**/a",
        "**/foo/bar",
        "a/**/b",
        "a/**",
        "**",
        "**/",
        "*/",
        "*",
        "!a",
        "*\n!a",
        "*\n!src/\n!src/a",
    ),
    *("build/\n!build/x", "src/*\n!src/b", "\\#a", "\\!a", "# a", "a\\ ", "a ", "a  \\ ", "a\\", "[", "[a"),
    *("[]]", "a[]]b", "a[]-]b", "[[:alpha:]]", "[[:digit:]]", "[[:none:]]", "*.md\n!docs/", "docs/*.md"),
    *("foo/bar", "/foo/bar", "foo/", "x/y/", "*a*b*", "a/*/b", "***", "a***b", "\ta", "a\r", "/", "//", "!"),
    *("*.log\r\n!a.log\r\n", "lib/*.log", "\\a", "\\\\a", "a\\*", "[a-]b", "[-a]b", "a[!-]b", "[a-?]", "**a"),
    *("/**/a", "/*", "/*\n!/src", "?\\/?", "a\\/b", "**\\/a", "src\\\\/a", "a\\/"),
]

GIT = shutil.which("git")
needs_git = pytest.mark.skipif(GIT is None, reason="git is not installed")


def ours(text: str, paths: list[str]) -> set[str]:
    """The paths that are ignored: they or a folder above them."""
    rules = parse_rules(text)

    def last(path: tuple[str, ...], *, is_folder: bool) -> bool:
        for rule in reversed(rules):
            if rule.matches(path, is_folder=is_folder):
                return not rule.keeps
        return False

    found = set()
    for path in paths:
        steps = tuple(path.split("/"))
        above = any(last(steps[:length], is_folder=True) for length in range(1, len(steps)))
        if above or last(steps, is_folder=False):
            found.add(path)
    return found


def gits(text: str, paths: list[str], folder: Path) -> set[str]:
    """What git says of the same paths; none of them exists, so that all count as files."""
    assert GIT is not None
    (folder / ".gitignore").write_bytes(text.encode())
    done = subprocess.run(
        [GIT, "-c", "core.excludesFile=/dev/null", "check-ignore", "--no-index", "-z", "--stdin"],
        input=b"\0".join(path.encode() for path in paths) + b"\0",
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode in (0, 1), done.stderr
    return {path.decode() for path in done.stdout.split(b"\0") if path}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("checkout")
    assert GIT is not None
    subprocess.run([GIT, "init", "-q", "."], cwd=folder, check=True, capture_output=True, timeout=60)
    return folder


@needs_git
@pytest.mark.parametrize("text", FILES)
def test_as_git_does(text: str, checkout: Path):
    assert ours(text, PATHS) == gits(text, PATHS, checkout)


LINES = st.text(st.sampled_from(list("ab/*?[]!-\\# .x")), min_size=1, max_size=8)


@needs_git
@given(lines=st.lists(LINES, min_size=1, max_size=3))
@settings(max_examples=40)
def test_as_git_does_for_any_lines(lines: list[str], checkout: Path):
    # A slash within a set is no separator to git, and what two stars beside a letter mean differs between
    # its versions; nobody writes either.
    def is_settled(line: str) -> bool:
        return "/" not in line or ("[" not in line and not re.search(r"[^/!]\*\*|\*\*[^/]", line))

    text = "\n".join(filter(is_settled, lines))
    assert ours(text, PATHS) == gits(text, PATHS, checkout)


def test_many_stars_take_no_time():
    (rule,) = parse_rules("*a" * 500 + "b")
    start = time.perf_counter()
    assert not rule.matches(("a" * 255,), is_folder=False)
    assert time.perf_counter() - start < 2


def test_bounds():
    assert parse_rules("a" * 1025) == ()
    assert len(parse_rules("a\n" * 20_000)) == 10_000


def test_rules_of_the_folders_above_up_to_the_repository(tmp_path: Path):
    package = tmp_path / "packages" / "one"
    package.mkdir(parents=True)
    (tmp_path / ".gitignore").write_text("*.tmp\n/packages/one/dist\n", "utf-8")
    (package / ".gitignore").write_text("!keep.tmp\n", "utf-8")

    def ignored(*path: str) -> bool:
        rules = Ignored(str(package))
        rules.enter(str(package))
        return rules.ignores(path, is_folder=False)

    assert not ignored("a.tmp")
    (tmp_path / ".git").mkdir()
    assert ignored("a.tmp")
    assert ignored("src", "a.tmp")
    assert ignored("dist")
    assert not ignored("keep.tmp")
