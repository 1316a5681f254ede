"""One error shape, whatever goes wrong under /api."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from tests.web.conftest import Api, small_cluster

pytestmark = pytest.mark.django_db

UNKNOWN = "0123456789abcdef"


def is_problem(answer: Any, status: int) -> bool:
    body = json.loads(answer.content)
    return (
        answer.status_code == status
        and answer["Content-Type"] == "application/problem+json"
        and set(body) == {"type", "title", "status", "detail", "errors"}
        and body["status"] == status
        and body["detail"]
    )


@pytest.mark.parametrize(
    "path",
    [
        "nothing",
        "clusters/",
        f"clusters/{UNKNOWN}",
        f"clusters/{UNKNOWN}/nodes",
        f"clusters/{UNKNOWN}/pods",
        f"clusters/{UNKNOWN}/resources",
        f"runs/{UNKNOWN}",
        f"runs/{UNKNOWN}/events",
        f"runs/{UNKNOWN}/cycles",
        f"runs/{UNKNOWN}/cycles/1",
        f"runs/{UNKNOWN}/cycles/{'9' * 30}",
        f"runs/{UNKNOWN}/cycles/-1",
        f"runs/{UNKNOWN}/cycles/x",
        f"runs/{UNKNOWN}/placements",
        "runs/%F0%9F%92%A9",
        "runs/" + "x" * 5000,
        f"profiles/{UNKNOWN}",
        f"scenarios/{UNKNOWN}",
    ],
)
def test_what_is_not_there_is_404(client: Client, path: str) -> None:
    assert is_problem(client.get(f"/api/v1/{path}"), 404)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("put", "clusters"),
        ("get", "clusters/import"),
        ("delete", "runs"),
        ("patch", "clusters/import"),
        ("post", f"runs/{UNKNOWN}/events"),
        ("get", f"runs/{UNKNOWN}/cancel"),
    ],
)
def test_a_method_that_is_not_there_is_405_or_404(client: Client, method: str, path: str) -> None:
    answer = getattr(client, method)(f"/api/v1/{path}")
    assert is_problem(answer, 405) or is_problem(answer, 404)


@pytest.mark.parametrize(
    "query",
    [
        "nodes?limit=-1",
        "nodes?limit=0",
        "nodes?limit=abc",
        "nodes?limit=5001",
        "nodes?limit=１０",
        "nodes?offset=-5",
        "pods?offset=99999999999999999999",
        "pods?bound=perhaps",
        "resources?full=%F0",
        "nodes?q=%00",
    ],
)
def test_odd_parameters_of_lists_are_400(api: Api, query: str) -> None:
    cluster = api.import_text(small_cluster())
    assert is_problem(api.client.get(f"/api/v1/clusters/{cluster['id']}/{query}"), 400)


@pytest.mark.parametrize(
    "query",
    [
        *("events?after=abc", "events?after=-1", "events?limit=-1", "events?limit=1e3"),
        *("cycles?after=abc", "cycles?limit=0", "cycles?after=99999999999", "cycles?result=nope"),
    ],
)
def test_odd_parameters_of_traces_are_400(client: Client, query: str) -> None:
    assert is_problem(client.get(f"/api/v1/runs/{UNKNOWN}/{query}"), 400)
    assert is_problem(client.get("/api/v1/runs?status=nope"), 400)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"x"',
        b"{}",
        b'{"cluster":null}',
        b'{"cluster":{}}',
        b'{"cluster":"a\\u0000b"}',
        b'{"cluster":"\\ud800"}',
        b'{"cluster":"x","options":{"a":"\\ud800"}}',
        b'{"cluster":"x","options":[]}',
        b'{"cluster":"x","options":1}',
        b'{"cluster":NaN}',
        b'{"cluster":' + b"[" * 100_000,
        b'{"cluster":' + b"9" * 10_000 + b"}",
        b"\xff\xfe\x00",
    ],
)
def test_a_malformed_body_is_400(client: Client, body: bytes) -> None:
    assert is_problem(client.post("/api/v1/runs", body, content_type="application/json"), 400)


def test_each_missing_or_wrong_field_is_named(client: Client) -> None:
    answer = client.post("/api/v1/runs", b'{"options":1}', content_type="application/json").json()
    assert [(error["field"], error["type"]) for error in answer["errors"]] == [
        ("cluster", "Required value"),
        ("options", "Invalid value"),
    ]


@pytest.mark.parametrize(
    ("body", "status", "field", "says"),
    [
        ({"options": {"nonsense": 1}}, 422, "options", "nonsense"),
        ({"options": {"": {}}}, 422, "options", "unknown field"),
        ({"foo": 1}, 400, "foo", "no such field"),
        ({"seed": 7}, 400, "seed", "no such field"),
    ],
)
def test_what_a_run_does_not_know_is_refused(
    api: Api, body: dict[str, Any], status: int, field: str, says: str
) -> None:
    cluster = api.import_text(small_cluster())
    (error,) = api.post("runs", {"cluster": cluster["id"], **body}, status=status)["errors"]
    assert error["field"] == field
    assert says in error["message"]


@pytest.mark.parametrize(
    "config", ["garbage: [", "5", "kind: Pod", "apiVersion: v1\nkind: KubeSchedulerConfiguration"]
)
def test_a_profile_that_no_scheduler_takes_is_refused(api: Api, config: str) -> None:
    answer = api.client.post(
        "/api/v1/profiles", {"name": "x", "config": config}, content_type="application/json"
    )
    assert is_problem(answer, 422) or is_problem(answer, 400)
    assert answer.json()["errors"]


def test_a_body_of_another_type_is_415(client: Client) -> None:
    assert is_problem(client.post("/api/v1/runs", b"cluster: x", content_type="application/yaml"), 415)
    assert is_problem(client.post("/api/v1/runs", {"cluster": "x"}), 415)


@pytest.mark.parametrize("noun", ["cluster", "profile", "scenario"])
def test_a_run_of_something_unknown_is_404_and_says_what(api: Api, noun: str) -> None:
    cluster = api.import_text(small_cluster())
    body = {"cluster": cluster["id"]} | {noun: UNKNOWN}
    assert f"no {noun} '{UNKNOWN}'" in api.post("runs", body, status=404)["detail"]


def test_a_request_for_another_host_is_400(client: Client) -> None:
    assert is_problem(client.get("/api/v1/clusters", headers={"host": "evil.example"}), 400)
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400


def test_a_page_that_is_not_there_is_404(client: Client) -> None:
    for path in ("/nothing", f"/clusters/{UNKNOWN}/", f"/runs/{UNKNOWN}/"):
        assert client.get(path).status_code == 404
