"""A YAML parser's event stream: libyaml's through PyYAML, or that of PyYAML's own parser made to agree."""

from __future__ import annotations

from kcp.reading.characters import Exchange, needs_exchange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def event_source(text: str, *, pure: bool = False) -> Callable[[], Any]:
    """A function that gives the next event of the text each time it is called."""
    if not needs_exchange(text):
        return _open(text, pure)
    exchange = Exchange(text)
    next_event = _open(text.translate(exchange.to_parser), pure)
    restore = exchange.to_value

    def restored() -> Any:
        event = next_event()
        if hasattr(event, "value"):
            event.value = event.value.translate(restore)
        return event

    return restored


def _open(text: str, pure: bool) -> Callable[[], Any]:
    if not pure:
        try:
            from yaml._yaml import CParser
        except ImportError:
            pass
        else:
            next_event: Callable[[], Any] = CParser(text.encode("utf-8")).get_event
            return next_event
    from kcp.reading.pure_parser import PureParser

    return PureParser(text).get_event


def bare_tag_test(text: str) -> Callable[[Any], bool] | None:
    """A test whether a plain scalar has the tag `!`, which events do not tell; None where no `!` occurs."""
    if "!" not in text:
        return None

    def is_bare_tag(event: Any) -> bool:
        index = event.start_mark.index
        if text[index : index + 1] == "&":
            index = _after_anchor(text, index)
        return text[index : index + 1] == "!"

    return is_bare_tag


def _after_anchor(text: str, index: int) -> int:
    """The index of what follows an anchor, past blanks, line ends and comments."""
    end = len(text)
    while index < end and text[index] not in " \t\r\n":
        index += 1
    while index < end and text[index] in " \t\r\n#":
        if text[index] == "#":
            while index < end and text[index] not in "\r\n":
                index += 1
        else:
            index += 1
    return index
