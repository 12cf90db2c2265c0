"""`kcp-agent watch LOCATION`: check a manifest, and plan it, whenever it changes."""

from __future__ import annotations

from kcp.api import today
from kcp.authoring.watch.cycle import Watched
from kcp.cli.exit_codes import DONE, FAILED, UNCHECKED
from kcp.cli.parser import CommandLineError
from kcp.cli.planning_options import plan_options
from kcp.cli.sources import sources_of
from kcp.errors import UsageError
from kcp.reading.locate import is_remote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.authoring.watch.cycle import Round
    from kcp.cli.parser import Arguments
    from kcp.cli.streams import Output

SHORTEST_REMOTE, SHORTEST_LOCAL = 1.0, 0.01  # seconds
WOKEN_INTERVAL = 1.0  # seconds between looks where the system tells of changes in between


def run(arguments: Arguments, out: Output) -> int:
    """Watch until interrupted; with `--once` one round, whose verdict is the exit code."""
    location = arguments.text("--manifest") or next(iter(arguments.positionals), "")
    if not location:
        raise CommandLineError("Missing manifest location.", usage="watch")
    task, once = arguments.text("--task"), arguments.switch("--once")
    if arguments.switch("--diff") and task is None:
        raise UsageError("--diff needs --task: changes are those of a plan")
    interval = _interval(arguments, location, once=once)
    watched = Watched(
        location,
        sources_of(arguments),
        task=task,
        options=lambda: plan_options(arguments, today()),
        compare=arguments.switch("--diff"),
    )
    teller = Teller(out, as_json=arguments.switch("--json"), once=once)
    if once:
        teller.tell(watched.round())
        if not arguments.switch("--json"):
            _conclude(teller.code, out)
    else:
        _watch(watched, teller, interval)
    return teller.code


def _conclude(code: int, out: Output) -> None:
    if code == DONE:
        out.line("Manifest valid.")
        return
    from kcp.cli.streams import complain

    complain("Manifest validation failed.\n")


def _watch(watched: Watched, teller: Teller, interval: float | None) -> None:
    import gc

    from kcp.authoring.watch.looking import Files, Remote
    from kcp.authoring.watch.loop import DEBOUNCE, INTERVAL, watch
    from kcp.authoring.watch.waiting import BySystem, best_wait, by_clock

    gc.enable()  # unlike other commands, this one does not end
    if is_remote(watched.location):
        looking = Remote(watched.location, watched.sources)
        watch(watched, looking, teller.tell, by_clock, interval=interval or SHORTEST_REMOTE, debounce=0)
        return
    wait = best_wait()
    often = WOKEN_INTERVAL if isinstance(wait, BySystem) else INTERVAL
    files = Files(watched.location, watched.sources)
    watch(watched, files, teller.tell, wait, interval=interval or often, debounce=DEBOUNCE)


def _interval(arguments: Arguments, location: str, *, once: bool) -> float | None:
    interval = arguments.amount("--interval")
    remote = is_remote(location)
    shortest = SHORTEST_REMOTE if remote else SHORTEST_LOCAL
    if interval is not None and interval < shortest:
        raise UsageError(f"--interval must be at least {shortest:g} second(s) here")
    if remote and interval is None and not once:
        raise UsageError(
            "a URL tells nobody when it changes; say with --interval SECONDS how often to look",
            hint="or check it now with --once",
        )
    return interval


class Teller:
    """Says what a round came to, at once; `code` is the exit code it stands for."""

    def __init__(self, out: Output, *, as_json: bool, once: bool) -> None:
        self._out = out
        self._as_json = as_json
        self._once = once
        self._rounds = 0
        self.code = DONE

    def tell(self, result: Round) -> bool:
        """Write the round; False where nobody reads on."""
        report = result.report
        self.code = DONE if report.ok else FAILED if report.read else UNCHECKED
        if self._as_json:
            from kcp.wire.jsontext import compact

            self._out.write("".join([compact(event) + "\n" for event in result.events()]))
        else:
            self._show(result)
        self._rounds += 1
        self._out.flush()
        return not self._out.reader_gone

    def _show(self, result: Round) -> None:
        from kcp.cli.show.page import DIM, Page
        from kcp.cli.show.watch import add_round

        page = Page()
        if self._rounds:
            page.add()
        if not self._once:
            page.add((result.timestamp, DIM))
        add_round(page, result)
        page.show(self._out)
