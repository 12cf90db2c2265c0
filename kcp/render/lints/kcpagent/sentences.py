"""The sentences of a text, in any script."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_END = re.compile(r"[.!?;]{1,8}[\"'”»)\]]?(?=\s|\Z)|[\n\r\u2028\u2029。！？؟।…]{1,8}[」』”]?")
# A shorter one, in bytes, counts as part of the next: no text has many.
_SHORTEST, _MOST = 24, 16


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text that has several."""
    shortest = max(_SHORTEST, len(text) // _MOST)
    start, last = 0, len(text.rstrip())
    for match in _END.finditer(text):
        end = match.end()
        if end >= last and start == 0:
            return
        if end - start >= shortest or len(text[start:end].encode("utf-8", "surrogatepass")) >= shortest:
            yield text[start:end]
            start = end
    if 0 < start < last:
        yield text[start:]
