"""The URL of the git remote `origin` of a folder, read from the config file (render contract §4).

Git itself is never run, and its environment variables are ignored: the folder may be hostile.
"""

from __future__ import annotations

import os

from kcp.errors import KcpError
from kcp.reading.source import read_bytes
from kcp.records import Record

MAX_CONFIG_BYTES = 256 * 1024
_MAX_LEVELS = 64
_SECTION = 'remote "origin"'
_ESCAPED = {"n": "\n", "t": "\t", "b": "\b"}


class Checkout(Record):
    """The root of the work tree that a folder lies in, and the URL of its remote `origin`."""

    root: str
    url: str | None


def find_checkout(folder: str) -> Checkout | None:
    """The checkout that a folder lies in, or None where no parent has a `.git`."""
    place = os.path.realpath(folder)
    for _ in range(_MAX_LEVELS):
        marker = os.path.join(place, ".git")
        if os.path.lexists(marker):
            config = _config(marker)
            return Checkout(place, None if config is None else origin_url(config))
        parent = os.path.dirname(place)
        if parent == place:
            return None
        place = parent
    return None


def _config(marker: str) -> str | None:
    """The text of the config that a `.git` folder has, or that a `.git` file of a work tree leads to."""
    if not os.path.isdir(marker):
        pointer = _read(marker)
        if pointer is None or not pointer.startswith("gitdir:"):
            return None
        marker = os.path.join(os.path.dirname(marker), pointer[7:].strip())
    common = _read(os.path.join(marker, "commondir"))
    if common is not None:
        marker = os.path.join(marker, common.strip())
    return _read(os.path.join(marker, "config"))


def _read(path: str) -> str | None:
    """The text of a file of git; a link or pointer to a file of anything else leads nowhere."""
    try:
        real = os.path.realpath(path)
        is_of_git = ".git" in real.split(os.sep) and os.path.basename(real) == os.path.basename(path)
        return (
            read_bytes(real, MAX_CONFIG_BYTES, "git file").decode("utf-8", "replace") if is_of_git else None
        )
    except (KcpError, OSError, ValueError):
        return None


def origin_url(config: str) -> str | None:
    """The first `url` of the section `[remote "origin"]` of a config's text."""
    section = ""
    for line in config.replace("\\\n", "").splitlines():
        line = line.strip()
        if line.startswith("["):
            head, closed, line = line[1:].partition("]")
            section = _normal_section(head) if closed else ""
            line = line.strip()
        key, equals, value = line.partition("=")
        if section == _SECTION and equals and key.strip().lower() == "url":
            return _value(value)
    return None


def _normal_section(head: str) -> str:
    name, _, rest = head.strip().partition(" ")
    if not rest:
        return _SECTION if name.lower() == "remote.origin" else name.lower()
    return f"{name.lower()} {rest.strip()}"


def _value(text: str) -> str:
    """A value without its quotes, comment and outer blanks."""
    value, quoted, escaped = "", False, False
    for char in text.strip():
        if escaped:
            value += _ESCAPED.get(char, char)
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == '"':
            quoted = not quoted
        elif char in "#;" and not quoted:
            break
        else:
            value += char
    return value.strip()
