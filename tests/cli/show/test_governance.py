"""Governed units for people: what they may touch, who bound them, what is owed and what is refused."""

from __future__ import annotations

from collections.abc import Callable

MANIFEST = """\
project: p
version: "1"
units:
- id: shift
  kind: skill
  path: shift.md
  intent: Shift traffic
  triggers: [traffic]
  load_eligible: true
  action_scope:
    tools: [convoy.shift]
    spend: {max_spend: 5, currency: USD, allowed_vendors: [acme]}
    deny: {tools: [convoy.drain], paths: ["secrets/**"]}
- id: recover
  kind: playbook
  path: recover.md
  intent: Recover traffic
  triggers: [traffic]
  load_eligible: true
  authority_level: suggest
  steps:
  - {id: one, uses: shift, authority_level: suggest, escalation: [human_approval]}
"""


def test_eligible(run: Callable, manifest: Callable):
    out = run("plan", "traffic", "--manifest", manifest(MANIFEST), "--spend", "2").out
    assert "      may touch: tools convoy.shift; deny tools convoy.drain; deny paths secrets/**\n" in out
    assert "      spend: at most 5 USD, vendors acme (bound by step 'shift' action_scope.spend)\n" in out
    assert "      authority: suggest (bound by playbook authority_level)\n" in out
    assert "      grant owed: step 'one' declares escalation " in out
    assert "not load-eligible" not in out


def test_refused(run: Callable, manifest: Callable):
    words = ["plan", "traffic", "--manifest", manifest(MANIFEST), "--action-path", "secrets/key"]
    listed = run(*words).out
    assert "  ○ 1. " in listed
    assert "      not load-eligible\n" in listed
    assert "      refused: prohibited attempt: 'secrets/key' (paths) " in listed
    strict = run(*words, "--strict").out
    assert "Load plan (0 units):" in strict
    assert "      refused: prohibited attempt: 'secrets/key' (paths) " in strict
