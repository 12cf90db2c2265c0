"""Where the stand-alone program starts; in it, this takes the place of kcp/__main__.py."""

from __future__ import annotations

import os
import sys

from kcp.cli.main import entry


def restore_closed_streams() -> None:
    """Nuitka puts the null device in place of a closed stream; output would be lost and nobody would know."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and stream.name in (os.devnull, "NUL:"):
            setattr(sys, name, None)


restore_closed_streams()
entry()
