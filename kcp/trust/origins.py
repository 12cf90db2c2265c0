"""Origins, `host/path`: where a manifest comes from, what a key's scope covers (render contract §3, §4)."""

from __future__ import annotations

from kcp.reading.locate import is_remote
from kcp.text.weburl import parse_url

UNKNOWN = "unknown"
_MISLEADING = frozenset(' \\?#"')
_DEFAULT_PORTS = {"https": "443", "http": "80", "ssh": "22", "git": "9418", "": "443"}


def origin_of(source: str) -> str:
    """The origin of a manifest read over http(s): host, port if not the scheme's own, and folder.

    `unknown` for anything else, also for a path that only looks like a URL.
    """
    url = parse_url(source) if is_remote(source) else None
    if url is None:
        return UNKNOWN
    return normalise_origin(url.origin + url.path.rpartition("/")[0]) or UNKNOWN


def normalise_origin(text: str) -> str | None:
    """`host/path` with a lower-case host, no scheme, credentials, default port, trailing slash or `.git`.

    Takes a URL, `host/path` or `[user@]host:path`. None where a text is none of these or names no one folder.
    """
    scheme, place = _without_scheme(text.strip())
    host, path = _split(place, is_url=bool(scheme))
    host, port = _split_port(host.rpartition("@")[2].lower())
    path = path.rstrip("/")
    if path.lower().endswith(".git"):
        path = path[:-4].rstrip("/")
    if port and port != _DEFAULT_PORTS.get(scheme):
        host = f"{host}:{port}"
    origin = f"{host}/{path}" if path else host
    if not host or not origin.isascii() or not origin.isprintable() or _MISLEADING & set(origin):
        return None
    if {"", ".", ".."} & set(origin.split("/")) or "%2f" in origin.lower() or "%5c" in origin.lower():
        return None
    return origin


def _without_scheme(text: str) -> tuple[str, str]:
    scheme, found, rest = text.partition("://")
    return (scheme.lower(), rest) if found else ("", text)


def _split(place: str, *, is_url: bool) -> tuple[str, str]:
    """Host and path. Without a scheme a colon starts the path, unless a port number follows it."""
    host, _, path = place.partition("/")
    if is_url or host.rpartition("@")[2].startswith("["):
        return host, path
    user, at, named = host.rpartition("@")
    name, colon, rest = named.partition(":")
    if not colon or (not at and rest.isascii() and rest.isdecimal()):
        return host, path
    return user + at + name, place[len(user + at + name) + 1 :].lstrip("/")


def _split_port(host: str) -> tuple[str, str]:
    """A host and the port written behind it; no port where the text behind the last colon is none."""
    name, colon, port = host.rpartition(":")
    return (name, port) if colon and port.isascii() and port.isdecimal() else (host, "")


def covers(scope: str, origin: str) -> bool:
    """Whether a scope covers an origin, by whole path segments; `unknown` is never covered."""
    return origin != UNKNOWN and (origin == scope or origin.startswith(scope + "/"))
