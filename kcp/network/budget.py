"""A fetcher that counts requests up to a cap, and can make several at once."""

from __future__ import annotations

from kcp.errors import FetchError
from kcp.network.fetcher import Fetched, Fetcher, one_line
from kcp.reading.locate import is_remote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Answer = Fetched | FetchError


class BudgetedFetcher(Fetcher):
    """Counts every request when it is made, so never more than `cap` leave the machine.

    The count depends on what is asked for alone, never on how long an answer takes. Whatever the fetcher
    beneath raises becomes a `FetchError`.
    """

    def __init__(self, fetcher: Fetcher, cap: int, workers: int) -> None:
        self.fetcher = fetcher
        self.cap = cap
        self.workers = workers
        self.count = 0
        self._lent: dict[str, Answer] = {}

    @property
    def left(self) -> int:
        """How many more requests may be made."""
        return self.cap - self.count

    @property
    def refusal(self) -> str:
        """Why a request is refused once none is left."""
        return f"beyond max fetches {self.cap} (fan-out cap)"

    def lend(self, answers: dict[str, Answer]) -> None:
        """Let calls of `fetch` have these answers in place of requests, until others are lent."""
        self._lent = answers

    def fetch(self, url: str) -> Fetched:
        """The answer for a URL: a lent one, or else that of a request made now."""
        answer = self._lent.get(url)
        if answer is None:
            if self.left <= 0:
                raise FetchError(self.refusal)
            self.count += 1
            answer = self._ask(url)
        if isinstance(answer, FetchError):
            raise answer
        return answer

    def fetch_all(self, urls: Sequence[str], keep: int | None = None) -> list[Answer]:
        """The answers for the first URLs, as many as may still be asked for, in their order.

        At most `workers` requests run at a time. Of each answer no more than `keep` bytes are kept.
        """
        urls = urls[: max(0, self.left)]
        self.count += len(urls)
        if len(urls) < 2:
            return [self._ask(url, keep) for url in urls]
        from concurrent.futures import ThreadPoolExecutor

        pool = ThreadPoolExecutor(min(len(urls), self.workers), "kcp-fetch")
        try:
            return list(pool.map(lambda url: self._ask(url, keep), urls))
        finally:
            # An interrupted walk does not wait for servers.
            pool.shutdown(wait=False, cancel_futures=True)

    def _ask(self, url: str, keep: int | None = None) -> Answer:
        try:
            answer = self.fetcher.fetch(url)
            if not is_remote(answer.url):
                # What it names would be taken for a file, and be trusted as one.
                return FetchError(f"the fetcher gave no URL: {one_line(answer.url)}")
            return answer if keep is None or len(answer.data) <= keep else _cut(answer, keep)
        except FetchError as error:
            return error
        except Exception as error:  # noqa: BLE001 - one broken answer must not end the walk
            return FetchError(f"the fetcher failed: {type(error).__name__}: {one_line(str(error))[:200]}")


def _cut(answer: Fetched, keep: int) -> Fetched:
    return answer.replace(data=answer.data[:keep])
