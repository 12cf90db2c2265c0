"""The reader as a whole: the reference's cases, the two parsers side by side, hostile bytes."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kcp.errors import ManifestError
from kcp.reading.scalars import DateText, key_text
from kcp.reading.yaml12 import read_manifest_mapping, read_yaml

# The reference reads these; decisions B20 and C refuse them.
REFUSED_HERE = {
    "scalar-090": "tag !<tag:yaml.org,2002:binary> is not read here",
    "scalar-116": "an escape names no character (an unpaired surrogate?) (5:12)",
    "scalar-117": "an escape names no character (an unpaired surrogate?) (5:12)",
    "scalar-150": "tag !<tag:yaml.org,2002:set> is not read here",
    "scalar-151": "tag !<tag:yaml.org,2002:omap> is not read here",
    "scalar-152": "tag !<tag:yaml.org,2002:pairs> is not read here",
    "directive-13": "only %YAML 1.1 and 1.2 are read",
}
FIXED_PHRASES = (
    "duplicated mapping key",
    "unknown tag !<!custom>",
    "unidentified alias",
    "cannot merge mappings",
    "cannot resolve a node",
    "nesting exceeded",
    "null byte",
    "the stream contains non-printable characters",
    "expected a single document",
    "unexpected end of the stream within a double",
    "unexpected end of the stream within a single",
    "unknown escape sequence",
    "bad indentation of a mapping entry",
    "manifest is not a YAML mapping",
)


def outcome(data: bytes, *, pure: bool = False) -> tuple[str, str]:
    """`ok` and the value, or `refused` and the message."""
    try:
        document = read_yaml(data, pure=pure)
    except ManifestError as error:
        message = str(error)
    else:
        return "ok", repr(document.root)
    assert len(message.splitlines()) == 1
    return "refused", message


def cases(shared_data: Path) -> list[dict[str, Any]]:
    """The reference's small documents."""
    lines = (shared_data / "oracle" / "yaml-cases.jsonl").read_text("utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def test_the_reference_accepts_and_refuses_the_same(shared_data: Path) -> None:
    for case in cases(shared_data):
        data = case["manifest"].encode("utf-8", "surrogatepass")
        try:
            read_manifest_mapping(data)
            error = None
        except ManifestError as refused:
            error = str(refused)
        expected = case["expect"].get("error")
        if case["id"] in REFUSED_HERE:
            assert error is not None, case["id"]
            assert error.startswith(REFUSED_HERE[case["id"]]), case["id"]
            assert expected is None
        else:
            assert (error is None) == (expected is None), (case["id"], error)
            fixed = next((phrase for phrase in FIXED_PHRASES if (expected or "").startswith(phrase)), "")
            assert (error or "").startswith(fixed), (case["id"], error)


def test_the_reference_reads_the_same_scalars(shared_data: Path) -> None:
    compared = 0
    for case in cases(shared_data):
        if not case["id"].startswith("scalar-") or "error" in case["expect"] or case["id"] in REFUSED_HERE:
            continue
        value = read_yaml(case["manifest"].encode()).root["units"][0]["id"]
        if not isinstance(value, DateText):
            assert ("" if value is None else key_text(value)) == case["expect"]["manifest"]["units"][0]["id"]
            compared += 1
    assert compared > 100


@pytest.mark.slow
@pytest.mark.parametrize("name", ["", "-governed", "-unicode"])
def test_both_parsers_read_the_reference_manifests_alike(shared_data: Path, name: str) -> None:
    pytest.importorskip("yaml._yaml")
    with gzip.open(shared_data / "oracle" / f"planner-cases{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        manifests = [json.loads(line)["manifest"] for line in lines][::15]
    for manifest in manifests:
        data = manifest.encode()
        assert outcome(data)[0] == "ok"
        assert outcome(data) == outcome(data, pure=True)


def test_both_parsers_read_the_small_documents_and_fixtures_alike(shared_data: Path) -> None:
    pytest.importorskip("yaml._yaml")
    documents = [case["manifest"].encode("utf-8", "surrogatepass") for case in cases(shared_data)]
    documents += [
        path.read_bytes()
        for folder in ("spec-conformance", "render-fixtures")
        for path in sorted((shared_data / folder).rglob("*.yaml"))
    ]
    for data in documents:
        status, value = outcome(data)
        pure_status, pure_value = outcome(data, pure=True)
        assert status == pure_status, data
        if status == "ok":
            assert value == pure_value, data


PIECES = [
    "a", "b", "k: v", "a: ", "b:", "- ", "-", "? ", ": ", ":", "[", "]", "{", "}", ",", ", ", "\n",
    "\n  ", "\n ", " ", "\t", "#", "# c", "\"", "'", "\"x\"", "'y'", "|", ">", "|\n  x\n", ">-\n  y\n",
    "|2", "|+", "-\n", "&x ", "*x", "!", "!!str ", "!!int ", "!!null ", "!<tag:yaml.org,2002:str> ",
    "%YAML 1.2\n---\n", "%TAG ! x:\n---\n", "---\n", "--- ", "...\n", "<<: ", "1", "1.5", "-0", "true",
    "null", "~", "2026-07-01", "\\", "\\x41", "\\ud800", "\r\n", "\r", "\u0085", "\u2028", "\ufeff",
    "\u00e9", "\U0001f600", "@", "`", "%", "=", ".inf", "{a: 1}", "[a, b]", "key: [", "\n- ", "\na: ",
    "\n  b: ", "\\\n", "a?", "?a", "''", "!!map ", "!x!y ", "&", "*", "\u0000", "\u0001",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@example("- [? a: b, 'c':d]\n-\t")
@example("a: |\n \n\tb")
def test_both_parsers_agree_on_anything(text: str) -> None:
    pytest.importorskip("yaml._yaml")
    data = text.encode()
    status, value = outcome(data)
    pure_status, pure_value = outcome(data, pure=True)
    assert status == pure_status, (value, pure_value)
    if status == "ok":
        assert value == pure_value


@given(
    st.one_of(st.binary(max_size=200), st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace")))
)
def test_any_bytes_are_read_or_refused_in_one_line(data: bytes) -> None:
    outcome(data)
    outcome(data, pure=True)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=12,
    )
)
def test_json_is_read_as_json(value: Any) -> None:
    text = json.dumps(value)
    if "\\ud" not in text and "\\u" not in text:
        assert read_yaml(text.encode()).root == value


def test_too_many_bytes() -> None:
    message = "manifest is larger than 8,388,608 bytes; raise the cap with --max-bytes"
    assert outcome(b"a" * (8 * 2**20 + 1)) == ("refused", message)
    assert read_yaml(b"a: 1", max_bytes=4).root == {"a": 1}
    with pytest.raises(ManifestError, match="larger than 3 bytes"):
        read_yaml(b"a: 1", max_bytes=3)


@pytest.mark.parametrize("text", ["", "# c", "~", "[]", "- a", "x", "42", "2026-07-01"])
def test_the_root_must_be_a_mapping(text: str) -> None:
    with pytest.raises(ManifestError) as caught:
        read_manifest_mapping(text.encode())
    assert str(caught.value) == "manifest is not a YAML mapping"


def test_without_libyaml_the_same_comes_from_the_python_parser() -> None:
    program = (
        "import sys; sys.modules['yaml._yaml'] = None\n"
        "from kcp.reading.yaml12 import read_yaml\n"
        "d = read_yaml(b'a: [1, x]\\nb: c')\n"
        "p = d.position(('a', 1))\n"
        "print(d.root, p.line, p.column, 'kcp.reading.pure_parser' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "{'a': [1, 'x'], 'b': 'c'} 1 8 True\n"
