"""Which files become units (surfaces contract §6)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kcp.authoring.drafts import Draft
from kcp.authoring.init.scaffold import draft_project
from kcp.authoring.init.words import file_triggers, folder_triggers, unit_id

TODAY = "2026-07-06"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "harbour"
    folder.mkdir()
    return folder


def make(folder: Path, *paths: str, **contents: str) -> Draft:
    """The draft for files with those paths."""
    for path in paths:
        name, _, content = path.partition("=")
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            file.mkdir(exist_ok=True)
        else:
            file.write_text(content, "utf-8")
    return draft_project(str(folder), TODAY)


def units(draft: Draft) -> list[tuple[str, str]]:
    return [(unit.id, unit.path) for unit in draft.units]


def test_order_and_paths(project: Path):
    draft = make(
        project,
        *("README.md", "src/auth.ts", "src/index.ts", "lib/z.py", "src/db/index.ts", "src/empty/"),
        *("docs/guide.md", "guides/start.md", "docs/deep/no.md", "examples/one/README.md", "examples/two.py"),
        *("examples/three/x.txt", "examples/notes.txt", "tests/helper.py", "tests/a.spec.ts"),
    )
    assert units(draft) == [
        ("front-door", "README.md"),
        ("auth", "src/auth.ts"),
        ("z", "lib/z.py"),
        ("db", "src/db/index.ts"),
        ("empty", "src/empty"),
        ("docs-guide", "docs/guide.md"),
        ("guides-start", "guides/start.md"),
        ("example-one", "examples/one/README.md"),
        ("example-three", "examples/three"),
        ("example-two", "examples/two.py"),
        ("test-strategy", "tests/a.spec.ts"),
    ]
    assert draft.report.findings == ()


def test_layout(project: Path):
    draft = make(project, "README.md", "src/auth.ts")
    assert draft.text == (
        "# Drafted by kcp-agent init from the files of this project; review it before you publish it.\n"
        'kcp_version: "0.32"\n'
        "project: harbour\n"
        'version: "0.1.0"\n'
        'updated: "2026-07-06"\n'
        "language: en\n"
        "trust:\n"
        "  provenance:\n"
        '    publisher: "Unknown" # TODO: set your publisher name\n'
        "payment:\n"
        "  default_tier: free\n"
        "  methods:\n"
        "    - type: free\n"
        "units:\n"
        "  - id: front-door\n"
        "    path: README.md\n"
        '    intent: "What harbour is, how to install it and how to use it"\n'
        "    scope: global\n"
        "    audience: [agent, human]\n"
        "    triggers: [overview, install, getting started]\n"
        "    hints: {load_strategy: eager}\n"
        "  - id: auth\n"
        "    path: src/auth.ts\n"
        "    intent: Implementation of auth # TODO: review intent\n"
        "    scope: project\n"
        "    audience: [agent, developer]\n"
        "    triggers: [auth, authentication, login]\n"
    )


def test_publisher(project: Path):
    text = draft_project(str(project), TODAY, "Acme: Ports\n& Co").text
    assert '    publisher: "Acme: Ports & Co"\n' in text
    assert "Unknown" not in text
    assert "units: []\n" in text


def test_thirty_units_and_how_many_more(project: Path):
    draft = make(project, *[f"src/f{number:02}.py" for number in range(41)])
    assert [unit.id for unit in draft.units] == [f"f{number:02}" for number in range(30)]
    assert draft.text.endswith("# 11 more unit(s) were found and left out.\n")


def test_of_units_that_share_an_id_the_first(project: Path):
    draft = make(project, "src/a.py=x", "src/a.ts", "src/A b.go", "src/a/index.ts", "lib/a.py", "src/---.py")
    assert units(draft) == [("a-b", "src/A b.go"), ("a", "src/a.py")]


def test_what_carries_the_name_of_something_else_is_left_out(project: Path):
    draft = make(
        project,
        *(
            "src/a.test.ts",
            "src/a.spec.js",
            "src/a.d.ts",
            "src/test_a.py",
            "src/a_test.go",
            "src/conftest.py",
        ),
        *("src/__pycache__/x.py", "src/node_modules/index.js", "src/.hidden/index.js", "src/x.egg-info/a.py"),
        *("src/b.ts", ".github/x.md", "docs/.draft.md"),
    )
    assert units(draft) == [("b", "src/b.ts")]


def test_ignored_files_are_left_out(project: Path):
    draft = make(
        project,
        *(
            "src/a.py",
            "src/gen.py",
            "src/out/index.ts",
            "docs/x.md",
            "docs/keep.md",
            "examples/secret/README.md",
        ),
        *(".gitignore=src/gen.py\nout/\n*.md\n!keep.md\n", "examples/.gitignore=secret/\n"),
    )
    assert units(draft) == [("a", "src/a.py"), ("docs-keep", "docs/keep.md")]


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_links_are_followed_only_within(project: Path, tmp_path: Path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("# Secret\n", "utf-8")
    for folder in ("docs", "src"):
        (project / folder).mkdir()
    (project / "docs" / "real.md").write_text("# Real\n", "utf-8")
    (project / "docs" / "out.md").symlink_to(outside / "secret.md")
    (project / "docs" / "broken.md").symlink_to("nowhere")
    (project / "docs" / "loop.md").symlink_to("loop.md")
    (project / "docs" / "in.md").symlink_to("real.md")
    (project / "src" / "away").symlink_to(outside)
    (project / "examples").symlink_to(outside)
    (project / ".gitignore").symlink_to(outside / "secret.md")
    draft = draft_project(str(project), TODAY)
    assert units(draft) == [("docs-in", "docs/in.md"), ("docs-real", "docs/real.md")]
    assert "Secret" not in draft.text


@pytest.mark.skipif(os.name != "posix", reason="pipes, names of bytes")
def test_pipes_and_strange_names(project: Path):
    (project / "src").mkdir()
    os.mkfifo(project / "src" / "pipe.py")
    os.mkfifo(project / "package.json")
    for name in (b"\xff.py", b"a\nb.py", b"back\\slash.py", b"colon: x.py", b"#hash.py", b"-dash.py"):
        Path(os.fsdecode(os.fsencode(project / "src") + b"/" + name)).write_bytes(b"")
    draft = draft_project(str(project), TODAY)
    assert units(draft) == [
        ("hash", "src/#hash.py"),
        ("dash", "src/-dash.py"),
        ("colon-x", "src/colon: x.py"),
    ]
    assert draft.report.ok


def test_python_package_beside_its_pyproject(project: Path):
    files = (
        'pyproject.toml=[project]\nname = "quay"\n',
        "quay/__init__.py",
        "quay/tide.py",
        "quay/io/__init__.py",
    )
    draft = make(project, *files, "other/x.py", "tests/__init__.py", "tests/test_a.py")
    assert units(draft) == [
        ("tide", "quay/tide.py"),
        ("io", "quay/io/__init__.py"),
        ("test-strategy", "tests/test_a.py"),
    ]


def test_intents_come_from_the_files(project: Path):
    draft = make(
        project,
        'src/a.py="""Reads tide tables."""\n',
        "src/deep/index.ts=/** Berths ships at the quay */\n",
        "docs/x.md=# All about tides: a guide\n",
    )
    assert [unit.intent for unit in draft.units] == [
        "Reads tide tables.",
        "Berths ships at the quay",
        "All about tides: a guide",
    ]
    assert "review intent" not in draft.text


def test_same_files_same_text(project: Path):
    draft = make(project, *[f"src/{name}.py" for name in "zaébZ"], "docs/b.md", "docs/B.md")
    assert [unit.path for unit in draft.units] == ["src/Z.py", "src/a.py", "src/b.py", "docs/B.md"]
    assert draft_project(str(project), TODAY).text == draft.text


NAMES = st.text(st.characters(exclude_characters="/\0\\", exclude_categories=["Cs"]), min_size=1, max_size=12)


@given(st.lists(NAMES, max_size=6), NAMES, st.text(max_size=30))
@settings(max_examples=25)
def test_any_names_give_a_sound_draft(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], name: str, body: str
):
    folder = tmp_path_factory.mktemp("any")
    for place, each in enumerate([*names, name]):
        for path in (
            folder / "src" / f"{each}.py",
            folder / "docs" / f"{each}.md",
            folder / "examples" / each,
        ):
            path.parent.mkdir(exist_ok=True)
            try:
                path.write_text(f"# {body}{place}\n", "utf-8")
            except (OSError, ValueError):
                continue
    draft = draft_project(str(folder), TODAY)
    assert [finding.message for finding in draft.report.findings] == (
        [] if draft.units else ["declares no units — nothing for an agent to navigate"]
    )


def test_ids_and_triggers():
    assert unit_id("User_Auth--v2.test") == "user_auth-v2-test"
    assert unit_id("日本") == ""
    assert file_triggers("User-auth_db") == (
        *("User-auth_db", "user", "auth", "authentication", "login"),
        *("db", "database", "storage"),
    )
    assert folder_triggers("Routes") == ("Routes", "api", "endpoint", "routes")
    assert folder_triggers("auth-db") == ("auth-db",)
