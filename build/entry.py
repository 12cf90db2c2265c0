"""Where the stand-alone program starts; in it, this takes the place of kcp/__main__.py."""

from __future__ import annotations

import os
import sys
from _signal import SIG_UNBLOCK, SIGINT, pthread_sigmask  # type: ignore[import-not-found]

from kcp.cli import main


def restore_closed_streams() -> None:
    """Nuitka puts the null device in place of a closed stream; output would be lost and nobody would know."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and stream.name in (os.devnull, "NUL:"):
            setattr(sys, name, None)


def let_interrupts_in() -> None:
    """Take the interrupts that plugin/before_main.c holds: importing does not survive them in every place."""
    pthread_sigmask(SIG_UNBLOCK, (SIGINT,))


restore_closed_streams()
main.let_interrupts_in = let_interrupts_in
main.entry()
