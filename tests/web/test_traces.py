"""A run's trace by REST, without a worker: exports, a pod's story, and what is answered before and after."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from playground.api import streaming
from playground.models import Cluster, Run
from tests.web import computed
from tests.web.conftest import Api, manifests, node, pod

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(api: Api) -> str:
    cluster = Cluster.objects.get(id=api.import_text(manifests(node("n1"), pod("a"), pod("b", "9")))["id"])
    begun = Run.objects.create(workspace_id=cluster.workspace_id, cluster=cluster, revision=cluster.revision)
    return computed.compute(begun).id


def test_all_events_are_one_file_of_json_lines(api: Api, run: str) -> None:
    answer = api.client.get(f"/api/v1/runs/{run}/export")
    assert answer["Content-Type"] == "application/jsonl"
    assert answer["Content-Disposition"] == f'attachment; filename="run-{run}.jsonl"'
    lines = answer.content.splitlines()
    assert [json.loads(line)["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert b",".join(lines) in api.client.get(f"/api/v1/runs/{run}/events").content
    by_accept = api.client.get(f"/api/v1/runs/{run}/export", headers={"accept": "application/jsonl"})
    assert by_accept.content == answer.content


def test_a_large_file_is_packed_as_it_is_sent(api: Api, run: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = api.client.get(f"/api/v1/runs/{run}/export").content
    monkeypatch.setattr(streaming, "AT_ONCE_OBJECTS", 0)
    answer = api.client.get(f"/api/v1/runs/{run}/export", headers={"accept-encoding": "gzip"})
    assert (answer.streaming, answer["Content-Encoding"]) == (True, "gzip")
    assert gzip.decompress(b"".join(answer.streaming_content)) == plain


def test_a_pods_story_has_its_events_and_cycles_alone(api: Api, run: str) -> None:
    story = api.get(f"runs/{run}/pods/default/a")
    assert (story["node"], story["message"], story["is_cut"]) == ("n1", "", False)
    assert [line["result"] for line in story["cycles"]] == ["scheduled"]
    assert {event["pod"] for event in story["events"] if "pod" in event} == {"default/a"}
    types = [event["type"] for event in story["events"]]
    assert types.index("CycleStarted") < types.index("PodBound")
    waiting = api.get(f"runs/{run}/pods/default/b")
    assert waiting["node"] is None
    assert waiting["message"].startswith("0/1 nodes are available: 1 Insufficient cpu.")
    assert "No event of this run names" in api.get(f"runs/{run}/pods/default/nobody", status=404)["detail"]


def test_a_trace_for_perfetto(api: Api, run: str) -> None:
    events: list[dict[str, Any]] = api.get(f"runs/{run}/chrome-trace")["traceEvents"]
    assert events
    assert all("ph" in event for event in events)
