"""Where a manifest comes from: asserted, fetched, derived from the checkout, or unknown (§4, §7)."""

from __future__ import annotations

import os

from kcp.errors import FetchError, UsageError
from kcp.reading.locate import shown
from kcp.records import Record
from kcp.render.git_remote import find_checkout
from kcp.render.tier import ASSERTED, DERIVED, FETCHED, Origin
from kcp.trust.origins import UNKNOWN, normalise_origin, origin_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.network.fetcher import Fetcher

MATCHED, MISMATCH, UNREACHABLE = "matched", "mismatch", "unreachable"
MANIFEST_NAME = "knowledge.yaml"


class Sighting(Record):
    """An origin, and where in its repository the manifest lies, with forward slashes."""

    origin: Origin
    path: str = MANIFEST_NAME


class Corroboration(Record):
    """What the claimed origin served: `matched`, `mismatch` or `unreachable`."""

    url: str
    result: str


def find_origin(source: str, asserted: str | None, fetched_from: str | None = None) -> Sighting:
    """The origin of the manifest file at `source`; UsageError where the asserted one is none.

    `fetched_from` is the URL of a federation fetch.
    """
    if asserted is not None:
        if asserted == UNKNOWN:
            return Sighting(Origin())
        name = normalise_origin(asserted)
        if name is None:
            raise UsageError(f"--origin must be like github.com/owner/repository, not '{shown(asserted)}'")
        return Sighting(Origin(name, ASSERTED))
    if fetched_from is not None:
        name = origin_of(fetched_from)
        return Sighting(Origin() if name == UNKNOWN else Origin(name, FETCHED))
    folder = os.path.dirname(source) or "."
    checkout = find_checkout(folder)
    name = None if checkout is None or checkout.url is None else normalise_origin(checkout.url)
    if checkout is None or name is None or name == UNKNOWN:
        return Sighting(Origin())
    place = os.path.join(os.path.realpath(folder), os.path.basename(source))
    return Sighting(Origin(name, DERIVED), os.path.relpath(place, checkout.root).replace(os.sep, "/"))


def corroborate(sighting: Sighting, data: bytes, fetcher: Fetcher, url: str | None = None) -> Corroboration:
    """Whether the claimed origin serves these very bytes, at `url` or where its kind has them."""
    url = url or corroboration_url(sighting)
    try:
        served = fetcher.fetch(url).data
    except FetchError:
        return Corroboration(url, UNREACHABLE)
    return Corroboration(url, MATCHED if served == data else MISMATCH)


def corroboration_url(sighting: Sighting) -> str:
    """Where an origin would serve the manifest."""
    name, path = sighting.origin.name, _encoded(sighting.path)
    steps = name.split("/")
    if len(steps) == 3 and steps[0] == "github.com":
        return f"https://raw.githubusercontent.com/{steps[1]}/{steps[2]}/HEAD/{path}"
    return f"https://{name}/{path}"


def _encoded(path: str) -> str:
    safe = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
    return "".join([chr(byte) if byte in safe else f"%{byte:02X}" for byte in os.fsencode(path)])
