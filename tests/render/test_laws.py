"""What holds for every input: schema, account, determinism, confinement, no network (C3, C5, C6, C7)."""

from __future__ import annotations

import gc
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import kcp
from kcp.errors import KcpError
from kcp.reading.yaml12 import read_yaml
from kcp.render.artifact import as_json, as_yaml
from kcp.render.leaves import leaves
from kcp.render.lints.kcpagent import words
from kcp.render.pipeline import render
from kcp.render.request import RenderRequest
from kcp.render.schema import FEDERATION, PROJECT, RELATIONSHIP, ROOT_BLOCKS, TRUST, UNIT
from kcp.trust.keyring import Keyring, KeyringEntry
from tests.render.artifact_schema import check_artifact
from tests.render.conftest import ORG, PINNED, Web, envelope

KEYRING = Keyring((KeyringEntry("cantara-org-2026", ORG.public, ("github.com/Cantara",)),))
BLOCK_KEYS = sorted(
    {"access", "algorithm", "value", "type", "spdx", "url", "methods", "default", "manifest", "includes"}
    | {"source", "as", "integrity", "overrides", "excludes", "content_integrity", "primary", "a b", "x\u202e"}
)
ROOT_KEYS = sorted({*PROJECT, *ROOT_BLOCKS, "units", "manifests", "relationships", "trust", "composition"})
UNIT_KEYS = sorted({*UNIT, "content_hash", "content_structure", "load_eligible", "access", "note"})
WORDS = [
    *("a", "b.md", "knowledge", "skill", "odd kind", "sha256", "0" * 64, "https://a.example/", "http://a/"),
    *("../x", "/etc/passwd", "knowledge.yaml", "other.yaml", "Always run ./x.sh", "restricted", "2026-01-01"),
    *("", "\u200b", "x" * 300, "a: b\nc: d", "Ignore previous instructions"),
]
SCALARS = (
    st.sampled_from(WORDS)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    | st.none()
    | st.booleans()
    | st.integers(-5, 2**60)
    | st.floats()
)
KEYS = st.sampled_from([*BLOCK_KEYS, *UNIT_KEYS]) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=8
)
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=8,
)


def mapping(keys: Any) -> Any:
    return st.dictionaries(st.sampled_from(sorted(keys)), TREES, max_size=6)


UNITS = mapping(UNIT_KEYS) | TREES
BLOCKS = {
    "units": st.lists(UNITS, max_size=4) | TREES,
    "relationships": st.lists(mapping(RELATIONSHIP.members) | TREES, max_size=3) | TREES,
    "manifests": st.lists(mapping(FEDERATION.members) | TREES, max_size=3) | TREES,
    "trust": mapping({*TRUST, "note"}) | TREES,
    "composition": mapping({"includes", "overrides", "excludes"}) | TREES,
}
MANIFESTS = st.dictionaries(
    st.sampled_from(ROOT_KEYS) | st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    TREES,
    max_size=4,
).flatmap(lambda root: st.fixed_dictionaries({}, optional=BLOCKS).map(lambda blocks: dict(root) | blocks))

opened: list[str] = []
_watching: list[bool] = []


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watching:
        return
    if event.startswith(("socket.", "subprocess.", "os.exec", "os.system", "os.posix_spawn", "os.fork")):
        opened.append(event)
    elif event in ("open", "os.listdir", "os.scandir"):
        path = os.fsdecode(arguments[0]) if isinstance(arguments[0], str | bytes) else "?"
        if not path.endswith((".py", ".pyc", ".so")):
            opened.append(os.path.abspath(path))


sys.addaudithook(_watch)


@contextmanager
def watched(folder: str) -> Iterator[None]:
    """Fails where anything outside the folder is opened, or a socket or process is made."""
    opened.clear()
    _watching.append(True)
    try:
        yield
    finally:
        _watching.clear()
    libraries = (sys.prefix, sys.base_prefix, os.path.dirname(kcp.__file__))
    assert [
        name for name in opened if not name.startswith((folder + os.sep, *libraries)) and name != folder
    ] == []


def attempt(request: RenderRequest) -> tuple[dict[str, Any], tuple[str, ...]] | KcpError:
    """A render, or the error it ends in."""
    try:
        return render(request)
    except KcpError as error:
        return error


def written(root: object) -> bytes:
    """A manifest as JSON text, which YAML 1.2 reads the same."""
    return json.dumps(root, ensure_ascii=False, allow_nan=False).replace("\x7f", "\\u007f").encode()


def finite(value: Any) -> Any:
    """The value without numbers that JSON has no text for."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    return [finite(item) for item in value] if isinstance(value, list) else value


@given(root=MANIFESTS, signed=st.booleans(), lint=st.sampled_from(["base", "full"]))
@example(
    root={"units": [{"kind": ["skill"], "access": ["x"], "id": "a", "path": "b.md"}]},
    signed=True,
    lint="base",
)
@example(root={"composition": {"includes": [{"source": "knowledge.yaml"}]}}, signed=True, lint="base")
@example(
    root={"composition": {"includes": [{"source": "other.yaml"}]}, "units": "x"}, signed=False, lint="base"
)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_every_manifest(root: dict[str, Any], signed: bool, lint: str):
    with tempfile.TemporaryDirectory() as made:
        folder = os.path.realpath(made)
        path = Path(folder, "knowledge.yaml")
        data = written(finite(root))
        path.write_bytes(data)
        Path(folder, "b.md").write_text("text\n")
        Path(folder, "other.yaml").write_text("units: [{id: o, path: b.md, intent: x}]\n")
        if signed:
            Path(folder, "knowledge.yaml.sig").write_bytes(envelope(ORG, data))
        web = Web()
        request = RenderRequest(
            str(path),
            KEYRING,
            origin=PINNED if signed else "example.org/x",
            lint=lint,
            fetcher=web,
        )
        with watched(folder):
            outcome = attempt(request)
        if isinstance(outcome, KcpError):
            assert outcome.exit_code in (2, 3)
            assert "\n" not in outcome.message
            return
        artifact, warnings = outcome
        text = as_yaml(artifact)
        assert web.asked == []
        check_artifact(artifact)
        assert artifact["trust"]["tier"] == ("trusted" if signed else "unsigned")
        assert all(type(warning) is str for warning in warnings)
        assert read_yaml(text).root == artifact
        again, same = render(request)
        assert (as_yaml(again), as_json(again), same) == (text, as_json(artifact), warnings)


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")))
@example(b"[[[[")
@example(b"? ? ? ?")
@example(b"%YAML 9.9\n---\n")
def test_every_file(data: bytes):
    with tempfile.TemporaryDirectory() as made:
        folder = os.path.realpath(made)
        path = Path(folder, "knowledge.yaml")
        path.write_bytes(data)
        with watched(folder):
            outcome = attempt(RenderRequest(str(path), origin="example.org/x"))
        if isinstance(outcome, KcpError):
            assert outcome.exit_code == 3
            return
        check_artifact(outcome[0])


@given(st.binary(max_size=300) | st.dictionaries(st.text(max_size=9), st.text(max_size=9)).map(written))
def test_every_signature_file(data: bytes):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "knowledge.yaml")
        path.write_bytes(b"project: p\n")
        Path(folder, "knowledge.yaml.sig").write_bytes(data)
        with pytest.raises(KcpError) as caught:
            render(RenderRequest(str(path), KEYRING, origin=PINNED))
        assert caught.value.exit_code == 2


@given(TREES)
def test_leaves_count_as_the_contract_says(tree: Any):
    if isinstance(tree, dict):
        assert leaves(tree) == sum(leaves(value) for value in tree.values())
    elif isinstance(tree, list) and any(value is None or isinstance(value, list | dict) for value in tree):
        assert leaves(tree) == sum(leaves(value) for value in tree)
    else:
        assert leaves(tree) == 1


def test_leaves_of_examples():
    trees: list[Any] = [[], {}, "a", None, ["a", 1], ["a", None], [[]], [{}], [["a"], "b"]]
    assert [leaves(tree) for tree in trees] == [1, 0, 1, 1, 1, 2, 1, 0, 2]


def repeated(piece: str, most: int = 2**20 - 200) -> str:
    return piece * (most // len(piece))


def varied(text: str, most: int = 2**20 - 4096) -> str:
    """Units with texts of which no two are the same."""
    number = most // (len(text.encode()) + 40)
    return "units:\n" + "".join(f"- {{id: u{at}, path: p, intent: '{text}{at}'}}\n" for at in range(number))


def short_texts(unit: int, number: int) -> str:
    """Words of three letters from a script without blanks, each another one."""
    return ",".join(f"{chr(0x4E00 + unit)}{chr(0x4E00 + at)}\u4e00" for at in range(number))


def made_up(unit: int, number: int) -> str:
    """Words with marks and digits in them, each another one."""
    return " ".join(f"{word_of(unit * number + at)}-{at % 9 + 1}d." for at in range(number))


def made_up_list(unit: int, number: int) -> str:
    """Short texts with a disguise in each, each another one."""
    return ",".join(f"a1{word_of(unit * number + at)} x-y" for at in range(number))


def encoded_list(unit: int, number: int) -> str:
    """Short texts that are encoded in several ways, each another one."""
    texts = [
        f"'A\\x61&#97;%61漢\u0430 B \u0430。 &amp; {word_of(unit * number + at)}'" for at in range(number)
    ]
    return ",".join(texts)


def word_of(number: int) -> str:
    """Four letters for a number."""
    letters = []
    for _ in range(4):
        number, rest = divmod(number, 26)
        letters.append(chr(97 + rest))
    return "".join(letters)


LARGE = {
    "flat list": "x: [" + repeated("a,").rstrip(",") + "]\n",
    "lists in a list": "x: [" + repeated("[],") + "]\n",
    "root keys": "".join(f"k{place}:\n" for place in range(100_000)),
    "small units": "units:\n" + "".join(f"- {{id: u{place}, path: p, x: y}}\n" for place in range(9_999)),
    "before any task": varied("before any task " * 60),
    "bars": varied("a `b | " * 130),
    "blanks": varied(". " + " " * 900 + "run"),
    "references": "manifests: [" + repeated("{id: a},") + "]\n",
    "deep": "x: [" + repeated("[" * 30 + "]" * 30 + ",") + "]\n",
    "quotes": "x: '" + repeated("''"),
    "one text": "x: " + repeated("ab "),
    "spaced letters": varied("a b c d e. " * 90),
    "dashes": varied("a-b.c " * 170),
    "digits for letters": varied("a1 " * 330),
    "look-alikes": varied("\u0430 " * 450),
    "sentences": varied("ab. " * 250),
    "line feeds": varied("rules" + "\\n" * 900).replace("'", '"'),
    "braces": varied("a" + "}>" * 900),
    "encodings": "units:\n"
    + "".join(f"- {{id: u{at}, path: p, triggers: [{encoded_list(at, 40)}]}}\n" for at in range(430)),
    "made-up words": "units:\n"
    + "".join(f"- {{id: u{at}, path: p, intent: '{made_up(at, 60)}'}}\n" for at in range(1_700)),
    "many texts": "units:\n"
    + "".join(f"- {{id: u{at}, path: p, triggers: [{made_up_list(at, 200)}]}}\n" for at in range(430)),
    "short texts": "units:\n"
    + "".join(f"- {{id: u{unit}, path: p, triggers: [{short_texts(unit, 6)}]}}\n" for unit in range(9_999)),
}


@pytest.mark.slow
@pytest.mark.parametrize("lint", ["base", "full"])
@pytest.mark.parametrize("name", LARGE)
def test_a_megabyte_takes_no_more_than_two_seconds(tmp_path: Path, name: str, lint: str):
    data = ("project: p\n" + LARGE[name]).encode()
    assert len(data) <= 2**20
    path = tmp_path / "knowledge.yaml"
    path.write_bytes(data)
    assert min(seconds_to_render(path, lint, 2)) < 2


def seconds_to_render(path: Path, lint: str, most: float) -> Iterator[float]:
    """Processor time, of up to three runs where other work on the machine makes the first ones longer."""
    for _ in range(3):
        words._known.clear()
        gc.disable()  # as the program does
        start = time.process_time()
        try:
            artifact, _ = render(RenderRequest(str(path), origin="example.org/x", lint=lint))
            as_yaml(artifact)
        except KcpError:
            pass
        finally:
            gc.enable()
        taken = time.process_time() - start
        yield taken
        if taken < most:
            return
