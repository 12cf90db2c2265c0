"""How much trust the operator asks for: verify or not, require or not, and which keys count."""

from __future__ import annotations

from kcp.errors import KcpError, ManifestError
from kcp.reading.locate import is_remote, resolve, shown
from kcp.reading.sources import is_below
from kcp.records import Record
from kcp.trust.origins import origin_of
from kcp.trust.signature import PinnedKey, verify_signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.model import Signing
    from kcp.planning.results import SignatureResult
    from kcp.reading.sources import ManifestBytes, Sources
    from kcp.trust.keyring import Keyring
    from kcp.trust.signature import LoadText


class TrustPolicy(Record):
    """`pinned` and `keyring`, where given, are the only keys that count."""

    verify: bool = True
    require: bool = False
    pinned: tuple[PinnedKey, ...] = ()
    keyring: Keyring | None = None

    def check(self, signing: Signing | None, read: ManifestBytes, sources: Sources) -> SignatureResult | None:
        """The verdict on a manifest's bytes, or None where verification is off."""
        if not self.verify:
            return None
        load_text = beside(read.source, sources)
        return verify_signature(signing, read.data, load_text, self.pins_for(read.source))

    def pins_for(self, source: str) -> tuple[PinnedKey, ...] | None:
        """The keys that alone count for a manifest from a source; None where it may bring its own."""
        if self.keyring is None:
            return self.pinned or None
        return self.pinned + self.keyring.pins_for(origin_of(source))

    def material_urls(self, signing: Signing, source: str) -> list[str]:
        """The URLs that `check` will read for a manifest, so that they can be fetched ahead; no others."""
        from kcp.trust.material import is_inline

        if not self.verify or not signing.signature:
            return []
        named = [signing.signature]
        if signing.public_key and not self.pinned and self.keyring is None:
            named.append(signing.public_key)
        urls = []
        for reference in named:
            if not is_inline(reference):
                try:
                    urls.append(resolve(source, reference))
                except KcpError:
                    continue
        return [url for url in urls if is_remote(url) and (not is_remote(source) or is_below(source, url))]

    def refusal(self, signature: SignatureResult | None) -> str | None:
        """Why a manifest with this verdict must not be planned (§11)."""
        if signature is None:
            return None
        if signature.status == "invalid":
            return f"signature invalid: {signature.detail}"
        if self.require and signature.status != "verified":
            return f"signature required but {signature.status}: {signature.detail}"
        return None


def beside(source: str, sources: Sources) -> LoadText:
    """Reads what a manifest names; KcpError for everything that it may not or cannot read."""

    def load_text(name: str) -> str:
        try:
            return sources.read_beside(source, name, "file")
        except ValueError:  # what no file system takes for a name
            raise ManifestError(f"{shown(name)} is not a valid path") from None

    return load_text


def load_pins(locations: list[str], sources: Sources) -> tuple[PinnedKey, ...]:
    """The keys given as `--trust-key`, each inline or at a location; KcpError if any cannot be used (B21)."""
    from kcp.trust.material import import_key, is_inline

    pins = []
    for place, location in enumerate(locations, 1):
        inline = is_inline(location)
        # Who gives a private key by mistake does not want to read it in a log.
        called = f"#{place} (inline)" if inline else _short(location)
        try:
            text = location if inline else sources.read_trusted(location, "key").decode("utf-8", "replace")
            key = import_key(text)
        except KcpError as error:
            raise KcpError(f"cannot use --trust-key {called}: {error}") from None
        pins.append(PinnedKey("pinned key" if len(locations) == 1 else f"pinned key {called}", key))
    return tuple(pins)


def _short(location: str) -> str:
    location = shown(location)
    return location if len(location) <= 200 else location[:197] + "…"


def load_keyring(location: str, sources: Sources) -> Keyring:
    """The keyring given as `--keyring`; KcpError if it cannot be used (B21)."""
    from kcp.trust.keyring import read_keyring

    try:
        data = sources.read_trusted(location, "keyring")
    except KcpError as error:
        raise KcpError(f"cannot use --keyring {_short(location)}: {error}") from None
    return read_keyring(data, location)
