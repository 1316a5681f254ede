"""HTTP to extenders: only to hosts an operator has listed, only to addresses that were checked, and briefly.

A name is resolved once; every address it has is checked and one of these is dialled, so that a name cannot change
its mind in between. No redirect is followed, no proxy is taken from the environment, an answer may take 5 s and
1 MiB.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import re
import socket
import ssl
import time
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from scheduler_core.simulator import TransportError

MAX_SECONDS: Final = 5.0
MAX_ANSWER_BYTES: Final = 1024 * 1024
_CHUNK: Final = 64 * 1024
_PORTS: Final = {"http": 80, "https": 443}
_ENTRY: Final = re.compile(r"(?P<host>\[[0-9a-fA-F:.]+\]|[^:/\s]+)(?::(?P<port>[0-9]{1,5}))?")


class AllowedHost(NamedTuple):
    """A host that may be asked; ``port`` None means any port."""

    host: str
    port: int | None


class AllowList(NamedTuple):
    """The hosts that may be asked, and whether they may have addresses that are not public."""

    hosts: tuple[AllowedHost, ...] = ()
    private: bool = False

    @classmethod
    def parse(cls, text: str, *, private: bool = False) -> AllowList:
        """Reads ``host``, ``host:port`` and ``[address]:port``, separated by commas or blanks.

        Raises:
            ValueError: an entry is of another form.
        """
        return cls(tuple(map(_entry, re.split(r"[,\s]+", text.strip()))) if text.strip() else (), private)

    def allows(self, host: str, port: int) -> bool:
        """Whether a host may be asked on a port."""
        wanted = host.lower().rstrip(".")
        return any(one.host == wanted and one.port in (None, port) for one in self.hosts)


class HttpTransport:
    """Asks extenders: (address, payload, timeout in seconds) → the answer."""

    def __init__(self, allowed: AllowList) -> None:
        self._allowed = allowed

    def __call__(self, address: str, payload: bytes, timeout: float) -> bytes:
        """Posts JSON and returns what comes back with status 200.

        Raises:
            TransportError: the host is not allowed or not reached, answers too late, too much or another status.
        """
        deadline = time.monotonic() + min(timeout, MAX_SECONDS)
        scheme, host, port, target = self._split(address)
        try:
            with _secured(self._connect(host, port, deadline), scheme, host) as connected:
                return _post(connected, host, port, target, payload, deadline)
        except TimeoutError:
            raise TransportError("context deadline exceeded") from None
        except (OSError, http.client.HTTPException) as problem:
            raise TransportError(f"{type(problem).__name__}: {problem}") from None

    def _split(self, address: str) -> tuple[str, str, int, str]:
        try:
            parts = urlsplit(address)
            port = parts.port or _PORTS.get(parts.scheme, 0)
        except ValueError as problem:
            raise TransportError(f"no address: {problem}") from None
        if parts.scheme not in _PORTS or not parts.hostname or "@" in parts.netloc:
            raise TransportError("only http:// and https:// addresses without a user are asked")
        if not self._allowed.allows(parts.hostname, port):
            raise TransportError(f"{parts.hostname}:{port} is not among the hosts that may be asked")
        target = parts.path or "/"
        return parts.scheme, parts.hostname, port, f"{target}?{parts.query}" if parts.query else target

    def _connect(self, host: str, port: int, deadline: float) -> socket.socket:
        """Connects to the first address of a host that answers; one that is not allowed forbids them all."""
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [(str(place[0]), family) for family, _, _, _, place in found]
        for address, _ in addresses:
            if not self._allowed.private and not _is_public(address):
                raise TransportError(f"{host} has the address {address}, which is not public")
        problem: OSError = OSError(f"{host} has no address")
        for address, family in addresses:
            connected = socket.socket(family, socket.SOCK_STREAM)
            connected.settimeout(_left(deadline))
            try:
                connected.connect((address, port))
            except OSError as refused:
                connected.close()
                problem = refused
                continue
            return connected
        raise problem


class _Timely(io.RawIOBase):
    """Reads from a socket until a deadline, however slowly its bytes come."""

    def __init__(self, connected: socket.socket, deadline: float) -> None:
        self._connected = connected
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._connected.settimeout(_left(self._deadline))
        return self._connected.recv_into(buffer)


class _TimelySocket:
    """The part of a socket that http.client uses, with one deadline for all of it."""

    def __init__(self, connected: socket.socket, deadline: float) -> None:
        self._connected = connected
        self._deadline = deadline

    def sendall(self, data: bytes) -> None:
        self._connected.settimeout(_left(self._deadline))
        self._connected.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Timely(self._connected, self._deadline))

    def close(self) -> None:
        """Left to whoever connected."""


def _post(
    connected: socket.socket, host: str, port: int, target: str, payload: bytes, deadline: float
) -> bytes:
    connection = http.client.HTTPConnection(host, port)
    timely: Any = _TimelySocket(connected, deadline)
    connection.sock = timely
    connection.request(
        "POST",
        target,
        payload,
        {"Content-Type": "application/json", "Accept": "application/json", "Connection": "close"},
    )
    response = connection.getresponse()
    if response.status != http.client.OK:
        raise TransportError(f"status {response.status}", response.status)
    chunks, size = [], 0
    while chunk := response.read(_CHUNK):
        size += len(chunk)
        if size > MAX_ANSWER_BYTES:
            raise TransportError("the answer is larger than 1 MiB")
        chunks.append(chunk)
    return b"".join(chunks)


def _secured(connected: socket.socket, scheme: str, host: str) -> socket.socket:
    if scheme == "http":
        return connected
    with connected:  # closed if the handshake fails, else taken over
        return ssl.create_default_context().wrap_socket(connected, server_hostname=host)


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _is_public(address: str) -> bool:
    found = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(found, "ipv4_mapped", None)
    return (mapped or found).is_global and not found.is_multicast


def _entry(text: str) -> AllowedHost:
    match = _ENTRY.fullmatch(text)
    if match is None or (match["port"] and not 0 < int(match["port"]) < 65536):
        raise ValueError(f"not a host that may be asked: {text!r}; expected host or host:port")
    host = match["host"].strip("[]").lower().rstrip(".")
    return AllowedHost(host, int(match["port"]) if match["port"] else None)
