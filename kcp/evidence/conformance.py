"""Runs conformance cases against this very build (planner contract §16).

A case is checked on every part of its `expect` that it has: `plan`, `trace`, `findings`, `outcome`,
`manifest`, `error`; a vector's `expect` is an outcome. A case with `a` and `b` is a diff. Cases that do not
say `today` are validated as of today.
"""

from __future__ import annotations

from kcp.api import today
from kcp.authoring.validate.check import check_manifest
from kcp.errors import ArtifactError, ManifestError
from kcp.evidence.artifacts import plan_digest
from kcp.evidence.cases import find_files, read_cases, read_skips
from kcp.planning.diff import diff_plans
from kcp.planning.planner import make_plan
from kcp.planning.trace import make_trace
from kcp.reading.parse import parse_manifest
from kcp.reading.yaml12 import read_yaml
from kcp.wire.encode import artifact, to_wire
from kcp.wire.jsontext import encode_json
from kcp.wire.options import read_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from kcp.model import Manifest

MAX_DIFFERING_LINES = 5
PARTS = ("error", "manifest", "plan", "trace", "findings", "outcome")


class Mismatch:
    """One part of a case that came out otherwise."""

    __slots__ = ("actual", "expected", "part")

    def __init__(self, part: str, expected: str, actual: str) -> None:
        self.part = part
        self.expected = expected
        self.actual = actual

    def lines(self) -> Iterator[str]:
        """The first differing lines of both sides."""
        expected, actual = self.expected.split("\n"), self.actual.split("\n")
        start = 0
        while start < min(len(expected), len(actual)) and expected[start] == actual[start]:
            start += 1
        yield f"  {self.part} differs at line {start + 1}:"
        yield from [f"    expected: {line}" for line in expected[start : start + MAX_DIFFERING_LINES]]
        yield from [f"    actual:   {line}" for line in actual[start : start + MAX_DIFFERING_LINES]]


def run(paths: list[str], skip_file: str | None, out: Callable[[str], None]) -> int:
    """Run all cases at `paths`, report each difference to `out`, a count last; 0 all identical, else 1.

    Raises ArtifactError when a file is not what it should be or nothing was found to run.
    """
    skips = read_skips(skip_file) if skip_file is not None else {}
    unused = dict(skips)
    identical = different = skipped = 0
    for path in find_files(paths):
        for case in read_cases(path):
            if case["id"] in skips:
                unused.pop(case["id"], None)
                skipped += 1
                out(f"- {case['id']}: skipped: {skips[case['id']]}")
                continue
            mismatches = list(check_case(case, f"{path}: {case['id']}"))
            if not mismatches:
                identical += 1
                continue
            different += 1
            out(f"✗ {case['id']} ({path})")
            for mismatch in mismatches:
                for line in mismatch.lines():
                    out(line)
    for identifier in unused:
        out(f"⚠ skip '{identifier}' matches no case")
    total = identical + different + skipped
    if total == 0:
        raise ArtifactError(f"no conformance cases found in {', '.join(paths)}")
    out(f"{total} cases: {identical} identical, {different} different, {skipped} skipped")
    return 1 if different else 0


def check_case(case: dict[str, Any], name: str) -> Iterator[Mismatch]:
    """The parts of one case that differ."""
    expect = case["expect"]
    if "a" in case and "b" in case:
        a, b = plan_digest(case["a"], f"{name}: a"), plan_digest(case["b"], f"{name}: b")
        yield from _compare("diff", encode_json(expect), diff_plans(a, b).to_json())
        return
    if not isinstance(expect, dict) or not isinstance(case.get("manifest"), str):
        raise ArtifactError(f"{name}: a case needs a 'manifest' text and an 'expect' object")
    if not any(part in expect for part in PARTS):
        expect = {"outcome": expect}
    try:
        manifest = _read(case["manifest"], case.get("source", case["id"]))
    except ManifestError as error:
        if "error" not in expect:
            yield Mismatch("reading", "a manifest", f"error: {error}")
        return
    if "error" in expect:
        yield Mismatch("reading", f"error: {expect['error']}", "a manifest")
        return
    yield from _check_read(manifest, case, expect, name)


def _read(text: str, source: str | None) -> Manifest:
    return parse_manifest(read_yaml(text.encode("utf-8", "surrogatepass")), source=source)


def _check_read(
    manifest: Manifest, case: dict[str, Any], expect: dict[str, Any], name: str
) -> Iterator[Mismatch]:
    if "manifest" in expect:
        yield from _compare("manifest", _canonical(expect["manifest"]), _canonical(to_wire(manifest)))
    if "findings" in expect:
        report = check_manifest(manifest, name, str(case.get("today") or today()))
        findings = [to_wire(finding) for finding in report.findings]
        yield from _compare("findings", encode_json(expect["findings"]), encode_json(findings))
    if not expect.keys() & {"plan", "trace", "outcome"}:
        return
    if not isinstance(case.get("task"), str):
        raise ArtifactError(f"{name}: a planner case needs a 'task' text")
    options = read_options(case.get("options", {}), name)
    plan = make_plan(manifest, case["task"], options)
    if "plan" in expect:
        enveloped = "kind" in expect["plan"]
        actual = artifact(plan) if enveloped else to_wire(plan)
        yield from _compare("plan", encode_json(expect["plan"]), encode_json(actual))
    if "trace" in expect:
        trace = artifact(make_trace(manifest, case["task"], options))
        parts = {key: trace.get(key) for key in expect["trace"]}
        yield from _compare("trace", encode_json(expect["trace"]), encode_json(parts))
    if "outcome" in expect:
        yield from _compare("outcome", _canonical(expect["outcome"]), _canonical(outcome(to_wire(plan))))


def _compare(part: str, expected: str, actual: str) -> Iterator[Mismatch]:
    if expected != actual:
        yield Mismatch(part, expected, actual)


_OUTCOME_LISTS = {
    "selected": ("id", "loadEligible", "score"),
    "skipped": ("id", "reason"),
    "federation": ("id", "selected", "reason", "credentialNeeded"),
}
_OUTCOME_BLOCKS = {
    "trust": ("requiresAttestation", "agentCanAttest"),
    "budget": ("rateTier", "ceiling", "projectedSpend", "remaining", "currency"),
    "context": ("ceiling", "projectedTokens", "remaining", "approximate", "unmeasured"),
}


def outcome(plan: dict[str, Any]) -> dict[str, Any]:
    """The part of a plan's wire form that vectors pin (§16)."""
    lists = {key: [_pick(item, names) for item in plan[key]] for key, names in _OUTCOME_LISTS.items()}
    blocks = {key: _pick(plan[key], names) for key, names in _OUTCOME_BLOCKS.items()}
    return {**lists, **blocks, "warnings": plan["warnings"]}


def _pick(members: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: members[name] for name in names if name in members}


def _canonical(value: Any) -> str:
    """JSON text in which the order of members does not count."""
    return encode_json(_sorted(value))


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value
