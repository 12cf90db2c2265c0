"""`validate --fix`: files are repaired in place, or the changes are shown as a diff."""

from __future__ import annotations

from kcp.api import today
from kcp.cli.lint.inputs import STANDARD_INPUT, read_named
from kcp.errors import KcpError, UsageError
from kcp.reading.locate import is_remote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.cli.show.page import Page
    from kcp.reading.sources import Sources


def repair_all(locations: list[str], arguments: Arguments, sources: Sources, page: Page) -> bool:
    """Repair every manifest that is a file here; what cannot be is left as it is, and said: False."""
    for location in locations:
        if location == STANDARD_INPUT or is_remote(location):
            raise UsageError(f"--fix changes files, and {location} is none")
    done = True
    for location in locations:
        try:
            _repair(location, arguments, sources, page)
        except KcpError as error:
            page.add(f"not fixed: {location}: {error.message}")
            done = False
    return done


def _repair(location: str, arguments: Arguments, sources: Sources, page: Page) -> None:
    from kcp.authoring.validate.fixes import fix

    read = read_named(location, sources)
    fixed = fix(read.data, unsafe=arguments.switch("--unsafe-fixes"), today=today())
    if not fixed.messages:
        return
    if arguments.switch("--preview"):
        for line in _diff(read.source, read.data, fixed.data):
            page.add(line)
        return
    if sources.read_manifest(location).data != read.data:
        raise KcpError("the file changed meanwhile")
    from kcp.files import write_atomically

    write_atomically(read.source, fixed.data)
    page.add(f"Fixed: {read.source}: {', '.join(_counted(fixed.messages))}")
    if b"\nsigning:" in fixed.data or fixed.data.startswith(b"signing:"):
        page.add("  · the manifest declares a signature; sign it again")


def _counted(messages: tuple[str, ...]) -> list[str]:
    counts: dict[str, int] = {}
    for message in messages:
        counts[message] = counts.get(message, 0) + 1
    return [message if count == 1 else f"{message} ({count}×)" for message, count in counts.items()]


def _diff(source: str, before: bytes, after: bytes) -> list[str]:
    from difflib import unified_diff

    old, new = [data.decode("utf-8").splitlines() for data in (before, after)]
    lines = list(unified_diff(old, new, source, f"{source} (fixed)", lineterm=""))
    if not lines:
        lines = [f"--- {source}", f"+++ {source} (fixed)", "\\ a line end or byte order mark at the edge"]
    return lines
