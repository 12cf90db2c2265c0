"""Reading saved JSON artifacts: strict, bounded, and with errors that say where.

Accepted is exactly RFC 8259 JSON in UTF-8 without a byte order mark, at most `MAX_DEPTH` levels deep, with no
repeated member name and no number beyond the range of a double. Numbers come back as doubles: an `int` where
the value is whole and at most 2**53 in size, else a `float`. An escaped lone surrogate stays as it is.

The interpreter's decoder does the work; only when it, or a rule it does not know, refuses a text does
`kcp.wire.json_faults` read it again to name the place.
"""

from __future__ import annotations

from kcp.errors import ArtifactError

MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 200
_EXACT = 2**53


class _RefusedError(ValueError):
    """A text that the decoder would take and the rules above do not."""


def decode_json(data: bytes | str, name: str, *, max_bytes: int = MAX_BYTES) -> object:
    """The value of the JSON text `data`; ArtifactError, naming `name` and `line:column`, if it is refused."""
    if len(data) > max_bytes:
        raise ArtifactError(f"{name}: larger than {max_bytes:,} bytes")
    text = _utf8(data, name) if isinstance(data, bytes) else data
    if text.startswith("\ufeff"):
        raise ArtifactError(f"{name}: starts with a byte order mark (1:1)", hint="save it as plain UTF-8")
    try:
        if _deeper_than(text, MAX_DEPTH):
            raise _RefusedError
        return _loads(text)
    except (ValueError, RecursionError):
        from kcp.wire.json_faults import find_fault

        reason, at = find_fault(text, MAX_DEPTH)
        raise ArtifactError(f"{name}: {reason} ({_position(text, at)})") from None


def member(value: object, key: str, kind: type | tuple[type, ...], name: str) -> object:
    """`value[key]` of a `value` decoded from `name`; ArtifactError unless it is there and of `kind`."""
    if not isinstance(value, dict):
        raise ArtifactError(f"{name}: expected an object, found {describe(value)}")
    if key not in value:
        raise ArtifactError(f"{name}: member '{key}' is missing")
    found = value[key]
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if not isinstance(found, kinds) or (isinstance(found, bool) and bool not in kinds):
        wanted = " or ".join(dict.fromkeys(_KINDS[kind] for kind in kinds))
        raise ArtifactError(f"{name}: member '{key}' must be {wanted}, found {describe(found)}")
    return found


def describe(value: object) -> str:
    """What a decoded value is, in JSON's own words: `an object`, `a number`, …"""
    return _KINDS[type(value)]


_KINDS: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a string",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "null",
}


def _utf8(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        sound = data[: error.start].decode("utf-8")
        raise ArtifactError(f"{name}: not UTF-8 ({_position(sound, len(sound))})") from None


def _position(text: str, at: int) -> str:
    line_start = text.rfind("\n", 0, at) + 1
    return f"{text.count(chr(10), 0, at) + 1}:{at - line_start + 1}"


def _deeper_than(text: str, limit: int) -> bool:
    if text.count("[") + text.count("{") <= limit:
        return False
    outside = "".join(text.replace("\\\\", "").replace('\\"', "").split('"')[::2])
    depth = 0
    for char in outside:
        if char in "[{":
            depth += 1
            if depth > limit:
                return True
        elif char in "]}":
            depth -= 1
    return False


def _loads(text: str) -> object:
    from json import loads

    value: object = loads(
        text,
        object_pairs_hook=_object,
        parse_int=_integer,
        parse_float=_number,
        parse_constant=_refuse_constant,
    )
    return value


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _RefusedError
    return members


def _integer(text: str) -> float:
    return int(text) if len(text) <= 15 and text != "-0" else _number(text)


def _number(text: str) -> float:
    number = float(text)
    if -_EXACT <= number <= _EXACT:
        return int(number) if number.is_integer() and (number or text[0] != "-") else number
    if number - number != 0:
        raise _RefusedError
    return number


def _refuse_constant(_text: str) -> float:
    raise _RefusedError
