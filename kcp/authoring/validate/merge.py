"""Both sets together: a fact that both report is said once, at the higher level."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.validate.findings import Finding, Path

# A rule of the agent's set → those of the specification's that report the same, at its node or one below.
_SAME = {
    "KCP101": ("KCP205",),
    "KCP102": ("KCP215",),
    "KCP103": ("KCP214",),
    "KCP104": ("KCP206",),
    "KCP105": ("KCP207",),
    "KCP106": ("KCP213",),
    "KCP107": ("KCP208",),
    "KCP109": ("KCP203",),
    "KCP110": ("KCP204",),
    "KCP111": ("KCP278",),
    "KCP112": ("KCP208",),
    "KCP114": ("KCP210",),
    "KCP115": ("KCP229",),
    "KCP116": ("KCP222",),
    "KCP117": ("KCP216",),
    "KCP118": ("KCP280",),
    "KCP119": ("KCP281",),
    "KCP121": ("KCP322",),
    "KCP123": ("KCP326",),
    "KCP124": ("KCP327",),
    "KCP125": ("KCP328",),
    "KCP126": ("KCP289",),
    "KCP127": ("KCP290",),
    "KCP128": ("KCP282",),
    "KCP129": ("KCP249",),
    "KCP130": ("KCP249",),
    "KCP131": ("KCP250",),
    "KCP132": ("KCP250",),
    "KCP133": ("KCP260",),
    "KCP134": ("KCP241",),
    "KCP136": ("KCP296",),
    "KCP137": ("KCP296",),
    "KCP142": ("KCP330",),
    "KCP143": ("KCP325",),
    "KCP144": ("KCP325", "KCP297"),
    "KCP145": ("KCP290",),
}


def merge(agent: list[Finding], spec: list[Finding]) -> list[Finding]:
    """The findings of both sets in their orders, the agent's first."""
    places: dict[tuple[str, Path], list[int]] = {}
    for number, finding in enumerate(spec):
        # A missing field and a mapping that lacks it are the same place.
        for path in (finding.path, finding.path[:-1]):
            places.setdefault((finding.rule, path), []).append(number)
    said: set[int] = set()
    merged = []
    for finding in agent:
        twins = [
            number
            for rule in _SAME.get(finding.rule, ())
            for number in places.get((rule, finding.path), ())
            if number not in said
        ]
        said.update(twins)
        graver = [spec[number] for number in twins if spec[number].level == "error"]
        merged.append(graver[0] if graver and finding.level == "warning" else finding)
    return merged + [finding for number, finding in enumerate(spec) if number not in said]
