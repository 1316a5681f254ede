"""Whether a request comes from our own pages: an exact comparison of Origin and Host, on loopback too.

A page of another site can send requests to 127.0.0.1; a name that is bound anew to 127.0.0.1 would even be
same-origin for the browser. The allowed hosts stop the second, this the first; Channels'
`AllowedHostsOriginValidator` would accept any port.
"""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host


def is_own_origin(origin: str | None, host: str) -> bool:
    """Returns whether a request with this Origin may change or follow anything here.

    Args:
        origin: the Origin header, None where it is absent (no browser, or a plain navigation).
        host: the Host header.
    """
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def is_allowed_host(host: str) -> bool:
    """Returns whether the Host header names this server."""
    domain, _port = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def is_loopback(address: str) -> bool:
    """Returns whether a server's own address is this machine's loopback; a Unix socket has none and is local.

    Args:
        address: of the listening side, as ASGI tells it.
    """
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address in ("", "localhost", "testserver") or address.startswith("/")
