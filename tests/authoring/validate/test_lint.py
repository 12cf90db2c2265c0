"""Both sets together, places in the text, and what comments in a manifest may keep quiet."""

from __future__ import annotations

from textwrap import dedent

import pytest

from kcp.authoring.validate.lint import LintOptions, LintResult, lint
from kcp.reading.sources import ManifestBytes

HEAD = 'project: p\nversion: "1"\nkcp_version: "0.32"\nunits:\n'
UNIT = "- {id: a, path: a.md, intent: i, scope: global, triggers: [t], audience: [agent]}\n"


def judged(text: str, **options: object) -> LintResult:
    data = dedent(text).encode()
    options = {"rules": "all", "disk": False} | options
    return lint(ManifestBytes("k.yaml", data), LintOptions("2026-07-06", **options))  # type: ignore[arg-type]


def found(text: str, **options: object) -> list[tuple[str, str]]:
    return [(each.rule, each.level) for each in judged(text, **options).findings]


def test_a_sound_manifest_has_no_finding():
    result = judged(HEAD + UNIT)
    assert (result.findings, result.ok, result.valid, result.project) == ((), True, True, "p")
    assert judged(HEAD + UNIT, rules="agent").valid is None


@pytest.mark.parametrize(
    ("text", "agent", "spec", "both"),
    [
        (HEAD + UNIT + UNIT, [("KCP106", "error")], [("KCP213", "warning")], [("KCP106", "error")]),
        (
            (HEAD + UNIT).replace("project: p\n", ""),
            [("KCP101", "warning")],
            [("KCP205", "error")],
            [("KCP205", "error")],
        ),
        (
            (HEAD + UNIT).replace('version: "1"\n', "", 1),
            [("KCP102", "warning")],
            [("KCP215", "warning")],
            [("KCP102", "warning")],
        ),
        (
            HEAD.replace("units:\n", "units: []\n"),
            [("KCP104", "warning")],
            [("KCP206", "error")],
            [("KCP206", "error")],
        ),
        (
            HEAD + UNIT.replace("a.md", "../a.md"),
            [("KCP110", "error")],
            [("KCP204", "error")],
            [("KCP110", "error")],
        ),
        (
            HEAD + UNIT.replace("[agent]", "[]"),
            [("KCP114", "warning")],
            [("KCP210", "warning")],
            [("KCP114", "warning")],
        ),
        (
            HEAD + UNIT.replace("}", ", load_eligible: yes}"),
            [("KCP142", "error")],
            [("KCP330", "warning")],
            [("KCP142", "error")],
        ),
        (
            HEAD + UNIT.replace("}", ", temporal: {superseded_by: x}}"),
            [("KCP128", "error")],
            [("KCP282", "warning")],
            [("KCP128", "error")],
        ),
        (
            HEAD + UNIT.replace("}", ", access: odd}"),
            [("KCP115", "warning")],
            [("KCP229", "warning"), ("KCP233", "warning")],
            [("KCP115", "warning"), ("KCP233", "warning")],
        ),
    ],
)
def test_a_fact_is_said_once_at_the_higher_level(text, agent, spec, both):
    assert found(text, rules="agent") == agent
    assert found(text, rules="spec") == spec
    assert found(text) == both


def test_validity_is_the_specification_s_alone():
    twice = judged(HEAD + UNIT + UNIT)
    assert (twice.ok, twice.valid) == (False, True)
    refused = judged(HEAD + UNIT.replace("a.md", "/a.md"), rules="spec")
    assert (refused.ok, refused.valid, refused.read, len(refused.findings)) == (False, False, False, 1)
    beside = judged(HEAD + UNIT.replace("a.md", "/a.md").replace("i,", "i, tomporal: x,"))
    assert (beside.valid, beside.read, [each.rule for each in beside.findings]) == (
        False,
        True,
        ["KCP109", "KCP329"],
    )


def test_validity_does_not_heed_what_is_suppressed():
    result = judged(HEAD + UNIT.replace("global", "team"), ignore=frozenset({"KCP209"}))
    assert (result.ok, result.valid, result.findings) == (True, False, ())
    assert [(by, each.rule) for by, each in result.suppressed] == [("configuration", "KCP209")]
    assert judged(HEAD + UNIT.replace("global", "team"), select=frozenset({"KCP211"})).suppressed == ()


def test_findings_stand_where_their_value_does():
    result = judged(
        """\
        project: p
        version: "1"
        kcp_version: "0.32"
        units:
          - id: a
            path: /abs
            intent: "i"
            scope: global
            triggers: [t]
            audience: [agent, nobody]
            laod_eligible: true
        """
    )
    places = [(each.rule, each.line, each.column, each.end_column, each.text) for each in result.findings]
    assert places == [
        ("KCP109", 6, 11, 15, "    path: /abs"),
        ("KCP211", 10, 23, 29, "    audience: [agent, nobody]"),
        ("KCP329", 11, 5, 18, "    laod_eligible: true"),
    ]


def test_a_missing_field_stands_where_its_mapping_starts():
    result = judged(HEAD + "- path: a.md\n  intent: i\n  triggers: [t]\n  audience: [agent]\n", rules="agent")
    assert [(each.rule, each.line, each.column) for each in result.findings] == [("KCP105", 5, 3)]


@pytest.mark.parametrize(
    ("text", "line", "column", "hint"),
    [
        (
            "a: 1\nversion: x\nb: 2\nversion: y\n",
            4,
            1,
            "'version' is given first on line 2; keep one of them",
        ),
        (
            "project: p\nintent: text\n  content_hash: x\n",
            3,
            15,
            "'intent' above has a text for its value already; indent this line as far as 'intent'",
        ),
        (
            "project: p\n---\nproject: q\n",
            2,
            1,
            "a manifest is one document; put what follows '---' into a file of its own",
        ),
    ],
)
def test_texts_that_are_no_yaml_are_explained(text, line, column, hint):
    for rules, rule in (("agent", "KCP100"), ("spec", "KCP201"), ("all", "KCP100")):
        (located,) = judged(text, rules=rules).findings
        assert (located.rule, located.line, located.column, located.hint) == (rule, line, column, hint)
        assert located.text == text.split("\n")[line - 1]


def test_bytes_that_are_no_utf8():
    result = lint(ManifestBytes("k.yaml", b"project: \xff\n"), LintOptions("2026-07-06", rules="spec"))
    assert [(each.rule, each.line, each.column) for each in result.findings] == [("KCP202", 1, 10)]
    marked = lint(
        ManifestBytes("k.yaml", b"\xef\xbb\xbf" + (HEAD + UNIT).encode()),
        LintOptions("2026-07-06", rules="spec", disk=False),
    )
    assert [(each.rule, each.level) for each in marked.findings] == [("KCP202", "warning")]
    assert marked.valid


def test_type_tags_are_refused_by_the_specification_alone():
    text = HEAD + UNIT.replace("intent: i", "intent: !!str i")
    assert found(text, rules="agent") == []
    assert found(text, rules="spec") == [("KCP201", "error")]
    assert not judged(text, rules="spec").read
    assert found(HEAD + UNIT.replace("intent: i", "intent: Go!"), rules="spec") == []


@pytest.mark.parametrize("comment", ["# kcp: ignore[KCP113]", "# why not  # kcp:ignore[KCP114, no-triggers]"])
def test_a_comment_keeps_its_line_quiet(comment):
    text = HEAD + UNIT.replace("triggers: [t], ", "").replace("\n", f"  {comment}\n")
    result = judged(text)
    assert (result.findings, [(by, each.rule) for by, each in result.suppressed]) == (
        (),
        [("inline", "KCP113")],
    )
    assert found(text, inline=False) == [("KCP113", "warning")]


def test_a_comment_alone_is_for_the_next_line():
    bare = UNIT.replace("triggers: [t], ", "")
    text = HEAD + "# kcp: ignore[KCP113]\n\n# another\n" + bare + bare.replace("id: a", "id: b")
    result = judged(text)
    assert [(each.rule, each.line) for each in result.findings] == [("KCP113", 9)]
    assert [each.line for _, each in result.suppressed] == [8]


@pytest.mark.parametrize(
    "text",
    [
        UNIT.replace("triggers: [t]", "triggers: [], note: 'x # kcp: ignore[KCP113]'"),
        UNIT.replace("triggers: [t], ", "")
        + "note: |\n  text # kcp: ignore[KCP113]\n  # kcp: ignore[KCP113]\n",
        UNIT.replace("triggers: [t], ", "").replace("\n", "  # kcp: ignore[KCP114]\n"),
        UNIT.replace("triggers: [t], ", "").replace("\n", "  # kcp: ignore\n"),
        UNIT.replace("triggers: [t], ", "").replace("\n", "  # kcp: ignore[]\n"),
        UNIT.replace("triggers: [t], ", "").replace("\n", "  # kcp: ignore[KCP1]\n"),
    ],
)
def test_what_is_no_such_comment_keeps_nothing_quiet(text):
    assert [rule for rule, _ in found(HEAD + text, rules="agent")] == ["KCP113"]


@pytest.mark.parametrize(
    ("unit", "rule"),
    [
        (UNIT.replace("a.md", "../a.md"), "KCP110"),
        (UNIT.replace("}", ", load_eligible: yes}"), "KCP142"),
        (UNIT.replace("}", ", kind: skill, action_scope: {tools: [t], deny: {}}}"), "KCP123"),
        (UNIT.replace("}", ", kind: skill, load_eligible: true}"), "KCP121"),
        (UNIT.replace("}", ", not_for: x}"), "KCP143"),
    ],
)
def test_a_manifest_cannot_silence_what_it_permits(unit, rule):
    text = HEAD + unit.replace("\n", f" # kcp: ignore[{rule}]\n")
    result = judged(text, rules="agent")
    assert [each.rule for each in result.findings] == [rule]
    assert (result.ok, result.suppressed) == (result.findings[0].level != "error", ())
    assert result.findings[0].hint == "a comment in the manifest cannot silence this rule"


def test_a_mapping_that_is_no_manifest():
    result = judged("services: {web: 1}\n", rules="agent")
    assert result.remarks == (("this does not look like a KCP manifest", None),)
    assert [each.rule for each in result.findings] == ["KCP101", "KCP102", "KCP103", "KCP104"]
    spec = judged("services: {web: 1}\n", rules="spec")
    assert [(each.rule, each.level) for each in spec.findings] == [("KCP200", "error")]
    assert spec.remarks == ()


@pytest.mark.parametrize("field", ["name", "id", "title"])
def test_what_people_write_for_project_is_named(field):
    (located,) = judged((HEAD + UNIT).replace("project", field), rules="spec").findings
    assert located.finding.message.endswith(f"'{field}' is no field of a manifest, write 'project'")


def test_what_reading_dropped_is_a_remark():
    result = judged(HEAD + UNIT + "- text\n", rules="agent")
    ((message, position),) = result.remarks
    assert position is not None
    assert (message, position.line, position.column) == ("unit #2 is not a mapping — ignored", 6, 3)


def test_hostile_sizes_stay_quick():
    names = "".join([f"  field{number:07}x: 1\n" for number in range(20_000)])
    units = "".join(
        [f"- {{id: u{number}, temporal: {{superseded_by: u{number + 1}}}}}\n" for number in range(3000)]
    )
    steps = ", ".join(
        [f"{{id: s{number}, action: a, depends_on: [s{number + 1}]}}" for number in range(3000)]
    )
    text = HEAD + units + f"- {{id: p, kind: playbook, steps: [{steps}]}}\n- id: last\n" + names
    result = judged(text, rules="spec")
    assert not any(each.rule in ("KCP283", "KCP317") for each in result.findings)
    closed = text.replace("superseded_by: u3000}", "superseded_by: u0}")
    circle = [each for each in judged(closed, rules="spec").findings if each.rule == "KCP283"]
    assert len(circle) == 1
