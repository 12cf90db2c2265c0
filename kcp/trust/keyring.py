"""The keyring file: which keys the operator trusts, and for which origins (render contract §3)."""

from __future__ import annotations

from kcp.errors import KcpError, ManifestError
from kcp.reading.locate import shown
from kcp.records import Record
from kcp.trust.material import KeyImportError, import_key
from kcp.trust.origins import covers, normalise_origin
from kcp.trust.signature import PinnedKey

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KEY_ID_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:@-")
MAX_KEY_ID = 128
MAX_KEYRING_BYTES = 1024 * 1024


class KeyringEntry(Record):
    """One trusted key. `domains` is None where the key is not limited to origins."""

    key_id: str
    key: bytes
    domains: tuple[str, ...] | None = None

    def covers(self, origin: str) -> bool:
        """Whether the key may vouch for a manifest of an origin."""
        return self.domains is None or any(covers(domain, origin) for domain in self.domains)


class Keyring(Record):
    """The trusted keys of one file."""

    entries: tuple[KeyringEntry, ...] = ()

    def pins_for(self, origin: str) -> tuple[PinnedKey, ...]:
        """The keys that may vouch for an origin, as signature verification takes them."""
        covering = [entry for entry in self.entries if entry.covers(origin)]
        return tuple([PinnedKey(f"keyring key {entry.key_id}", entry.key) for entry in covering])


def read_keyring(data: bytes, name: str) -> Keyring:
    """The keyring in a file's bytes; KcpError, naming the file, for anything that is not exactly one."""
    from kcp.reading.yaml12 import read_yaml

    try:
        root = read_yaml(data, max_bytes=MAX_KEYRING_BYTES).root
    except ManifestError as error:
        place = "" if error.line is None else f":{error.line}:{error.column}"
        raise KcpError(f"keyring {name}{place}: {error.message}") from None
    if type(root) is not dict or not _is_one(root.get("version")) or type(root.get("keys")) is not list:
        raise KcpError(f"keyring {name}: expected 'version: 1' and a list 'keys'")
    return Keyring(
        tuple([_entry(raw, f"keyring {name}: key #{place}") for place, raw in enumerate(root["keys"], 1)])
    )


def _is_one(version: object) -> bool:
    return version == 1 and version is not True


def _entry(raw: Any, where: str) -> KeyringEntry:
    if type(raw) is not dict:
        raise KcpError(f"{where} is not a mapping")
    key_id = raw.get("key_id")
    if not isinstance(key_id, str) or not is_key_id(key_id):
        raise KcpError(f"{where}: key_id must be 1 to {MAX_KEY_ID} characters of A–Z a–z 0–9 . _ : @ -")
    if raw.get("method", "jws") != "jws" or raw.get("algorithm", "EdDSA") != "EdDSA":
        raise KcpError(f"{where} ({key_id}): only method jws with algorithm EdDSA is supported")
    public_key = raw.get("public_key")
    if not isinstance(public_key, str):
        raise KcpError(f"{where} ({key_id}): public_key must be text")
    try:
        key = import_key(public_key)
    except KeyImportError as error:
        raise KcpError(f"{where} ({key_id}): public_key: {error}") from None
    return KeyringEntry(key_id, key, _domains(raw.get("scope"), f"{where} ({key_id})"))


def is_key_id(value: str) -> bool:
    """Whether a text may serve as a key id (render contract §5)."""
    return 0 < len(value) <= MAX_KEY_ID and KEY_ID_CHARACTERS.issuperset(value)


def _domains(scope: Any, where: str) -> tuple[str, ...] | None:
    """The origins of a scope; a scope that names none is refused, lest a misspelt one trust every origin."""
    if scope is None:
        return None
    domains = scope.get("domains") if type(scope) is dict else None
    if type(domains) is not list:
        raise KcpError(f"{where}: scope must be a mapping with a list 'domains'")
    normal = []
    for place, domain in enumerate(domains, 1):
        origin = normalise_origin(domain) if isinstance(domain, str) else None
        if origin is None:
            given = f"'{shown(domain)}'" if isinstance(domain, str) else f"#{place}"
            raise KcpError(f"{where}: scope.domains: {given} is no origin such as example.org/team")
        normal.append(origin)
    return tuple(normal)
