"""Artifacts, entries and stores for the tests of memory."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from kcp.evidence.episodes import make_entry
from kcp.evidence.options_key import KeyFlags, options_key
from kcp.evidence.store import EpisodeStore

AT = "2026-07-06T10:00:00.000Z"
SHA = "ab" * 32
KEY = options_key(KeyFlags(as_of="2026-07-06"))


def plan(task: str = "where to berth", **changes: Any) -> dict[str, Any]:
    """A saved plan without its envelope; members given replace those of the plan."""
    return {
        "task": task,
        "manifest": {"project": "harbour", "version": "1", "source": "h/knowledge.yaml", "sha256": SHA},
        "asOf": "2026-07-06",
        "options": {
            "capabilities": {"role": "agent", "paymentMethods": ["free"], "credentials": []},
            "maxUnits": 5,
            "strict": False,
        },
        "selected": [{"id": "berthing", "path": "berthing.md", "loadEligible": True}],
        "skipped": [],
        **changes,
    }


def tree(root: dict[str, Any] | None = None) -> dict[str, Any]:
    """A saved tree of one node."""
    return {"location": "h/knowledge.yaml", "notFollowed": [], "children": [], "plan": root or plan()}


def answer(root: dict[str, Any] | None = None) -> dict[str, Any]:
    """A grounded answer with one cited unit and the text of it."""
    unit = {"id": "berthing", "path": "berthing.md", "manifest": "harbour", "chars": 4, "sha256": SHA}
    return {
        "plan": root or plan(),
        "synthesis": {
            "answer": "At the quay.",
            "model": "p/m",
            "unitsLoaded": [{**unit, "content": "text"}],
            "unitsUnavailable": [],
        },
        "grounding": {
            "status": "grounded",
            "claims": [{"claim": "At the quay.", "grounded": True, "unitId": "berthing", "sha256": SHA}],
            "grounded": ["At the quay."],
            "gaps": [],
            "gapsTruncated": 0,
        },
    }


def entry(artifact: dict[str, Any] | None = None, at: str = AT, key: str | None = None) -> dict[str, Any]:
    """The entry for an artifact, for a plan where none is given."""
    return copy.deepcopy(make_entry(plan() if artifact is None else artifact, at, key))


def with_credentials(*credentials: str) -> dict[str, Any]:
    """A plan made with credentials."""
    made = plan()
    made["options"]["capabilities"]["credentials"] = list(credentials)
    return made


def store_of(folder: Path, *entries: dict[str, Any]) -> EpisodeStore:
    """A store that has recorded the entries."""
    store = EpisodeStore(str(folder))
    for each in entries:
        store.append(each)
    return store


def names(folder: Path) -> list[str]:
    """The entry files of a store."""
    return sorted([path.name for path in folder.glob("*.json")])
