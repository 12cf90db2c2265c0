"""What `discover` found, for people (surfaces contract §8)."""

from __future__ import annotations

from kcp.cli.show.page import DIM, GOOD, ID, TITLE, WARN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.discover.find import Found, FoundList, Nothing
    from kcp.cli.show.page import Page

MAX_SHOWN = 20


def add_discovery(page: Page, result: Found | FoundList | Nothing) -> None:
    """The manifest, or the llms.txt and what to do with it, or the places that were asked in vain."""
    from kcp.authoring.discover.find import Found, FoundList

    if isinstance(result, Found):
        facts = result.manifest
        page.add(("Found manifest at ", GOOD), result.url)
        revision = "" if facts.kcp_version is None else f" · KCP {facts.kcp_version}"
        page.add("  ", (facts.project, ID), f" v{facts.version} · {facts.unit_count} unit(s){revision}")
    elif isinstance(result, FoundList):
        listed = result.llms_txt
        page.add(("No manifest found, ", WARN), f"but {listed.url} lists {listed.links} link(s).")
        page.add("To draft a manifest from it:")
        page.add(f"  kcp-agent init --from-llms-txt {_shell_word(listed.url)}")
    else:
        page.add(("No manifest found." if result.reached else "Nothing could be reached.", WARN))
        if result.tried:
            page.add(("Asked:", TITLE))
        for attempt in result.tried[:MAX_SHOWN]:
            page.add(("  · ", DIM), attempt.url, (f"  {attempt.reason}", DIM))
        if len(result.tried) > MAX_SHOWN:
            page.add(("  · ", DIM), f"and {len(result.tried) - MAX_SHOWN} more")


def _shell_word(text: str) -> str:
    from shlex import quote

    return quote(text)
