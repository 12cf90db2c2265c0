"""`kcp-agent load "TASK" --manifest LOCATION`: the content a plan selects, framed as data."""

from __future__ import annotations

from kcp.cli.exit_codes import DONE, FAILED
from kcp.cli.planning_options import task_and_manifest
from kcp.cli.render_flags import is_rendered
from kcp.cli.show.escape import escape
from kcp.cli.streams import complain
from kcp.errors import KcpError
from kcp.render.loading import MAX_LOADED_BYTES, Loader, facts_of_manifest, facts_of_render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output
    from kcp.planning.results import Plan
    from kcp.render.loading import Loading


def run(arguments: Arguments, out: Output) -> int:
    """Load a plan's units: 1 where content that should be there is not, 2 at tier `failed`."""
    task, location = task_and_manifest(arguments, arguments.positionals)
    limit = arguments.count("--max-content")
    most = MAX_LOADED_BYTES if limit is None else limit
    work = _rendered if is_rendered(arguments) else _as_published
    plan, loader = work(arguments, task, location, most)
    loading = loader.load(plan)
    if arguments.switch("--json"):
        _print_json(plan, loading, out)
    else:
        _print_frames(loading, out)
    for each in loading.not_loaded:
        mark = "⚠" if each.failed else "·"
        complain(f"{mark} {escape(each.id)} is not loaded: {escape(each.reason)}\n")
    return FAILED if any(each.failed for each in loading.not_loaded) else DONE


def _rendered(arguments: Arguments, task: str, location: str, most: int) -> tuple[Plan, Loader]:
    from kcp.cli.plan_rendered import render_to_plan
    from kcp.reading.load import parse_bytes
    from kcp.reading.sources import ManifestBytes, Sources

    planning = render_to_plan(arguments, location)
    gathered, plan = planning.gathered, planning.plan(task)
    published = parse_bytes(ManifestBytes(gathered.source, gathered.data), located=False)
    facts = facts_of_render(published, planning.rendered.entries, task, plan)
    trust = gathered.frame.trust
    provenance: dict[str, Any] = {
        "manifest": gathered.source,
        "manifest_sha256": gathered.frame.source_sha256,
        "tier": gathered.frame.tier,
        "origin": trust["origin"],
        "origin_evidence": trust["origin_evidence"],
        "signature": trust["signature"]["status"],
    }
    if "key_id" in trust["signature"]:
        provenance["key_id"] = trust["signature"]["key_id"]
    return plan, Loader(Sources(), gathered.source, facts, provenance, most)


def _as_published(arguments: Arguments, task: str, location: str, most: int) -> tuple[Plan, Loader]:
    from kcp.api import today
    from kcp.cli.planning_options import plan_options
    from kcp.cli.sources import sources_of, trust_of
    from kcp.planning.planner import make_plan
    from kcp.reading.parse import parse_manifest
    from kcp.reading.source import sha256_hex
    from kcp.reading.yaml12 import read_yaml

    sources = sources_of(arguments)
    trust = trust_of(arguments, sources)
    options = plan_options(arguments, today())
    try:
        read = sources.read_manifest(location)
        document = read_yaml(read.data, max_bytes=sources.max_bytes)
        manifest = parse_manifest(document, read.source, sha256_hex(read.data), located=False)
    except KcpError as error:
        raise KcpError(f"{location}: {error}", hint=error.hint) from None
    signature = trust.check(manifest.signing, read, sources)
    refusal = trust.refusal(signature)
    if refusal is not None:
        raise KcpError(f"{location}: {refusal}")
    plan = make_plan(manifest, task, options).replace(signature=signature)
    provenance: dict[str, Any] = {"manifest": read.source, "manifest_sha256": manifest.sha256}
    if signature is not None:
        provenance["signature"] = signature.status
        if signature.key_id is not None:
            provenance["key_id"] = signature.key_id
    facts = facts_of_manifest(manifest, document.root)
    return plan, Loader(sources, read.source, facts, provenance, most)


def new_nonce() -> str:
    """A nonce that no content can know."""
    from os import urandom

    return urandom(16).hex()


def _print_frames(loading: Loading, out: Output) -> None:
    from kcp.render.frames import framed

    text = framed(loading.frames, new_nonce())
    if out.is_terminal():
        text = "\n".join([escape(line) for line in text.split("\n")])
    out.write(text)


def _print_json(plan: Plan, loading: Loading, out: Output) -> None:
    from kcp.render.frames import FORMAT, JSON_PREFACE
    from kcp.render.hidden import escape_json
    from kcp.wire.encode import to_wire
    from kcp.wire.jsontext import encode_json

    members = {
        "format": FORMAT,
        "preface": JSON_PREFACE,
        "task": plan.task,
        "frames": [frame.header | {"content": frame.content} for frame in loading.frames],
        "not_loaded": [to_wire(each) for each in loading.not_loaded],
    }
    out.line(escape_json(encode_json(members)))
