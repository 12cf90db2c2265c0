"""The guarded fetcher: every hop of a fetch is checked before a byte is sent (planner contract §14).

Where the reference differs, this guard is the stricter (decision B11): names are resolved once and the
connection goes to a checked address; the table of special addresses is complete; cleartext is for loopback
only; one deadline covers all hops, from the first look-up to the last byte.
"""

from __future__ import annotations

from kcp.errors import FetchError
from kcp.network.addresses import address_fault, is_loopback, is_plain_address
from kcp.network.deadline import Deadline
from kcp.network.fetcher import Fetched, Fetcher, one_line
from kcp.text.weburl import join_url, parse_url, scheme_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    import ssl

    from kcp.network.exchange import Response
    from kcp.network.proxies import Proxy
    from kcp.network.sockets import Dial, Resolver
    from kcp.text.weburl import WebUrl

TIMEOUT = 15.0
MAX_BYTES = 8 * 2**20
MAX_REDIRECTS = 5
_CLEARTEXT_ADVICE = "use https, or --allow-private-hosts for local"


class GuardedFetcher(Fetcher):
    """Reads https URLs of the public Internet.

    `allow_private_hosts` permits every address, and http to loopback. `timeout` is in seconds, for the whole
    of one fetch. `ca_file` (PEM) replaces the system's trust store, which `SSL_CERT_FILE` and `SSL_CERT_DIR`
    replace too. `use_proxy_env` sends https through the proxy of the environment; `proxies` says what that
    changes. `resolver(host, port)` and `dial(address, port, timeout)` stand in for the system's. Immutable
    but for the trust store, which is loaded once: one fetcher serves many threads.
    """

    def __init__(
        self,
        *,
        allow_private_hosts: bool = False,
        timeout: float = TIMEOUT,
        max_bytes: int = MAX_BYTES,
        max_redirects: int = MAX_REDIRECTS,
        ca_file: str | None = None,
        use_proxy_env: bool = False,
        resolver: Resolver | None = None,
        dial: Dial | None = None,
    ) -> None:
        self.allow_private_hosts = allow_private_hosts
        self.timeout = timeout
        self.max_bytes = max_bytes
        self.max_redirects = max_redirects
        self.ca_file = ca_file
        self.use_proxy_env = use_proxy_env
        self._resolver = resolver
        self._dial = dial
        self._context: ssl.SSLContext | None = None

    def fetch(self, url: str) -> Fetched:
        """Follow redirects by hand to the bytes. Raises `FetchError`, with the contract's texts."""
        deadline = Deadline(self.timeout)
        current = _parse(url, f"not a valid URL: {one_line(url)}")
        for _ in range(self.max_redirects + 1):
            response = self._hop(current, deadline)
            if not 300 <= response.status <= 399:
                return Fetched(current.text, response.body, response.content_type)
            current = _redirected(current, response.location)
        raise FetchError(f"too many redirects (>{self.max_redirects}) starting at {one_line(url)}")

    def _hop(self, url: WebUrl, deadline: Deadline) -> Response:
        """One request, to an address that has been checked."""
        from kcp.network.exchange import exchange
        from kcp.network.sockets import start_tls

        with self._connect(url, deadline) as plain:
            if url.scheme == "http":
                return exchange(plain, url, self.max_bytes, deadline)
            # The name in a certificate never ends in a dot; the host of a URL may.
            name = _bare_host(url).removesuffix(".")
            with start_tls(plain, name, self._trust(), deadline) as secure:
                return exchange(secure, url, self.max_bytes, deadline)

    def _connect(self, url: WebUrl, deadline: Deadline) -> socket.socket:
        """A connection to a checked address of the URL's host, or to it through the proxy."""
        from kcp.network import sockets

        resolver = self._resolver or sockets.system_resolver
        dial = self._dial or sockets.dial
        host, port = _bare_host(url), url.port or (443 if url.scheme == "https" else 80)
        proxy = self._proxy(url)
        looked_up_elsewhere = proxy is not None and not is_plain_address(host)
        addresses = [] if looked_up_elsewhere else sockets.resolve(host, port, resolver, deadline)
        self._check(url, addresses)
        if proxy is None:
            return sockets.dial_first(addresses, port, dial, deadline)
        from kcp.network.proxies import open_tunnel

        addresses = sockets.resolve(proxy.host, proxy.port, resolver, deadline)
        sock = sockets.dial_first(addresses, proxy.port, dial, deadline)
        try:
            open_tunnel(sock, proxy, url, deadline)
        except BaseException:
            sock.close()
            raise
        return sock

    def _check(self, url: WebUrl, addresses: list[str]) -> None:
        """Refuse what must not be asked for, in the contract's order: addresses, cleartext, credentials."""
        host = _bare_host(url)
        for address in addresses:
            if not is_plain_address(address):
                raise FetchError(
                    f"refused address {one_line(address)} for '{host}': {address_fault(address)}"
                )
            fault = None if self.allow_private_hosts else address_fault(address)
            if fault is not None:
                raise FetchError(
                    f"refused private/loopback/link-local address {address} for '{host}' "
                    "(pass --allow-private-hosts to permit local and internal manifests)",
                    hint=f"the address is in {fault}",
                )
        if url.scheme == "http" and not (self.allow_private_hosts and all(map(is_loopback, addresses))):
            advice = (
                "only loopback may be read without TLS" if self.allow_private_hosts else _CLEARTEXT_ADVICE
            )
            raise FetchError(f"refused cleartext http:// for '{host}' ({advice})")
        if url.credentials:
            raise FetchError(
                f"Request cannot be constructed from a URL that includes credentials: {url.text}"
            )

    def _proxy(self, url: WebUrl) -> Proxy | None:
        if not self.use_proxy_env:
            return None
        from kcp.network.proxies import proxy_for

        return proxy_for(url)

    def _trust(self) -> ssl.SSLContext:
        """TLS 1.2 or later, certificate and name checked. Two threads may both make it; either will do."""
        if self._context is None:
            import ssl

            from kcp.network.certificates import add_system_certificates

            try:
                context = ssl.create_default_context(cafile=self.ca_file)
            except OSError as error:
                raise FetchError(f"cannot read CA file: {self.ca_file}", hint=str(error)) from error
            if self.ca_file is None:
                add_system_certificates(context)
            context.set_alpn_protocols(["http/1.1"])
            self._context = context
        return self._context


def _bare_host(url: WebUrl) -> str:
    return url.host.removeprefix("[").removesuffix("]")


def _parse(text: str, message: str) -> WebUrl:
    """The URL that a text spells; raises `FetchError` with a message where it spells none."""
    url = parse_url(text)
    if url is not None:
        return url
    scheme = scheme_of(text.strip())
    if scheme not in (None, "http", "https"):
        raise FetchError(f"refused scheme '{scheme}:' (only http/https are fetched)")
    raise FetchError(message)


def _redirected(base: WebUrl, location: str | None) -> WebUrl:
    """Where a redirect leads."""
    if not location:
        raise FetchError(f"redirect with no Location from {base.text}")
    return _parse(join_url(base.text, location) or location, "Invalid URL")
