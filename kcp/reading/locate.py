"""Where a manifest is: a file, or a directory that holds one (planner contract §2)."""

from __future__ import annotations

import os
import stat

from kcp.errors import FetchError, ManifestError
from kcp.text.weburl import join_url

MANIFEST_NAMES = ("knowledge.yaml", ".well-known/knowledge.yaml")


def is_remote(location: str) -> bool:
    """Whether a location is fetched; the scheme counts only in lower case."""
    return location.startswith(("http://", "https://"))


def locate(location: str, base: str | None = None) -> str:
    """The path of the manifest at a local location, as given or joined, never made absolute.

    A relative location is looked up from the folder `base`. ManifestError where there is none, or where the
    system does not tell.
    """
    mode = _mode(location, base)
    if mode is None:
        raise ManifestError(f"manifest not found: {shown(location)}")
    if not stat.S_ISDIR(mode):
        return location
    for name in MANIFEST_NAMES:
        path = join(location, name)
        if _mode(path, base) is not None:
            return path
    raise ManifestError(f"no knowledge.yaml found in {shown(location)}")


def _mode(path: str, base: str | None) -> int | None:
    """What is at a path; None where nothing is."""
    try:
        return os.stat(path if base is None or not path else os.path.join(base, path)).st_mode
    except PermissionError:
        raise ManifestError(f"permission denied: {shown(path)}") from None
    except (OSError, ValueError):
        return None


def resolve(base: str | None, location: str) -> str:
    """A location that the manifest at `base` names; FetchError where it should be a URL and is none."""
    if is_remote(location):
        return location
    if base is not None and is_remote(base):
        joined = join_url(base, location)
        if joined is None:
            raise FetchError(f"not a valid URL: {shown(location)}")
        return joined
    if not base or os.path.isabs(location):
        return location
    return join(_directory(base), location)


def join(*parts: str) -> str:
    """Path text joined and normalised: no empty and no `.` steps, `..` taken back; a final `/` is kept."""
    joined = "/".join(part for part in parts if part)
    absolute = joined.startswith("/")
    steps: list[str] = []
    for step in joined.split("/"):
        if step in ("", "."):
            continue
        if step != "..":
            steps.append(step)
        elif steps and steps[-1] != "..":
            steps.pop()
        elif not absolute:
            steps.append(step)
    path = "/".join(steps)
    if path and joined.endswith("/"):
        path += "/"
    return "/" + path if absolute else path or "."


def _directory(path: str) -> str:
    head, _slash, _name = path.rstrip("/").rpartition("/")
    return head or ("/" if path.startswith("/") else "")


def shown(location: str) -> str:
    """A location fit for a message of one line."""
    return location if location.isprintable() else ascii(location)
