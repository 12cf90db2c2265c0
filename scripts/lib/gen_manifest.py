"""Generated manifests of any size for measuring: the same bytes for the same arguments, on every machine.

A chosen share of the units matches `TASK`; the rest shares no word with it. Units carry what real ones do, in
realistic proportions: audiences, dates and successors, prices, access, sizes, skills, a few playbooks.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

TASK = "deploy release rollback production checklist"
AS_OF = "2026-07-01"
TERMS = TASK.split()

# No word here contains a term of the task or is contained in one; a test checks it.
WORDS = (
    "account alert archive asset audit badge billing bridge budget buffer cache calendar campaign "
    "catalog channel circuit claim clause column compass contract courier credit customer dataset "
    "delivery digest domain draft engine estate export facility feeder filter forecast gateway glossary "
    "harbour harvest hazard heater import incident inventory invoice journal kernel latency ledger "
    "licence locker manual margin market meter mirror module monitor network notebook onboarding outage "
    "packet partner payroll permit pilot pipeline planet policy portal pricing printer queue quota "
    "refund region sensor session shelter signal storage supplier survey tariff template tenant ticket "
    "traffic training transit vendor voucher warehouse weather"
).split()
AREAS = ("guides", "runbooks", "reference", "policies", "notes")
ENVIRONMENTS = ("dev", "staging", "prod")

HEAD = """\
kcp_version: "0.32"
project: generated-{units}
version: 1.0.0
authority_level_scale: [observe, explain, suggest, prepare, commit]
trust:
  agent_requirements:
    require_attestation: true
    trusted_providers: [attest.example]
payment:
  default_tier: free
  methods:
    - type: free
rate_limits:
  default: {{requests_per_minute: 60, requests_per_day: 1000}}
  premium: {{requests_per_minute: 600, requests_per_day: unlimited}}
manifests:
"""


class Chance:
    """A small generator of its own (splitmix64): `random` promises the same numbers only in part."""

    def __init__(self, seed: int) -> None:
        self.state = seed & 0xFFFFFFFFFFFFFFFF

    def below(self, limit: int) -> int:
        """A whole number from 0 to limit - 1."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        return (mixed ^ (mixed >> 31)) % limit

    def percent(self, share: float) -> bool:
        """True in the given share of calls, in percent, to a tenth."""
        return self.below(1000) < share * 10

    def word(self) -> str:
        """One of the words that have nothing to do with the task."""
        return WORDS[self.below(len(WORDS))]

    def term(self) -> str:
        """One of the task's terms."""
        return TERMS[self.below(len(TERMS))]


def successor_lines(chance: Chance, number: int) -> list[str]:
    """The dates of a unit: most are in force, some are over or not yet, some have a successor."""
    lines = ["    temporal:", f'      valid_from: "202{chance.below(6)}-0{1 + chance.below(9)}-15"']
    kind = chance.below(10)
    if kind < 2:
        lines.append('      valid_until: "2026-03-31"')
    elif kind < 4:
        lines[1] = '      valid_from: "2027-01-01"'
    elif kind < 5:
        lines.append(f"      superseded_by: u{number + 1}")
    else:
        lines.append('      valid_until: "2028-12-31"')
    return lines


def payment_lines(chance: Chance) -> list[str]:
    """What a paid unit costs."""
    lines = ["    payment:", "      methods:"]
    if chance.percent(60):
        price = f"0.{1 + chance.below(99):03d}"
        lines.append(
            f'        - {{type: x402, price_per_request: "{price}", currency: USDC, networks: [base]}}'
        )
    else:
        lines.append("        - {type: subscription, plans_url: https://plans.example}")
    if chance.percent(50):
        lines.append("        - type: free")
    return lines


def governed_lines(chance: Chance, number: int, playbook: bool) -> list[str]:
    """A skill or a playbook: its grant, what it may touch, its steps."""
    lines = [f"    kind: {'playbook' if playbook else 'skill'}"]
    if chance.percent(80):
        lines.append("    load_eligible: true")
    lines += ["    action_scope:", "      tools: [git, kubectl]", '      paths: ["deploy/**"]']
    lines += ["      capabilities: [read]", "      deny:", '        paths: ["secrets/**"]']
    if playbook:
        lines += ["    authority_level: prepare", "    steps:"]
        for step in range(4):
            lines += [
                f"      - id: s{step}",
                f"        uses: u{number - step - 1}",
                "        authority_level: suggest",
            ]
    return lines


def unit_lines(chance: Chance, number: int, relevant: bool) -> list[str]:
    """One unit."""
    words = [chance.word() for _ in range(8)]
    triggers = [chance.word() for _ in range(1 + chance.below(5))]
    label = chance.word()
    if relevant:
        words[chance.below(8)] = chance.term()
        if chance.percent(60):
            triggers[0] = chance.term()
        if chance.percent(20):
            label = chance.term()
    path = f"docs/{AREAS[chance.below(len(AREAS))]}/{label}-{number}.md"
    audience = (
        "human"
        if chance.percent(4)
        else "agent, human"
        if chance.percent(70)
        else "agent, operator, developer"
    )
    lines = [
        f"  - id: u{number}",
        f"    path: {path}",
        f'    intent: "{" ".join(words).capitalize()}"',
        f"    scope: {'global' if chance.percent(30) else 'module'}",
        f"    audience: [{audience}]",
        f"    triggers: [{', '.join(triggers)}]",
    ]
    if chance.percent(70):
        lines.append(f"    size_tokens: {200 + chance.below(4000)}")
    elif chance.percent(50):
        lines.append(f"    bytes: {800 + chance.below(16000)}")
    if chance.percent(3):
        lines.append(f"    not_for: [{chance.word()}, {chance.word()}]")
    if chance.percent(3):
        lines.append(f"    access: {'restricted' if chance.percent(50) else 'authenticated'}")
    if chance.percent(1):
        lines.append("    deprecated: true")
    if chance.percent(20):
        lines += successor_lines(chance, number)
    if chance.percent(8):
        lines += payment_lines(chance)
    if number >= 4 and chance.percent(2):
        lines += governed_lines(chance, number, playbook=chance.percent(20))
    return lines


def manifest_text(units: int, relevance: float = 0.1, seed: int = 0, first: int = 0) -> str:
    """The text of a manifest whose units are numbered from `first`; `relevance` is a share from 0 to 1."""
    chance = Chance(seed)
    lines = []
    for name in ENVIRONMENTS:
        lines += [
            f"  - id: {name}",
            f"    url: https://kcp.example/{name}/knowledge.yaml",
            f"    context: [{name}]",
        ]
    lines.append("units:" if units else "units: []")
    for index in range(units):
        relevant = int((index + 1) * relevance) > int(index * relevance)
        lines += unit_lines(chance, first + index, relevant)
    return HEAD.format(units=units) + "\n".join(lines) + "\n"


def main() -> int:
    """Write the manifest to standard output or a file."""
    parser = argparse.ArgumentParser(prog="gen-manifest", description=f"Generate a manifest. Task: {TASK!r}.")
    parser.add_argument("units", type=int, help="number of units")
    parser.add_argument(
        "--relevance", type=float, default=0.1, help="share of units that match the task (default 0.1)"
    )
    parser.add_argument("--seed", type=int, default=0, help="another seed, another manifest (default 0)")
    parser.add_argument("--output", "-o", type=Path, help="file to write (default: standard output)")
    given = parser.parse_args()
    if given.units < 0 or not 0 <= given.relevance <= 1:
        parser.error("units must not be negative, and --relevance lies between 0 and 1")
    text = manifest_text(given.units, given.relevance, given.seed)
    if given.output:
        given.output.write_bytes(text.encode())
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
