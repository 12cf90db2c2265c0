"""The loop of `watch` on a clock of the test's own."""

from __future__ import annotations

from kcp.authoring.watch.cycle import Round, Watched, iso_timestamp
from kcp.authoring.watch.looking import Remote
from kcp.authoring.watch.loop import watch
from kcp.errors import FetchError
from kcp.network.fetcher import Fetched
from kcp.options import PlanOptions
from kcp.reading.sources import Sources
from tests.authoring.watch.processes import versioned

URL = "https://harbour.test/knowledge.yaml"


class World:
    """Time that passes when somebody waits, and what changes at which moment."""

    def __init__(self, changes: list[float], rounds: int) -> None:
        self.now = 0.0
        self.changes = changes
        self.rounds = rounds
        self.told: list[float] = []
        self.waits = 0

    def wait(self, seconds: float, _folders: tuple[str, ...]) -> None:
        assert seconds > 0
        self.waits += 1
        self.now += seconds

    def clock(self) -> float:
        return self.now

    def tell(self, _round: Round) -> bool:
        self.told.append(round(self.now, 2))
        return len(self.told) < self.rounds

    # What `Watched` and `Files` are to the loop.
    def round(self, looking: object) -> Round:
        assert looking is self
        return Round(iso_timestamp(0), None)  # type: ignore[arg-type]

    def remember(self) -> None:
        self.changes = [moment for moment in self.changes if moment > self.now]

    def changed(self) -> bool:
        due = [moment for moment in self.changes if moment <= self.now]
        self.remember()
        return bool(due)

    def folders(self) -> tuple[str, ...]:
        return ("folder",)

    def run(self) -> list[float]:
        watch(self, self, self.tell, self.wait, clock=self.clock)  # type: ignore[arg-type]
        return self.told


def test_first_round_at_once():
    assert World([], 1).run() == [0.0]


def test_round_150_ms_after_the_last_change_of_a_burst():
    burst = [1.0, 1.1, 1.2, 1.3]
    (first, second) = World(burst, 2).run()
    assert first == 0.0
    assert 1.45 <= second <= 1.55


def test_two_bursts_are_two_rounds():
    told = World([1.0, 2.0], 3).run()
    assert len(told) == 3
    assert 1.15 <= told[1] <= 1.3
    assert 2.15 <= told[2] <= 2.3


def test_waiting_is_no_busy_loop():
    world = World([60.0], 2)
    world.run()
    assert world.waits < 620


class Site:
    """A URL whose answers change with time."""

    def __init__(self, *answers: bytes | None) -> None:
        self.answers = list(answers)
        self.asked = 0

    def fetch(self, url: str) -> Fetched:
        answer = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        if answer is None:
            raise FetchError(f"503 at {self.asked}")
        return Fetched(url, answer)


def remote_rounds(site: Site, rounds: int) -> list[Round]:
    sources = Sources(site)
    told: list[Round] = []

    def tell(result: Round) -> bool:
        told.append(result)
        return len(told) < rounds

    watched = Watched(
        URL, sources, task="berth", options=lambda: PlanOptions(as_of="2026-07-06"), compare=True
    )
    watch(watched, Remote(URL, sources), tell, lambda _seconds, _folders: None, debounce=0)
    return told


def test_url_is_told_of_when_it_gives_other_bytes():
    old, new = versioned(1).encode(), versioned(2).encode()
    site = Site(old, old, old, new, new)
    first, second = remote_rounds(site, 2)
    assert first.plan is not None
    assert second.plan is not None
    assert second.plan.manifest.version == "2"
    assert second.diff is not None


def test_failures_of_a_url_are_told_of_once():
    good = versioned(1).encode()
    site = Site(good, None, None, None, None, good, good)
    first, second, third = remote_rounds(site, 3)
    assert (first.report.read, second.report.read, third.report.read) == (True, False, True)
    assert "503" in second.report.findings[0].message


def test_url_that_does_not_parse_is_told_of_once():
    bad, good = b"project: [", versioned(1).encode()
    first, second = remote_rounds(Site(bad, bad, bad, good, good), 2)
    assert (first.report.read, second.report.read) == (False, True)


def test_crash_within_a_round_is_a_finding():
    class Broken:
        def fetch(self, _url: str) -> Fetched:
            raise ZeroDivisionError("no\nway")

    result = Watched(URL, Sources(Broken())).round()
    (finding,) = result.report.findings
    assert (finding.level, finding.where, finding.message) == ("error", "watch", "ZeroDivisionError: no way")
    assert not result.report.ok


def test_timestamp():
    assert iso_timestamp(1_783_339_200_123_999_999) == "2026-07-06T12:00:00.123Z"
