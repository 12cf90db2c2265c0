"""`kcp-agent keygen --key-id ID [--out DIR]`: a new key pair to sign manifests with."""

from __future__ import annotations

import os

from kcp.cli.exit_codes import DONE
from kcp.cli.parser import CommandLineError
from kcp.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output


def run(arguments: Arguments, out: Output) -> int:
    """Make the pair's two files and print how others may trust it; never the private key."""
    key_id = arguments.text("--key-id")
    if key_id is None:
        raise CommandLineError("Missing --key-id.", usage="keygen")
    from kcp.files import write_exclusively
    from kcp.trust.keys import fingerprint, keyring_entry, new_key_pair, private_pem, public_pem, spki_text

    stem = os.path.join(arguments.text("--out") or "", _file_stem(key_id))
    pair = new_key_pair()
    write_exclusively(f"{stem}.pub", public_pem(pair.public).encode("ascii"), 0o644)
    try:
        write_exclusively(f"{stem}.key", private_pem(pair).encode("ascii"), 0o600)
    except BaseException:
        os.unlink(f"{stem}.pub")
        raise
    from kcp.cli.show.page import DIM, GOOD, Page

    page = Page()
    page.add(("✓", GOOD), f" private key → {stem}.key (keep it secret)")
    page.add(("✓", GOOD), f" public key → {stem}.pub")
    page.add(("  fingerprint: ", DIM), fingerprint(pair.public))
    page.add(("  allowlist public_key: ", DIM), spki_text(pair.public))
    page.add()
    page.add(("To trust this key, add to the 'keys' of a keyring file (--keyring):", DIM))
    for line in keyring_entry(key_id, pair.public).splitlines():
        page.add(f"  {line}")
    page.show(out)
    return DONE


def _file_stem(key_id: str) -> str:
    from kcp.trust.keyring import is_key_id
    from kcp.trust.signing import KEY_ID_RULE

    if not is_key_id(key_id):
        raise UsageError(f"--key-id must be {KEY_ID_RULE}, not '{key_id}'")
    if not key_id.strip(".") or (os.name == "nt" and ":" in key_id):
        raise UsageError(f"'{key_id}' cannot be a file name; choose another --key-id")
    return key_id
