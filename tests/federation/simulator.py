"""An estate on an invented web: manifests, signatures and keys by URL, and a fetcher that reads them.

`honest()` gives an estate in which everything is in order. Attacks are short changes to it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from kcp.errors import FetchError
from kcp.federation import Node, Walk, WalkLimits
from kcp.federation.walk import WORKERS
from kcp.network.fetcher import Fetched, Fetcher
from kcp.reading.sources import Sources
from kcp.text.weburl import join_url, parse_url
from kcp.trust.keys import KeyPair, envelope_text, key_pair, public_pem, sign
from kcp.trust.policy import TrustPolicy
from kcp.trust.signature import PinnedKey
from tests.support import TASK, options

HUB = "https://hub.example/knowledge.yaml"
PLATFORM = "https://platform.example/knowledge.yaml"
VENDOR = "https://vendor.example/kb/knowledge.yaml"
LEDGER = "https://ledger.example/knowledge.yaml"

KEY = key_pair(bytes(range(32)))
OTHER_KEY = key_pair(bytes(32))


class Redirect(NamedTuple):
    """A page that leads elsewhere."""

    to: str


Page = bytes | Redirect | Exception


class Web(Fetcher):
    """Pages by URL. `requests` lists what was asked for; `before` runs first, in the thread that asks."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.requests: list[str] = []
        self.before: Callable[[str], object] = str
        self._lock = threading.Lock()

    def fetch(self, url: str) -> Fetched:
        with self._lock:
            self.requests.append(url)
        self.before(url)
        place = url
        for _ in range(6):
            parsed = parse_url(place)
            if parsed is None:
                raise FetchError(f"not a valid URL: {place}")
            page = self.pages.get(parsed.replace(fragment=None).text, FetchError("404 Not Found"))
            if isinstance(page, Exception):
                raise page
            if isinstance(page, bytes):
                return Fetched(parsed.text, page)
            place = join_url(parsed.text, page.to) or page.to
        raise FetchError(f"too many redirects (>5) starting at {url}")

    def put(self, url: str, **members: Any) -> None:
        """A manifest at a URL."""
        self.pages[url] = manifest(**members)

    def put_signed(self, url: str, pair: KeyPair = KEY, **members: Any) -> None:
        """A manifest at a URL, its signature and the public key beside it."""
        self.put(url, **{"signing": SIGNING, **members})
        self.sign(url, pair)

    def sign(self, url: str, pair: KeyPair = KEY) -> None:
        """Sign the manifest at a URL as it is now."""
        data = self.pages[url]
        assert isinstance(data, bytes)
        self.pages[f"{url}.sig"] = envelope_text("estate", pair, sign(data, pair)).encode()
        self.pages[url.rpartition("/")[0] + "/estate.pub"] = public_pem(pair.public).encode()


SIGNING = {
    "scheme": "ed25519",
    "public_key": "estate.pub",
    "signature": "knowledge.yaml.sig",
    "key_id": "estate",
}


def unit(name: str, price: str | None = None, **members: Any) -> dict[str, Any]:
    """A unit that every task of these tests selects, free or pay-per-request."""
    method = {"type": "x402", "price_per_request": price, "currency": "USDC"}
    paid = {} if price is None else {"payment": {"methods": [method]}}
    return {"id": name, "path": f"{name}.md", "intent": f"{TASK} {name}", **paid, **members}


def ref(name: str, url: str, **members: Any) -> dict[str, Any]:
    """A reference to a manifest."""
    return {"id": name, "url": url, **members}


def manifest(**members: Any) -> bytes:
    """A manifest; JSON is YAML too."""
    whole = {"project": "estate", "version": "1.0.0", "kcp_version": "0.32", "units": [unit("guide")]}
    return json.dumps({**whole, **members}, indent=1).encode() + b"\n"


def honest() -> Web:
    """A hub, a platform that needs a credential, a vendor with prices, and a signed ledger."""
    web = Web()
    credential = {"required": True, "credential_hint": "platform_token"}
    web.put(
        HUB,
        project="hub",
        manifests=[
            ref("platform", PLATFORM, context=["prod"], agent_identity=credential),
            ref("vendor", VENDOR),
            ref("ledger", LEDGER),
        ],
    )
    web.put(PLATFORM, project="platform", manifests=[ref("hub", HUB)])
    web.put(VENDOR, project="vendor", units=[unit("report", "0.30"), unit("notes")])
    web.put_signed(LEDGER, project="ledger", units=[unit("accounts", "0.20")])
    return web


def start(
    fetcher: Fetcher | None,
    *,
    depth: int = 1,
    nodes: int = 64,
    workers: int = WORKERS,
    root: str | None = None,
    pinned: tuple[KeyPair, ...] = (),
    require: bool = False,
    verify: bool = True,
    **changes: Any,
) -> Walk:
    """A walk that has not begun; other members are those of `tests.support.options`."""
    keys = tuple(PinnedKey("pinned key", pair.public) for pair in pinned)
    return Walk(
        TASK,
        options(**changes),
        Sources(fetcher, root=root),
        TrustPolicy(verify=verify, require=require, pinned=keys),
        WalkLimits(depth, nodes),
        workers=workers,
    )


def walk(fetcher: Fetcher | None, location: str = HUB, **settings: Any) -> Node:
    """The tree of a walk; settings as for `start`."""
    return start(fetcher, **settings).run(location)


def reasons(node: Node) -> dict[str, str]:
    """Why references were not followed, by id."""
    return {each.id: each.reason for each in node.not_followed}


def child(node: Node, ref_id: str) -> Node:
    """The child that a reference led to."""
    (found,) = [each for each in node.children if each.ref_id == ref_id]
    return found


def count(node: Node) -> int:
    """How many nodes a tree has."""
    return 1 + sum(count(each) for each in node.children)
