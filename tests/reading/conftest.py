"""What the reading tests share: each runs on libyaml's parser and on PyYAML's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kcp.errors import ManifestError
from kcp.reading.yaml12 import Document, read_yaml


@pytest.fixture(scope="session", params=[False, True], ids=["libyaml", "pure"])
def document(request: pytest.FixtureRequest) -> Callable[..., Document]:
    """Reads text or bytes."""
    if not request.param:
        pytest.importorskip("yaml._yaml")

    def reader(source: str | bytes) -> Document:
        data = source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass")
        return read_yaml(data, pure=request.param)

    return reader


@pytest.fixture(scope="session")
def read(document: Callable[..., Document]) -> Callable[..., Any]:
    """The root value of a text."""
    return lambda source: document(source).root


@pytest.fixture(scope="session")
def refusal(document: Callable[..., Document]) -> Callable[..., str]:
    """The one line, with position, with which a text is refused."""

    def refused(source: str | bytes) -> str:
        with pytest.raises(ManifestError) as caught:
            document(source)
        assert len(str(caught.value).splitlines()) == 1
        return str(caught.value)

    return refused
