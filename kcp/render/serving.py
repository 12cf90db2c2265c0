"""Whether a manifest was retrieved from where its publisher serves it (render contract §8, C22)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MATCH, MISMATCH, NOT_DECLARED = "match", "mismatch", "not_declared"


def declared_urls(root: dict[str, Any]) -> list[str] | None:
    """The URLs a manifest says it is served from; None where it says nothing."""
    serving = root.get("serving")
    listed = serving.get("manifest") if type(serving) is dict else None
    return [url for url in listed if isinstance(url, str)] if type(listed) is list else None


def check_retrieval(root: dict[str, Any], retrieved_from: str) -> str:
    """`match`, `mismatch` or `not_declared`; an empty list matches nothing."""
    declared = declared_urls(root)
    if declared is None:
        return NOT_DECLARED
    wanted = _comparable(retrieved_from)
    return MATCH if any(_comparable(url) == wanted for url in declared) else MISMATCH


def _comparable(url: str) -> str:
    """Scheme and host in lower case, without `:443`, query and fragment; the path byte for byte."""
    url = url.partition("#")[0].partition("?")[0]
    scheme, separator, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme.lower()}{separator}{host.lower().removesuffix(':443')}{slash}{path}"


def mismatch_warning(retrieved_from: str, declared: list[str], tier: str) -> str:
    """The contract's warning for a manifest of a tier before the check."""
    effect = "trusted tier demoted to known" if tier == "trusted" else f"tier remains {tier}"
    return (
        f"retrieval URL '{retrieved_from}' is not in the manifest's serving.manifest list "
        f"[{', '.join(declared) or '(empty)'}]; {effect} (§3.12 / C22)"
    )
