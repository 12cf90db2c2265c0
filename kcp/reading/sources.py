"""Where bytes come from: manifests, and the files they name (planner contract §2, decision B12)."""

from __future__ import annotations

import os.path

from kcp.errors import FetchError, KcpError, ManifestError
from kcp.reading.locate import MANIFEST_NAMES, is_remote, locate, resolve, shown
from kcp.reading.source import MAX_BYTES, read_bytes
from kcp.records import Record
from kcp.text.weburl import parse_url, scheme_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.network.fetcher import Fetcher

MAX_MATERIAL_BYTES = 64 * 1024


class ManifestBytes(Record):
    """A manifest as read: `source` is the path used, or the final URL after redirects."""

    source: str
    data: bytes


class Sources:
    """The ways to bytes that a command allows.

    `fetcher` reads URLs; None refuses them. `root` is a folder that local manifests must not leave. `base` is
    the folder that relative paths start from, the working directory where None; what is reported keeps the
    path as given.
    """

    def __init__(
        self,
        fetcher: Fetcher | None = None,
        *,
        max_bytes: int = MAX_BYTES,
        root: str | None = None,
        base: str | None = None,
    ) -> None:
        self.fetcher = fetcher
        self.max_bytes = max_bytes
        self.root = None if root is None else os.path.realpath(root)
        self.base = base

    def with_fetcher(self, fetcher: Fetcher | None) -> Sources:
        """The same ways, but URLs are read by another fetcher."""
        return Sources(fetcher, max_bytes=self.max_bytes, root=self.root, base=self.base)

    def with_base(self, base: str | None) -> Sources:
        """The same ways, but relative paths start from another folder."""
        return Sources(self.fetcher, max_bytes=self.max_bytes, root=self.root, base=base)

    def read_manifest(self, location: str) -> ManifestBytes:
        """The bytes of the manifest at a location; ManifestError or FetchError."""
        if is_remote(location):
            return self._fetch(location)
        path = locate(location, self.base)
        at = self._at(path)
        if self.root is not None and not is_within(self.root, at):
            raise ManifestError(f"refused {shown(path)}: outside the root {self.root}")
        return ManifestBytes(path, read_bytes(at, self.max_bytes, called=path))

    def read_beside(self, source: str, reference: str, noun: str) -> str:
        """The text of a small file that a manifest names; it must lie in the manifest's own folder (B12).

        A local manifest may also name a URL. `noun` is what the messages call the file.
        """
        if is_remote(source):
            return _text(self._fetch_below(source, reference), reference, noun)
        if is_remote(reference):
            return _text(self._fetch(reference).data, reference, noun)
        path = resolve(source, reference)
        if not is_within(self._folder(source), self._at(path)):
            raise ManifestError(f"refused {shown(reference)}: outside the manifest's folder")
        return _text(read_bytes(self._at(path), MAX_MATERIAL_BYTES, noun, called=path), path, noun)

    def read_unit(self, source: str, path: str) -> bytes:
        """The bytes of a unit, whose path must lead, links followed, into the manifest's folder (B12)."""
        if is_unsafe_path(path):
            raise ManifestError("unsafe path")
        if is_remote(source):
            return self._fetch_below(source, path)
        local = resolve(source, path)
        if not is_within(self._folder(source), self._at(local)):
            raise ManifestError("unsafe path")
        return read_bytes(self._at(local), self.max_bytes, "unit", called=local)

    def read_trusted(self, location: str, noun: str) -> bytes:
        """The bytes of a small file that the operator named, anywhere."""
        if is_remote(location):
            return self._fetch(location).data
        return read_bytes(location, MAX_MATERIAL_BYTES, noun)

    def identity(self, location: str) -> str:
        """What makes two locations one manifest (B22): the real path, or the URL without its fragment."""
        if is_remote(location):
            url = parse_url(location)
            return location if url is None else url.replace(fragment=None, credentials="").text
        try:
            return os.path.realpath(self._at(locate(location, self.base)))
        except KcpError:
            return os.path.realpath(self._at(location))
        except ValueError:
            return location

    def mirror(self, source: str, local_mirror: str | None) -> str | None:
        """The local copy that a local manifest names for a reference, where there is one."""
        if not local_mirror or is_remote(source):
            return None
        path = resolve(source, local_mirror)
        at = self._at(path)
        if os.path.isdir(at):
            return path if any(os.path.exists(os.path.join(at, name)) for name in MANIFEST_NAMES) else None
        return path if os.path.exists(at) else None

    def _at(self, path: str) -> str:
        """Where the file of a path is that is reported as given; the path itself where it is absolute."""
        return path if self.base is None else os.path.join(self.base, path)

    def _folder(self, source: str) -> str:
        return os.path.realpath(os.path.dirname(self._at(source)) or ".")

    def _fetch(self, url: str) -> ManifestBytes:
        if self.fetcher is None:
            raise FetchError(f"cannot read {shown(url)}: no network access")
        fetched = self.fetcher.fetch(url)
        return ManifestBytes(fetched.url, fetched.data)

    def _fetch_below(self, source: str, reference: str) -> bytes:
        url = resolve(source, reference)
        if not is_below(source, url):
            raise FetchError(f"refused {shown(url)}: outside the manifest's folder")
        fetched = self._fetch(url)
        if not is_below(source, fetched.source):
            raise FetchError(f"refused {shown(fetched.source)}: redirected outside the manifest's folder")
        return fetched.data


def is_unsafe_path(path: str) -> bool:
    """Whether a unit path is absolute, a URL or traversing (evidence contract §6)."""
    steps = path.replace("\\", "/").split("/")
    named = scheme_of(path) is not None
    return not path or named or path[0] in "/\\" or ".." in steps or not path.isprintable()


def is_within(folder: str, path: str) -> bool:
    """Whether a path, symbolic links followed, lies in a folder that is already a real path."""
    try:
        real = os.path.realpath(path)
    except ValueError:  # no file's name holds a NUL or half a surrogate pair
        return False
    return real == folder or real.startswith(folder.rstrip(os.sep) + os.sep)


def is_below(source: str, target: str) -> bool:
    manifest, url = parse_url(source), parse_url(target)
    if manifest is None or url is None or manifest.origin != url.origin:
        return False
    folder = manifest.path.rpartition("/")[0] + "/"
    # An escaped separator or dot segment would be unescaped by some servers.
    return url.path.startswith(folder) and "%2f" not in url.path.lower() and "%5c" not in url.path.lower()


def _text(data: bytes, location: str, noun: str) -> str:
    if len(data) > MAX_MATERIAL_BYTES:
        raise ManifestError(f"{noun} is larger than {MAX_MATERIAL_BYTES:,} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise ManifestError(f"{noun} {shown(location)} is not text in UTF-8") from None
