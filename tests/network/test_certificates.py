"""Where the system's certificates are found when OpenSSL was built for another one."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from kcp.network.certificates import add_system_certificates


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A context in a world where OpenSSL's own places hold nothing."""
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path / "nowhere"))
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def trusted(context: ssl.SSLContext) -> int:
    return context.cert_store_stats()["x509_ca"]


def test_the_first_bundle_there_is_counts(empty: ssl.SSLContext, ca_file: str, tmp_path: Path):
    damaged = tmp_path / "damaged"
    damaged.write_text("no certificate\n")
    add_system_certificates(empty, (str(tmp_path / "missing"), str(damaged), ca_file, "/nonsense"))
    assert trusted(empty) == 1


def test_no_bundle_is_no_error(empty: ssl.SSLContext, tmp_path: Path):
    add_system_certificates(empty, (str(tmp_path / "missing"),))
    assert trusted(empty) == 0


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "SSL_CERT_DIR"])
def test_what_is_set_up_wins(
    empty: ssl.SSLContext, ca_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
):
    (tmp_path / "held").mkdir()
    (tmp_path / "held" / "one").touch()
    monkeypatch.setenv(variable, ca_file if variable == "SSL_CERT_FILE" else str(tmp_path / "held"))
    add_system_certificates(empty, (ca_file,))
    assert trusted(empty) == 0
