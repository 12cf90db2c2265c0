"""An artifact as the bytes of a file, and what a file that claims to be one says of itself (§15)."""

from __future__ import annotations

from kcp.errors import KcpError
from kcp.render.hidden import escape_json
from kcp.render.yamltext import yaml_text
from kcp.wire.jsontext import encode_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_ARTIFACT_BYTES = 64 * 2**20
_HEAD_LINES = 12
_TIME = frozenset("0123456789-:TZ")


def as_yaml(artifact: dict[str, Any]) -> bytes:
    """The YAML file of an artifact."""
    return yaml_text(artifact).encode("utf-8")


def as_json(artifact: dict[str, Any]) -> bytes:
    """The JSON file of an artifact: the same data in the same order."""
    return (escape_json(encode_json(artifact)) + "\n").encode("utf-8")


def is_json(data: bytes) -> bool:
    """Whether a file that claims to be an artifact is the JSON form."""
    return data[:1] == b"{"


def rendered_at(data: bytes) -> str | None:
    """The time that an artifact's head says it was rendered at; None where it says none."""
    for line in _head(data):
        name, _, value = line.strip().rstrip(",").partition(": ")
        value = value.strip('"')
        if name.strip('"') == "rendered_at" and 0 < len(value) <= 32 and _TIME.issuperset(value):
            return value
    return None


def is_render_of(data: bytes, source_name: str) -> bool:
    """Whether a file is recognisably a render, in either form, of a manifest of that name."""
    head = [line.strip().rstrip(",") for line in _head(data)]
    if not head or head[0] not in ("render:", "{"):
        return False
    named = (as_yaml({"path": source_name}), as_json({"path": source_name}))
    wanted = {named[0].decode().strip(), named[1].decode().split("\n")[1].strip()}
    return not wanted.isdisjoint(head)


def first_difference(a: bytes, b: bytes) -> int:
    """The number of the first line in which two files differ."""
    lines = a.split(b"\n"), b.split(b"\n")
    for number, (one, other) in enumerate(zip(*lines, strict=False), 1):
        if one != other:
            return number
    return min(map(len, lines)) + 1


def _head(data: bytes) -> list[str]:
    return data[:4096].decode("utf-8", "replace").split("\n")[:_HEAD_LINES]


def read_claimed(path: str) -> bytes:
    """The bytes of a file that claims to be an artifact."""
    from kcp.reading.source import read_bytes

    try:
        return read_bytes(path, MAX_ARTIFACT_BYTES, "artifact")
    except KcpError as error:
        raise KcpError(f"cannot verify: {error.message}") from None
