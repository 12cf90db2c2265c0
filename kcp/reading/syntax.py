"""One line for every complaint of the YAML parser, in the contract's words where it has some (§3)."""

from __future__ import annotations

from kcp.errors import ManifestError
from kcp.reading.characters import place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BAD_MAPPING = "bad indentation of a mapping entry"
_BAD_SEQUENCE = "bad indentation of a sequence entry"
_TAB = "tab characters must not be used in indentation"
_MISSED_COMMA = "missed comma between flow collection entries"
_NO_CONTENT = "expected the node content"
_TOO_DEEP = "nesting exceeded maxDepth (100)"
_LONG_KEY = "a key before ':' is longer than 1,024 characters"
_NO_COLON = "a key has no ':' on its line"
_BAD_NAME = "the name of an anchor or alias must be letters, digits, '-' and '_'"
_FLOW_COLON = "unexpected ':' in a flow collection; put a blank after it or quote the value"
_QUOTE_IT = "quote a value that holds ': ' or starts with one of @ ` % & * ! | > , [ ] { }"

# The beginnings of PyYAML's and libyaml's texts, which differ in wording, → ours.
_PHRASES = (
    ("mapping values are not allowed", _BAD_MAPPING),
    ("mapping keys are not allowed", _BAD_MAPPING),
    ("block sequence entries are not allowed", _BAD_MAPPING),
    ("sequence entries are not allowed", _BAD_MAPPING),
    ("did not find expected key", _BAD_MAPPING),
    ("did not find expected '-' indicator", _BAD_SEQUENCE),
    ("did not find expected ',' or", _MISSED_COMMA),
    ("expected ',' or", _MISSED_COMMA),
    ("could not find expected ':'", _NO_COLON),
    ("found a tab character", _TAB),
    ("did not find expected node content", _NO_CONTENT),
    ("expected the node content", _NO_CONTENT),
    ("found unexpected ':'", _FLOW_COLON),
    ("found unknown escape character", "unknown escape sequence"),
    ("found invalid Unicode character escape code", "an escape names no character (an unpaired surrogate?)"),
    ("did not find expected hexdecimal number", "expected hexadecimal character"),
    ("expected escape sequence of", "expected hexadecimal character"),
    ("found unexpected document", "unexpected document marker within a quoted scalar"),
    ("found incompatible YAML document", "only %YAML 1.1 and 1.2 are read"),
    ("found unknown directive name", "unknown directive"),
    ("did not find expected tag URI", "a tag has no name"),
    ("expected URI", "a tag has no name"),
    ("found undefined tag handle", "undeclared tag handle"),
    ("did not find expected <document start>", "expected '---' after the directives"),
    ("expected '<document start>'", "expected '---' after the directives"),
    ("exceeded maximum nesting depth", _TOO_DEEP),
    ("did not find expected alphabetic or numeric character", _BAD_NAME),
    ("expected alphabetic or numeric character", _BAD_NAME),
)


def explain(error: Any, text: str, message: str | None = None) -> ManifestError:
    """The ManifestError for what PyYAML raised while reading the text; `message` replaces what it says."""
    problem = getattr(error, "problem", None)
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if problem is None or mark is None:
        return ManifestError("manifest is not valid YAML")
    problem = str(problem)
    index = min(mark.index, len(text))
    line, column = place(text, index)
    message = message or _message(problem, getattr(error, "context_mark", None), text, index)
    hint = _QUOTE_IT if message == _BAD_MAPPING else None
    return ManifestError(message, line=line, column=column, hint=hint)


def _message(problem: str, context_mark: Any, text: str, index: int) -> str:
    at_end = index >= len(text)
    here = text[index : index + 1]
    if problem.startswith("found character"):
        return _TAB if here == "\t" else _BAD_MAPPING
    if problem.startswith("found unexpected end of stream"):
        quotes = "double" if _starts_with(text, context_mark, '"') else "single"
        return f"unexpected end of the stream within a {quotes} quoted scalar"
    if problem.startswith("expected <block end>"):
        return _BAD_SEQUENCE if _starts_with(text, context_mark, "-") else _BAD_MAPPING
    message = next((ours for theirs, ours in _PHRASES if problem.startswith(theirs)), None)
    if message == _MISSED_COMMA and at_end:
        return "unexpected end of the stream within a flow collection"
    if message in (_BAD_MAPPING, _MISSED_COMMA) and here == ":" and place(text, index)[1] > 1025:
        return _LONG_KEY
    return message or f"not valid YAML: {problem.splitlines()[0]}"


def _starts_with(text: str, mark: Any, character: str) -> bool:
    return mark is not None and text[mark.index : mark.index + 1] == character
