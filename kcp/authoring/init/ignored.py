"""Which paths of a folder the .gitignore files in it and above it ignore."""

from __future__ import annotations

import os

from kcp.authoring.init.gitignore import parse_rules
from kcp.errors import KcpError
from kcp.reading.source import read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.init.gitignore import Rule

    Steps = tuple[str, ...]

FILE = ".gitignore"
MAX_BYTES = 256 * 1024
MAX_PARENTS = 64


class Ignored:
    """The rules for a folder that is a real path; those above it count up to the repository's root.

    Rules of folders within are added as these are entered. The user's own settings of git do not count, so
    that everybody gets the same draft.
    """

    def __init__(self, root: str) -> None:
        above = _folders_above(root)
        self._top = above[0] if above else root
        self._root = self._steps(root)
        self._files: list[tuple[Steps, tuple[Rule, ...]]] = []
        for folder in above:
            self._add(folder)

    def enter(self, folder: str) -> None:
        """Take in the rules that a folder, within the root, has of its own."""
        self._add(folder)

    def ignores(self, path: Steps, *, is_folder: bool) -> bool:
        """Whether a path below the root is ignored: the last rule of the deepest file decides."""
        whole = (*self._root, *path)
        for folder, rules in reversed(self._files):
            if whole[: len(folder)] != folder:
                continue
            for rule in reversed(rules):
                if rule.matches(whole[len(folder) :], is_folder=is_folder):
                    return not rule.keeps
        return False

    def _add(self, folder: str) -> None:
        path = os.path.join(folder, FILE)
        if os.path.islink(path):  # git does not follow it either
            return
        try:
            text = read_bytes(path, MAX_BYTES, "file").decode("utf-8", "replace")
        except KcpError:
            return
        self._files.append((self._steps(folder), parse_rules(text)))

    def _steps(self, folder: str) -> Steps:
        relative = os.path.relpath(folder, self._top)
        return () if relative == "." else tuple(relative.split(os.sep))


def _folders_above(root: str) -> list[str]:
    """The folders from the repository's root down to the one above; none where there is no repository."""
    found: list[str] = []
    folder = root
    while not os.path.exists(os.path.join(folder, ".git")):
        folder, below = os.path.dirname(folder), folder
        if folder == below or len(found) == MAX_PARENTS:
            return []
        found.insert(0, folder)
    return found
