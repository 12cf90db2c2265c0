"""What is refused before a connection is made: URLs, schemes, names, addresses, cleartext, credentials."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kcp.errors import FetchError
from kcp.network.guard import GuardedFetcher
from kcp.network.sockets import system_resolver
from tests.network.conftest import always
from tests.network.servers import PUBLIC, Server

LOCAL_ADVICE = "(pass --allow-private-hosts to permit local and internal manifests)"


def never(address: str, port: int, timeout: float) -> socket.socket:
    pytest.fail(f"connected to {address}")


def refusal(url: str, *addresses: str, **options: object) -> str:
    """The message with which a fetch fails that must not connect; every name has the addresses."""
    chosen: dict[str, object] = {
        "dial": never,
        "resolver": always(*addresses),
        "timeout": 20.0,
    }
    with pytest.raises(FetchError) as failure:
        GuardedFetcher(**(chosen | options)).fetch(url)  # type: ignore[arg-type]
    assert "\n" not in failure.value.message
    return failure.value.message


@pytest.mark.parametrize(
    "url",
    [
        "",
        "knowledge.yaml",
        "//host/x",
        "https://",
        "http://[::1",
        "https://h:99999/",
        "https://a b/",
        "1x://h/",
    ],
)
def test_what_is_no_url_is_refused(url: str) -> None:
    assert refusal(url) == f"not a valid URL: {url}"


def test_control_characters_do_not_reach_the_message() -> None:
    assert refusal("ht\x1b[31mtp://x\n") == "not a valid URL: ht\ufffd[31mtp://x\ufffd"


@pytest.mark.parametrize(
    "scheme", ["file", "ftp", "gopher", "data", "javascript", "ws", "wss", "FILE", "git+ssh"]
)
def test_other_schemes_are_refused(scheme: str) -> None:
    message = refusal(f"{scheme}:///etc/passwd")
    assert message == f"refused scheme '{scheme.lower()}:' (only http/https are fetched)"


@settings(max_examples=300)
@given(st.text(max_size=12), st.text(alphabet=":/?#[]@%.0123456789abx\\ \ud800é١", max_size=30))
def test_no_text_fails_in_any_other_way(scheme: str, rest: str) -> None:
    """What happens to be a good URL finds no address, or nobody there."""

    def nobody(address: str, port: int, timeout: float) -> socket.socket:
        raise ConnectionRefusedError("nobody listens")

    for url in (scheme + rest, f"https://{rest}", f"http:{rest}"):
        assert refusal(url, dial=nobody)


def test_names_that_do_not_resolve() -> None:
    def unknown(host: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    expected = "cannot resolve host 'no.test': getaddrinfo ENOTFOUND no.test"
    assert refusal("https://No.test/k.yaml", resolver=unknown) == expected
    assert refusal("https://no.test/k.yaml") == "host 'no.test' resolved to no addresses"


def test_names_that_no_resolver_takes_do_not_resolve() -> None:
    long = "a" * 64
    message = refusal(f"https://{long}.invalid/", resolver=system_resolver)
    assert message == f"cannot resolve host '{long}.invalid': getaddrinfo ENOTFOUND {long}.invalid"


def test_resolver_that_does_not_return_is_left_behind() -> None:
    over = threading.Event()

    def stuck(host: str, port: int) -> list[str]:
        over.wait(30)
        return [PUBLIC]

    start = time.monotonic()
    try:
        message = refusal("https://slow.test/", resolver=stuck, timeout=0.05)
    finally:
        over.set()
    assert message == "The operation was aborted due to timeout"
    assert time.monotonic() - start < 4


def test_fault_of_an_injected_resolver_is_not_taken_for_an_unknown_name() -> None:
    def broken(host: str, port: int) -> list[str]:
        raise LookupError("a bug")

    with pytest.raises(LookupError, match="a bug"):
        GuardedFetcher(resolver=broken, dial=never).fetch("https://a.test/")


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "169.254.169.254", "100.64.0.1", "198.18.0.1", "192.0.2.1", "224.0.0.1",
     "0.0.0.0", "::1", "::", "::7f00:1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1",
     "2002:7f00:1::",
     "2001:0:1::1", "fe80::1", "fe90::1", "fec0::1", "fd00:ec2::254", "ff02::1", "2001:db8::1"],
)  # fmt: skip
@pytest.mark.parametrize("scheme", ["https", "http"])
def test_special_addresses_are_refused(scheme: str, address: str) -> None:
    expected = f"refused private/loopback/link-local address {address} for 'a.test' {LOCAL_ADVICE}"
    assert refusal(f"{scheme}://a.test/", address) == expected


def test_one_special_address_among_public_ones_refuses_the_host() -> None:
    expected = f"refused private/loopback/link-local address 10.0.0.1 for 'a.test' {LOCAL_ADVICE}"
    assert refusal("https://a.test/", PUBLIC, "2606:4700::1111", "10.0.0.1") == expected


def test_refused_address_says_why() -> None:
    with pytest.raises(FetchError) as failure:
        GuardedFetcher(dial=never).fetch("https://169.254.169.254/latest/")
    assert failure.value.hint is not None
    assert "cloud metadata service" in failure.value.hint


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("017700000001", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("%31%32%37.0.0.1", "127.0.0.1"),
        ("１２７.0.0.1", "127.0.0.1"),
        ("127.0.0.1.", "127.0.0.1"),
        ("[::1]", "::1"),
        ("[0:0::0:1]", "::1"),
        ("[::ffff:127.0.0.1]", "::ffff:7f00:1"),
        ("[::FFFF:7f00:1]", "::ffff:7f00:1"),
    ],
)
def test_hosts_written_as_addresses_are_checked_without_looking_them_up(host: str, address: str) -> None:
    def asked(host: str, port: int) -> list[str]:
        pytest.fail(f"looked up {host}")

    expected = f"refused private/loopback/link-local address {address} for '{address}' {LOCAL_ADVICE}"
    assert refusal(f"https://{host}/k.yaml", resolver=asked) == expected


def test_user_info_does_not_disguise_the_host() -> None:
    expected = f"refused private/loopback/link-local address 127.0.0.1 for '127.0.0.1' {LOCAL_ADVICE}"
    assert refusal("https://public.test@127.0.0.1/") == expected
    assert refusal("https://127.0.0.1\\@public.test/") == expected


@pytest.mark.parametrize("allowed", [False, True])
@pytest.mark.parametrize("answer", ["fe80::1%eth0", "not-an-address", "", "1.2.3.4\n"])
def test_answers_that_are_no_plain_address_are_refused_even_with_the_switch(
    answer: str, allowed: bool
) -> None:
    message = refusal("https://a.test/", PUBLIC, answer, allow_private_hosts=allowed)
    assert message.startswith("refused address ")
    assert message.endswith(("an IPv6 address with a zone", "not an IP address"))


def test_zone_in_a_url_is_no_url() -> None:
    assert refusal("https://[fe80::1%25eth0]/") == "not a valid URL: https://[fe80::1%25eth0]/"


def test_cleartext_to_a_public_host_is_refused() -> None:
    expected = "refused cleartext http:// for 'a.test' (use https, or --allow-private-hosts for local)"
    assert refusal("http://a.test/", PUBLIC) == expected


@pytest.mark.parametrize("addresses", [[PUBLIC], ["10.0.0.1"], ["192.168.1.1"], ["169.254.169.254"],
                                       ["0.0.0.0"], ["127.0.0.1", "10.0.0.1"], ["fd00::1"]])  # fmt: skip
def test_cleartext_is_for_loopback_only_even_with_the_switch(addresses: list[str]) -> None:
    expected = "refused cleartext http:// for 'a.test' (only loopback may be read without TLS)"
    assert refusal("http://a.test/", *addresses, allow_private_hosts=True) == expected


@pytest.mark.parametrize("user", ["user:secret", "user", ":secret"])
def test_credentials_in_a_url_are_refused(user: str) -> None:
    message = refusal(f"https://{user}@a.test/k.yaml", PUBLIC)
    expected = "Request cannot be constructed from a URL that includes credentials: "
    assert message == f"{expected}https://{user}@a.test/k.yaml"


def test_order_of_the_checks() -> None:
    """Address, then cleartext, then credentials."""
    assert "address 10.0.0.1" in refusal("http://u:p@a.test/", "10.0.0.1")
    assert "cleartext" in refusal("http://u:p@a.test/", PUBLIC)


def test_nothing_is_dialled_when_time_is_up_before_the_start() -> None:
    assert refusal("https://a.test/", PUBLIC, timeout=0.0) == "The operation was aborted due to timeout"


def test_missing_ca_file_is_named(tmp_path: object, serve: Callable[..., Server]) -> None:
    server = serve({})
    fetcher = GuardedFetcher(allow_private_hosts=True, ca_file=f"{tmp_path}/none.pem")
    with pytest.raises(FetchError, match=r"^cannot read CA file: .*none\.pem$"):
        fetcher.fetch(f"https://127.0.0.1:{server.port}/")
