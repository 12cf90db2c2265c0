"""Short ways to saved artifacts and their replay, for the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kcp.evidence.plan_replay import ReplaySettings
from kcp.evidence.replay import replay_any
from kcp.evidence.reports import GroundedReport, ReplayReport
from kcp.federation import Walk, WalkLimits
from kcp.options import PlanOptions
from kcp.reading.sources import Sources
from kcp.trust.policy import TrustPolicy
from kcp.wire.decode import decode_json
from tests.support import AS_OF

Raw = dict[str, Any]

ROOT = """\
project: quay
version: 1.0.0
kcp_version: "0.32"
manifests:
  - {id: pilots, url: pilots/knowledge.yaml}
  - {id: locked, url: x.yaml, agent_identity: {required: true, credential_hint: pass}}
units:
  - {id: berth, path: berth.md, intent: How a ship berths, triggers: [berth], size_tokens: 10}
  - {id: tide, path: tide.md, intent: Tide at the berth, payment: {methods: [
      {type: x402, price_per_request: "0.1", currency: USDC}]}}
  - {id: old, path: old.md, intent: berth once, deprecated: true}
"""
CHILD = """\
project: pilots
version: 2.0.0
manifests: [{id: back, url: ../knowledge.yaml}, {id: far, url: far/knowledge.yaml}]
units:
  - {id: pilot, path: pilot.md, intent: A pilot for the berth, payment: {methods: [
      {type: x402, price_per_request: "0.2", currency: USDC}]}}
"""
FAR = "project: far\nversion: 1.0.0\nunits: [{id: light, path: l.md, intent: A light at the berth}]\n"


def harbour(folder: Path) -> Path:
    """Three manifests, each below the one that names it; the path of the first."""
    for path, text in (("", ROOT), ("pilots", CHILD), ("pilots/far", FAR)):
        (folder / path).mkdir(parents=True, exist_ok=True)
        (folder / path / "knowledge.yaml").write_text(text, encoding="utf-8")
    return folder / "knowledge.yaml"


def asked(**changes: Any) -> PlanOptions:
    return PlanOptions(**{"as_of": AS_OF} | changes)


def saved(
    location: Path | str,
    task: str = "berth",
    options: PlanOptions | None = None,
    *,
    depth: int | None = None,
    trust: TrustPolicy | None = None,
    sources: Sources | None = None,
) -> Raw:
    """The artifact that a command saves: a plan, or with a depth a tree."""
    limits = WalkLimits(depth or 0, 64 if depth is not None else 1)
    walk = Walk(task, options or asked(), sources or Sources(), trust or TrustPolicy(), limits)
    node = walk.run(str(location))
    assert node.plan is not None, node.error
    return again(node.to_json() if depth is not None else node.plan.to_json())


def again(artifact: Raw | str) -> Raw:
    """The artifact as reading its text gives it."""
    read = decode_json(artifact if isinstance(artifact, str) else json.dumps(artifact), "saved")
    assert isinstance(read, dict)
    return read


def replayed(artifact: object, **settings: Any) -> ReplayReport | GroundedReport:
    settings.setdefault("sources", Sources())
    return replay_any(artifact, "a.json", ReplaySettings(**settings))


def verdicts(artifact: object, **settings: Any) -> list[tuple[str, str]]:
    """Status and detail of each check."""
    return [(check.status, check.detail) for check in replayed(artifact, **settings).checks]


def statuses(artifact: object, **settings: Any) -> list[str]:
    return [status for status, _ in verdicts(artifact, **settings)]


def edited(artifact: Raw, *path: Any, to: Any = ...) -> Raw:
    """A copy with the member at a path replaced, or removed where no value is given."""
    copy = again(artifact)
    at: Any = copy
    for key in path[:-1]:
        at = at[key]
    if to is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = to
    return copy
