"""Which files and folders of a project become units (surfaces contract §6)."""

from __future__ import annotations

from kcp.authoring.drafts import DraftUnit
from kcp.authoring.init.comments import first_heading, leading_comment
from kcp.authoring.init.words import extension, file_triggers, folder_triggers, stem, unit_id
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from kcp.authoring.init.project import Project
    from kcp.authoring.init.tree import Tree

    Says = Literal["comment", "heading", "nothing"]

MAX_UNITS = 30
READMES = ("README.md", "Readme.md", "readme.md", "README.rst", "README.txt", "README")
SOURCE_FOLDERS = ("src", "lib", "pkg", "app")
SOURCES = frozenset("ts js mjs mts py rs go java kt rb cs c cpp h".split())
INDEX_FILES = (
    *("index.ts", "index.js", "index.mjs", "index.mts", "mod.ts", "mod.js", "mod.rs"),
    *("lib.rs", "main.rs", "main.go", "main.py", "__init__.py"),
)
DOCUMENT_FOLDERS = ("docs", "guides")
EXAMPLES = frozenset("ts js py rs go java md sh".split())
TEST_FOLDERS = ("test", "tests")
TESTED = frozenset("ts js py rs go java".split())
_NO_SOURCES = ("__main__.py", "conftest.py", "setup.py")
DEVELOPERS = ("agent", "developer")


class Candidate(Record):
    """A unit before its file is read; `says` is where in it an intent may be found."""

    unit: DraftUnit
    says: Says = "nothing"


class Scan(Record):
    """The units of a project, and how many more there would be."""

    units: tuple[DraftUnit, ...]
    dropped: int


def scan(tree: Tree, project: Project) -> Scan:
    """The units of a project in the contract's order; of those that share an id the first."""
    found: dict[str, Candidate] = {}
    for candidate in _candidates(tree, project):
        if candidate.unit.id:
            found.setdefault(candidate.unit.id, candidate)
    kept = list(found.values())[:MAX_UNITS]
    return Scan(tuple([_with_intent(tree, candidate) for candidate in kept]), len(found) - len(kept))


def _with_intent(tree: Tree, candidate: Candidate) -> DraftUnit:
    """The unit with what its file says of itself, where it says something."""
    unit = candidate.unit
    if candidate.says == "nothing":
        return unit
    text = tree.text(unit.path)
    said = first_heading(text) if candidate.says == "heading" else leading_comment(text, extension(unit.path))
    return unit.replace(review=True) if said is None else unit.replace(intent=said)


def _candidates(tree: Tree, project: Project) -> Iterator[Candidate]:
    yield from _front_door(tree, project)
    folders = _source_places(tree, project)
    for folder in folders:
        yield from _source_files(tree, folder)
    for folder in folders:
        yield from _source_folders(tree, folder)
    for folder in DOCUMENT_FOLDERS:
        yield from _documents(tree, folder)
    yield from _examples(tree)
    yield from _tests(tree, project)


def _front_door(tree: Tree, project: Project) -> Iterator[Candidate]:
    readme = next((name for name in READMES if tree.is_file(name)), None)
    if readme is not None:
        intent = f"What {project.name} is, how to install it and how to use it"
        triggers = ("overview", "install", "getting started")
        yield Candidate(DraftUnit("front-door", readme, intent, triggers=triggers, eager=True))


def _source_files(tree: Tree, folder: str) -> Iterator[Candidate]:
    for name in tree.listing(folder).files:
        if extension(name) in SOURCES and name not in INDEX_FILES and not _is_beside_the_source(name):
            yield _source(stem(name), f"{folder}/{name}", file_triggers(stem(name)))


def _is_beside_the_source(name: str) -> bool:
    """Tests and declarations, which carry the name of what they speak of, and what only starts or sets up."""
    return name.endswith((".d.ts", ".d.mts")) or name in _NO_SOURCES or is_test(name)


def _source_folders(tree: Tree, folder: str) -> Iterator[Candidate]:
    for name in tree.listing(folder).folders:
        yield _source_folder(tree, f"{folder}/{name}", name)


def _source_folder(tree: Tree, path: str, name: str) -> Candidate:
    index = next((file for file in INDEX_FILES if tree.is_file(f"{path}/{file}")), None)
    if index is None:
        unit = _source(name, path, folder_triggers(name)).unit
        return Candidate(unit.replace(review=True))
    return _source(name, f"{path}/{index}", folder_triggers(name))


def _source(name: str, path: str, triggers: tuple[str, ...]) -> Candidate:
    unit = DraftUnit(unit_id(name), path, f"Implementation of {name}", "project", DEVELOPERS, triggers)
    return Candidate(unit, "comment")


def _source_places(tree: Tree, project: Project) -> list[str]:
    """The usual folders, and the packages that a Python project keeps beside its pyproject.toml."""
    places = [folder for folder in SOURCE_FOLDERS if tree.is_folder(folder)]
    if project.source == "pyproject.toml":
        others = [name for name in tree.listing().folders if name not in (*places, *TEST_FOLDERS)]
        places += [name for name in others if tree.is_file(f"{name}/__init__.py")]
    return places


def _documents(tree: Tree, folder: str) -> Iterator[Candidate]:
    for name in tree.listing(folder).files:
        if extension(name) == "md":
            base = stem(name)
            identity = f"{folder}-{part}" if (part := unit_id(base)) else ""
            intent = f"Documentation: {base}"
            yield Candidate(
                DraftUnit(identity, f"{folder}/{name}", intent, triggers=file_triggers(base)), "heading"
            )


def _examples(tree: Tree) -> Iterator[Candidate]:
    listing = tree.listing("examples")
    places = [(name, name, f"examples/{name}") for name in listing.folders]
    places += [
        (name, stem(name), f"examples/{name}") for name in listing.files if extension(name) in EXAMPLES
    ]
    for name, base, path in sorted(places, key=lambda place: place[0].encode()):
        if name in listing.folders and tree.is_file(f"{path}/README.md"):
            path += "/README.md"
        identity = f"example-{part}" if (part := unit_id(base)) else ""
        unit = DraftUnit(identity, path, f"Example: {name}", "project", DEVELOPERS, ("example", name))
        yield Candidate(unit)


def _tests(tree: Tree, project: Project) -> Iterator[Candidate]:
    for folder in TEST_FOLDERS:
        files = tree.listing(folder).files
        name = "README.md" if "README.md" in files else next(filter(is_test, files), None)
        if name is None:
            name = next(iter(files), None)
        if name is not None:
            intent = f"How {project.name} is tested: strategy and patterns"
            triggers = ("test", "testing", "spec")
            yield Candidate(
                DraftUnit("test-strategy", f"{folder}/{name}", intent, "project", DEVELOPERS, triggers)
            )
            return


def is_test(name: str) -> bool:
    """Whether a file's name says that it tests something."""
    base, kind = stem(name), extension(name)
    if kind in TESTED | {"tsx", "jsx", "mjs", "mts"} and base.endswith((".test", ".spec")):
        return True
    return (kind == "py" and base.startswith("test_")) or (kind in ("py", "go") and base.endswith("_test"))
