"""A desk to render at: a fresh folder, two key pairs, an allowlist, and a home of its own."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kcp.cli.main import main
from kcp.errors import FetchError
from kcp.network.fetcher import Fetched, Fetcher
from kcp.reading.yaml12 import read_yaml
from kcp.trust.keys import KeyPair, key_pair
from kcp.trust.material import spki

PINNED = "github.com/Cantara/lib-pcb"
UNPINNED = "github.com/example/sandbox"
TYPOSQUAT = "github.com/CantaraEvil/lib-pcb"
REMOTE = "https://github.com/Cantara/lib-pcb.git"

ORG = key_pair(bytes(range(32)))
ATTACKER = key_pair(bytes(range(32, 64)))
KEY_IDS = {ORG.public: "cantara-org-2026", ATTACKER.public: "helpful-key-2026"}

MINIMAL = """\
kcp_version: "0.32"
project: harbour
version: "1.2.0"
units:
  - id: berthing
    path: docs/berthing.md
    intent: How a ship berths at the quay
    triggers: [berth, quay]
"""


def public_text(pair: KeyPair) -> str:
    """A public key as allowlists and envelopes have it."""
    return b64encode(spki(pair.public)).decode("ascii")


def sign(pair: KeyPair, data: bytes) -> bytes:
    """The 64 bytes of a signature."""
    from nacl.signing import SigningKey

    return bytes(SigningKey(pair.seed).sign(data).signature)


def envelope(pair: KeyPair, data: bytes, **changes: Any) -> bytes:
    """The signature file of some bytes; a change to None leaves a member out."""
    members: dict[str, Any] = {
        "key_id": KEY_IDS.get(pair.public, "nobody"),
        "algorithm": "EdDSA",
        "public_key": public_text(pair),
        "signature": b64encode(sign(pair, data)).decode("ascii"),
    } | changes
    return json.dumps({key: value for key, value in members.items() if value is not None}).encode()


class Web(Fetcher):
    """Answers by URL, and remembers what it was asked for."""

    def __init__(self, **pages: bytes) -> None:
        self.pages: dict[str, bytes] = dict(pages)
        self.asked: list[str] = []

    def fetch(self, url: str) -> Fetched:
        self.asked.append(url)
        if url not in self.pages:
            raise FetchError(f"nothing at {url}")
        return Fetched(url, self.pages[url])


class Rendered(NamedTuple):
    """What a run came to; `artifact` is None where standard output is empty."""

    code: int
    out: str
    err: str
    artifact: Any

    @property
    def units(self) -> dict[str, Any]:
        """The units by id."""
        return {unit["id"]: unit for unit in self.artifact["units"]}

    @property
    def dropped(self) -> dict[str, str]:
        """Path → reason."""
        return {entry["path"]: entry["reason"] for entry in self.artifact["sanitization"]["dropped"]}

    @property
    def quarantined(self) -> dict[str, str]:
        """Path → rule."""
        return {entry["path"]: entry["rule"] for entry in self.artifact["sanitization"]["quarantined"]}

    @property
    def stats(self) -> tuple[int, int, int, int]:
        """In, rendered, dropped, quarantined."""
        stats = self.artifact["sanitization"]["stats"]
        names = ("fields_in", "fields_rendered", "fields_dropped", "fields_quarantined")
        assert list(stats) == list(names)
        return tuple(stats[name] for name in names)


class Desk:
    """A folder with a manifest, and ways to sign and render it."""

    def __init__(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
        self.home = tmp_path / "home"
        self.folder = tmp_path / "work"
        self.path = self.folder / "knowledge.yaml"
        self.keys = tmp_path / "keys.yaml"
        self.web = Web()
        self._capsys = capsys
        self.home.mkdir()
        self.folder.mkdir()
        monkeypatch.setenv("HOME", str(self.home))
        monkeypatch.setattr("kcp.cli.commands.render.make_fetcher", lambda _arguments: self.web)
        self.allow()

    def allow(self, *entries: str) -> None:
        """Writes the allowlist; without entries the one of the shared cases."""
        scoped = f"""\
  - key_id: cantara-org-2026
    method: jws
    algorithm: EdDSA
    public_key: {public_text(ORG)}
    scope: {{domains: [cantara.no, github.com/Cantara]}}
"""
        self.keys.write_text("version: 1\nkeys:\n" + ("".join(entries) or scoped), encoding="utf-8")
        self.keys.chmod(0o600)

    def write(self, text: str | bytes, signer: KeyPair | None = None) -> None:
        """Puts a manifest in the folder, signed or not."""
        data = text.encode("utf-8") if isinstance(text, str) else text
        self.path.write_bytes(data)
        if signer is not None:
            self.sign(signer)

    def sign(self, signer: KeyPair, **changes: Any) -> None:
        """Signs what is there."""
        self.signature.write_bytes(envelope(signer, self.path.read_bytes(), **changes))

    @property
    def signature(self) -> Path:
        return self.path.with_name("knowledge.yaml.sig")

    def git(self, url: str = REMOTE) -> None:
        """Makes the folder a checkout with that remote."""
        (self.folder / ".git").mkdir(exist_ok=True)
        text = f'[core]\n\tbare = false\n[remote "origin"]\n\turl = {url}\n\tfetch = +refs/*:refs/*\n'
        (self.folder / ".git" / "config").write_text(text, encoding="utf-8")

    def render(self, *flags: str, origin: str | None = UNPINNED, keys: bool = True) -> Rendered:
        """Runs the command on the manifest."""
        words = ["render", str(self.path), *flags]
        words += ["--origin", origin] if origin is not None else []
        words += ["--keys", str(self.keys)] if keys else []
        return self.run(*words)

    def run(self, *words: str) -> Rendered:
        """Runs the program."""
        self._capsys.readouterr()
        code = main(list(words))
        captured = self._capsys.readouterr()
        is_artifact = captured.out.startswith(("render:", "{"))
        artifact = read_yaml(captured.out.encode("utf-8")).root if is_artifact else None
        return Rendered(code, captured.out, captured.err, artifact)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


@pytest.fixture
def no_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever opens a socket fails the test."""
    import socket

    def refuse(*_arguments: object, **_named: object) -> object:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
