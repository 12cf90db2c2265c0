"""`kcp-agent render [MANIFEST]`: what of an untrusted manifest an agent may read (render contract §2)."""

from __future__ import annotations

import os

from kcp.cli.exit_codes import DONE, FAILED, USAGE
from kcp.cli.show.escape import escape
from kcp.cli.streams import complain
from kcp.errors import KcpError, ManifestError, UsageError
from kcp.render.request import RenderRefusedError, RenderRequest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output
    from kcp.network.fetcher import Fetcher
    from kcp.render.pipeline import Gathered
    from kcp.trust.keyring import Keyring

DEFAULT_MANIFEST = "knowledge.yaml"
DEFAULT_KEYS = "~/.kcp/trusted-keys.yaml"
FETCH_TIMEOUT = 10.0  # seconds, for the whole of one fetch
MAX_REDIRECTS = 3
_MAX_URL = 2048


def run(arguments: Arguments, out: Output) -> int:
    """Render, or with `--verify` compare: 0, 1 where a comparison fails, 2 at tier `failed`."""
    location = next(iter(arguments.positionals), DEFAULT_MANIFEST)
    target = _target(arguments, location)
    try:
        claimed = arguments.text("--verify")
        if claimed is not None:
            return _verify(arguments, location, claimed, out)
        return _render(arguments, location, target, out)
    except KcpError as error:
        if target is not None:
            _discard(target, location)
        if not isinstance(error, RenderRefusedError):
            raise
        complain(f"✗ {escape(error.message)}\n")
        return USAGE


def _target(arguments: Arguments, location: str) -> str | None:
    """The file to write; None for standard output."""
    target = arguments.text("--out")
    if target is not None and arguments.switch("--verify"):
        raise UsageError("--verify compares; it takes no --out")
    if target is None or target == "-":
        return None
    real = os.path.realpath(target)
    for taken in (location, f"{location}.sig", os.path.join(location, DEFAULT_MANIFEST)):
        if real == os.path.realpath(taken):
            raise UsageError(f"--out would replace the manifest or its signature: {target}")
    from kcp.files import refuse_link

    refuse_link(target)
    return target


def _render(arguments: Arguments, location: str, target: str | None, out: Output) -> int:
    from kcp.cli.render_events import open_log, record_refusal, record_render, utc_now
    from kcp.render.pipeline import gather

    timestamp = utc_now() if arguments.switch("--timestamp") else None
    request = render_request(arguments, location, timestamp)
    log = open_log(arguments)
    try:
        gathered = located(lambda: gather(request), location)
        data = _artifact(arguments, gathered)
        if log is not None:
            record_render(log, gathered)
    except RenderRefusedError as error:
        if log is not None:
            record_refusal(log, request, error)
        raise
    finally:
        if log is not None:
            log.close()
    for warning in gathered.warnings:
        complain(f"⚠ {escape(warning)}\n")
    if target is None:
        out.write(data.decode("utf-8"))
        return DONE
    from kcp.files import write_atomically

    write_atomically(target, data)
    out.line(escape(f"✓ rendered (tier: {gathered.frame.tier}) → {target}"))
    return DONE


def _artifact(arguments: Arguments, gathered: Gathered) -> bytes:
    """The bytes of the artifact, from the cache where it has them."""
    from kcp.render.artifact import as_json, as_yaml

    if arguments.switch("--json"):
        return as_json(gathered.artifact())
    from kcp.render.cache import RenderCache, default_folder

    folder = default_folder()
    if folder is None or arguments.switch("--no-cache") or arguments.switch("--timestamp"):
        return as_yaml(gathered.artifact())
    cache = RenderCache(folder)
    data = cache.find(gathered)
    if data is None:
        data = as_yaml(gathered.artifact())
        cache.keep(gathered, data)
    return data


def _verify(arguments: Arguments, location: str, path: str, out: Output) -> int:
    """Render anew and compare every byte; what the file says of itself counts for nothing (C10)."""
    from kcp.render.artifact import as_json, as_yaml, first_difference, is_json, read_claimed, rendered_at
    from kcp.render.pipeline import gather

    if arguments.switch("--timestamp") or arguments.switch("--json"):
        raise UsageError("--verify takes form and time from the file; leave out --json and --timestamp")
    if arguments.text("--events") is not None:
        raise UsageError("--verify compares; it takes no --events")
    claimed = read_claimed(path)
    request = render_request(arguments, location, rendered_at(claimed))
    gathered = located(lambda: gather(request), location)
    for warning in gathered.warnings:
        complain(f"⚠ {escape(warning)}\n")
    fresh = (as_json if is_json(claimed) else as_yaml)(gathered.artifact())
    if fresh != claimed:
        line = first_difference(claimed, fresh)
        complain(f"✗ {escape(path)} is not what {escape(location)} renders to: line {line} differs\n")
        return FAILED
    out.line(escape(f"✓ {path} is what {location} renders to (tier: {gathered.frame.tier})"))
    return DONE


def render_request(arguments: Arguments, location: str, timestamp: str | None = None) -> RenderRequest:
    """The render that a command line asks for; UsageError for flags that make none."""
    lint = arguments.text("--lint") or "full"
    if lint not in ("base", "full"):
        raise UsageError(f"--lint must be base or full, not '{lint}'")
    corroborate_url = _url(arguments, "--corroborate-url")
    corroborate = arguments.switch("--corroborate") or corroborate_url is not None
    fetch_includes = arguments.switch("--fetch-includes")
    return RenderRequest(
        location=location,
        keyring=load_allowlist(arguments.text("--keys")),
        origin=arguments.text("--origin"),
        allow_derived_origin=arguments.switch("--allow-derived-origin"),
        strict_origin=arguments.switch("--strict-origin"),
        require_unit_hashes=arguments.switch("--require-unit-hashes"),
        corroborate=corroborate,
        corroborate_url=corroborate_url,
        retrieved_from=_url(arguments, "--retrieved-from"),
        fetch_includes=fetch_includes,
        lint=lint,
        timestamp=timestamp,
        fetcher=make_fetcher(arguments) if corroborate or fetch_includes else None,
    )


def load_allowlist(named: str | None) -> Keyring:
    """The allowlist at a path; without one that of the user, which may be missing, but not broken."""
    from kcp.reading.source import read_bytes
    from kcp.trust.keyfile import open_to_others
    from kcp.trust.keyring import MAX_KEYRING_BYTES, Keyring, read_keyring

    path = os.path.expanduser(named or DEFAULT_KEYS)
    if named is None and not os.path.lexists(path):
        return Keyring()
    fault = open_to_others(path)
    if fault is not None:
        complain(f"⚠ {escape(fault)}\n")
    return read_keyring(read_bytes(path, MAX_KEYRING_BYTES, "allowlist"), path)


def make_fetcher(arguments: Arguments) -> Fetcher:
    """The only door to the network, and tighter than elsewhere: the URLs come from hostile bytes."""
    from kcp.network.guard import GuardedFetcher
    from kcp.reading.strict import MAX_STRICT_BYTES

    return GuardedFetcher(
        allow_private_hosts=arguments.switch("--allow-private-hosts"),
        timeout=FETCH_TIMEOUT,
        max_bytes=MAX_STRICT_BYTES,
        max_redirects=MAX_REDIRECTS,
    )


def _url(arguments: Arguments, flag: str) -> str | None:
    """The http(s) URL that a flag has; it will stand in the artifact."""
    value = arguments.text(flag)
    if value is None:
        return None
    visible = value.isascii() and value.isprintable() and " " not in value
    if not visible or len(value) > _MAX_URL or not value.lower().startswith(("https://", "http://")):
        raise UsageError(f"{flag} must be an http(s) URL, not '{value[:200]}'")
    return value


def located(work: Callable[[], Gathered], location: str) -> Gathered:
    """What some work gives; its ManifestError with the place in the file."""
    try:
        return work()
    except ManifestError as error:
        if error.line is None:
            raise
        place = f"{location}:{error.line}:{error.column}"
        raise ManifestError(f"{place}: {error.message}", hint=error.hint) from None


def _discard(target: str, location: str) -> None:
    """Take away an older render of the same manifest, lest it be taken for one made now."""
    from kcp.reading.locate import locate
    from kcp.render.artifact import is_render_of, read_claimed

    try:
        source = locate(location)
    except KcpError:
        source = location
    real = os.path.realpath(target)
    if not os.path.lexists(real):
        return
    try:
        if is_render_of(read_claimed(real), os.path.basename(source)):
            os.unlink(real)
            complain(f"⚠ removed {escape(target)}, an older render of this manifest\n")
            return
    except (KcpError, OSError):
        pass
    complain(f"⚠ {escape(target)} is left as it was; it is not the outcome of this run\n")
