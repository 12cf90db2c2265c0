"""kcp-agent: a deterministic, fail-closed agent for the Knowledge Context Protocol.

    >>> from kcp import load_manifest, plan

Names are imported when first used, so that `import kcp` costs nothing.
"""

from __future__ import annotations

from kcp._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kcp.api import diff, plan, today, trace, validate
    from kcp.authoring.validate.findings import Finding, Report
    from kcp.errors import (
        ArtifactError,
        FetchError,
        KcpError,
        ManifestError,
        ProviderError,
        UsageError,
    )
    from kcp.model import Manifest, Unit
    from kcp.options import Action, Budget, Capabilities, PlanOptions, SpendProposal
    from kcp.planning.diff import Diff
    from kcp.planning.results import Plan, Trace
    from kcp.reading.load import load_manifest

_HOMES = {
    "kcp.api": ("diff", "plan", "today", "trace", "validate"),
    "kcp.authoring.validate.findings": ("Finding", "Report"),
    "kcp.errors": ("ArtifactError", "FetchError", "KcpError", "ManifestError", "ProviderError", "UsageError"),
    "kcp.model": ("Manifest", "Unit"),
    "kcp.options": ("Action", "Budget", "Capabilities", "PlanOptions", "SpendProposal"),
    "kcp.planning.diff": ("Diff",),
    "kcp.planning.results": ("Plan", "Trace"),
    "kcp.reading.load": ("load_manifest",),
}

__all__ = [
    "Action",
    "ArtifactError",
    "Budget",
    "Capabilities",
    "Diff",
    "FetchError",
    "Finding",
    "KcpError",
    "Manifest",
    "ManifestError",
    "Plan",
    "PlanOptions",
    "ProviderError",
    "Report",
    "SpendProposal",
    "Trace",
    "Unit",
    "UsageError",
    "__version__",
    "diff",
    "load_manifest",
    "plan",
    "today",
    "trace",
    "validate",
]


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            import importlib

            value = getattr(importlib.import_module(module), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'kcp' has no attribute {name!r}")
