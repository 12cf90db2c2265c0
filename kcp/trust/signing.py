"""Signing a manifest: refresh its hashes, add its signing block, sign, read back (render contract §18).

`prepare` reads, checks and edits in memory, `write_signed` writes. Between the two a caller validates the
very bytes that will be signed and adds what speaks against signing them.
"""

from __future__ import annotations

import os.path
import stat

from kcp.errors import KcpError, UsageError
from kcp.files import refuse_link, write_atomically
from kcp.reading.load import parse_bytes
from kcp.reading.locate import is_remote, resolve, shown
from kcp.reading.source import read_bytes
from kcp.reading.sources import MAX_MATERIAL_BYTES, ManifestBytes, Sources, is_within
from kcp.reading.yaml12 import read_manifest_mapping
from kcp.records import Record
from kcp.trust.edits import EditError, ScalarEdit, append_block, replace_scalars
from kcp.trust.keyring import MAX_KEY_ID, is_key_id
from kcp.trust.keys import KeyPair, bare_text, envelope_text, read_private_key, sign, spki_text
from kcp.trust.material import is_inline
from kcp.trust.policy import beside
from kcp.trust.signature import PinnedKey, verify_signature
from kcp.trust.unit_hashes import check_units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.model import Manifest, Signing

KEY_ID_RULE = f"1 to {MAX_KEY_ID} characters of A–Z a–z 0–9 . _ : @ -"


class SigningRequest(Record):
    """What to sign, with which key, and how; `key_id` and `out` have defaults that follow from the others."""

    manifest: str
    key: str
    key_id: str | None = None
    out: str | None = None
    update_hashes: bool = False
    bare: bool = False
    add_block: bool = False


class Prepared(Record):
    """A manifest ready to be signed, unless `problems` says what is against it.

    `read` is the manifest as it is, `data` as it will be; `refreshed` names the units whose hashes differ.
    `warnings` do not keep from signing.
    """

    read: ManifestBytes
    data: bytes
    manifest: Manifest
    pair: KeyPair
    key_id: str
    out: str
    bare: bool
    refreshed: tuple[str, ...]
    problems: tuple[str, ...]
    warnings: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Prepared({self.read.source!r}, key_id={self.key_id!r})"


def prepare(request: SigningRequest) -> Prepared:
    """Everything that signing needs, nothing written.

    UsageError for a remote manifest, a bad key id or an output in the place of an input; KcpError where the
    key or the manifest cannot be read; EditError where the text cannot be changed as asked.
    """
    if is_remote(request.manifest):
        raise UsageError("sign takes a local manifest", hint="download it, and sign the file")
    key_id = _key_id(request)
    pair, warnings = _read_key(request.key)
    read = Sources().read_manifest(request.manifest)
    out = request.out or f"{read.source}.sig"
    if _same_file(out, read.source) or _same_file(out, request.key):
        raise UsageError("--out names the manifest or the key; the signature needs a file of its own")
    document = read_manifest_mapping(read.data)
    root = os.path.dirname(read.source) or "."
    stale, problems = check_units(document.root, root, (read.source, out))
    data = read.data
    if request.update_hashes:
        edits = [ScalarEdit(hash_.path, hash_.declared, hash_.observed) for hash_ in stale]
        data = replace_scalars(data, document, edits)
    else:
        problems += [
            f"unit '{each.unit}': content_hash does not match {each.content}; --update-hashes refreshes it"
            for each in stale
        ]
    if request.add_block:
        data = _with_block(data, read.source, out, key_id, pair)
    manifest = parse_bytes(read.replace(data=data))
    if manifest.signing is not None:
        against, doubts = _compare_block(manifest.signing, read.replace(data=data), pair, key_id, out)
        problems += against
        warnings += doubts
    return Prepared(
        read=read,
        data=data,
        manifest=manifest,
        pair=pair,
        key_id=key_id,
        out=out,
        bare=request.bare,
        refreshed=tuple([each.unit for each in stale]) if request.update_hashes else (),
        problems=tuple(problems),
        warnings=tuple(warnings),
    )


def write_signed(prepared: Prepared) -> None:
    """Write the manifest where it changed, then its signature, and verify both as they are on disk.

    KcpError where a file cannot be written, or does not hold afterwards what it should.
    """
    if prepared.problems:
        raise KcpError(f"not signed: {prepared.problems[0]}")
    source, data = prepared.read.source, prepared.data
    signature = sign(data, prepared.pair)
    text = bare_text(signature) if prepared.bare else envelope_text(prepared.key_id, prepared.pair, signature)
    refuse_link(prepared.out)
    if data != prepared.read.data:
        write_atomically(source, data)
    write_atomically(prepared.out, text.encode("ascii"))
    _read_back(prepared)


def _read_back(prepared: Prepared) -> None:
    from kcp.model import Signing

    data = read_bytes(prepared.read.source)
    text = read_bytes(prepared.out, MAX_MATERIAL_BYTES, "signature").decode("utf-8", "replace")
    pins = (PinnedKey("signing key", prepared.pair.public),)
    verdict = verify_signature(Signing(signature="file"), data, lambda _name: text, pins)
    if data != prepared.data or verdict.status != "verified":
        raise KcpError(
            f"{shown(prepared.out)} does not verify after writing; did the manifest change meanwhile?"
        )


def _key_id(request: SigningRequest) -> str:
    if request.key_id is not None:
        if not is_key_id(request.key_id):
            raise UsageError(f"--key-id must be {KEY_ID_RULE}, not '{request.key_id}'")
        return request.key_id
    stem = os.path.splitext(os.path.basename(request.key))[0]
    if not is_key_id(stem):
        raise UsageError(f"the key file's name makes no key id ({KEY_ID_RULE}); give --key-id")
    return stem


def _read_key(path: str) -> tuple[KeyPair, list[str]]:
    if is_remote(path):
        raise UsageError("--key takes a local file")
    text = read_bytes(path, MAX_MATERIAL_BYTES, "key").decode("utf-8", "replace")
    pair = read_private_key(text, shown(path))
    exposed = os.name == "posix" and stat.S_IMODE(os.stat(path).st_mode) & 0o077
    return pair, [f"others can read or change the private key {path}; chmod 600 it"] if exposed else []


def _with_block(data: bytes, source: str, out: str, key_id: str, pair: KeyPair) -> bytes:
    """The manifest with a signing block.

    The public key stands in the block itself: there the signature covers it, while a key file beside the
    manifest, or the key in the envelope, is whatever somebody last put there.
    """
    document = read_manifest_mapping(data)
    if parse_bytes(ManifestBytes(source, data)).signing is not None:
        raise EditError("the manifest declares its signature already; there is no second block to add")
    folder = os.path.realpath(os.path.dirname(source) or ".")
    if not is_within(folder, out):
        raise EditError(
            f"the signature {shown(out)} is outside the manifest's folder; consumers do not look there"
        )
    location = os.path.relpath(os.path.realpath(out), folder).replace(os.sep, "/")
    if is_inline(location) or is_remote(location):
        raise EditError(f"a signing block cannot name the file {shown(location)}; choose another --out")
    members = {
        "scheme": "ed25519",
        "key_id": key_id,
        "public_key": spki_text(pair.public),
        "signature": location,
    }
    return append_block(data, document, "signing", members)


def _compare_block(
    signing: Signing, read: ManifestBytes, pair: KeyPair, key_id: str, out: str
) -> tuple[list[str], list[str]]:
    """What in a signing block makes the new signature fail for everybody, and what may mislead."""
    warnings = []
    if signing.key_id is not None and signing.key_id != key_id:
        warnings.append(f"the signing block says key_id '{signing.key_id}', the signature '{key_id}'")
    location = signing.signature or ""
    if not location or is_inline(location) or not _same_file(resolve(read.source, location), out):
        warnings.append(f"the signing block does not lead to {out}")
    if not signing.public_key:
        return [], warnings
    bare = signing.replace(signature=bare_text(sign(read.data, pair)))
    verdict = verify_signature(bare, read.data, beside(read.source, Sources()))
    if verdict.status == "invalid":
        return ["the signing block declares another public key than the one that signs"], warnings
    if verdict.status != "verified":
        warnings.append(f"the signing block cannot be checked: {verdict.detail}")
    return [], warnings


def _same_file(one: str, other: str) -> bool:
    try:
        return os.path.realpath(one) == os.path.realpath(other)
    except ValueError:
        return False
