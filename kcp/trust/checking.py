"""The verdict on a manifest's signature as an operator asks for it: whose key it is matters."""

from __future__ import annotations

import os.path

from kcp.errors import KcpError
from kcp.model import Signing
from kcp.reading.load import parse_bytes
from kcp.reading.locate import is_remote
from kcp.reading.source import sha256_hex
from kcp.records import Record
from kcp.text.weburl import parse_url
from kcp.trust.policy import beside
from kcp.trust.signature import verify_signature, verifying_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.reading.sources import Sources
    from kcp.trust.policy import TrustPolicy

VOUCHES_FOR_ITSELF = "key vouches for itself; pass --trust-key"


class SignatureCheck(Record):
    """What is known of one manifest's signature; `by` names the key that verifies it.

    `status` is `verified`, `invalid`, `unsigned` or `unverifiable`; `sha256` is None where the manifest could
    not be read.
    """

    manifest: str
    sha256: str | None
    status: str
    detail: str
    key_id: str | None = None
    by: str | None = None


def check_signature(
    location: str, trust: TrustPolicy, sources: Sources, signature_text: str | None = None
) -> SignatureCheck:
    """The check of the manifest at a location; whatever cannot be read makes it `unverifiable`.

    The signature is `signature_text` where given, else where the manifest's signing block says, else the file
    beside the manifest that has its name with `.sig`. A key that only the signature itself brings along
    proves nothing.
    """
    try:
        read = sources.read_manifest(location)
    except KcpError as error:
        return SignatureCheck(location, None, "unverifiable", str(error))
    sha256 = sha256_hex(read.data)
    try:
        signing = parse_bytes(read, sources.max_bytes).signing
    except KcpError as error:
        return SignatureCheck(location, sha256, "unverifiable", f"does not parse: {error}")
    if signature_text is None and (signing is None or not signing.signature):
        found = _signature_file(read.source)
        if found is not None:
            signing = (signing or Signing()).replace(signature=found)
        elif signing is None:
            detail = f"manifest declares no signature, and there is no {os.path.basename(read.source)}.sig"
            return SignatureCheck(location, sha256, "unsigned", detail)
    pins = trust.pins_for(read.source)
    load_text = beside(read.source, sources)
    verdict = verify_signature(signing or Signing(), read.data, load_text, pins, signature_text)
    check = SignatureCheck(
        location, sha256, verdict.status, verdict.detail, verdict.key_id, verifying_key(verdict)
    )
    has_other_key = pins is not None or (signing is not None and bool(signing.public_key))
    if verdict.status == "verified" and not has_other_key:
        return check.replace(status="unverifiable", detail=VOUCHES_FOR_ITSELF)
    return check


def _signature_file(source: str) -> str | None:
    """The reference to the signature file beside a manifest; None where a local one is not there."""
    if not is_remote(source):
        return f"{os.path.basename(source)}.sig" if os.path.lexists(f"{source}.sig") else None
    url = parse_url(source)
    return None if url is None else f"{url.path.rpartition('/')[2]}.sig"
