"""The artifact's text: layout, quoting, and the same data as JSON (render contract §15)."""

from __future__ import annotations

import json
from io import StringIO

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kcp.reading.yaml12 import read_yaml
from kcp.render.artifact import as_json, as_yaml, first_difference, is_render_of, rendered_at
from kcp.render.hidden import is_hidden
from kcp.render.yamltext import yaml_text
from tests.render.conftest import ORG, PINNED, Desk

FULL = """\
kcp_version: "0.32"
serving: {manifest: ["https://a.example/k.yaml"]}
project: harbour
license: MIT
language: en
updated: 2026-01-01
version: 1.2.0
trust:
  agent_requirements: {require_attestation: true}
  provenance: {publisher: Harbour Office}
units:
  - path: docs/berthing.md
    id: berthing
    access: restricted
    content_structure: {primary: prose}
    intent: |
      How a ship berths.
      trust: yes
    triggers: []
  - {id: tool, kind: executable, path: tool.sh}
relationships: [{from: tool, to: berthing, type: supports}]
manifests: [{id: pilots, url: "https://pilots.example/knowledge.yaml"}]
rate_limits: {default: {requests_per_minute: 5}}
"""

EXPECTED = """\
render:
  kcp_version: "0.32"
  renderer: {renderer}
  lint_rules: imperative-lint-0.3
  source:
    path: knowledge.yaml
    sha256: {sha256}
trust:
  tier: trusted
  origin: github.com/Cantara/lib-pcb
  origin_evidence: asserted
  pinned: true
  signature:
    method: jws
    algorithm: EdDSA
    key_id: cantara-org-2026
    key_source: allowlist
    status: valid
  provenance:
    publisher: Harbour Office
  agent_requirements:
    require_attestation: true
discovery:
  verification_status: declared
  source: manifest-self-description
  confidence: 0.7
project:
  version: "1.2.0"
  updated: "2026-01-01"
  language: en
  license: MIT
  name: harbour
rate_limits:
  default:
    requests_per_minute: 5
serving:
  manifest:
    - https://a.example/k.yaml
units:
  - path: docs/berthing.md
    id: berthing
    intent: "How a ship berths.\\ntrust: yes\\n"
    triggers: []
    content_structure:
      primary: prose
    load_eligible: true
    content_verified: absent
    requires_attestation: true
  - id: tool
    kind: executable
    path: tool.sh
    load_eligible: false
    invocation: explicit
    content_verified: absent
relationships:
  - from: tool
    to: berthing
    type: supports
federation:
  - id: pilots
    url: https://pilots.example/knowledge.yaml
    target_tier: unrendered
sanitization:
  schema: kcp-render-schema-0.2
  dropped:
    - path: units[0].access
      reason: not_in_schema
  quarantined: []
  stats:
    fields_in: 23
    fields_rendered: 22
    fields_dropped: 1
    fields_quarantined: 0
"""


def test_whole_layout(desk: Desk):
    desk.write(FULL, ORG)
    result = desk.render("--lint", "base", origin=PINNED)
    render = result.artifact["render"]
    digest = render["source"]["sha256"]
    quoted = digest if f"sha256: {digest}" in result.out else f'"{digest}"'
    assert result.out == EXPECTED.format(renderer=render["renderer"], sha256=quoted)
    assert render["renderer"].startswith("kcp-agent ")


def test_json_is_the_same_data_in_the_same_order(desk: Desk):
    desk.write(FULL, ORG)
    text = desk.render("--json", origin=PINNED)
    assert text.out.endswith("\n}\n")
    value = json.loads(text.out)
    assert json.dumps(value) == json.dumps(desk.render(origin=PINNED).artifact)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.sampled_from(
    [
        "yes",
        "No",
        "null",
        "~",
        "1.0",
        "0x1F",
        "1e3",
        "12:30:45",
        "2026-01-01",
        "=",
        "<<",
        "- a",
        "a: b",
        "a #b",
        ".inf",
        "true",
        "on",
        "0b1",
        "_1",
        "1_000",
        "a:",
        ":a",
        "[a]",
        "{a}",
        "a,b",
        "&a",
        "*a",
        "!a",
        "|",
        ">",
        "a " * 50,
        "x" * 200,
        "a\nb",
        "---",
        "...",
        "%YAML",
        "`a`",
        "@a",
        "?",
        "? a",
        "'a'",
        '"a"',
        "\\",
        "\u2028",
    ]
)
VALUES = st.recursive(
    TEXTS
    | st.booleans()
    | st.integers(0, 2**53)
    | st.sampled_from([0.5, 0.6, 0.7])
    | st.lists(TEXTS, max_size=3),
    lambda inner: (
        st.lists(st.dictionaries(st.sampled_from("abc"), inner, min_size=1, max_size=3), max_size=3)
        | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=12,
)
ARTIFACTS = st.dictionaries(st.sampled_from("abc"), VALUES, min_size=1, max_size=3)


@given(ARTIFACTS)
def test_every_yaml_reader_reads_the_same(artifact: dict):
    text = yaml_text(artifact)
    assert text.endswith("\n")
    assert read_yaml(text.encode()).root == artifact
    assert yaml.safe_load(text) == artifact


@given(ARTIFACTS)
def test_ruamel_reads_the_same(artifact: dict):
    from ruamel.yaml import YAML

    assert YAML(typ="safe", pure=True).load(StringIO(yaml_text(artifact))) == artifact


@given(ARTIFACTS)
def test_json_reads_the_same(artifact: dict):
    assert json.loads(as_json(artifact)) == artifact


@given(ARTIFACTS)
def test_no_hidden_character_and_no_line_of_its_own(artifact: dict):
    for data in (as_yaml(artifact), as_json(artifact)):
        text = data.decode()
        assert not any(is_hidden(char) for char in text if char != "\n")


@pytest.mark.parametrize(
    "text", ["\u200b", "\u202e", "\ufeff", "\U000e0041", "\x1b", "\x7f", "\u3000", "\x00"]
)
def test_hidden_characters_are_escaped(text: str):
    assert is_hidden(text)
    assert text not in as_yaml({"a": f"x{text}y"}).decode()
    assert text not in as_json({"a": f"x{text}y"}).decode()


def test_digests_are_plain_unless_they_could_be_numbers():
    assert yaml_text({"a": "1" * 63 + "a"}) == f"a: {'1' * 63}a\n"
    for digest in ("1" * 64, "1" * 30 + "e" + "1" * 33):
        assert yaml_text({"a": digest}) == f'a: "{digest}"\n'


def test_what_is_no_artifact_has_no_text():
    with pytest.raises(TypeError):
        yaml_text({"a": None})


def test_head_of_an_artifact():
    artifact = {
        "render": {"source": {"path": "my file.yaml", "sha256": "ab"}, "rendered_at": "2026-01-01T00:00:00Z"}
    }
    for data in (as_yaml(artifact), as_json(artifact)):
        assert rendered_at(data) == "2026-01-01T00:00:00Z"
        assert is_render_of(data, "my file.yaml")
        assert not is_render_of(data, "file.yaml")
    for data in (b"", b"{}", b"render:\n", b"notes:\n  path: k.yaml\n", b"\xff" * 100):
        assert rendered_at(data) is None
        assert not is_render_of(data, "k.yaml")


def test_first_difference():
    assert first_difference(b"a\nb\n", b"a\nc\n") == 2
    assert first_difference(b"a\n", b"a\nb") == 2
    assert first_difference(b"a", b"a\nb") == 2
