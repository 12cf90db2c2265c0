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
