"""Which IP addresses the public Internet does not route, or routes to something special.

The table is the program's own, after IANA's special-purpose registries, because what `ipaddress` calls
global changes with the interpreter. An address that merely carries an IPv4 address for the local system
(mapped, NAT64) is judged by the one it carries; tunnels (6to4, Teredo) are refused outright.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network

# The first range that holds an address names it, so narrow ranges stand before the wide ones around them.
SPECIAL_IPV4 = (
    ("169.254.169.254/32", "cloud metadata service (AWS, Azure, Google Cloud, others)"),
    ("169.254.170.2/32", "cloud metadata service (AWS container credentials)"),
    ("100.100.100.200/32", "cloud metadata service (Alibaba Cloud)"),
    ("192.0.0.192/32", "cloud metadata service (Oracle Cloud)"),
    ("168.63.129.16/32", "cloud platform service (Azure)"),
    ("0.0.0.0/8", "this network, RFC 791"),
    ("10.0.0.0/8", "private use, RFC 1918"),
    ("100.64.0.0/10", "shared address space of carrier NAT, RFC 6598"),
    ("127.0.0.0/8", "loopback, RFC 1122"),
    ("169.254.0.0/16", "link-local, RFC 3927"),
    ("172.16.0.0/12", "private use, RFC 1918"),
    ("192.0.0.0/24", "IETF protocol assignments, RFC 6890"),
    ("192.0.2.0/24", "documentation TEST-NET-1, RFC 5737"),
    ("192.31.196.0/24", "AS112 redirection, RFC 7535"),
    ("192.52.193.0/24", "multicast tunnelling AMT, RFC 7450"),
    ("192.88.99.0/24", "6to4 relay anycast, RFC 7526"),
    ("192.168.0.0/16", "private use, RFC 1918"),
    ("192.175.48.0/24", "AS112 direct delegation, RFC 7534"),
    ("198.18.0.0/15", "benchmarking, RFC 2544"),
    ("198.51.100.0/24", "documentation TEST-NET-2, RFC 5737"),
    ("203.0.113.0/24", "documentation TEST-NET-3, RFC 5737"),
    ("224.0.0.0/4", "multicast, RFC 5771"),
    ("255.255.255.255/32", "limited broadcast, RFC 919"),
    ("240.0.0.0/4", "reserved, RFC 1112"),
)

SPECIAL_IPV6 = (
    ("fd00:ec2::254/128", "cloud metadata service (AWS)"),
    ("fd20:ce::254/128", "cloud metadata service (Google Cloud)"),
    ("::/128", "unspecified, RFC 4291"),
    ("::1/128", "loopback, RFC 4291"),
    ("::/96", "IPv4-compatible, RFC 4291"),
    ("::ffff:0:0:0/96", "IPv4-translated, RFC 2765"),
    ("64:ff9b:1::/48", "local-use NAT64, RFC 8215"),
    ("100::/64", "discard-only, RFC 6666"),
    ("100:0:0:1::/64", "dummy prefix, RFC 9780"),
    ("2001::/32", "Teredo, RFC 4380"),
    ("2001:2::/48", "benchmarking, RFC 5180"),
    ("2001:3::/32", "multicast tunnelling AMT, RFC 7450"),
    ("2001:4:112::/48", "AS112, RFC 7535"),
    ("2001:10::/28", "ORCHID, RFC 4843"),
    ("2001:20::/28", "ORCHIDv2, RFC 7343"),
    ("2001:30::/28", "drone remote identification, RFC 9374"),
    ("2001::/23", "IETF protocol assignments, RFC 2928"),
    ("2001:db8::/32", "documentation, RFC 3849"),
    ("2002::/16", "6to4, RFC 3056"),
    ("2620:4f:8000::/48", "AS112 direct delegation, RFC 7534"),
    ("3fff::/20", "documentation, RFC 9637"),
    ("5f00::/16", "segment routing, RFC 9602"),
    ("fc00::/7", "unique local, RFC 4193"),
    ("fe80::/10", "link-local, RFC 4291"),
    ("fec0::/10", "site-local, RFC 3879"),
    ("ff00::/8", "multicast, RFC 4291"),
)

# Ranges whose last 32 bits are an IPv4 address that the local system or network connects to.
CARRIERS = (
    ("::ffff:0:0/96", "IPv4-mapped, RFC 4291"),
    ("64:ff9b::/96", "NAT64, RFC 6052"),
)

# IANA gives out global unicast addresses from here only; all else is reserved (RFC 4291 §2.4).
GLOBAL_UNICAST = "2000::/3"

_tables: list[list[tuple[IPv4Network | IPv6Network, str]]] = []


def address_fault(addr: str) -> str | None:
    """Why an address must not be connected to, or None where it is an ordinary public one.

    The reason names the range and who defines it: `127.0.0.0/8 (loopback, RFC 1122)`. A text that is no
    plain IP address, such as one with a zone (`fe80::1%eth0`), is a fault of its own.
    """
    from ipaddress import IPv4Address, ip_address, ip_network

    try:
        address = ip_address(addr)
    except ValueError:
        return "not an IP address"
    if "%" in addr:
        return "an IPv6 address with a zone"
    special_ipv4, special_ipv6, carriers = _networks()
    if isinstance(address, IPv4Address):
        return _holder(address, special_ipv4)
    carrier = _holder(address, carriers)
    if carrier is not None:
        inner = _holder(IPv4Address(address.packed[12:]), special_ipv4)
        return None if inner is None else f"{carrier} of {inner}"
    fault = _holder(address, special_ipv6)
    if fault is None and address not in ip_network(GLOBAL_UNICAST):
        return f"outside {GLOBAL_UNICAST} (reserved, RFC 4291)"
    return fault


def is_plain_address(addr: str) -> bool:
    """Whether a text is an IPv4 or IPv6 address without a zone."""
    return address_fault(addr) not in ("not an IP address", "an IPv6 address with a zone")


def is_loopback(addr: str) -> bool:
    """Whether an address is the machine's own: 127.0.0.0/8, the same IPv4-mapped, or ::1."""
    from ipaddress import ip_address

    if not is_plain_address(addr):
        return False
    packed = ip_address(addr).packed
    if len(packed) == 16 and packed.startswith(bytes(10) + b"\xff\xff"):
        packed = packed[12:]
    return packed[0] == 127 if len(packed) == 4 else packed == bytes(15) + b"\x01"


def _holder(address: object, table: list[tuple[IPv4Network | IPv6Network, str]]) -> str | None:
    """The first range that holds the address, with its name."""
    return next((name for network, name in table if address in network), None)


def _networks() -> list[list[tuple[IPv4Network | IPv6Network, str]]]:
    if not _tables:
        from ipaddress import ip_network

        made = [
            [(ip_network(text), f"{text} ({name})") for text, name in table]
            for table in (SPECIAL_IPV4, SPECIAL_IPV6, CARRIERS)
        ]
        # Fetches may run in several threads: the tables appear at once or not at all.
        _tables[:] = made
    return _tables
