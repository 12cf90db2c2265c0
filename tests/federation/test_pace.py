"""How long a walk takes where every request takes 20 milliseconds.

The one place where waiting is the point: the servers wait, and the clock shows that they wait together.
"""

from __future__ import annotations

import time

import pytest

from tests.federation.simulator import HUB, Web, count, ref, walk

LATENCY = 0.02  # seconds a request
LIMIT = 1.5  # seconds for a walk of 200 manifests


def estate(groups: int, members: int, *, signed: bool) -> Web:
    """A hub of groups of members; with one group, a hub of members."""
    web = Web()
    put = web.put_signed if signed else web.put
    names = [f"https://g{number}.example/knowledge.yaml" for number in range(groups)]
    for number, name in enumerate(names):
        below = [f"https://g{number}.example/m{each}/knowledge.yaml" for each in range(members)]
        put(name, manifests=[ref(f"m{each}", place) for each, place in enumerate(below)])
        for place in below:
            put(place)
    if groups == 1:
        web.pages = {url.replace(names[0], HUB).replace("g0", "hub"): page for url, page in web.pages.items()}
        put(HUB, manifests=[ref(f"m{each}", f"m{each}/knowledge.yaml") for each in range(members)])
    else:
        put(HUB, manifests=[ref(f"g{number}", name) for number, name in enumerate(names)])
    web.before = lambda _url: time.sleep(LATENCY)
    return web


@pytest.mark.slow
@pytest.mark.parametrize(
    ("groups", "members", "signed"),
    [(1, 199, False), (1, 199, True), (11, 17, False)],
    ids=["one level", "one level, each signed with a key of its own", "two levels"],
)
def test_walk_of_200_manifests(groups: int, members: int, signed: bool) -> None:
    web = estate(groups, members, signed=signed)
    expected = 1 + members if groups == 1 else 1 + groups * (1 + members)
    depth = 1 if groups == 1 else 2
    # The machine is shared with the other workers of the run: the best of three counts.
    for _attempt in range(3):
        start = time.perf_counter()
        node = walk(web, depth=depth, nodes=expected)
        took = time.perf_counter() - start
        assert count(node) == expected
        if took <= LIMIT:
            return
    pytest.fail(f"{took:.2f} s for {expected} manifests, more than {LIMIT}")
