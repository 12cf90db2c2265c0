"""What a project is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from kcp.authoring.init.project import find_project
from kcp.authoring.init.tree import Tree

POM = """<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><artifactId>the-parent</artifactId><version>9</version></parent>
  <!-- <artifactId>a-comment</artifactId> -->
  <dependencies><dependency><artifactId>dep</artifactId><version>5</version></dependency></dependencies>
  <artifactId> harbour </artifactId>{}
</project>"""

CASES: dict[str, tuple[dict[str, str | bytes], tuple[str, str]]] = {
    "pyproject": ({"pyproject.toml": '[project]\nname = "a"\nversion = "1.2"\n'}, ("a", "1.2")),
    "pyproject dynamic": (
        {"pyproject.toml": '[project]\nname = "a"\ndynamic = ["version"]\n'},
        ("a", "0.1.0"),
    ),
    "poetry": ({"pyproject.toml": '[tool.poetry]\nname = "a"\nversion = "3"\n'}, ("a", "3")),
    "pyproject first": (
        {"pyproject.toml": '[project]\nname = "py"\n', "package.json": '{"name": "js"}'},
        ("py", "0.1.0"),
    ),
    "pyproject for tools only": (
        {"pyproject.toml": "[tool.ruff]\n", "package.json": '{"name": "js", "version": "2.0.0"}'},
        ("js", "2.0.0"),
    ),
    "scoped": ({"package.json": '{"name": "@scope/pkg", "version": "1.10"}'}, ("@scope/pkg", "1.10")),
    "version is a number": ({"package.json": '{"name": "a", "version": 1}'}, ("a", "0.1.0")),
    "package.json unreadable": ({"package.json": "{", "go.mod": "module a/b\n"}, ("b", "0.1.0")),
    "package.json deep": ({"package.json": "[" * 100_000, "go.mod": "module a/b\n"}, ("b", "0.1.0")),
    "package.json list": ({"package.json": "[]", "go.mod": "module a/b\n"}, ("b", "0.1.0")),
    "cargo": (
        {"Cargo.toml": '[dependencies]\nserde = { version = "1" }\n[package]\nversion = "0.3"\nname = "c"\n'},
        ("c", "0.3"),
    ),
    "cargo bin first": ({"Cargo.toml": '[[bin]]\nname = "tool"\n[package]\nname = "c"\n'}, ("c", "0.1.0")),
    "cargo workspace version": (
        {
            "Cargo.toml": '[package]\nname = "c"\nversion.workspace = true\n'
            '[workspace.package]\nversion = "7"\n'
        },
        ("c", "7"),
    ),
    "pom": ({"pom.xml": POM.format("<version>1.0</version>")}, ("harbour", "1.0")),
    "pom version of the parent": ({"pom.xml": POM.format("")}, ("harbour", "9")),
    "pom property": (
        {"pom.xml": POM.format("<version>${rev}</version><properties><rev>4.2</rev></properties>")},
        ("harbour", "4.2"),
    ),
    "pom unknown property": ({"pom.xml": POM.format("<version>${rev}</version>")}, ("harbour", "0.1.0")),
    "pom with a document type": (
        {"pom.xml": '<!DOCTYPE p [<!ENTITY a "b">]><project><artifactId>x</artifactId></project>'},
        ("folder", "0.1.0"),
    ),
    "go": ({"go.mod": "// a comment\nmodule github.com/acme/quay\n\ngo 1.22\n"}, ("quay", "0.1.0")),
    "go major": ({"go.mod": "module github.com/acme/quay/v2 // deprecated\n"}, ("quay", "0.1.0")),
    "go quoted": ({"go.mod": 'module "acme.dev/quay/v10"\n'}, ("quay", "0.1.0")),
    "gopkg": ({"go.mod": "module gopkg.in/yaml.v3\n"}, ("yaml", "0.1.0")),
    "nothing": ({}, ("folder", "0.1.0")),
    "hostile name": ({"package.json": '{"name": "a\\u001b[31m"}'}, ("folder", "0.1.0")),
    "not UTF-8": ({"package.json": b'{"name": "\xff"}'}, ("folder", "0.1.0")),
    "byte order mark": ({"package.json": b'\xef\xbb\xbf{"name": "a"}'}, ("a", "0.1.0")),
}


@pytest.mark.parametrize("case", CASES)
def test_name_and_version(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    files, expected = CASES[case]
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    monkeypatch.chdir(folder)
    project = find_project(Tree("."))
    assert (project.name, project.version) == expected


def test_entities_do_not_grow(tmp_path: Path):
    levels = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<!DOCTYPE p [<!ENTITY a0 "x">{levels}]><project><artifactId>&a11;</artifactId></project>'
    (tmp_path / "pom.xml").write_text(bomb, "utf-8")
    assert find_project(Tree(str(tmp_path))).source is None
