"""http(s) URLs as the WHATWG URL standard parses and serialises them; the part this program needs."""

from __future__ import annotations

from kcp.records import Record

_DEFAULT_PORTS = {"http": 80, "https": 443}
_FORBIDDEN_HOST = frozenset("\0\t\n\r #/:<>?@[\\]^|%\x7f") | {chr(code) for code in range(0x20)}
# Letters that older IDNA maps to others, so that two domains would pass for one: no URL here has them.
_DEVIATING = frozenset("ßẞς\u200c\u200d")
_PATH_ENCODED = frozenset(' "#<>?`{}^')
_TRIMMED = "".join(map(chr, range(0x21)))


class WebUrl(Record):
    """A parsed http(s) URL; `port` is None where it is the scheme's own, `path` starts with `/`."""

    scheme: str
    host: str
    port: int | None
    path: str
    credentials: str = ""
    query: str | None = None
    fragment: str | None = None

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"{self.scheme}://{self.host}" + ("" if self.port is None else f":{self.port}")

    @property
    def normalised(self) -> str:
        """Without user info, query and fragment: the form in which serving bindings compare (§13)."""
        return self.origin + self.path

    @property
    def text(self) -> str:
        """The URL serialised, fragment included."""
        user = f"{self.credentials}@" if self.credentials else ""
        start, rest = self.origin.split("://", 1)
        query = "" if self.query is None else f"?{self.query}"
        fragment = "" if self.fragment is None else f"#{self.fragment}"
        return f"{start}://{user}{rest}{self.path}{query}{fragment}"


def parse_url(text: str) -> WebUrl | None:
    """The URL that a text spells, or None where it is none or not http(s)."""
    text = text.strip(_TRIMMED).replace("\t", "").replace("\n", "").replace("\r", "")
    scheme, colon, rest = text.partition(":")
    scheme = scheme.lower()
    if not colon or scheme not in _DEFAULT_PORTS:
        return None
    rest, fragment = _cut(rest, "#")
    rest, query = _cut(rest, "?")
    rest = rest.replace("\\", "/").lstrip("/")
    authority, slash, path = rest.partition("/")
    user, at, place = authority.rpartition("@")
    host, port = _split_port(place)
    parsed_host = _parse_host(host)
    parsed_port = _parse_port(port, scheme)
    if parsed_host is None or parsed_port == -1:
        return None
    return WebUrl(
        scheme=scheme,
        host=parsed_host,
        port=parsed_port,
        path=_normal_path(slash + path),
        credentials=_encode(user, frozenset(' "#<>?`{}/:;=@[\\]^|') - {":"}) if at else "",
        query=None if query is None else _encode(query, frozenset(" \"#<>'")),
        fragment=None if fragment is None else _encode(fragment, frozenset(' "<>`')),
    )


def scheme_of(text: str) -> str | None:
    """The scheme a text starts with, in lower case, or None where it starts with none."""
    scheme, colon, _ = text.partition(":")
    if not colon or not scheme.isascii() or not scheme[:1].isalpha():
        return None
    return scheme.lower() if all(c.isalnum() or c in "+-." for c in scheme) else None


def join_url(base: str, reference: str) -> str | None:
    """A reference resolved against an http(s) URL and serialised; None where the result is not http(s)."""
    start = parse_url(base)
    if start is None:
        return None
    reference = reference.strip(_TRIMMED).replace("\t", "").replace("\n", "").replace("\r", "")
    scheme = scheme_of(reference)
    if scheme is not None and scheme != start.scheme:
        absolute = parse_url(reference)
        return None if absolute is None else absolute.text
    if scheme is not None:
        # The base's own scheme says nothing: `https:x` is relative, `https://x` still names a host.
        reference = reference.partition(":")[2]
    body, fragment = _cut(reference, "#")
    body, query = _cut(body, "?")
    body = body.replace("\\", "/")
    tail = ("" if query is None else f"?{query}") + ("" if fragment is None else f"#{fragment}")
    root = start.replace(query=None, fragment=None, path="").text
    if body.startswith("//"):
        joined = f"{start.scheme}:{body}{tail}"
    elif body.startswith("/"):
        joined = root + body + tail
    elif body:
        joined = root + start.path.rpartition("/")[0] + "/" + body + tail
    else:
        kept = f"?{start.query}" if query is None and start.query is not None else ""
        joined = root + start.path + kept + tail
    parsed = parse_url(joined)
    return None if parsed is None else parsed.text


def _cut(text: str, mark: str) -> tuple[str, str | None]:
    head, found, tail = text.partition(mark)
    return head, tail if found else None


def _split_port(place: str) -> tuple[str, str]:
    if place.startswith("["):
        host, bracket, port = place.partition("]")
        return host + bracket, port.removeprefix(":")
    host, _, port = place.partition(":")
    return host, port


def _parse_port(port: str, scheme: str) -> int | None:
    """The port, None for the scheme's own, -1 where it is none."""
    if port == "":
        return None
    if not (port.isascii() and port.isdigit()) or int(port[-6:]) > 0xFFFF or port[:-5].strip("0"):
        return -1
    number = int(port)
    return None if number == _DEFAULT_PORTS[scheme] else number


def _parse_host(host: str) -> str | None:
    if host.startswith("["):
        return _parse_ipv6(host)
    if "%" in host:
        from urllib.parse import unquote_to_bytes

        host = unquote_to_bytes(host.encode("utf-8", "replace")).decode("utf-8", "replace")
    if not _DEVIATING.isdisjoint(host):
        return None
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii")
        except UnicodeError:
            return None
    host = host.lower()
    if not host or not _FORBIDDEN_HOST.isdisjoint(host):
        return None
    labels = host.removesuffix(".").split(".")
    if labels[-1].isdigit() or (labels[-1].startswith("0x") and _ipv4_number(labels[-1]) is not None):
        return _parse_ipv4(labels)
    return host


def _parse_ipv6(host: str) -> str | None:
    import ipaddress

    if "%" in host:  # a zone, which Python takes and URLs do not
        return None
    try:
        return f"[{_ipv6_text(ipaddress.IPv6Address(host[1:-1]).packed)}]" if host.endswith("]") else None
    except ValueError:
        return None


def _ipv6_text(packed: bytes) -> str:
    """Hexadecimal groups only, the first longest run of zero groups shortened."""
    groups = [f"{packed[i] << 8 | packed[i + 1]:x}" for i in range(0, 16, 2)]
    best_start, best_length = 0, 1
    start = 0
    while start < 8:
        length = 0
        while start + length < 8 and groups[start + length] == "0":
            length += 1
        if length > best_length:
            best_start, best_length = start, length
        start += length or 1
    if best_length == 1:
        return ":".join(groups)
    return ":".join(groups[:best_start]) + "::" + ":".join(groups[best_start + best_length :])


def _parse_ipv4(labels: list[str]) -> str | None:
    if len(labels) > 4:
        return None
    numbers = []
    for label in labels:
        number = _ipv4_number(label)
        if number is None:
            return None
        numbers.append(number)
    if any(number > 255 for number in numbers[:-1]) or numbers[-1] >= 256 ** (5 - len(numbers)):
        return None
    address = numbers[-1] + sum(number << 8 * (3 - place) for place, number in enumerate(numbers[:-1]))
    return ".".join(str(address >> shift & 255) for shift in (24, 16, 8, 0))


def _ipv4_number(label: str) -> int | None:
    if len(label) > 64:
        return None
    base = 10
    if label.startswith("0x"):
        label, base = label[2:] or "0", 16
    elif len(label) > 1 and label.startswith("0"):
        label, base = label[1:], 8
    digits = "0123456789abcdef"[:base]
    return int(label, base) if label and all(c in digits for c in label) else None


def _normal_path(path: str) -> str:
    segments: list[str] = []
    parts = path.split("/")[1:] or [""]
    for place, part in enumerate(parts):
        last = place == len(parts) - 1
        dots = part.lower().replace("%2e", ".")
        if dots == "..":
            if segments:
                segments.pop()
            if last:
                segments.append("")
        elif dots == ".":
            if last:
                segments.append("")
        else:
            segments.append(_encode(part, _PATH_ENCODED))
    return "/" + "/".join(segments)


def _encode(text: str, encoded: frozenset[str]) -> str:
    if text.isascii() and text.isprintable() and encoded.isdisjoint(text):
        return text
    return "".join(
        c
        if "\x1f" < c < "\x7f" and c not in encoded
        else "".join(f"%{b:02X}" for b in ("\ufffd" if "\ud800" <= c <= "\udfff" else c).encode())
        for c in text
    )
