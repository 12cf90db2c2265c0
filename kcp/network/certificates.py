"""The system's certificates where OpenSSL was built for a system that keeps them elsewhere."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ssl

# One file each, in the order in which systems are common.
BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",  # Debian, Arch, Gentoo, Alpine
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  # Fedora, Red Hat
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",  # openSUSE
    "/etc/ssl/cert.pem",  # BSD, macOS
    "/usr/local/share/certs/ca-root-nss.crt",
)


def add_system_certificates(context: ssl.SSLContext, bundles: tuple[str, ...] = BUNDLES) -> None:
    """Read the first bundle there is, unless OpenSSL's own places, SSL_CERT_FILE or SSL_CERT_DIR have some.

    A bundle that cannot be read counts as missing: then no certificate is trusted, which the handshake says.
    """
    import os
    import ssl

    own = ssl.get_default_verify_paths()
    try:
        if own.cafile or (own.capath and os.listdir(own.capath)):
            return
    except OSError:
        pass
    for bundle in bundles:
        try:
            context.load_verify_locations(cafile=bundle)
        except OSError:  # an SSLError for an unreadable one is one of these
            continue
        return
