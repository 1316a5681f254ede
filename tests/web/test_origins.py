"""Requests sent by other sites' pages, and names bound anew to this machine."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from playground.origins import is_allowed_host, is_loopback, is_own_origin
from tests.web.conftest import small_cluster

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("origin", "host", "is_own"),
    [
        (None, "127.0.0.1:8000", True),
        ("http://127.0.0.1:8000", "127.0.0.1:8000", True),
        ("https://Play.Example", "play.example", True),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("http://127.0.0.1:9000", "127.0.0.1:8000", False),
        ("http://localhost:8000", "127.0.0.1:8000", False),
        ("http://127.0.0.1", "127.0.0.1:8000", False),
        ("http://evil.example", "127.0.0.1:8000", False),
        ("http://x@127.0.0.1:8000", "127.0.0.1:8000", False),
        ("null", "127.0.0.1:8000", False),
        ("", "127.0.0.1:8000", False),
        ("http://[::1", "[::1", False),
        ("file://127.0.0.1:8000", "127.0.0.1:8000", False),
    ],
)
def test_only_the_exact_origin_is_ours(origin: str | None, host: str, is_own: bool) -> None:
    assert is_own_origin(origin, host) == is_own


def test_only_loopback_names_are_ours() -> None:
    for host in ("127.0.0.1:8000", "localhost", "[::1]:80"):
        assert is_allowed_host(host)
    for host in ("evil.example", "127.0.0.1.evil.example:8000", "", "192.168.0.7:8000"):
        assert not is_allowed_host(host)


def test_only_loopback_addresses_are_local() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.8.9.1", "::1", "", "/run/socket")))
    assert not any(map(is_loopback, ("192.168.0.7", "10.0.0.1", "fe80::1", "example.org")))


def test_a_foreign_page_can_change_nothing(client: Client) -> None:
    foreign = {"origin": "http://evil.example"}
    answer = client.post("/api/v1/clusters/import", small_cluster(), "text/plain", headers=foreign)
    assert answer.status_code == 403
    assert json.loads(answer.content)["status"] == 403
    assert client.post("/import/", {"text": small_cluster()}, headers=foreign).status_code == 403
    assert client.delete("/api/v1/clusters/x", headers=foreign).status_code == 403
    assert client.get("/api/v1/clusters").json()["count"] == 0


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_browser_that_tells_of_another_site_is_believed(client: Client, site: str) -> None:
    headers = {"sec-fetch-site": site}
    answer = client.post("/api/v1/clusters/import", small_cluster(), "text/plain", headers=headers)
    assert answer.status_code == 403


def test_our_own_page_can(client: Client) -> None:
    own = {"origin": "http://localhost:8000", "host": "localhost:8000"}
    answer = client.post("/api/v1/clusters/import", small_cluster(), "text/plain", headers=own)
    assert answer.status_code == 201


def test_pages_forbid_inline_scripts_and_frames(client: Client) -> None:
    answer = client.get("/api/v1/docs")
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in [directive.strip() for directive in policy.split(";")]
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"
