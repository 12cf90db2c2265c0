"""Lines of YAML in a fixed layout, with comments where the caller wants them.

Not ruamel.yaml, for three reasons. What has to be right is that this program's own reader gets back the very
text that went in, and ruamel judges by rules of its own. The drafts have one layout with comments at fixed
places, which takes more calls of its comment API than there are lines here. And it would add a megabyte to
the stand-alone program. Every draft is read back before anybody else sees it (`drafts.finish`).
"""

from __future__ import annotations

import re

from kcp.render.hidden import escape_for_yaml, is_hidden

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# What no reader, of YAML 1.1 or 1.2, takes for anything but this text, in block and flow style alike.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./+-]*(?: [A-Za-z0-9_./+(-][A-Za-z0-9_./+()-]*)*", re.ASCII)
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def scalar(text: str) -> str:
    """The text as a value, in block or flow style: plain where nothing could take it for anything else."""
    if _PLAIN.fullmatch(text) is not None and text.lower() not in _WORDS:
        return text
    return quoted(text)


def quoted(text: str) -> str:
    """The text in double quotes, on one line, with whatever is not seen escaped."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escape_for_yaml(text)}"'


def flow(items: Iterable[str]) -> str:
    """A list on one line."""
    return f"[{', '.join([scalar(item) for item in items])}]"


def comment(text: str) -> str:
    """A comment line, of which no text can break out."""
    return f"# {visible(text)}".rstrip()


def visible(text: str) -> str:
    """Foreign text as one line: runs of blanks and line ends are one blank, what is not seen is dropped."""
    words = [word for part in text.split() if (word := _without_hidden(part))]
    return " ".join(words)


def _without_hidden(word: str) -> str:
    if word.isascii() and word.isprintable():
        return word
    return "".join([char for char in word if not is_hidden(char)])
