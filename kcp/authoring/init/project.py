"""What a project is called, by the file that says so first (surfaces contract §6)."""

from __future__ import annotations

import os
import re

from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from kcp.authoring.init.tree import Tree

MAX_BYTES = 1024 * 1024
DEFAULT_VERSION = "0.1.0"
MAX_NAME = 214
_PROPERTY = re.compile(r"\$\{([^{}]+)\}")


class Project(Record):
    """A name and a version; `source` is the file that gave the name, None for the folder's own name."""

    name: str
    version: str = DEFAULT_VERSION
    source: str | None = None


def find_project(tree: Tree) -> Project:
    """The project of a folder; a file that cannot be read, or has no name, is passed over."""
    for file, read in _READERS.items():
        text = tree.text(file, MAX_BYTES) if tree.is_file(file) else ""
        if not text:
            continue
        found = read(text)
        name = None if found is None else _clean(found[0])
        if found is not None and name:
            return Project(name, _clean(found[1]) or DEFAULT_VERSION, file)
    return Project(_clean(os.path.basename(tree.root)) or "project")


def _clean(value: object) -> str | None:
    """A name or version as the files have it; None where it is none or could not be printed."""
    if not isinstance(value, str):
        return None
    value = value.strip()
    return value if value and len(value) <= MAX_NAME and value.isprintable() else None


def _pyproject(text: str) -> tuple[Any, Any] | None:
    content = _toml(text)
    for table in (content.get("project"), _table(content, "tool").get("poetry")):
        if isinstance(table, dict) and table.get("name"):
            return table["name"], table.get("version")
    return None


def _cargo(text: str) -> tuple[Any, Any] | None:
    content = _toml(text)
    package = _table(content, "package")
    version = package.get("version")
    if isinstance(version, dict):  # version.workspace = true
        version = _table(_table(content, "workspace"), "package").get("version")
    return package.get("name"), version


def _package_json(text: str) -> tuple[Any, Any] | None:
    import json

    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return (content.get("name"), content.get("version")) if isinstance(content, dict) else None


def _go_mod(text: str) -> tuple[Any, Any] | None:
    match = re.search(r'^[ \t]*module[ \t]*(?:\([ \t\n]*)?["`]?([^\s"`()]+)', text, re.MULTILINE)
    if match is None:
        return None
    steps = match.group(1).split("/")
    if len(steps) > 1 and re.fullmatch(r"v[0-9]+", steps[-1]):
        steps.pop()
    return re.sub(r"\.v[0-9]+\Z", "", steps[-1]) if steps[0] == "gopkg.in" else steps[-1], None


def _pom(text: str) -> tuple[Any, Any] | None:
    """The project's own coordinates; only the version comes from the parent, as Maven has it."""
    texts = _pom_texts(text)
    name = texts.get(("project", "artifactId"))
    version = texts.get(("project", "version")) or texts.get(("project", "parent", "version"))
    for _ in range(3):
        if version is not None:
            version = _PROPERTY.sub(
                lambda found: texts.get(("project", "properties", found[1]), "\0"), version
            )
    return name, version


def _pom_texts(text: str) -> dict[tuple[str, ...], str]:
    """The text of every element down to the third level, the first of each path; nothing for no XML."""
    from xml.parsers.expat import ExpatError, ParserCreate

    texts: dict[tuple[str, ...], str] = {}
    path: list[str] = []
    parser = ParserCreate()

    def start(tag: str, _attributes: dict[str, str]) -> None:
        path.append(tag.rpartition(":")[2])

    def end(_tag: str) -> None:
        path.pop()

    def data(characters: str) -> None:
        if len(path) <= 3:
            key = tuple(path)
            texts[key] = texts.get(key, "") + characters

    def refuse(*_declaration: object) -> None:
        raise ValueError("a document type can define entities that grow without end")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = data, refuse
    try:
        parser.Parse(text, True)
    except (ExpatError, ValueError):
        return {}
    return {key: value.strip() for key, value in texts.items()}


def _toml(text: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}


def _table(content: dict[str, Any], key: str) -> dict[str, Any]:
    table = content.get(key)
    return table if isinstance(table, dict) else {}


_READERS: dict[str, Callable[[str], tuple[Any, Any] | None]] = {
    "pyproject.toml": _pyproject,
    "package.json": _package_json,
    "Cargo.toml": _cargo,
    "pom.xml": _pom,
    "go.mod": _go_mod,
}
