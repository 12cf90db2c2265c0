"""The core is pure: no I/O, no clock, no environment, no chance.

The import contracts in pyproject.toml say the same for the whole chain of imports; the tests here need no
tool, name the line, and look at what really gets loaded.
"""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
PURE_CORE = next(contract for contract in CONTRACTS if contract["id"] == "pure-core")
# The contract cannot name a part of a foreign package.
FORBIDDEN = frozenset(PURE_CORE["forbidden_modules"]) | {"urllib.request"}
IMPURE_CALLS = frozenset({"open", "input", "print", "__import__", "breakpoint"})


def core_files() -> list[Path]:
    """The files of the modules and packages that the contract names."""
    files: list[Path] = []
    for module in PURE_CORE["source_modules"]:
        place = ROOT / Path(*module.split("."))
        files += sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    return files


def module_name(path: Path) -> str:
    """The dotted name of a file of the package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def children(node: ast.AST) -> Iterable[ast.AST]:
    """The parts of a node that run: not the body of `if TYPE_CHECKING:`."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return node.orelse
    return ast.iter_child_nodes(node)


def run_time_nodes(tree: ast.AST) -> list[ast.AST]:
    """All nodes that can run."""
    nodes, waiting = [], [tree]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        waiting.extend(children(node))
    return nodes


def imported(node: ast.AST) -> list[str]:
    """The modules that a statement imports; `from kcp import x` counts as `kcp.x` too."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        return [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def forbidden_part(name: str) -> str | None:
    """The forbidden module that a dotted name lies in, if any."""
    parts = name.split(".")
    heads = (".".join(parts[: length + 1]) for length in range(len(parts)))
    return next((head for head in heads if head in FORBIDDEN), None)


@pytest.mark.parametrize("path", core_files(), ids=module_name)
def test_core_module_imports_and_calls_nothing_impure(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    offences = []
    for node in run_time_nodes(tree):
        line = getattr(node, "lineno", 0)
        offences += [f"{path.name}:{line}: imports {name}" for name in imported(node) if forbidden_part(name)]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS:
            offences.append(f"{path.name}:{line}: calls {node.func.id}()")
    assert offences == []


def test_loading_the_whole_core_loads_nothing_forbidden() -> None:
    """In a bare interpreter (no site), so that what is loaded was loaded by the core."""
    names = [module_name(path) for path in core_files()]
    program = (
        "import sys, importlib\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        f"forbidden = {sorted(FORBIDDEN)!r}\n"
        "before = set(sys.modules)\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        "print(*sorted(set(forbidden) & (set(sys.modules) - before)))"
    )
    command = [sys.executable, "-I", "-S", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_contract_names_modules_that_exist() -> None:
    for module in PURE_CORE["source_modules"]:
        assert importlib.util.find_spec(module), f"{module} of the pure-core contract does not exist"
