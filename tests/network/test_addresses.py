"""The table of special addresses: every row at both edges, and nothing beside them."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.network.addresses import (
    CARRIERS,
    SPECIAL_IPV4,
    SPECIAL_IPV6,
    address_fault,
    is_loopback,
    is_plain_address,
)

# Written out again, with both edges, so that a slip in the program's table shows.
IPV4_EDGES = [
    ("0.0.0.0", "0.255.255.255"),
    ("10.0.0.0", "10.255.255.255"),
    ("100.64.0.0", "100.127.255.255"),
    ("100.100.100.200", "100.100.100.200"),
    ("127.0.0.0", "127.255.255.255"),
    ("168.63.129.16", "168.63.129.16"),
    ("169.254.0.0", "169.254.255.255"),
    ("169.254.169.254", "169.254.169.254"),
    ("169.254.170.2", "169.254.170.2"),
    ("172.16.0.0", "172.31.255.255"),
    ("192.0.0.0", "192.0.0.255"),
    ("192.0.0.192", "192.0.0.192"),
    ("192.0.2.0", "192.0.2.255"),
    ("192.31.196.0", "192.31.196.255"),
    ("192.52.193.0", "192.52.193.255"),
    ("192.88.99.0", "192.88.99.255"),
    ("192.168.0.0", "192.168.255.255"),
    ("192.175.48.0", "192.175.48.255"),
    ("198.18.0.0", "198.19.255.255"),
    ("198.51.100.0", "198.51.100.255"),
    ("203.0.113.0", "203.0.113.255"),
    ("224.0.0.0", "239.255.255.255"),
    ("240.0.0.0", "255.255.255.255"),
    ("255.255.255.255", "255.255.255.255"),
]
IPV6_EDGES = [
    ("::", "::"),
    ("::1", "::1"),
    ("::", "::ffff:ffff"),
    ("::ffff:0:0:0", "::ffff:0:ffff:ffff"),
    ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"),
    ("100::", "100::ffff:ffff:ffff:ffff"),
    ("100:0:0:1::", "100::1:ffff:ffff:ffff:ffff"),
    ("2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"),
    ("2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff"),
    ("2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2001:30::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"),
    ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("fd00:ec2::254", "fd00:ec2::254"),
    ("fd20:ce::254", "fd20:ce::254"),
    ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
]
EDGES = IPV4_EDGES + IPV6_EDGES
PUBLIC_ADDRESSES = [
    "1.0.0.0", "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
    "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0",
    "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
    "2000::", "2001:200::", "2001:4860:4860::8888", "2003::", "2606:4700::1111", "2a00::1",
    "3ffe:ffff::", "3fff:1000::", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1",
]  # fmt: skip


def listed(address: IPv4Address | IPv6Address) -> bool:
    """Whether the table of this file holds the address; IPv6 outside 2000::/3 counts as held.

    The two forms that carry an IPv4 address are left to their own test.
    """
    if isinstance(address, IPv6Address) and int(address) >> 125 != 1:
        return True
    number = int(address)
    return any(
        int(ip_address(first)) <= number <= int(ip_address(last))
        for first, last in EDGES
        if ip_address(first).version == address.version
    )


def test_table_has_exactly_these_rows() -> None:
    rows = [ip_network(text) for text, _ in (*SPECIAL_IPV4, *SPECIAL_IPV6)]
    assert {(str(row[0]), str(row[-1])) for row in rows} == set(EDGES)
    assert len(rows) == len(EDGES)


def test_every_row_says_what_it_is_and_who_defines_it() -> None:
    for text, name in (*SPECIAL_IPV4, *SPECIAL_IPV6, *CARRIERS):
        assert ", RFC " in name or name.startswith("cloud "), text


def test_narrow_rows_stand_before_the_wide_rows_around_them() -> None:
    for table in (SPECIAL_IPV4, SPECIAL_IPV6):
        rows = [ip_network(text) for text, _ in table]
        for place, row in enumerate(rows):
            wider = [one for one in rows[:place] if one[0] <= row[0] and row[-1] <= one[-1]]  # type: ignore[operator]
            assert wider == [], f"{row} is never reached"


@pytest.mark.parametrize(("first", "last"), EDGES)
def test_both_edges_are_refused_and_the_addresses_beside_are_not(first: str, last: str) -> None:
    assert address_fault(first) is not None
    assert address_fault(last) is not None
    low, high = ip_address(first), ip_address(last)
    beside = []
    if int(low) > 0:
        beside.append(low - 1)
    if int(high) < 2**low.max_prefixlen - 1:
        beside.append(high + 1)
    for address in beside:
        if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
            continue
        assert (address_fault(str(address)) is not None) == listed(address), address


@pytest.mark.parametrize("address", PUBLIC_ADDRESSES)
def test_public_addresses_have_no_fault(address: str) -> None:
    assert address_fault(address) is None


@pytest.mark.parametrize(("first", "last"), IPV4_EDGES)
@pytest.mark.parametrize("prefix", ["::ffff:", "64:ff9b::"])
def test_carried_ipv4_addresses_are_judged_by_what_they_carry(prefix: str, first: str, last: str) -> None:
    for inner in (first, last):
        fault = address_fault(prefix + inner)
        assert fault is not None
        assert f" of {address_fault(inner)}" in fault
        hexadecimal = f"{prefix}{int(IPv4Address(inner)) >> 16:x}:{int(IPv4Address(inner)) & 0xFFFF:x}"
        assert address_fault(hexadecimal) == fault


@pytest.mark.parametrize(
    "address", ["2002:101:101::", "2001:0:101:101::", "::1.1.1.1", "::ffff:0:1.1.1.1", "64:ff9b:1::1.1.1.1"]
)
def test_tunnels_and_retired_forms_are_refused_whatever_they_carry(address: str) -> None:
    assert address_fault(address) is not None


def test_faults_name_range_and_source() -> None:
    assert address_fault("127.0.0.1") == "127.0.0.0/8 (loopback, RFC 1122)"
    assert address_fault("169.254.169.254") == (
        "169.254.169.254/32 (cloud metadata service (AWS, Azure, Google Cloud, others))"
    )
    assert address_fault("::ffff:10.0.0.1") == (
        "::ffff:0:0/96 (IPv4-mapped, RFC 4291) of 10.0.0.0/8 (private use, RFC 1918)"
    )
    assert address_fault("4000::1") == "outside 2000::/3 (reserved, RFC 4291)"


@pytest.mark.parametrize("text", ["", "localhost", "127.1", "0x7f000001", "1.1.1.1/32", "[::1]", "1.1.1.1 "])
def test_what_is_no_address_is_a_fault(text: str) -> None:
    assert address_fault(text) == "not an IP address"
    assert not is_plain_address(text)
    assert not is_loopback(text)


@pytest.mark.parametrize("text", ["fe80::1%eth0", "::1%1", "2606:4700::1111%eth0"])
def test_zones_are_refused(text: str) -> None:
    assert address_fault(text) == "an IPv6 address with a zone"
    assert not is_plain_address(text)
    assert not is_loopback(text)


def test_loopback() -> None:
    loopback = ["127.0.0.0", "127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1", "::ffff:7fff:ffff"]
    assert all(map(is_loopback, loopback))
    others = [
        "126.255.255.255",
        "128.0.0.0",
        "0.0.0.0",
        "::",
        "::2",
        "::127.0.0.1",
        "::ffff:126.0.0.1",
        "10.0.0.1",
    ]
    assert not any(map(is_loopback, others))


ADDRESSES = st.one_of(
    st.integers(0, 2**32 - 1).map(IPv4Address),
    st.integers(0, 2**128 - 1).map(IPv6Address),
    st.integers(0, 2**125 - 1).map(lambda number: IPv6Address(number | 1 << 125)),
)


@given(ADDRESSES)
def test_table_agrees_with_this_file(address: IPv4Address | IPv6Address) -> None:
    assert (address_fault(str(address)) is not None) == listed(address)


@given(ADDRESSES)
def test_what_the_interpreter_calls_private_is_refused(address: IPv4Address | IPv6Address) -> None:
    """Its table is older or newer than ours; where it is stricter, ours would have a gap."""
    if address.is_private or address.is_multicast or address.is_reserved or address.is_link_local:
        assert address_fault(str(address)) is not None


def test_every_private_range_of_the_interpreter_is_covered() -> None:
    import ipaddress

    constants = [getattr(ipaddress, name) for name in ("_IPv4Constants", "_IPv6Constants")]
    for network in [one for each in constants for one in each._private_networks]:
        if str(network) in ("::ffff:0:0/96", "64:ff9b::/96"):
            continue
        assert isinstance(network, IPv4Network) or network.version == 6
        assert address_fault(str(network[0])) is not None, network
        assert address_fault(str(network[-1])) is not None, network
