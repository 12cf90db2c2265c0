"""The rules together: order, the findings of decisions B1–B5, the report (surfaces contract §4)."""

from __future__ import annotations

import json

import pytest

from kcp.authoring.validate.check import check_manifest, unreadable_report
from kcp.authoring.validate.findings import Finding, Report
from kcp.model import Position
from tests.support import AS_OF, SOUND, findings, manifest, plain, read


@pytest.mark.parametrize(
    ("members", "level", "message"),
    [
        (
            "temporal: {valid_from: 2026-07-01}",
            "warning",
            "temporal.valid_from is an unquoted date — quote it",
        ),
        (
            "temporal: {valid_until: 2027-07-01}",
            "warning",
            "temporal.valid_until is an unquoted date — quote it",
        ),
        ("load_eligible: yes", "error", "load_eligible 'yes' is not a boolean — no grant is read"),
        ("not_for: billing", "error", "not_for must be a list — read as one entry"),
        ("payment: {methods: {type: free}}", "error", "methods must be a list — read as one entry"),
        ("action_scope: {spend: 5}", "error", "action_scope.spend is malformed — fail-closed"),
        ("action_scope: {deny: x}", "error", "action_scope.deny is malformed — fail-closed"),
        ("steps: x", "error", "steps is malformed — fail-closed"),
        ("steps: [{id: s, escalation: 5}]", "error", "escalation is malformed — fail-closed"),
        (
            "payment: {methods: [{type: x402, price_per_request: -1, currency: USDC}]}",
            "error",
            "price_per_request '-1' is not a non-negative number",
        ),
    ],
)
def test_findings_of_the_decisions(members, level, message):
    assert findings(f"{SOUND}, {members}") == (Finding(level, "unit 'u'", message),)


def test_findings_of_the_decisions_come_last_among_their_units():
    of = manifest(
        "id: u, path: /x, intent: i, audience: agent, triggers: t, kind: skill, load_eligible: 1, "
        "temporal: {valid_until: 2020-01-01}, payment: {methods: [{type: x402}]}, action_scope: {deny: 1}",
        SOUND.replace("id: u", "id: w") + ", access: odd",
        manifests="[{id: r, url: '../x', context: prod}]",
        payment="{methods: [{type: x402, price_per_request: y}]}",
        kcp_version="''",
        trust="{agent_requirements: {require_attestation: true}}",
    )
    assert [(each.level[0], each.where, each.message[:24]) for each in findings(of)] == [
        ("w", "manifest", "missing 'kcp_version' — "),
        ("e", "manifest", "price_per_request 'y' is"),
        ("e", "unit 'u'", "path must be relative, n"),
        ("w", "unit 'u'", "expired 2020-01-01 with "),
        ("w", "unit 'u'", "kind: skill declares no "),
        ("w", "unit 'u'", "x402 payment method shou"),
        ("w", "unit 'u'", "temporal.valid_until is "),
        ("e", "unit 'u'", "load_eligible '1' is not"),
        ("e", "unit 'u'", "audience must be a list "),
        ("e", "unit 'u'", "triggers must be a list "),
        ("e", "unit 'u'", "action_scope.deny is mal"),
        ("e", "unit 'u'", "price_per_request 'undef"),
        ("w", "unit 'w'", "unknown access 'odd' (ex"),
        ("w", "manifest ref 'r'", "url is not https — agent"),
        ("e", "manifest ref 'r'", "context must be a list —"),
        ("e", "manifest", "require_attestation with"),
    ]


def test_the_rules_about_a_unit_in_order():
    of = manifest(
        "access: odd, kind: odd, temporal: {valid_from: x, superseded_by: gone}, not_for: [topic], "
        "intent: topic, payment: {methods: [{}]}",
        SOUND,
    )
    assert [each.message.split(" ")[0] for each in findings(of)] == [
        "missing",
        "path",
        "no",
        "no",
        "unknown",
        "unknown",
        "temporal.valid_from",
        "not_for",
        "payment",
        "temporal.superseded_by",
    ]


def test_what_was_dropped_is_a_remark_and_no_finding():
    text = "project: p\nversion: '1'\nkcp_version: '1'\nunits:\n- text\n- {" + SOUND + "}\n"
    report = check_manifest(read(text), "k.yaml", AS_OF)
    assert report == Report(
        "k.yaml", "p", (), True, (("unit #1 is not a mapping — ignored", Position(5, 3)),), True
    )


def test_a_report_is_ok_without_errors():
    sound = check_manifest(manifest(SOUND), "k.yaml", AS_OF)
    assert (sound.ok, sound.findings, sound.project) == (True, (), "p")
    warned = check_manifest(manifest(), "k.yaml", AS_OF)
    assert (warned.ok, len(warned.findings)) == (True, 1)
    failed = check_manifest(manifest(SOUND, SOUND), "k.yaml", AS_OF)
    assert not failed.ok


def test_an_unreadable_manifest_has_one_error_and_no_project():
    report = unreadable_report("x", "manifest not found: x")
    assert plain(report.findings) == (Finding("error", "manifest", "manifest not found: x"),)
    assert (report.project, report.ok, report.read) == (None, False, False)
    assert json.loads(report.to_json()) == {
        "source": "x",
        "findings": [{"level": "error", "where": "manifest", "message": "manifest not found: x"}],
        "ok": False,
    }


def test_the_wire_form():
    report = check_manifest(manifest(), "k.yaml", AS_OF)
    wire = json.loads(report.to_json())
    assert list(wire) == ["source", "project", "findings", "ok"]
    assert list(wire["findings"][0]) == ["level", "where", "message"]


def test_findings_lead_to_the_nodes_they_are_about():
    of = read(
        """\
        project: p
        version: '1'
        kcp_version: '0.32'
        units:
        - text
        - id: a
          path: /a.md
          intent: a
          triggers: t
          audience: [agent]
        - 5
        - more text
        - id: b
          path: b.md
          intent: b
          triggers: [b]
          audience: [agent]
          kind: playbook
          steps: [1, {id: s, uses: c}]
        - {id: c, path: c.md, intent: c, triggers: [c], audience: [agent], kind: skill,
           action_scope: {tools: [t], deny: {tools: [t]}}}
        """
    )
    report = check_manifest(of, "k.yaml", AS_OF)
    assert [(each.rule, each.path) for each in report.findings] == [
        ("KCP109", ("units", 1, "path")),
        ("KCP143", ("units", 1, "triggers")),
        ("KCP125", ("units", 4, "steps", 1, "uses")),
        ("KCP124", ("units", 5, "action_scope", "deny", "tools", 0)),
    ]
