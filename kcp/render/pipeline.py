"""The order of work: bytes once, evidence, tier, and only then a look inside (render contract §1).

`render` is the one way to an artifact. Nothing here opens a socket: what may be fetched comes through the
fetcher of the request, and only for what the request asks for.
"""

from __future__ import annotations

import os

from kcp._version import __version__
from kcp.errors import ManifestError
from kcp.reading.locate import is_remote, locate, shown
from kcp.reading.source import read_bytes, sha256_hex
from kcp.reading.sources import is_within
from kcp.reading.strict import MAX_STRICT_BYTES, read_strict
from kcp.records import Record
from kcp.render import serving
from kcp.render.assemble import Frame, assemble
from kcp.render.composition import include_warnings, merge
from kcp.render.contents import Contents, mismatch_warnings
from kcp.render.envelope import MAX_ENVELOPE_BYTES
from kcp.render.evidence import Evidence, signing_warnings
from kcp.render.includes import MAX_UNITS, Resolver, too_many_units
from kcp.render.lints import lint_for
from kcp.render.tier import KNOWN, TRUSTED
from kcp.render.units import Entry
from kcp.trust.keyring import Keyring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.render.composition import Included
    from kcp.render.lints import Lint
    from kcp.render.request import RenderRequest

RENDERER = f"kcp-agent {__version__}"


class Gathered(Record):
    """Everything that an artifact is made of, and the warnings; what follows is pure.

    `inputs` are the texts that, with the manifest's bytes, decide every byte of the artifact. `source` is the
    path of the manifest, `data` its bytes.
    """

    root: dict[str, Any]
    entries: tuple[Entry, ...]
    frame: Frame
    warnings: tuple[str, ...]
    inputs: tuple[str, ...]
    lint: Lint
    source: str
    data: bytes

    def artifact(self) -> dict[str, Any]:
        """The artifact as dictionaries and lists in the layout's order."""
        return assemble(self.root, self.entries, self.frame, self.lint, sha256_hex)


def render(request: RenderRequest) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The artifact of a manifest and the warnings.

    RenderRefusedError at tier `failed`; ManifestError where the manifest cannot be read, does not parse or
    its includes form a cycle; UsageError for an origin that is none.
    """
    gathered = gather(request)
    return gathered.artifact(), gathered.warnings


def gather(request: RenderRequest) -> Gathered:
    """All steps but the pure ones at the end; errors as those of `render`."""
    if is_remote(request.location):
        raise ManifestError(f"render reads local files, not {shown(request.location)}; fetch it first")
    source = locate(request.location)
    data = read_bytes(source, MAX_STRICT_BYTES)
    envelope = _read_envelope(source)
    trust = Evidence(request, source, data, envelope)
    root = read_strict(data)
    if type(root) is not dict:
        raise ManifestError("manifest is not a YAML mapping")
    warnings = [*trust.warnings, *signing_warnings(root, trust.facts, os.path.basename(source))]
    entries, included = _compose(root, source, request, trust.standing.tier, warnings)
    tier, shown_serving = _check_serving(root, request, trust.standing.tier, warnings)
    entries = _check_contents(entries, source, warnings)
    sha256 = sha256_hex(data)
    frame = Frame(
        renderer=RENDERER,
        source_name=os.path.basename(source),
        source_sha256=sha256,
        tier=tier,
        trust=trust.block(tier, shown_serving),
        hash_required=request.require_unit_hashes or trust.rests_on_corroboration,
        rendered_at=request.timestamp,
    )
    lint = lint_for(request.lint)
    inputs = _inputs(request, frame, lint, envelope, included, entries)
    return Gathered(_merged(root, entries), entries, frame, tuple(warnings), inputs, lint, source, data)


def _read_envelope(source: str) -> bytes | None:
    """The bytes of the signature file; one that is there but cannot be read is never taken for none."""
    path = f"{source}.sig"
    if not os.path.lexists(path):
        return None
    if not is_within(os.path.realpath(os.path.dirname(source) or "."), path):
        raise ManifestError(f"refused {shown(path)}: outside the manifest's folder")
    return read_bytes(path, MAX_ENVELOPE_BYTES, "signature")


def _compose(
    root: dict[str, Any], source: str, request: RenderRequest, tier: str, warnings: list[str]
) -> tuple[tuple[Entry, ...], tuple[Included, ...]]:
    """The merged list of units; remote includes are fetched for a trusted manifest alone, and if asked."""
    units = root.get("units")
    entries = tuple([Entry(unit) for unit in units]) if type(units) is list else ()
    included: tuple[Included, ...] = ()
    block = root.get("composition")
    if type(block) is dict:
        fetcher = request.fetcher if request.fetch_includes and tier == TRUSTED else None
        resolver = Resolver(source, request.keyring, fetcher)
        included = resolver.resolve(block)
        merged, unknown = merge(block, included, entries)
        if merged and type(units) is not list and "units" in root:
            # What stands in the place of the list is dropped with an entry of its own (C6).
            merged = (*merged, Entry([units]))
        entries = merged
        for include in included:
            warnings += include_warnings(include, trusted=tier == TRUSTED)
        warnings += [*resolver.warnings, *unknown]
    if len(entries) > MAX_UNITS:
        raise too_many_units()
    return entries, included


def _check_serving(
    root: dict[str, Any], request: RenderRequest, tier: str, warnings: list[str]
) -> tuple[str, dict[str, str] | None]:
    """The tier after the check, and what the artifact says of it."""
    url = request.retrieved_from
    if url is None:
        return tier, None
    result = serving.check_retrieval(root, url)
    shown_serving = {"retrieved_from": url, "result": result}
    if result != serving.MISMATCH:
        return tier, shown_serving
    warnings.append(serving.mismatch_warning(url, serving.declared_urls(root) or [], tier))
    return (KNOWN if tier == TRUSTED else tier), shown_serving


def _check_contents(entries: tuple[Entry, ...], source: str, warnings: list[str]) -> tuple[Entry, ...]:
    """The entries with what came of their content hashes; an included unit's path leads elsewhere."""
    contents = Contents(os.path.dirname(source) or ".")
    checked = []
    for place, entry in enumerate(entries):
        content = contents.check(entry.raw) if entry.is_local else entry.content
        if content.verdict == "mismatch":
            warnings += mismatch_warnings(entry.raw, place, content)
        checked.append(entry if content is entry.content else entry.replace(content=content))
    return tuple(checked)


def _merged(root: dict[str, Any], entries: tuple[Entry, ...]) -> dict[str, Any]:
    """The manifest with the merged list in the place of its own."""
    units = root.get("units")
    if type(units) is list or entries:
        return root | {"units": [entry.raw for entry in entries] if entries else units}
    return root


def _inputs(
    request: RenderRequest,
    frame: Frame,
    lint: Lint,
    envelope: bytes | None,
    included: tuple[Included, ...],
    entries: tuple[Entry, ...],
) -> tuple[str, ...]:
    return (
        frame.renderer,
        lint.id,
        frame.source_name,
        "no signature" if envelope is None else sha256_hex(envelope),
        repr(request.keyring),
        repr(request.replace(keyring=Keyring(), fetcher=None, location="", lint="")),
        repr((frame.tier, frame.trust, frame.hash_required)),
        *[repr(_outcome(include)) for include in included],
        *[repr(entry.content) for entry in entries if entry.content.reason is not None],
    )


def _outcome(include: Included) -> tuple[Any, ...]:
    return include.source, include.verdict, include.sha256, tuple([_outcome(each) for each in include.inner])
