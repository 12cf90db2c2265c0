"""The loop of `watch`: a round, then one after every burst of changes, never two at a time."""

from __future__ import annotations

from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from kcp.authoring.watch.cycle import Round, Watched
    from kcp.authoring.watch.looking import Files, Remote
    from kcp.authoring.watch.waiting import Wait

DEBOUNCE = 0.15  # seconds without a change before a burst is over
INTERVAL = 0.1  # seconds between two looks at files
QUICK_INTERVAL = 0.03  # the same while a burst lasts


def watch(
    watched: Watched,
    looking: Files | Remote,
    tell: Callable[[Round], bool],
    wait: Wait,
    *,
    interval: float = INTERVAL,
    debounce: float = DEBOUNCE,
    clock: Callable[[], float] = monotonic,
) -> None:
    """Tell of a first round and of one after every burst, until `tell` gives False.

    `interval` and `debounce` are in seconds; `wait(seconds, folders)` passes the time and may return early.
    What changes while a round runs is noticed after it, for what is there is remembered before it is read.
    """
    while True:
        looking.remember()
        if not tell(watched.round(looking)):
            return
        while not looking.changed():
            wait(interval, looking.folders())
        if debounce:
            _settle(looking, wait, debounce, clock)


def _settle(looking: Files | Remote, wait: Wait, debounce: float, clock: Callable[[], float]) -> None:
    """Wait until nothing has changed for the time of the debounce, which every change starts anew."""
    quiet_since = clock()
    while (left := quiet_since + debounce - clock()) > 0:
        wait(min(QUICK_INTERVAL, left), ())
        if looking.changed():
            quiet_since = clock()
