"""Where and why a text is not an acceptable JSON artifact.

The slow, careful companion of `kcp.wire.decode`: it walks the text without recursion and builds nothing, so
that it can say what is wrong in the same words under every interpreter. It runs only on refused texts.
"""

from __future__ import annotations

_BLANKS = " \t\n\r"
_DIGITS = frozenset("0123456789")
_HEX = frozenset("0123456789abcdefABCDEF")
_ESCAPES = frozenset('"\\/bfnrt')
_SHOWN = 40


class _FaultError(Exception):
    def __init__(self, reason: str, at: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at = at


def find_fault(text: str, max_depth: int) -> tuple[str, int]:
    """The first fault of `text` as a reason of one line and the offset of the character where it shows."""
    try:
        _walk(text, max_depth)
    except _FaultError as fault:
        return fault.reason, fault.at
    return "not acceptable JSON", 0


def _walk(text: str, max_depth: int) -> None:
    open_members: list[set[str] | None] = []  # the names seen in each open object, None for an open list
    at = _blanks(text, 0)
    while True:
        char = text[at : at + 1]
        if char and char in "[{":
            if len(open_members) == max_depth:
                raise _FaultError(f"nested more than {max_depth} levels deep", at)
            open_members.append(set() if char == "{" else None)
            inside = _blanks(text, at + 1)
            if text[inside : inside + 1] != ("}" if char == "{" else "]"):
                at = _name(text, inside, open_members[-1])
                continue
            open_members.pop()
            at = inside + 1
        else:
            at = _scalar(text, at)
        at = _blanks(text, at)
        while open_members and text[at : at + 1] == ("]" if open_members[-1] is None else "}"):
            open_members.pop()
            at = _blanks(text, at + 1)
        if not open_members:
            if at < len(text):
                raise _FaultError("text after the end of the JSON value", at)
            return
        if text[at : at + 1] != ",":
            closing = "]" if open_members[-1] is None else "}"
            raise _FaultError(f"expected ',' or '{closing}', found {_found(text, at)}", at)
        at = _name(text, _blanks(text, at + 1), open_members[-1])


def _name(text: str, at: int, names: set[str] | None) -> int:
    """Read a member name and its colon when an object is open; the offset where its value starts."""
    if names is None:
        return at
    if text[at : at + 1] != '"':
        raise _FaultError(f"expected a member name in double quotes, found {_found(text, at)}", at)
    end = _string(text, at)
    name = _unescaped(text[at:end])
    if name in names:
        raise _FaultError(f"duplicate member {_shown(name)}", at)
    names.add(name)
    end = _blanks(text, end)
    if text[end : end + 1] != ":":
        raise _FaultError(f"expected ':', found {_found(text, end)}", end)
    return _blanks(text, end + 1)


def _scalar(text: str, at: int) -> int:
    char = text[at : at + 1]
    if char == '"':
        return _string(text, at)
    if char == "-" or char in _DIGITS:
        return _number(text, at)
    for word in ("true", "false", "null"):
        if text.startswith(word, at):
            return at + len(word)
    if text.startswith(("NaN", "Infinity"), at):
        raise _FaultError("NaN and Infinity are not JSON numbers", at)
    raise _FaultError(f"expected a value, found {_found(text, at)}", at)


def _number(text: str, start: int) -> int:
    if text.startswith("-Infinity", start):
        raise _FaultError("NaN and Infinity are not JSON numbers", start)
    whole = start + (text[start] == "-")
    at = _digits(text, whole)
    if text[whole] == "0" and at > whole + 1:
        raise _FaultError("a number must not start with a zero", start)
    if text[at : at + 1] == ".":
        at = _digits(text, at + 1)
    if text[at : at + 1] in ("e", "E"):
        at = _digits(text, at + 1 + (text[at + 1 : at + 2] in ("+", "-")))
    if abs(float(text[start:at])) == float("inf"):
        raise _FaultError(f"number {_clipped(text[start:at])} is too large", start)
    return at


def _digits(text: str, start: int) -> int:
    at = start
    while text[at : at + 1] in _DIGITS:
        at += 1
    if at == start:
        raise _FaultError(f"expected a digit, found {_found(text, at)}", at)
    return at


def _string(text: str, start: int) -> int:
    at = start + 1
    end = text.find('"', at)
    plain = text[at:end]
    if end >= 0 and "\\" not in plain and min(plain, default=" ") >= " ":
        return end + 1
    while at < len(text):
        char = text[at]
        if char == '"':
            return at + 1
        if char < " ":
            raise _FaultError(f"control character U+{ord(char):04X} in a string", at)
        if char != "\\":
            at += 1
        elif text[at + 1 : at + 2] in _ESCAPES:
            at += 2
        elif text[at + 1 : at + 2] == "u" and len(text) >= at + 6 and _HEX.issuperset(text[at + 2 : at + 6]):
            at += 6
        else:
            raise _FaultError("unknown escape in a string", at)
    raise _FaultError("string is not closed", start)


def _blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _unescaped(quoted: str) -> str:
    if "\\" not in quoted:
        return quoted[1:-1]
    from json import loads

    return str(loads(quoted))


def _found(text: str, at: int) -> str:
    return _shown(text[at]) if at < len(text) else "the end of the text"


def _shown(text: str) -> str:
    from json.encoder import encode_basestring_ascii

    return encode_basestring_ascii(_clipped(text))


def _clipped(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
