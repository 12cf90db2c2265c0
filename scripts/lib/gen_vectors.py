"""Generate vectors/KIND/NAME.json from vectors/sources/*.yaml.

The inputs are written by hand, the expectations are this build's answers. So that a wrong answer is not
recorded unseen, a source states by hand what must come out: `selects` (ids in order), `closed` (selected but
not load-eligible), `fails` (the text has no reading), `finds` (the number of findings), `differs` (a diff
that is not identical). The README beside the vectors describes what is published.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from kcp.authoring.validate.check import check_manifest  # noqa: E402
from kcp.errors import KcpError, ManifestError  # noqa: E402
from kcp.evidence.artifacts import plan_digest  # noqa: E402
from kcp.evidence.conformance import outcome  # noqa: E402
from kcp.model import Manifest  # noqa: E402
from kcp.planning.diff import diff_plans  # noqa: E402
from kcp.planning.planner import make_plan  # noqa: E402
from kcp.planning.trace import make_trace  # noqa: E402
from kcp.reading.parse import parse_manifest  # noqa: E402
from kcp.reading.yaml12 import read_yaml  # noqa: E402
from kcp.wire.encode import artifact, to_wire  # noqa: E402
from kcp.wire.jsontext import encode_json  # noqa: E402
from kcp.wire.options import read_options  # noqa: E402

SPEC = "0.32"
KINDS = ("planner", "plan", "trace", "validate", "yaml", "diff")
PLANNED = ("planner", "plan", "trace")
TRACE_PARTS = ("taskTerms", "units", "gateSummary")
HEAD = ("name", "spec", "description", "stricter")
MEMBERS = (*HEAD, "manifest", "source", "task", "options", "today", "a", "b")
STATEMENTS = ("kinds", "selects", "closed", "fails", "finds", "differs")


class SourceError(Exception):
    """A source that cannot become a vector, or whose answer is not what the source states."""


def read_sources(folder: Path) -> list[dict[str, Any]]:
    """All cases of the folder's YAML files, each a mapping."""
    cases: list[dict[str, Any]] = []
    for path in sorted(folder.glob("*.yaml")):
        root = read_yaml(path.read_bytes()).root
        if not isinstance(root, list) or not all(isinstance(case, dict) for case in root):
            raise SourceError(f"{path.name}: not a list of cases")
        cases += root
    return cases


def publish(case: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The vectors of one case by name, a kind each."""
    unknown = case.keys() - {*MEMBERS, *STATEMENTS}
    if unknown or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", str(case.get("name"))):
        raise SourceError(f"{case.get('name')}: bad name or unknown members {sorted(unknown)}")
    vectors = {}
    for kind in case.get("kinds", ["planner"]):
        if kind not in KINDS:
            raise SourceError(f"{case['name']}: unknown kind '{kind}'")
        name = f"{kind}/{case['name']}"
        members = {"spec": SPEC, **case, "name": name}
        if kind not in PLANNED:
            members.pop("task", None)
            members.pop("options", None)
        if kind != "validate":
            members.pop("today", None)
        if kind == "diff":
            members["a"], members["b"] = plan_side(case["a"]), plan_side(case["b"])
        vector = {key: members[key] for key in MEMBERS if key in members}
        vectors[name] = {**vector, "expect": answer(kind, vector, case)}
    return vectors


def plan_side(side: dict[str, Any]) -> dict[str, Any]:
    """One side of a diff: written out as `json`, or planned; `traced` gives the trace around the plan."""
    if "json" in side:
        written: dict[str, Any] = side["json"]
        return written
    manifest = read(side["manifest"], "knowledge.yaml")
    options = read_options(side["options"], "diff")
    make = make_trace if side.get("traced") else make_plan
    return artifact(make(manifest, side["task"], options))


def read(text: str, source: str) -> Manifest:
    """The manifest a text spells."""
    return parse_manifest(read_yaml(text.encode()), source=source)


def answer(kind: str, vector: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    """What this build says of a vector."""
    name = vector["name"]
    if kind == "diff":
        diff = diff_plans(plan_digest(vector["a"], name), plan_digest(vector["b"], name))
        state(name, "differs", case.get("differs", True), not diff.identical)
        wire: dict[str, Any] = to_wire(diff)
        return wire
    try:
        manifest = read(vector["manifest"], vector.get("source", name))
    except ManifestError as error:
        state(name, "fails", case.get("fails", False), True)
        return {"error": str(error)}
    state(name, "fails", case.get("fails", False), False)
    if kind == "yaml":
        return {"manifest": to_wire(manifest)}
    if kind == "validate":
        findings = [to_wire(finding) for finding in check_manifest(manifest, name, vector["today"]).findings]
        if "finds" in case:
            state(name, "finds", case["finds"], len(findings))
        return {"findings": findings}
    return planned(kind, manifest, vector, case)


def planned(kind: str, manifest: Manifest, vector: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    """The plan's outcome, the whole plan, or the trace."""
    options = read_options(vector["options"], vector["name"])
    plan = make_plan(manifest, vector["task"], options)
    state(vector["name"], "selects", case.get("selects"), [unit.id for unit in plan.selected])
    closed = [unit.id for unit in plan.selected if not unit.load_eligible]
    state(vector["name"], "closed", sorted(case.get("closed", [])), sorted(closed))
    if kind == "plan":
        return {"plan": artifact(plan)}
    if kind == "trace":
        trace = to_wire(make_trace(manifest, vector["task"], options))
        return {"trace": {part: trace[part] for part in TRACE_PARTS}}
    return outcome(to_wire(plan))


def state(name: str, what: str, stated: object, actual: object) -> None:
    """SourceError unless the answer is what the source states."""
    if stated != actual:
        raise SourceError(f"{name}: the source states {what}: {stated}, the answer is {actual}")


def main() -> int:
    """Write or check all vectors; 0 when they are current, 1 when --check finds others, 2 on a bad source."""
    parser = argparse.ArgumentParser(prog="gen-vectors", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, exit 1 if a file would change")
    check = parser.parse_args().check
    folder = ROOT / "vectors"
    texts: dict[Path, str] = {}
    problems = []
    for case in read_sources(folder / "sources"):
        try:
            for name, vector in publish(case).items():
                path = folder / f"{name}.json"
                if path in texts:
                    raise SourceError(f"{name}: named twice")
                texts[path] = encode_json(vector) + "\n"
        except (SourceError, KcpError, KeyError) as error:
            problems.append(str(error))
    if problems:
        print("gen-vectors: " + "\ngen-vectors: ".join(problems), file=sys.stderr)
        return 2
    changes = write(folder, texts, check=check)
    print(f"{len(texts)} vectors, {changes} {'out of date' if check else 'changed'}")
    return 1 if check and changes else 0


def write(folder: Path, texts: dict[Path, str], *, check: bool) -> int:
    """Write what is not current and remove what no source has; the number of files concerned."""
    changes = 0
    for path, text in texts.items():
        if path.exists() and path.read_bytes() == text.encode():
            continue
        changes += 1
        print(f"{path.relative_to(folder)}: {'out of date' if check else 'written'}")
        if not check:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text.encode())
    stale = [path for kind in KINDS for path in sorted((folder / kind).glob("*.json")) if path not in texts]
    for path in stale:
        print(f"{path.relative_to(folder)}: {'has no source' if check else 'removed'}")
        if not check:
            path.unlink()
    return changes + len(stale)


if __name__ == "__main__":
    sys.exit(main())
