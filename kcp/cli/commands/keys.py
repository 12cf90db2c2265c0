"""`kcp-agent keys list|show|add|remove|pin`: the keys that you trust, and for which origins."""

from __future__ import annotations

import os

from kcp.cli.exit_codes import DONE
from kcp.cli.parser import CommandLineError
from kcp.cli.show.escape import escape
from kcp.cli.streams import complain
from kcp.errors import KcpError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output
    from kcp.trust.keyfile import StoredKey

DEFAULT_KEYS = "~/.kcp/trusted-keys.yaml"
_VERBS = ("list", "show", "add", "remove", "pin")
_FOR_ADDING = ("--key-id", "--scope", "--source-url")


def run(arguments: Arguments, out: Output) -> int:
    """Do what the first word says: 1 where the file has no such key, or has it already."""
    verb, *rest = arguments.positionals or [""]
    if verb not in _VERBS:
        raise CommandLineError("Missing list, show, add, remove or pin.", usage="keys")
    for flag in _FOR_ADDING:
        if verb != "add" and flag in arguments.given:
            raise UsageError(f"keys {verb} takes no {flag}")
    if arguments.switch("--json") and verb not in ("list", "show"):
        raise UsageError(f"keys {verb} takes no --json")
    if verb == "list":
        _require(rest, "list", 0, 0)
        _show_all(arguments, out)
    elif verb == "show":
        _require(rest, "show", 1, 1)
        _show_one(arguments, rest[0], out)
    elif verb == "add":
        _require(rest, "add", 1, 1)
        _add(arguments, rest[0], out)
    elif verb == "remove":
        _require(rest, "remove", 1, 1)
        _remove(arguments, rest[0], out)
    else:
        _require(rest, "pin", 2, None)
        _pin(arguments, rest[0], rest[1:], out)
    return DONE


def _require(rest: list[str], verb: str, least: int, most: int | None) -> None:
    if len(rest) < least or not all(rest):
        missing = "key" if least == 1 or not rest else "origin"
        raise CommandLineError(f"Missing {missing} for keys {verb}.", usage="keys")
    if most is not None and len(rest) > most:
        raise CommandLineError(f"Unexpected argument: {rest[most]}", usage="keys")


def _path(arguments: Arguments) -> str:
    return os.path.expanduser(arguments.text("--keys") or DEFAULT_KEYS)


def _read(arguments: Arguments) -> tuple[StoredKey, ...]:
    """The keys; none where the user's own file is not there yet."""
    from kcp.trust.keyfile import list_keys, open_to_others

    path = _path(arguments)
    if arguments.text("--keys") is None and not os.path.lexists(path):
        return ()
    keys = list_keys(path)
    fault = open_to_others(path)
    if fault is not None:
        complain(f"⚠ {escape(fault)}\n")
    return keys


def _show_all(arguments: Arguments, out: Output) -> None:
    keys, path = _read(arguments), _path(arguments)
    if arguments.switch("--json"):
        _print_json({"file": path, "keys": [_wire(key) for key in keys]}, out)
        return
    from kcp.cli.show.page import DIM, ID, Page

    page = Page()
    for key in keys:
        page.add((key.key_id, ID), f"  {key.fingerprint}")
        page.add(("  vouches for: ", DIM), _scope(key))
    if not keys:
        page.add(f"No trusted keys in {path}")
    page.show(out)


def _show_one(arguments: Arguments, wanted: str, out: Output) -> None:
    from kcp.trust.keyfile import find_key

    key = find_key(_read(arguments), wanted, _path(arguments))
    if arguments.switch("--json"):
        _print_json(_wire(key), out)
        return
    from kcp.cli.show.page import DIM, ID, Page

    page = Page()
    page.add((key.key_id, ID))
    rows = (
        ("fingerprint", key.fingerprint),
        ("public_key", key.public_key),
        ("vouches for", _scope(key)),
        ("source_url", key.source_url),
        ("added", key.added),
    )
    for name, value in rows:
        if value is not None:
            page.add((f"  {name}: ", DIM), value)
    page.show(out)


def _add(arguments: Arguments, given: str, out: Output) -> None:
    from kcp.api import today
    from kcp.trust.keyfile import add_key, read_origin
    from kcp.trust.keyring import KeyringEntry, is_key_id
    from kcp.trust.signing import KEY_ID_RULE

    key, stem = _read_key(given)
    key_id = arguments.text("--key-id") or stem
    if key_id is None:
        raise UsageError("keys add needs --key-id for a key that is not in a file of its own")
    if not is_key_id(key_id):
        raise UsageError(f"--key-id must be {KEY_ID_RULE}, not '{key_id}'")
    origins = tuple(dict.fromkeys([read_origin(text) for text in arguments.every("--scope")]))
    path = _path(arguments)
    entry = KeyringEntry(key_id, key, origins or None)
    add_key(path, entry, today(), arguments.text("--source-url"))
    out.line(escape(f"✓ added {key_id} → {path}"))
    if origins:
        out.line(escape(f"  vouches for: {', '.join(origins)}"))
    else:
        out.line("  vouches for any origin and pins none; limit it with: kcp-agent keys pin")


def _read_key(given: str) -> tuple[bytes, str | None]:
    """The 32 bytes of a public key given as text or as a file, and what the file's name calls it."""
    from kcp.reading.sources import Sources
    from kcp.trust.ed25519 import is_sound_key
    from kcp.trust.material import import_key, is_inline

    inline = is_inline(given)
    called = "the key" if inline else given
    try:
        text = given if inline else Sources().read_trusted(given, "key").decode("utf-8", "replace")
        if "PRIVATE KEY-----" in text:
            raise KcpError("this is a private key; trust its public part")
        key = import_key(text)
        if not is_sound_key(key):
            raise KcpError("not an Ed25519 point of prime order")
    except KcpError as error:
        raise KcpError(f"cannot use {called}: {error}") from None
    return key, None if inline else os.path.splitext(os.path.basename(given))[0]


def _remove(arguments: Arguments, wanted: str, out: Output) -> None:
    from kcp.trust.keyfile import remove_key

    path = _path(arguments)
    key, unpinned = remove_key(path, wanted)
    out.line(escape(f"✓ removed {key.key_id} ({key.fingerprint}) from {path}"))
    if unpinned:
        complain(f"⚠ no longer pinned: {escape(', '.join(unpinned))}\n")


def _pin(arguments: Arguments, wanted: str, given: list[str], out: Output) -> None:
    from kcp.trust.keyfile import pin_origins, read_origin

    origins = tuple([read_origin(text) for text in given])
    key, new = pin_origins(_path(arguments), wanted, origins)
    if key.origins is None:
        complain(f"⚠ {escape(key.key_id)} vouched for any origin; from now on only for those of its scope\n")
    for origin in dict.fromkeys(origins):
        text = f"✓ pinned {origin} to {key.key_id}" if origin in new else f"· {origin} is covered already"
        out.line(escape(text))


def _scope(key: StoredKey) -> str:
    if key.origins is None:
        return "any origin (pins none)"
    return ", ".join(key.origins) or "no origin"


def _wire(key: StoredKey) -> dict[str, object]:
    from kcp.wire.encode import to_wire

    wire: dict[str, object] = to_wire(key)
    del wire["index"]
    return wire


def _print_json(value: object, out: Output) -> None:
    from kcp.wire.jsontext import encode_json

    out.line(encode_json(value))
