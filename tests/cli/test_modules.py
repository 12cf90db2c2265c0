"""What a command imports: each module costs time at every start."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROBE = """
import sys
sys.path.insert(0, {root!r})
before = set(sys.modules)
from kcp.cli.main import main
code = main(sys.argv[1:])
sys.stdout.flush()
sys.stderr.write("\\n".join(sorted(set(sys.modules) - before)))
raise SystemExit(code)
"""

FORBIDDEN = {
    *("anthropic", "argparse", "asyncio", "concurrent", "contextlib", "dataclasses", "decimal", "difflib"),
    *("email", "gettext", "hashlib", "http", "importlib.metadata", "inspect", "json", "locale", "logging"),
    *("nacl", "pathlib", "random", "rich", "ruamel", "shutil", "socket", "ssl", "subprocess", "tempfile"),
    *("textwrap", "threading", "traceback", "typing", "unicodedata", "urllib", "urllib3", "warnings"),
}
# What PyYAML's compiled part calls itself besides.
CYTHON = ("_cython", "cython_runtime")
# What PyYAML, the parser, brings along whether used or not.
PARSER_ONLY = {"base64", "datetime", "enum", "re"}


@pytest.fixture
def imported(repository: Path) -> Callable[..., set[str]]:
    def call(*words: str | Path, code: int = 0) -> set[str]:
        line = [sys.executable, "-I", "-c", PROBE.format(root=str(repository)), *map(str, words)]
        result = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
        assert result.returncode == code, result.stderr
        return set(result.stderr.split("\n"))

    return call


def top_level(modules: set[str]) -> set[str]:
    return {module.partition(".")[0] for module in modules}


def third_party(modules: set[str]) -> set[str]:
    named = top_level(modules) - sys.stdlib_module_names - {"kcp", ""}
    return {name for name in named if not name.startswith(CYTHON)}


@pytest.mark.parametrize("words", [["--help"], ["plan", "--help"], ["--version"], ["help", "diff"]])
def test_help(imported: Callable, words: list[str]):
    modules = imported(*words)
    assert third_party(modules) == set()
    assert not modules & (FORBIDDEN | PARSER_ONLY)
    own = {module for module in modules if module.startswith("kcp.")}
    assert not {
        module for module in own if module.startswith(("kcp.planning", "kcp.reading", "kcp.cli.show"))
    }


@pytest.mark.parametrize("words", [[], ["--trace"]])
def test_plan_json(imported: Callable, harbour: Path, words: list[str]):
    modules = imported("plan", "quay", "--manifest", harbour, "--json", *words)
    assert third_party(modules) == {"yaml"}
    assert not modules & FORBIDDEN
    own = {module for module in modules if module.startswith("kcp.")}
    assert not {
        module for module in own if module.startswith(("kcp.authoring", "kcp.evidence", "kcp.cli.show"))
    }
    assert not own & {"kcp.cli.help", "kcp.reading.pure_parser", "kcp.reading.positions"}


def test_plan_for_a_pipe(imported: Callable, harbour: Path):
    modules = imported("plan", "quay", "--manifest", harbour)
    assert third_party(modules) == {"yaml"}
    assert not modules & FORBIDDEN


def test_validate_json(imported: Callable, harbour: Path):
    modules = imported("validate", harbour, "--json")
    assert third_party(modules) == {"yaml"}
    assert not modules & FORBIDDEN
    assert not {module for module in modules if module.startswith(("kcp.evidence", "kcp.cli.show"))}


def test_diff_reads_no_yaml(imported: Callable, tmp_path: Path):
    plan = tmp_path / "a.json"
    plan.write_text('{"selected": [], "skipped": []}', encoding="utf-8")
    modules = imported("diff", plan, plan, "--json")
    assert third_party(modules) == set()


def test_replay_json(imported: Callable, run: Callable, harbour: Path, tmp_path: Path):
    saved = tmp_path / "p.json"
    saved.write_text(run("plan", "quay", "--manifest", harbour, "--json").out, encoding="utf-8")
    modules = imported("replay", saved, "--json")
    assert third_party(modules) == {"yaml"}
    assert not modules & (FORBIDDEN - {"json"})
    loaded = (
        "kcp.authoring",
        "kcp.cli.show",
        "kcp.network.guard",
        "kcp.evidence.grounded",
        "kcp.planning.trace",
    )
    assert not {module for module in modules if module.startswith(loaded)}


def test_explain_json(imported: Callable, harbour: Path):
    modules = imported("explain", "customs", "quay", "--manifest", harbour, "--json")
    assert third_party(modules) == {"yaml"}
    assert not modules & FORBIDDEN
    assert not {
        module for module in modules if module.startswith(("kcp.authoring", "kcp.cli.show", "kcp.evidence"))
    }
