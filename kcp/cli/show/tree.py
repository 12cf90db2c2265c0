"""A followed federation for people: the root's plan, then each manifest it led to (surfaces contract §3)."""

from __future__ import annotations

from kcp.cli.show.page import BAD, DIM, ID, TITLE
from kcp.cli.show.plan import add_plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.show.page import Page
    from kcp.federation import Node


def add_tree(page: Page, node: Node) -> None:
    """A node and, each under a heading, its children."""
    if node.plan is not None:
        add_plan(page, node.plan)
    if node.error is not None:
        page.add(("✗ ", BAD), node.error)
    if node.not_followed:
        page.add(("Not followed:", TITLE))
        for refusal in node.not_followed:
            page.add(("  · ", DIM), (refusal.id, ID), f": {refusal.reason}")
    for child in node.children:
        page.add()
        page.add(("═ federated: ", TITLE), (child.ref_id or "", ID), f" {child.location}")
        add_tree(page, child)
