"""What a render is asked for, and how it is refused."""

from __future__ import annotations

from kcp.errors import KcpError
from kcp.records import Record
from kcp.trust.keyring import Keyring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.network.fetcher import Fetcher


class RenderRefusedError(KcpError):
    """Tier `failed`: nothing is rendered, and the manifest has not been looked into. `reason` says why.

    `origin`, `pinned` and `source_sha256` are what was known when it was refused.
    """

    exit_code = 2

    def __init__(self, reason: str, *, origin: str, pinned: bool, source_sha256: str) -> None:
        super().__init__(f"render refused: tier=failed ({reason})")
        self.reason = reason
        self.origin = origin
        self.pinned = pinned
        self.source_sha256 = source_sha256


class RenderRequest(Record):
    """What is asked for. `fetcher` is used only with `corroborate`, `corroborate_url` or `fetch_includes`.

    `origin` is the operator's word for where the manifest comes from; `fetched_from` the URL of a federation
    fetch. `lint` is `base` or `full`. `timestamp` is text for `rendered_at`.
    """

    location: str
    keyring: Keyring = Keyring()
    origin: str | None = None
    fetched_from: str | None = None
    allow_derived_origin: bool = False
    strict_origin: bool = False
    require_unit_hashes: bool = False
    corroborate: bool = False
    corroborate_url: str | None = None
    retrieved_from: str | None = None
    fetch_includes: bool = False
    lint: str = "full"
    timestamp: str | None = None
    fetcher: Fetcher | None = None
