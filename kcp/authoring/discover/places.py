"""Where a site's manifest may lie, and whether what lies there is one."""

from __future__ import annotations

from kcp.errors import KcpError
from kcp.network.fetcher import one_line
from kcp.reading.locate import MANIFEST_NAMES
from kcp.records import Record
from kcp.text.weburl import join_url, parse_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.text.weburl import WebUrl

DISCOVERY_DOCUMENT = "/.well-known/kcp.json"
LLMS_TXT = "/llms.txt"
WELL_KNOWN = ("/knowledge.yaml", "/.well-known/knowledge.yaml", "/.well-known/kcp/knowledge.yaml")
_NO_REPOSITORIES = frozenset(
    "about explore features login orgs search settings sponsors topics users".split()
)


class ManifestFacts(Record):
    """What is told of a manifest that was found."""

    project: str
    version: str
    unit_count: int
    kcp_version: str | None = None


def forge_places(url: WebUrl) -> tuple[str, ...]:
    """For a repository's page on GitHub, GitLab or Codeberg: the raw manifests on its default branch."""
    steps = [step for step in url.path.split("/") if step]
    if url.scheme != "https" or url.port is not None or not steps or steps[0] in _NO_REPOSITORIES:
        return ()
    match url.host.removeprefix("www."):
        case "github.com" if len(steps) >= 2:
            raw = f"https://raw.githubusercontent.com/{_repository(steps[:2])}/HEAD"
        case "gitlab.com" if len(_project(steps)) >= 2:
            raw = f"https://gitlab.com/{_repository(_project(steps))}/-/raw/HEAD"
        case "codeberg.org" if len(steps) >= 2:
            raw = f"https://codeberg.org/{_repository(steps[:2])}/raw/branch/HEAD"
        case _:
            return ()
    return tuple([f"{raw}/{name}" for name in MANIFEST_NAMES])


def pointed_at(base: str, target: str) -> str | None:
    """The URL that a pointer names: absolute, or from the root of the site; None for anything else."""
    if target.startswith("/") and not target.startswith("//"):
        return join_url(base, target)
    url = parse_url(target)
    return None if url is None or "://" not in target else url.text


def manifest_named(data: bytes, url: str) -> str:
    """The location that a discovery document names; KcpError where it is no such document."""
    from kcp.wire.decode import decode_json, member

    document = decode_json(data, "kcp.json", max_bytes=64 * 1024)
    member(document, "kcp_version", str, "kcp.json")
    target = str(member(document, "manifest", str, "kcp.json"))
    location = pointed_at(url, target)
    if location is None:
        raise KcpError(
            f"kcp.json: 'manifest' is neither a URL nor a path from the root: {one_line(target)[:200]}"
        )
    return location


def manifest_facts(data: bytes) -> ManifestFacts:
    """What a manifest says of itself; KcpError for what is no YAML, or no manifest."""
    from kcp.reading.parse import parse_manifest
    from kcp.reading.yaml12 import read_manifest_mapping

    document = read_manifest_mapping(data)
    root = document.root
    lists = [key for key in ("units", "manifests") if isinstance(root.get(key), list)]
    if not lists and not isinstance(root.get("project"), str) and root.get("kcp_version") is None:
        raise KcpError("this does not look like a KCP manifest")
    manifest = parse_manifest(document)
    return ManifestFacts(manifest.project, manifest.version, len(manifest.units), manifest.kcp_version)


def _project(steps: list[str]) -> list[str]:
    """The path of a GitLab project, groups and all; `-` begins what is within it."""
    return steps[: steps.index("-")] if "-" in steps else steps


def _repository(steps: list[str]) -> str:
    *groups, name = steps
    return "/".join([*groups, name.removesuffix(".git")])
