"""Whether a manifest was retrieved from where its publisher serves it (planner contract §13)."""

from __future__ import annotations

from kcp.planning.results import ServingBinding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.model import Manifest


def check_serving(manifest: Manifest) -> ServingBinding | None:
    """The verdict on the serving binding; None where the manifest declares none."""
    if manifest.serving is None:
        return None
    declared = manifest.serving.manifest
    if not declared:
        detail = "serving block declares no manifest URLs — retrieval binding not in effect"
        return ServingBinding("no-binding", detail)
    source = manifest.source or ""
    if not source.lower().startswith(("http://", "https://")):
        detail = "loaded from a local path — retrieval binding applies to HTTP(S) retrieval only"
        return ServingBinding("local", detail, None, declared)
    if _is_declared(source, declared):
        detail = "retrieval URL is in the declared serving.manifest list"
        return ServingBinding("bound", detail, source, declared)
    detail = (
        f"retrieved from {source}, which is not in the declared serving.manifest list "
        f"[{', '.join(declared)}] — trust capped at 'known' (KCP §16.5 C22)"
    )
    return ServingBinding("unbound", detail, source, declared)


def _is_declared(source: str, declared: tuple[str, ...]) -> bool:
    from kcp.text.weburl import parse_url

    retrieved = parse_url(source)
    if retrieved is None:
        return False
    urls = [parse_url(entry) for entry in declared]
    return any(url is not None and url.normalised == retrieved.normalised for url in urls)
