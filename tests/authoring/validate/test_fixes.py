"""Repairs: what they change, what they never change, and that a second run finds nothing to do."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.authoring.validate.fixes import fix
from kcp.errors import ManifestError
from kcp.model import Manifest
from kcp.options import Capabilities, PlanOptions
from kcp.planning.planner import make_plan
from kcp.planning.trace import make_trace
from kcp.reading.parse import parse_manifest
from kcp.reading.yaml12 import read_yaml

TODAY = "2026-07-06"


def fixed(text: str, *, unsafe: bool = False) -> str:
    """The text after its repairs; a second run must not change it."""
    data = fix(text.encode(), unsafe=unsafe, today=TODAY).data
    assert fix(data, unsafe=unsafe, today=TODAY).messages == ()
    return data.decode()


def read(text: str) -> Manifest:
    return parse_manifest(read_yaml(text.encode()), located=False)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: 1", "a: 1\n"),
        ("a: 1\r\nb: 2", "a: 1\r\nb: 2\r\n"),
        ("\ufeffa: 1\n", "a: 1\n"),
        ("updated: 2026-07-01 # soon\n", 'updated: "2026-07-01" # soon\n'),
        (
            "units: [{temporal: {valid_from: 2026-07-01, valid_until: 2026-07-02T10:00:00Z}}]\n",
            'units: [{temporal: {valid_from: "2026-07-01", valid_until: "2026-07-02T10:00:00Z"}}]\n',
        ),
        ("units:\n- audience: agent\n", "units:\n- audience: [agent]\n"),
        ("units:\n- audience: agent, human # both\n", 'units:\n- audience: ["agent, human"] # both\n'),
        (
            "units:\n- triggers: 'a'  \n  not_for: \"b\"\n",
            "units:\n- triggers: ['a']  \n  not_for: [\"b\"]\n",
        ),
        ("units:\n- triggers: 5\n", "units:\n- triggers: [5]\n"),
        ("units: [{audience: agent, triggers: [t]}]\n", "units: [{audience: [agent], triggers: [t]}]\n"),
        (
            "units: [{action_scope: {deny: {tools: rm}, spend: {allowed_vendors: v}}}]\n",
            "units: [{action_scope: {deny: {tools: [rm]}, spend: {allowed_vendors: [v]}}}]\n",
        ),
        ("manifests: [{context: prod}]\n", "manifests: [{context: [prod]}]\n"),
        ("payment: {methods: {type: free}}\n", "payment: {methods: [{type: free}]}\n"),
        (
            "payment:\n  methods:\n    type: x402 # price\n\n    currency: USDC\nversion: 1\n",
            "payment:\n  methods:\n    - type: x402 # price\n\n      currency: USDC\nversion: 1\n",
        ),
    ],
)
def test_safe_repairs(before, after):
    assert fixed(before) == after


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a: |\n  text",  # a line end would become a part of the text
        "title: 2026-07-01\n",  # no date field
        'updated: "2026-07-01"\n',
        "updated: !!timestamp 2026-07-01\n",
        "updated: &d 2026-07-01\nvalidated: *d\n",
        "units:\n- audience: [agent]\n  triggers: {a: b}\n",
        "units:\n- audience: &a agent\n  triggers: *a\n",
        "units:\n- audience: |\n    agent\n",
        "units:\n- audience: agent\n    and more\n",
        "units:\n- kind: agent\n  scope: x\n",
        "x: &x {audience: agent}\nunits: [*x]\n",  # would change x as well
    ],
)
def test_what_is_left_as_it_is(text):
    if text:
        assert fixed(text) == text


def test_bytes_that_are_no_manifest():
    for data in (b"", b"- a\n", b"a: b: c", b"\xff"):
        with pytest.raises(ManifestError):
            fix(data)


def test_what_cannot_be_repaired_does_not_keep_the_rest_from_it():
    text = "x: &x {audience: agent}\nupdated: 2026-07-01\nunits: [*x, {triggers: t}]\nnote: |\n  end"
    after = text.replace("2026-07-01", '"2026-07-01"').replace("triggers: t", "triggers: [t]")
    assert fixed(text) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "units:\n- id: a\n  triger: [t]\n  audience: [agent]\n",
            "units:\n- id: a\n  triggers: [t]\n  audience: [agent]\n",
        ),
        (
            "units:\n- id: a\n  triger: t\n  audience: [agent]\n",
            "units:\n- id: a\n  triggers: [t]\n  audience: [agent]\n",
        ),
        ("projct: p\n", "project: p\n"),
        ("units:\n- id: a\n  path: b\n", "units:\n- id: a\n  audience: [agent, human]\n  path: b\n"),
        (
            "units:\r\n- id: a\r\n  path: b\r\n",
            "units:\r\n- id: a\r\n  audience: [agent, human]\r\n  path: b\r\n",
        ),
        ("units: [{id: a, path: b}]\n", "units: [{id: a, audience: [agent, human], path: b}]\n"),
        (
            "manifests: [{id: a, url: 'http://h.example/k'}]\n",
            "manifests: [{id: a, url: 'https://h.example/k'}]\n",
        ),
        (
            "trust: {provenance: {publisher_url: http://h.example}}\n",
            "trust: {provenance: {publisher_url: https://h.example}}\n",
        ),
        ("serving:\n  mcp:\n  - http://h.example/mcp\n", "serving:\n  mcp:\n  - https://h.example/mcp\n"),
    ],
)
def test_unsafe_repairs(before, after):
    assert fixed(before) == before
    assert fixed(before, unsafe=True) == after


@pytest.mark.parametrize(
    "text",
    [
        "units:\n- id: a\n  laod_eligible: true\n  audience: [agent]\n",
        "units:\n- id: a\n  acess: public\n  audience: [agent]\n",
        "units:\n- id: a\n  scpe: global\n  audience: [agent]\n",
        "units:\n- id: a\n  audience: [agent]\n  action_scope: {deni: {tools: [rm]}, tool: [git]}\n",
        "trsut: {}\n",
        "trust: {agent_requirement: {}}\n",
        "signin: {scheme: ed25519}\n",
        "units:\n- id: a\n  audience: [agent]\n  triger: [a]\n  triggers: [b]\n",
        "units:\n- id: a\n  audience: []\n",
        "units:\n- {id: a}\n",
        "manifests: [{id: a, url: 'http://localhost/k'}]\n",
        "x-triger: [t]\n",
    ],
)
def test_what_is_never_repaired(text):
    assert fixed(text, unsafe=True) == text


DATES = st.sampled_from(
    ["2026-07-01", "2026-7-1", '"2026-07-01"', "2026-07-01T10:00:00Z", "soon", "2019-01-01"]
)
WORDS = st.sampled_from(
    [
        "deploy",
        "billing",
        "agent",
        "human",
        "a, b",
        "x: y",
        "no",
        "5",
        "1.50",
        "true",
        "~",
        "'q r'",
        '"s"',
        "[t]",
        "[]",
        "{k: v}",
        "é\u2028é",
        "#c",
        "a #b",
        "- a",
    ]
)
FIELDS = {
    "audience": WORDS,
    "triggers": WORDS,
    "not_for": WORDS,
    "validated": DATES,
    "access": st.sampled_from(["public", "restricted", "5"]),
    "load_eligible": st.sampled_from(["true", "yes"]),
    "kind": st.sampled_from(["skill", "playbook", "policy"]),
    "temporal": st.builds("{{valid_from: {}, valid_until: {}}}".format, DATES, DATES),
    "action_scope": st.builds(
        "{{tools: [git], deny: {{tools: {}}}, spend: {{allowed_vendors: {}}}}}".format, WORDS, WORDS
    ),
    "payment": st.sampled_from(
        [
            "{methods: {type: free}}",
            "\n    methods:\n      type: x402\n      price_per_request: 1",
            "{methods: [{type: x402}]}",
        ]
    ),
    "steps": st.builds("[{{id: s, uses: u0, depends_on: {}}}]".format, WORDS),
}


@st.composite
def manifests(draw: Any) -> str:
    """Manifests that often need repairs, in different shapes."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    lines = ["project: p", f"updated: {draw(DATES)}"]
    if draw(st.booleans()):
        lines += ["manifests:", f"- {{id: r, url: https://r.example, context: {draw(WORDS)}}}"]
    lines.append("units:")
    for number in range(draw(st.integers(1, 3))):
        lines += [f"- id: u{number}", "  path: u.md", "  intent: How to deploy"]
        for field in draw(st.lists(st.sampled_from(sorted(FIELDS)), unique=True)):
            lines.append(f"  {field}: {draw(FIELDS[field])}{draw(st.sampled_from(['', ' # why', ' ']))}")
    end = draw(st.sampled_from(["", "\n", "\n\n", "\n# end"]))
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return mark + newline.join("\n".join(lines).split("\n")) + end.replace("\n", newline)


def readable(text: str) -> bool:
    try:
        read(text)
    except ManifestError:
        return False
    return True


@given(manifests().filter(readable), st.sampled_from(["deploy", "billing agent", "a b x y 5 true", ""]))
def test_plans_and_traces_are_the_same_after_safe_repairs(text, task):
    after = fixed(text)
    for capabilities in (Capabilities(), Capabilities(role="human", payment_methods=("free", "x402"))):
        for today in ("2026-07-01", "2026-07-02"):
            options = PlanOptions(as_of=today, capabilities=capabilities, env="prod")
            assert make_plan(read(after), task, options) == make_plan(read(text), task, options)
            assert make_trace(read(after), task, options) == make_trace(read(text), task, options)


@given(manifests().filter(readable), st.booleans())
def test_repairs_leave_all_else_alone_and_are_done_at_once(text, unsafe):
    after = fixed(text, unsafe=unsafe)
    kept = iter(after)
    added = set('[]" -\r\n') | set("audience: [agent, human]triggers" if unsafe else "")
    removed = [char for char in text.removeprefix("\ufeff") if not any(char == other for other in kept)]
    assert removed == []
    assert set(after) <= set(text) | added
