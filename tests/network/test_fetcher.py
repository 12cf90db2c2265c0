"""The seam between the program and the network: who may use it, and how it is replaced."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from kcp.errors import FetchError
from kcp.network.fetcher import Fetched, Fetcher, OfflineFetcher
from kcp.network.guard import GuardedFetcher

ROOT = Path(__file__).resolve().parent.parent.parent
NETWORKING = {"socket", "ssl", "urllib3", "http", "asyncio", "ftplib", "smtplib", "socketserver", "xmlrpc"}
SERVERS = {"kcp/serving"}


def test_offline_refuses_every_use() -> None:
    for url in ("https://a.test/k.yaml", "http://127.0.0.1/", "nonsense"):
        with pytest.raises(FetchError) as failure:
            OfflineFetcher().fetch(url)
        assert failure.value.message == f"offline: refused to fetch {url} (--offline)"
        assert failure.value.exit_code == 3


def test_any_class_with_the_method_is_a_fetcher() -> None:
    class Memory:
        def fetch(self, url: str) -> Fetched:
            return Fetched(url, b"from memory")

    fetcher: Fetcher = Memory()
    assert fetcher.fetch("https://a.test/") == Fetched("https://a.test/", b"from memory")


def test_protocol_itself_fetches_nothing() -> None:
    class Nothing(Fetcher):
        pass

    with pytest.raises(NotImplementedError):
        Nothing().fetch("https://a.test/")  # type: ignore[abstract]


def networking_imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        found |= {name.partition(".")[0] for name in names} & NETWORKING
        found |= {"urllib.request"} & set(names)
    return found


def test_nothing_else_in_the_package_opens_a_socket() -> None:
    offences = {}
    for path in sorted((ROOT / "kcp").rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        if not place.startswith(("kcp/network/", *(f"{folder}/" for folder in SERVERS))):
            found = networking_imports(path)
            if found:
                offences[place] = found
    assert offences == {}


def test_a_fetcher_that_is_not_used_loads_no_networking() -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from kcp.network.fetcher import OfflineFetcher\n"
        "from kcp.network.guard import GuardedFetcher\n"
        "GuardedFetcher(allow_private_hosts=True)\n"
        "print(sorted({'socket', 'ssl', 'urllib3', 'http', 'threading', 'ipaddress'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_defaults_are_the_contracts() -> None:
    fetcher = GuardedFetcher()
    assert (fetcher.timeout, fetcher.max_bytes, fetcher.max_redirects) == (15.0, 8388608, 5)
    assert (fetcher.allow_private_hosts, fetcher.use_proxy_env, fetcher.ca_file) == (False, False, None)
