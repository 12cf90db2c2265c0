"""The same bytes whatever is requested ahead and in whatever order it is answered, within the cap."""

from __future__ import annotations

import concurrent.futures
import random
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kcp.errors import FetchError
from kcp.federation import Node
from kcp.federation.walk import WORKERS
from kcp.trust.policy import TrustPolicy
from tests.federation.plain_walk import PlainWalk
from tests.federation.simulator import (
    HUB,
    OTHER_KEY,
    SIGNING,
    Redirect,
    Web,
    count,
    ref,
    start,
    unit,
    walk,
)
from tests.support import options

CAP = "beyond max fetches"


class ShuffledPool:
    """Runs what it is given in an order of chance, like servers that answer when they please."""

    chance = random.Random(0)

    def __init__(self, *_: object) -> None:
        """Takes what the pool that it stands in for takes."""

    def __enter__(self) -> Self:
        return self

    def map(self, call: Callable[[str], Any], urls: Iterable[str]) -> Iterator[Any]:
        asked = list(urls)
        turns = list(range(len(asked)))
        self.chance.shuffle(turns)
        answers = {turn: call(asked[turn]) for turn in turns}
        return iter([answers[turn] for turn in range(len(asked))])

    def shutdown(self, **_: object) -> None:
        """Nothing runs."""


@pytest.fixture
def shuffled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrent.futures, "ThreadPoolExecutor", ShuffledPool)


def place(number: int) -> str:
    return HUB if number == 0 else f"https://h{number}.example/k/knowledge.yaml"


SPELLINGS = (
    "{}",
    "{}#part",
    "https://h1.example:443/k/./knowledge.yaml",
    "https://nowhere.example/",
    "ftp://a/b",
    "",
)


def references(size: int, spellings: tuple[str, ...]) -> st.SearchStrategy[list[dict[str, Any]]]:
    one = st.builds(
        lambda target, spelling, context, needs: ref(
            f"r{target}",
            spelling.format(place(target)),
            **({"context": context} if context else {}),
            **({"agent_identity": {"required": True, "credential_hint": "pass"}} if needs else {}),
        ),
        st.integers(0, size - 1),
        st.sampled_from(spellings),
        st.sampled_from([None, None, None, ["prod"], ["dev"]]),
        st.integers(0, 5).map(lambda roll: roll == 0),
    )
    return st.lists(one, max_size=6)


@st.composite
def estates(
    draw: st.DrawFn, signatures: tuple[str, ...], others: tuple[str, ...], spellings: tuple[str, ...]
) -> Web:
    """Manifests that lead to each other anyhow; `others` are what a page may be instead of a manifest."""
    web = Web()
    size = draw(st.integers(1, 9))
    for number in range(size):
        url = place(number)
        kind = draw(st.sampled_from(("manifest", "manifest", "manifest", *others))) if number else "manifest"
        if kind == "redirect":
            web.pages[url] = Redirect(place(draw(st.integers(0, size - 1))))
        elif kind == "broken":
            web.pages[url] = b"- no\n- mapping\n"
        elif kind == "missing":
            web.pages[url] = FetchError("503 Service Unavailable")
        else:
            members = {
                "project": f"p{number}",
                "units": [unit("guide", draw(st.sampled_from([None, "0.1", "0.25"])))],
                "manifests": draw(references(size, spellings)),
            }
            put(web, url, draw(st.sampled_from(signatures)), members)
    return web


def put(web: Web, url: str, signature: str, members: dict[str, Any]) -> None:
    """A manifest, signed soundly or in one of the ways that do not hold."""
    if signature == "none":
        web.put(url, **members)
        return
    inline = signature == "inline key"
    web.put_signed(
        url, **members, signing={k: v for k, v in SIGNING.items() if not inline or k != "public_key"}
    )
    folder = url.rpartition("/")[0]
    if signature == "wrong":
        web.sign(url, OTHER_KEY)
        web.pages[f"{folder}/estate.pub"] = b"not a key"
    elif signature == "changed":
        data = web.pages[url]
        assert isinstance(data, bytes)
        web.pages[url] = data.replace(b"1.0.0", b"1.0.1")
    elif signature == "no signature":
        del web.pages[f"{url}.sig"]
    elif signature == "no key":
        del web.pages[f"{folder}/estate.pub"]
    elif signature == "foreign key":
        web.put(url, **members, signing={**SIGNING, "public_key": "https://h1.example/k/estate.pub"})
    elif signature == "elsewhere":
        web.pages[f"{url}.sig"] = Redirect("https://h1.example/k/knowledge.yaml.sig")


SETTINGS = st.fixed_dictionaries(
    {
        "depth": st.integers(0, 5),
        "nodes": st.integers(1, 12),
        "require": st.sampled_from([False, False, True]),
        "env": st.sampled_from(["prod", None]),
        "credentials": st.sampled_from([(), ("pass",)]),
        "payment_methods": st.just(("free", "x402")),
        "budget": st.sampled_from([None, {"amount": 1}, {"amount": 0.5, "currency": "USDC", "spent": 0.1}]),
    }
)
SOUND = estates(("none", "signed", "inline key", "changed", "no key"), ("broken", "missing"), ("{}",))
HOSTILE = estates(
    (
        "none",
        "signed",
        "inline key",
        "wrong",
        "changed",
        "no signature",
        "no key",
        "elsewhere",
        "foreign key",
    ),
    ("broken", "missing", "redirect", "redirect"),
    SPELLINGS,
)


def plain(web: Web, settings: dict[str, Any]) -> Node:
    known = {"depth", "nodes", "require"}
    planned = options(**{name: value for name, value in settings.items() if name not in known})
    policy = TrustPolicy(require=settings["require"])
    node = PlainWalk(web, planned, policy, settings["depth"], settings["nodes"]).visit(None, HUB, 0)
    assert isinstance(node, Node)
    return node


@pytest.mark.usefixtures("shuffled")
class TestOrder:
    """The walk beside one that does one thing after another."""

    @given(web=HOSTILE, settings=SETTINGS)
    def test_walk_without_fetch_ahead_is_the_plain_walk(self, web: Web, settings: dict[str, Any]) -> None:
        assert walk(web, workers=1, **settings) == plain(web, settings)

    @given(web=SOUND, settings=SETTINGS, workers=st.sampled_from([2, 3, 16]))
    def test_sound_estate_gives_the_plain_walk_and_never_meets_the_cap(
        self, web: Web, settings: dict[str, Any], workers: int
    ) -> None:
        expected = plain(web, settings)
        web.requests.clear()
        node = walk(web, workers=workers, **settings)
        assert node.to_json() == expected.to_json()
        assert CAP not in node.to_json()
        assert len(web.requests) <= 3 * settings["nodes"]

    @given(web=HOSTILE, settings=SETTINGS, workers=st.sampled_from([2, 3, 16]))
    def test_hostile_estate_gives_the_plain_walk_short_of_the_cap(
        self, web: Web, settings: dict[str, Any], workers: int
    ) -> None:
        expected = plain(web, settings).to_json()
        web.requests.clear()
        text = walk(web, workers=workers, **settings).to_json()
        assert len(web.requests) <= 3 * settings["nodes"]
        assert walk(web, workers=workers, **settings).to_json() == text
        assume(CAP not in text)
        assert text == expected


def test_answers_in_reverse_order_change_nothing() -> None:
    """Real threads: each sibling's answer waits for that of the sibling after it."""
    web = Web()
    urls = [place(number) for number in range(1, 9)]
    web.put(HUB, manifests=[ref(f"r{number}", url) for number, url in enumerate(urls)])
    for url in urls:
        web.put(url, units=[unit("guide", "0.10")])
    settings: dict[str, Any] = {"payment_methods": ("free", "x402"), "budget": {"amount": 0.5}}
    expected = walk(web, workers=1, **settings)
    answered = {url: threading.Event() for url in urls}

    def before(url: str) -> None:
        if url in answered and url != urls[-1]:
            assert answered[urls[urls.index(url) + 1]].wait(30)
        if url in answered:
            answered[url].set()

    web.before = before
    assert walk(web, **settings) == expected
    assert count(expected) == 9


def test_manifests_of_a_level_and_then_their_signatures_and_keys_are_requested_together() -> None:
    web = Web()
    urls = [place(number) for number in range(1, 6)]
    web.put(HUB, manifests=[ref(f"r{number}", url) for number, url in enumerate(urls)])
    for url in urls:
        web.put_signed(url)
    together = [threading.Barrier(5, timeout=30), threading.Barrier(10, timeout=30)]

    def before(url: str) -> None:
        if url != HUB:
            together[url not in urls].wait()

    web.before = before
    node = walk(web)
    assert [each.signature.status for each in node.children if each.signature] == ["verified"] * 5


def test_deeper_levels_are_requested_together_as_far_as_nothing_can_be_in_vain() -> None:
    """Unsigned manifests leave two of their three fetches over, so the groups grow."""
    web = Web()
    urls = [place(number) for number in range(1, 40)]
    web.put(HUB, manifests=[ref(f"r{number}", url) for number, url in enumerate(urls)])
    for url in urls:
        web.put(url)
    expected = walk(web, workers=1, depth=3)
    run = start(web, depth=3)
    assert run._fetcher is not None
    groups: list[int] = []
    fetch_all = run._fetcher.fetch_all

    def counting(urls: list[str], keep: int | None = None) -> Any:
        if urls:
            groups.append(len(urls))
        return fetch_all(urls, keep)

    run._fetcher.fetch_all = counting  # type: ignore[assignment, method-assign]
    assert run.run(HUB) == expected
    assert len(groups) <= 6
    assert max(groups) > 16


def test_no_more_than_the_workers_run_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    pools: list[int] = []

    class Noted(ShuffledPool):
        def __init__(self, max_workers: int, *_: object) -> None:
            pools.append(max_workers)

    monkeypatch.setattr(concurrent.futures, "ThreadPoolExecutor", Noted)
    web = Web()
    urls = [place(number) for number in range(1, 41)]
    web.put(HUB, manifests=[ref(f"r{number}", url) for number, url in enumerate(urls)])
    for url in urls:
        web.put_signed(url)
    assert count(walk(web)) == 41
    assert max(pools) == WORKERS
    pools.clear()
    assert count(walk(web, workers=3)) == 41
    assert max(pools) == 3
    pools.clear()
    assert count(walk(web, workers=1)) == 41
    assert pools == []
