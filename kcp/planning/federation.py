"""Which referenced manifests a plan would follow (planner contract §8)."""

from __future__ import annotations

from kcp.planning.results import FederationEntry
from kcp.wire.jsontext import compact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.model import ManifestRef
    from kcp.options import PlanOptions


def consider(ref: ManifestRef, options: PlanOptions) -> FederationEntry:
    """The entry of one reference: in context for the environment, and with which credential."""
    identity = ref.agent_identity
    hint = identity.credential_hint if identity is not None and identity.required else None
    needed = hint if hint and hint not in options.capabilities.credentials else None
    excluded = _context_refusal(ref, options.env)
    return FederationEntry(
        id=ref.id,
        url=ref.url,
        selected=excluded is None,
        reason=excluded or (f"needs {needed} before fetch" if needed else "eligible"),
        credential_needed=needed,
        docs_url=identity.docs_url if identity is not None else None,
        local_mirror=ref.local_mirror,
    )


def _context_refusal(ref: ManifestRef, env: str | None) -> str | None:
    if ref.context is None:
        return None
    if not env:
        return f"context {compact(ref.context)} requires a declared env; none given (fail-closed)"
    return None if env in ref.context else f"context {compact(ref.context)} excludes env '{env}'"
