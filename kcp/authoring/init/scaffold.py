"""The manifest that `init` drafts from a project's files (surfaces contract §6, "Layout")."""

from __future__ import annotations

import os

from kcp.authoring.drafts import finish, unit_lines, version_line
from kcp.authoring.init.project import find_project
from kcp.authoring.init.scan import scan
from kcp.authoring.init.tree import Tree
from kcp.authoring.yaml_lines import comment, quoted, scalar, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.drafts import Draft


def draft_project(folder: str, today: str, publisher: str | None = None) -> Draft:
    """The draft for a folder; the same files, date and publisher always give the same text.

    `today` is `YYYY-MM-DD`, UTC. KcpError where there is no such folder.
    """
    tree = Tree(folder)
    project = find_project(tree)
    found = scan(tree, project)
    name = visible(publisher or "")
    lines = [
        comment("Drafted by kcp-agent init from the files of this project; review it before you publish it."),
        version_line(),
        f"project: {scalar(project.name)}",
        f"version: {quoted(project.version)}",
        f"updated: {quoted(today)}",
        "language: en",
        "trust:",
        "  provenance:",
        f"    publisher: {scalar(name)}"
        if name
        else '    publisher: "Unknown" # TODO: set your publisher name',
        "payment:",
        "  default_tier: free",
        "  methods:",
        "    - type: free",
        *unit_lines(found.units),
    ]
    if found.dropped:
        lines.append(comment(f"{found.dropped} more unit(s) were found and left out."))
    root = tree.root
    return finish(
        lines,
        found.units,
        today,
        source=os.path.join(folder, "knowledge.yaml"),
        path_exists=lambda path: os.path.exists(os.path.join(root, path)),
    )
