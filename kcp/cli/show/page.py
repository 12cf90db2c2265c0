"""A page of lines for people: plain text first, the same text in colour on a terminal."""

from __future__ import annotations

import os

from kcp.cli.show.escape import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.streams import Output

    Part = str | tuple[str, str]

# Part of a line → how a terminal shows it; elsewhere it makes no difference.
TITLE, ID, GOOD, BAD, WARN, COST, DIM = "bold", "bold cyan", "green", "red", "yellow", "magenta", "dim"


class Page:
    """Lines of parts, each a text or a text with a style. What is unsafe on a terminal is escaped here."""

    __slots__ = ("lines",)

    def __init__(self) -> None:
        self.lines: list[list[tuple[str, str]]] = []

    def add(self, *parts: Part) -> None:
        """Add a line; without parts, a blank one."""
        self.lines.append(
            [(escape(part), "") if isinstance(part, str) else (escape(part[0]), part[1]) for part in parts]
        )

    def plain(self) -> str:
        """The page without colour."""
        return "".join(["".join([text for text, _ in line]) + "\n" for line in self.lines])

    def show(self, out: Output) -> None:
        """Write the page: in colour where a person reads along and did not decline."""
        out.write(self._coloured() if wants_colour(out) else self.plain())

    def _coloured(self) -> str:
        from rich.console import Console
        from rich.text import Text

        console = Console(force_terminal=True, soft_wrap=True, markup=False, highlight=False, emoji=False)
        if console.legacy_windows:
            return self.plain()
        with console.capture() as capture:
            for line in self.lines:
                console.print(Text.assemble(*line))
        return capture.get()


def wants_colour(out: Output) -> bool:
    """Whether output goes to a terminal that shows colour, and NO_COLOR is unset or empty."""
    environ = os.environ
    return out.is_terminal() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
