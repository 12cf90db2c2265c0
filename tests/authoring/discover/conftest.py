"""A site on loopback over TLS, and an Internet in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kcp.authoring.discover.find import Discovery
from kcp.errors import FetchError
from kcp.network.fetcher import Fetched, StatusError
from tests.network.conftest import authority, ca_file, local, serve

__all__ = ["authority", "ca_file", "local", "serve"]

MANIFEST = (
    b'project: quay\nversion: "1.2"\nkcp_version: "0.32"\nunits:\n- {id: a, path: a.md, intent: Berths}\n'
)


class Internet:
    """Pages by URL; a tuple is bytes and content type, a number a status, a text a redirect."""

    def __init__(self, pages: dict[str, Any]) -> None:
        self.pages = pages
        self.asked: list[str] = []

    def fetch(self, url: str) -> Fetched:
        self.asked.append(url)
        return self._answer(url)

    def _answer(self, url: str) -> Fetched:
        page = self.pages.get(url, self.pages.get("*", 404))
        if isinstance(page, str):
            return self._answer(page)
        if isinstance(page, int):
            raise StatusError(page, f"{page} No")
        if isinstance(page, FetchError):
            raise page
        data, content_type = page if isinstance(page, tuple) else (page, None)
        return Fetched(url, data, content_type)


@pytest.fixture
def search() -> Callable[..., tuple[Any, Internet, list[float]]]:
    """Searches an Internet of pages: the result, what was asked, the pauses."""

    def call(url: str, pages: dict[str, Any], **options: Any) -> tuple[Any, Internet, list[float]]:
        internet = Internet(pages)
        pauses: list[float] = []
        discovery = Discovery(internet, "2026-07-06", pause=pauses.append, **options)
        return discovery.run(url), internet, pauses

    return call
