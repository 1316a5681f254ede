"""What is exported is imported again as it was: a cluster, and the end of a run."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
import yaml
from asgiref.testing import ApplicationCommunicator
from django.test import Client

from playground.asgi import application
from playground.models import Job, Run
from tests.web.conftest import Api, manifests, node, pod, small_cluster


def text_of(answer: Any) -> str:
    assert answer.status_code == 200, answer.content
    return b"".join(answer.streaming_content if answer.streaming else [answer.content]).decode()


@pytest.mark.django_db
@pytest.mark.parametrize("format_", ["yaml", "json"])
@pytest.mark.parametrize("num_pods", [5, 2500])
def test_an_export_is_imported_as_the_same_revision(
    api: Api, client: Client, format_: str, num_pods: int
) -> None:
    cluster = api.import_text(small_cluster(num_pods=num_pods))
    answer = client.get(f"/api/v1/clusters/{cluster['id']}/export?format={format_}")
    assert answer.streaming == (num_pods == 2500)
    assert answer["Content-Disposition"] == (
        f'attachment; filename="{cluster["id"]}-{cluster["revision"]}.{format_}"'
    )
    assert api.import_text(text_of(answer))["revision"] == cluster["revision"]


@pytest.mark.django_db
def test_when_it_was_captured_comes_along(api: Api, client: Client) -> None:
    snapshot = {"apiVersion": "playground/v1", "kind": "Snapshot", "capturedAt": "2026-11-30T12:00:00Z"}
    cluster = api.import_text("\n".join([json.dumps(snapshot), manifests(node("n1"))]))
    assert cluster["captured_at"] == "2026-11-30T12:00:00Z"
    text = text_of(client.get(f"/api/v1/clusters/{cluster['id']}/export?format=yaml"))
    assert yaml.safe_load(text)["metadata"] == {"capturedAt": "2026-11-30T12:00:00Z"}
    assert api.import_text(text)["captured_at"] == cluster["captured_at"]


@pytest.mark.django_db(transaction=True)
def test_a_large_export_comes_in_pieces_from_the_asynchronous_server_too(api: Api) -> None:
    cluster = api.import_text(small_cluster(num_pods=2500))
    messages = asyncio.run(get(f"/api/v1/clusters/{cluster['id']}/export", "format=json"))
    bodies = [each.get("body", b"") for each in messages if each["type"] == "http.response.body"]
    assert len([body for body in bodies if body]) > 5
    assert api.import_text(b"".join(bodies))["revision"] == cluster["revision"]


async def get(path: str, query: str) -> list[dict[str, Any]]:
    """Asks the ASGI application and returns all it sends."""
    scope = {
        "type": "http", "http_version": "1.1", "method": "GET", "path": path, "raw_path": path.encode(),
        "query_string": query.encode(), "headers": [(b"host", b"localhost")], "scheme": "http",
        "asgi": {"version": "3.0"},
        "client": ("127.0.0.1", 1), "server": ("localhost", 80), "root_path": "",
    }  # fmt: skip
    communicator = ApplicationCommunicator(application, scope)
    await communicator.send_input({"type": "http.request", "body": b"", "more_body": False})
    messages = []
    while True:
        messages.append(await communicator.receive_output(30))
        if messages[-1]["type"] == "http.response.body" and not messages[-1].get("more_body"):
            await communicator.wait(30)
            return messages


@pytest.mark.usefixtures("worker")
class TestTheEndOfARun:
    def finished(self, api: Api) -> tuple[Any, Any]:
        kept = pod("a")
        kept["spec"]["dnsPolicy"] = "Default"
        cluster = api.import_text(manifests(node("n1", "1"), kept, pod("b", "9"), pod("c", nodeName="n1")))
        run = api.wait_for(api.run(cluster["id"])["id"])
        assert run["status"] == "finished", run["message"]
        return cluster, run

    def test_is_what_was_imported_with_the_pods_where_they_went(self, api: Api, client: Client) -> None:
        _, run = self.finished(api)
        address = f"/api/v1/runs/{run['id']}/end-state?format=yaml"
        answer = client.get(address, headers={"Prefer": "wait=60"})
        assert answer["Preference-Applied"] == "wait=60"
        left = yaml.safe_load(text_of(answer))["items"]
        nodes = {
            each["metadata"]["name"]: each["spec"].get("nodeName") for each in left if each["kind"] == "Pod"
        }
        assert nodes == {"a": "n1", "b": None, "c": "n1"}
        (a,) = (each for each in left if each["metadata"]["name"] == "a")
        assert a["spec"]["dnsPolicy"] == "Default"
        again = api.import_text(text_of(client.get(address)))
        assert again["counts"]["pending"] == 1
        over = api.wait_for(api.run(again["id"])["id"])
        assert (over["num_bound"], over["num_pending"]) == (2, 1)
        assert Job.objects.filter(kind="end-state").count() == 1

    def test_is_a_job_where_nobody_waits(self, api: Api, client: Client) -> None:
        _, run = self.finished(api)
        answer = client.get(f"/api/v1/runs/{run['id']}/end-state")
        assert answer.status_code == 202
        job = client.get(answer["Location"], headers={"Prefer": "wait=60"}).json()
        assert job["status"] == "finished", job["message"]
        assert json.loads(text_of(client.get(f"/api/v1/runs/{run['id']}/end-state")))["kind"] == "List"

    def test_is_not_told_where_the_engine_would_end_otherwise_now(self, api: Api, client: Client) -> None:
        _, run = self.finished(api)
        Run.objects.filter(id=run["id"]).update(digest="0" * 64)
        answer = client.get(f"/api/v1/runs/{run['id']}/end-state", headers={"Prefer": "wait=60"})
        assert answer.status_code == 409
        assert "gave another outcome" in answer.json()["detail"]


@pytest.mark.django_db
def test_a_run_that_has_not_finished_has_no_end(api: Api, client: Client) -> None:
    cluster = api.import_text(small_cluster())
    run = api.run(cluster["id"])
    assert client.post(f"/api/v1/runs/{run['id']}/cancel").status_code == 200
    answer = client.get(f"/api/v1/runs/{run['id']}/end-state")
    assert answer.status_code == 409
