"""How answers travel: entity tags, 304, gzip, what Accept allows, and limits on how often."""

from __future__ import annotations

import gzip
import json
import threading
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from playground.api import quotas
from playground.models import Quota
from tests.web.conftest import Api, small_cluster

pytestmark = pytest.mark.django_db


def test_what_has_not_changed_is_not_sent_again(api: Api) -> None:
    cluster = api.import_text(small_cluster(3, 40))["id"]
    path = f"/api/v1/clusters/{cluster}/pods"
    first = api.client.get(path)
    assert first["Cache-Control"] == "private, no-cache"
    assert "Authorization" in first["Vary"]
    again = api.client.get(path, headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert api.client.get(path, headers={"if-none-match": '"other"'}).status_code == 200
    assert api.client.get(f"{path}?q=pod-0001", headers={"if-none-match": first["ETag"]}).status_code == 200


def test_large_answers_are_packed_for_whom_it_suits(api: Api) -> None:
    cluster = api.import_text(small_cluster(3, 200))["id"]
    path = f"/api/v1/clusters/{cluster}/pods"
    plain, packed = api.client.get(path), api.client.get(path, headers={"accept-encoding": "br, gzip"})
    assert "Content-Encoding" not in plain
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert len(packed.content) < len(plain.content) / 5
    assert packed["ETag"] == f"W/{plain['ETag']}"
    assert api.client.get(path, headers={"if-none-match": packed["ETag"]}).status_code == 304
    small = api.client.get("/api/v1/runs", headers={"accept-encoding": "gzip"})
    assert "Content-Encoding" not in small


@pytest.mark.parametrize(
    "accept", ["application/json", "*/*", "text/html,application/xhtml+xml,*/*;q=0.8", ""]
)
def test_whoever_takes_json_gets_it(client: Client, accept: str) -> None:
    assert client.get("/api/v1/clusters", headers={"accept": accept}).status_code == 200


@pytest.mark.parametrize("accept", ["text/html", "image/png", "application/xml"])
def test_whoever_takes_nothing_of_what_there_is_gets_406(client: Client, accept: str) -> None:
    answer = client.get("/api/v1/clusters", headers={"accept": accept})
    assert (answer.status_code, answer["Content-Type"]) == (406, "application/problem+json")
    assert answer.json()["detail"] == "Accept allows none of what can be sent: application/json."


def test_405_and_415_say_what_would_be_right(client: Client) -> None:
    answer = client.delete("/api/v1/clusters")
    assert answer.status_code == 405
    assert answer["Allow"]
    assert answer.json()["detail"].startswith("DELETE is not possible here; GET")
    answer = client.post("/api/v1/runs", b"cluster: x", content_type="application/yaml")
    assert answer.status_code == 415
    assert answer.json()["detail"] == "The body must be application/json, not application/yaml."


def test_there_is_no_limit_on_one_machine(client: Client) -> None:
    assert "RateLimit" not in client.get("/api/v1/clusters")
    assert not Quota.objects.exists()


def test_the_limit_is_told_and_held(client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.RATES = {"read": (2, 60), "write": (1, 60)}
    monkeypatch.setattr(quotas, "now", lambda: 6_000_000_015)
    answers = [client.get("/api/v1/clusters") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert [answer["RateLimit"] for answer in answers] == [
        '"read";r=1;t=45',
        '"read";r=0;t=45',
        '"read";r=0;t=45',
    ]
    assert answers[0]["RateLimit-Policy"] == '"read";q=2;w=60'
    refused = answers[2]
    assert (refused["Content-Type"], refused["Retry-After"]) == ("application/problem+json", "45")
    assert refused.json()["detail"] == "Too many requests: the next is taken in 45 s."
    assert client.post("/api/v1/runs", {}, content_type="application/json").status_code == 400
    assert client.post("/api/v1/runs", {}, content_type="application/json").status_code == 429
    monkeypatch.setattr(quotas, "now", lambda: 6_000_000_060)
    assert client.get("/api/v1/clusters").status_code == 200
    assert Quota.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_requests_at_once_are_all_counted(settings: Any) -> None:
    settings.RATES = {"read": (1000, 3600)}
    seen: list[int] = []

    def ask() -> None:
        client = Client()
        for _ in range(5):
            seen.append(int(client.get("/api/v1/runs")["RateLimit"].partition("r=")[2].partition(";")[0]))
        connection.close()

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == list(range(980, 1000))


def test_guesses_at_a_login_are_limited(client: Client, settings: Any) -> None:
    settings.RATES = {"login": (2, 3600)}
    form = {"username": "ada", "password": "guess"}
    assert [client.post("/login/", form).status_code for _ in range(3)] == [200, 200, 429]


def test_the_schema_is_json_that_can_be_cached(client: Client) -> None:
    answer = client.get("/api/v1/schema")
    assert json.loads(answer.content)["openapi"] == "3.1.1"
    assert client.get("/api/v1/schema", headers={"if-none-match": answer["ETag"]}).status_code == 304
