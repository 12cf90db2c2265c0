"""The formats of other tools, held against their published schemas where `scripts/fetch-schemas` got them."""

from __future__ import annotations

import importlib
import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from kcp.authoring.validate.formats import github, gitlab, junit, plain_json, sarif
from kcp.authoring.validate.lint import LintOptions, LintResult, lint, unread
from kcp.errors import ManifestError
from kcp.reading.sources import ManifestBytes

HOSTILE = """\
project: "<b>&\\"'\\x1b[31m ]]> %0A::error::x"
version: "1"
kcp_version: "0.32"
units:
  - {id: "a\\n::error file=x::y", path: ../a, intent: i, audience: [agent]} # kcp: ignore[KCP113]
  - {id: "\\uFFFD\\x01\\U0001F600", path: b, intent: i, triggers: [t], audience: [agent], access: "a,b:c%"}
"""


@pytest.fixture
def schemas(repository: Path) -> Path:
    folder = repository / ".cache" / "schemas"
    if not folder.is_dir():
        pytest.skip("no published schemas; ./scripts/fetch-schemas gets them")
    return folder


def results() -> list[LintResult]:
    options = LintOptions("2026-07-06", rules="all", disk=False, ignore=frozenset({"KCP212"}))
    texts = {"docs/a b.yaml": HOSTILE, "/abs/sound.yaml": "project: p\nunits: [1]\n", "bad.yaml": "a: b: c"}
    return [
        *[lint(ManifestBytes(name, text.encode()), options) for name, text in texts.items()],
        lint(ManifestBytes("https://h.example/k.yaml", sound()), options),
        unread("gone.yaml", ManifestError("manifest not found: gone.yaml")),
    ]


def sound() -> bytes:
    unit = "{id: a, path: a.md, intent: i, scope: global, triggers: [t], audience: [agent]}"
    return f"project: p\nversion: '1'\nkcp_version: '0.32'\nunits: [{unit}]\n".encode()


def test_the_results_cover_what_formats_must_cope_with():
    hostile, _, bad, clean, gone = results()
    assert {by for by, _ in hostile.suppressed} == {"inline", "configuration"}
    assert (bad.read, bad.findings[0].line, bad.findings[0].column) == (False, 1, 5)
    assert (clean.findings, clean.ok, clean.valid) == ((), True, True)
    assert gone.findings[0].line is None


def test_sarif_follows_its_schema(schemas: Path):
    schema = json.loads((schemas / "sarif-2.1.0.json").read_text("utf-8"))
    validator = jsonschema.validators.validator_for(schema)(schema)
    for some in (results(), []):
        log = json.loads(sarif.render(some))
        assert [error.message for error in validator.iter_errors(log)] == []


def test_sarif_says_where_and_what():
    (run,) = json.loads(sarif.render(results()))["runs"]
    described = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(described[found["ruleIndex"]] == found["ruleId"] for found in run["results"])
    places = {
        found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for found in run["results"]
    }
    assert places == {"docs/a%20b.yaml", "file:///abs/sound.yaml", "bad.yaml", "gone.yaml"}
    kinds = {found["suppressions"][0]["kind"] for found in run["results"] if "suppressions" in found}
    assert kinds == {"inSource", "external"}
    first = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert first == {"startLine": 5, "startColumn": 40, "endColumn": 44}


def test_junit_follows_its_schema(schemas: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(schemas / "python"))
    try:
        etree: Any = importlib.import_module("lxml.etree")
    except ImportError:
        pytest.skip("lxml does not load; ./scripts/fetch-schemas gets it")
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == "lxml"]:
            monkeypatch.setitem(sys.modules, name, sys.modules[name])
    schema = etree.XMLSchema(etree.parse(str(schemas / "junit-10.xsd")))
    for some in (results(), []):
        document = etree.fromstring(junit.render(some).encode())
        assert schema.validate(document), schema.error_log


# C1 controls and what turns the direction of text; the last is a letter.
UNSEEN = "".join(map(chr, (*range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
SHOWN = "\u00e9\u4e2d\U0001f600"


def unseen() -> list[LintResult]:
    spelled = "".join([f"\\u{ord(char):04x}" for char in UNSEEN]) + SHOWN
    text = sound().decode().replace("audience: [agent]", f'audience: [agent], access: "{spelled}"')
    found = lint(ManifestBytes("k.yaml", text.encode()), LintOptions("2026-07-06"))
    assert any(UNSEEN + SHOWN in each.finding.message for each in found.findings)
    return [found.replace(source=f"{UNSEEN}{SHOWN}.yaml")]


@pytest.mark.parametrize("form", [sarif, gitlab, junit, github])
def test_characters_that_a_terminal_obeys_are_spelled(form: Any):
    text = form.render(unseen())
    assert [char for char in text if char in UNSEEN] == []
    assert SHOWN in text


def test_spelled_characters_mean_the_same():
    (run,) = json.loads(sarif.render(unseen()))["runs"]
    assert any(UNSEEN + SHOWN in each["message"]["text"] for each in run["results"])
    assert "\\u009b" in sarif.render(unseen())
    assert any(UNSEEN + SHOWN in each["description"] for each in json.loads(gitlab.render(unseen())))
    text = junit.render(unseen())
    assert "&#155;" in text
    assert ET.fromstring(text)[0].get("name") == f"{UNSEEN}{SHOWN}.yaml"
    assert any(UNSEEN + SHOWN in "".join(case.itertext()) for case in ET.fromstring(text).iter("testcase"))


def test_junit_shows_what_xml_has_no_place_for():
    hostile = junit.render([results()[0].replace(source="a\x1b\0\ud800\ufffe\r\n\t.yaml")])
    assert ET.fromstring(hostile)[0].get("name") == "a\\x1b\\x00\\ud800\\ufffe\r\n\t.yaml"


def test_junit_counts_cases_and_failures():
    root = ET.fromstring(junit.render(results()))
    assert [suite.get("name") for suite in root] == [result.source for result in results()]
    for suite, result in zip(root, results(), strict=True):
        failures = sum(each.level == "error" for each in result.findings)
        assert suite.get("failures") == str(failures) == str(len(suite.findall("testcase/failure")))
        assert suite.get("tests") == str(len(suite.findall("testcase"))) == str(max(1, len(result.findings)))


def test_github_prints_one_command_a_line():
    text = github.render(results())
    lines = text.splitlines()
    assert all(line.startswith(("::error file=", "::warning file=", "::notice file=")) for line in lines)
    assert text.count("\n") == len(lines)
    assert "\r" not in text
    assert lines[0].startswith("::error file=docs/a b.yaml,line=5,col=40,title=KCP110::unit 'a%0A")
    assert any("unknown access 'a,b:c%25'" in line for line in lines)
    assert "::notice file=docs/a b.yaml,title=kcp-agent::3 finding(s) suppressed" in lines


def test_gitlab_lists_issues_with_fingerprints_of_their_own():
    issues = json.loads(gitlab.render([*results(), *results()[:1]]))
    first = len(results()[0].findings)
    prints = [issue["fingerprint"] for issue in issues]
    assert len(set(prints)) == len(prints)
    assert all(len(each) == 64 for each in prints)
    assert issues[0]["location"] == {"path": "docs/a b.yaml", "lines": {"begin": 5}}
    assert {issue["severity"] for issue in issues} == {"major", "minor"}
    assert len(issues) == sum(len(result.findings) for result in results()) + first
    moved = results()[0].replace(source="docs/a b.yaml")
    assert json.loads(gitlab.render([moved]))[0]["fingerprint"] == prints[0]


def test_json_has_the_reference_s_members_and_more():
    hostile, _, bad, clean, gone = json.loads(plain_json.render(results()))
    assert list(hostile) == ["source", "project", "findings", "ok", "valid", "suppressed"]
    assert list(clean) == ["source", "project", "findings", "ok", "valid"]
    assert list(bad) == ["source", "findings", "ok", "valid"]
    assert list(gone) == ["source", "findings", "ok"]
    members = ["rule", "set", "level", "where", "message", "line", "column"]
    assert all(list(finding) == members for finding in hostile["findings"])
    assert list(gone["findings"][0]) == members[:5]
    assert json.loads(plain_json.render(results()[:1]))["suppressed"] == 3
    assert json.loads(plain_json.render([])) == []
