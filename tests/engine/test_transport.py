from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

import pytest

from engine import transport
from engine.transport import AllowedHost, AllowList, HttpTransport
from scheduler_core.simulator import TransportError
from tests.conformance.extender_server import RECORDED, RuleServer

Talk = Callable[[socket.socket], object]
PAUSE = Event()


@contextmanager
def serving(talk: Talk) -> Iterator[int]:
    """A server that takes one connection, reads a request and then does as ``talk`` says; gives its port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]

        def serve() -> None:
            connected, _ = listener.accept()
            with connected:
                connected.recv(65536)
                try:
                    talk(connected)
                except OSError:
                    return  # the client has had enough

        thread = Thread(target=serve, daemon=True)
        thread.start()
        yield port
        thread.join(5)


def ask(
    port: int, *, allowed: str = "", private: bool = True, host: str = "127.0.0.1", timeout: float = 5
) -> bytes:
    http = HttpTransport(AllowList.parse(allowed or f"{host}:{port}", private=private))
    return http(f"http://{host}:{port}/filter", b"{}", timeout)


def test_the_rules_are_served_and_asked_over_http() -> None:
    with RuleServer() as server:
        node = {"metadata": {"name": "n", "labels": {"gen": "9"}}}
        question = json.dumps({"Pod": {}, "Nodes": {"items": [node]}, "NodeNames": None}).encode()
        answer = json.loads(server.transport(f"{RECORDED}/rule/filter", question, 5))
        assert answer["FailedAndUnresolvableNodes"] == {"n": "gen is nine"}
        with pytest.raises(TransportError) as raised:
            server.transport(f"{RECORDED}/broken/filter", question, 5)
        assert raised.value.status == 500


def test_only_hosts_on_the_list_are_asked() -> None:
    for allowed in ("other.example", "127.0.0.1:1", ""):
        http = HttpTransport(AllowList.parse(allowed, private=True))
        with pytest.raises(TransportError, match="is not among the hosts that may be asked"):
            http("http://127.0.0.1:18099/filter", b"", 1)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "10.0.0.1", "169.254.169.254", "0.0.0.0"]
)
def test_addresses_that_are_not_public_are_not_asked_by_default(host: str) -> None:
    with pytest.raises(TransportError, match="which is not public"):
        HttpTransport(AllowList.parse(host))(f"http://{host}:9/filter", b"", 1)


@pytest.mark.parametrize(
    "address", ["ftp://h/x", "file:///etc/passwd", "http://user@h/x", "http:///x", "h/x", "http://h:99999/x"]
)
def test_only_plain_web_addresses_are_asked(address: str) -> None:
    with pytest.raises(TransportError):
        HttpTransport(AllowList.parse("h", private=True))(address, b"", 1)


def test_no_redirect_is_followed() -> None:
    def redirect(connected: socket.socket) -> None:
        connected.sendall(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")

    with serving(redirect) as port, pytest.raises(TransportError) as raised:
        ask(port)
    assert raised.value.status == 302


def test_no_proxy_is_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with serving(lambda one: one.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")) as port:
        assert ask(port) == b"{}"


def test_an_answer_in_pieces_is_put_together() -> None:
    def in_pieces(connected: socket.socket) -> None:
        connected.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        connected.sendall(b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")

    with serving(in_pieces) as port:
        assert ask(port) == b"abcde"


def test_an_answer_that_is_too_large_is_refused() -> None:
    def flood(connected: socket.socket) -> None:
        connected.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            connected.sendall(b"x" * 65536)

    with serving(flood) as port, pytest.raises(TransportError, match="larger than 1 MiB"):
        ask(port)


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\n\r\n", b""])
def test_an_answer_that_trickles_is_cut_off_at_the_deadline(head: bytes) -> None:
    def trickle(connected: socket.socket) -> None:
        connected.sendall(head)
        while True:
            connected.sendall(b"H")
            PAUSE.wait(0.02)

    with serving(trickle) as port, pytest.raises(TransportError, match="context deadline exceeded"):
        ask(port, timeout=0.2)


def test_a_configured_timeout_is_no_longer_than_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def listen(connected: socket.socket) -> None:
        while connected.recv(4096):
            pass

    monkeypatch.setattr(transport, "MAX_SECONDS", 0.5)
    with serving(listen) as port, pytest.raises(TransportError, match="deadline"):
        ask(port, timeout=3600)


def test_a_server_that_is_not_there_or_talks_nonsense_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port: int = closed.getsockname()[1]
    with pytest.raises(TransportError, match="ConnectionRefusedError"):
        ask(port)
    with serving(lambda one: one.sendall(b"nonsense\r\n\r\n")) as port, pytest.raises(TransportError):
        ask(port)
    with serving(lambda one: one.close()) as port, pytest.raises(TransportError):
        ask(port)


def test_every_address_of_a_name_is_checked_and_the_checked_one_is_dialled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def resolves_to(*addresses: str) -> None:
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 80)) for address in addresses]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)

    resolves_to("203.0.113.1", "192.168.0.1")
    with pytest.raises(TransportError, match="has the address"):
        ask(80, host="extender.example", private=False)
    with serving(lambda one: one.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")) as port:
        resolves_to("127.0.0.1")
        assert ask(port, host="extender.example") == b"ok"


def test_the_list_is_read_strictly() -> None:
    read = AllowList.parse("One.example., two:8080 [::1]:9,10.0.0.1")
    assert read.hosts == (
        AllowedHost("one.example", None),
        AllowedHost("two", 8080),
        AllowedHost("::1", 9),
        AllowedHost("10.0.0.1", None),
    )
    assert read.allows("ONE.example", 443)
    assert not read.allows("two", 80)
    assert not read.allows("sub.one.example", 443)
    assert AllowList.parse("  ").hosts == ()
    for wrong in ("http://h", "h:x", "h:0", "h:70000", "a/b"):
        with pytest.raises(ValueError, match="not a host that may be asked"):
            AllowList.parse(wrong)
