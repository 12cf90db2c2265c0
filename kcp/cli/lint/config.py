"""Settings for `validate` from a file: `[tool.kcp-agent]` in pyproject.toml, or `.kcp-agent.toml`.

The file is looked for in the working directory and upwards, up to the repository's root; never in the
folder of a manifest, for a manifest that is examined must not decide what is said of it.
"""

from __future__ import annotations

import os
import stat

from kcp.errors import KcpError, UsageError
from kcp.reading.locate import shown
from kcp.reading.source import read_bytes
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OWN_FILE, SHARED_FILE, TABLE = ".kcp-agent.toml", "pyproject.toml", "kcp-agent"
MAX_CONFIG_BYTES = 1024 * 1024
RULES, FAIL_ON = ("agent", "spec", "all"), ("warning", "error", "never")


class Config(Record):
    """What a file sets; `path` is the file, None where there is none. None members are not set."""

    path: str | None = None
    rules: str | None = None
    fail_on: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    drafts: bool = False
    inline_ignores: bool = True


def find_config(start: str) -> Config:
    """The settings for a working directory.

    UsageError where a file says what it should not, KcpError where one cannot be read: what it would have
    said is not known.
    """
    folder = os.path.abspath(start)
    while True:
        for name in (OWN_FILE, SHARED_FILE):
            config = _read(os.path.join(folder, name), shared=name == SHARED_FILE)
            if config is not None:
                return config
        parent = os.path.dirname(folder)
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            return Config()
        folder = parent


def _read(path: str, *, shared: bool) -> Config | None:
    data = _bytes(path)
    # Most projects have no such table, and reading TOML takes longer than reading many a manifest.
    if data is None or (shared and TABLE.encode() not in data):
        return None
    import tomllib

    try:
        content: Any = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        # Our own file is at fault itself; in the other the fault may lie anywhere.
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise (KcpError if shared else UsageError)(f"{shown(path)} is not valid TOML: {reason}") from None
    if shared:
        tool = content.get("tool")
        content = tool.get(TABLE) if isinstance(tool, dict) else None
        if not isinstance(content, dict):
            return None
    return _config(path, content)


def _bytes(path: str) -> bytes | None:
    """The content of a file that the user, or nobody else, can have put there; None where there is none."""
    try:
        status = os.lstat(path)
        if not _is_ours(path, status):
            return None
        if stat.S_ISLNK(status.st_mode):
            status = os.stat(path)
            if not _is_ours(path, status):
                return None
    except (FileNotFoundError, NotADirectoryError, ValueError):
        if os.path.islink(path):
            raise KcpError(f"cannot read {shown(path)}: it is a link that leads nowhere") from None
        return None
    except OSError as error:
        reason = (error.strerror or "input/output error").lower()
        raise KcpError(f"cannot read {shown(path)}: {reason}") from None
    if status.st_size > MAX_CONFIG_BYTES:
        raise KcpError(f"{shown(path)} is larger than {MAX_CONFIG_BYTES:,} bytes; its settings are not read")
    return read_bytes(path, MAX_CONFIG_BYTES, "file of settings")


def _is_ours(path: str, status: os.stat_result) -> bool:
    """False for another's file in a folder where anybody may put files, such as /tmp."""
    if not hasattr(os, "geteuid"):
        return True
    folder = os.stat(os.path.dirname(path))
    return not folder.st_mode & stat.S_IWOTH or status.st_uid in (os.geteuid(), folder.st_uid)


def _config(path: str, content: dict[str, Any]) -> Config:
    known = ("rules", "fail-on", "select", "ignore", "drafts", "inline-ignores")
    for key in content:
        if key not in known:
            raise UsageError(f"{path}: unknown setting '{key}'; known are {', '.join(known)}")
    return Config(
        path,
        _choice(path, content, "rules", RULES),
        _choice(path, content, "fail-on", FAIL_ON),
        _words(path, content, "select"),
        _words(path, content, "ignore"),
        _switch(path, content, "drafts", default=False),
        _switch(path, content, "inline-ignores", default=True),
    )


def _choice(path: str, content: dict[str, Any], key: str, allowed: tuple[str, ...]) -> str | None:
    value = content.get(key)
    if value is not None and value not in allowed:
        raise UsageError(f"{path}: {key} must be one of {', '.join(allowed)}")
    return value


def _words(path: str, content: dict[str, Any], key: str) -> tuple[str, ...]:
    value = content.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise UsageError(f"{path}: {key} must be a list of rules")
    return tuple(value)


def _switch(path: str, content: dict[str, Any], key: str, *, default: bool) -> bool:
    value = content.get(key, default)
    if not isinstance(value, bool):
        raise UsageError(f"{path}: {key} must be true or false")
    return value
