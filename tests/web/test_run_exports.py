"""A run as a file: the report that needs no network, and the trace that Perfetto opens."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from playground.runs.chrome_trace import chrome_trace
from tests.needs import ROOT
from tests.web.conftest import Api, manifests, node, pod

pytestmark = pytest.mark.usefixtures("worker")


def finished(api: Api, text: str | bytes) -> str:
    run = api.run(api.import_text(text)["id"])["id"]
    assert api.wait_for(run)["status"] == "finished"
    return str(run)


def preemption() -> bytes:
    return next((ROOT / "examples").glob("*who-is-evicted.yaml")).read_bytes()


def test_the_report_says_who_waits_and_why_and_needs_nothing_from_elsewhere(api: Api, client: Client) -> None:
    run = finished(api, manifests(node("n1", cpu="1"), pod("fits", cpu="500m"), pod("huge", cpu="9")))
    answer = client.get(f"/runs/{run}/report/")
    text = answer.content.decode()
    assert answer["Content-Disposition"] == f'attachment; filename="run-{run}.html"'
    assert "1 of 2 pods stays pending" in text
    assert "default/huge" in text
    assert "0/1 nodes are available: 1 Insufficient cpu." in text
    assert re.search(r"NodeResourcesFit</td><td class=\"num\">1<", text)
    assert "50%" in text
    assert "playground run -f cluster-" in text
    assert not re.search(r"(src|href)=|url\(|@import|<script", text)


def test_the_report_counts_only_what_the_run_placed_and_says_who_was_not_tried(
    api: Api, client: Client
) -> None:
    bound = pod("bound", cpu="100m")
    bound["spec"]["nodeName"] = "n1"
    alien = pod("alien", cpu="100m")
    alien["spec"]["schedulerName"] = "another"
    run = finished(api, manifests(node("n1", cpu="1"), bound, alien, pod("fits", cpu="100m")))
    text = client.get(f"/runs/{run}/report/").content.decode()
    assert "1 of 2 pods stays pending" in text
    assert "finished, 1 placed in 1 cycle," in text
    assert "2 pods at the end, 1 of them placed by this run" in text
    assert "is not tried: no profile has its schedulerName" in text


def test_the_report_names_victims_and_counts_them_off_their_nodes(api: Api, client: Client) -> None:
    run = finished(api, preemption())
    text = client.get(f"/runs/{run}/report/").content.decode()
    events = api.get(f"runs/{run}/events")["events"]
    victim = next(event for event in events if event["type"] == "VictimsSelected")["victims"][0]
    assert "The pod is placed" in text
    assert "preempted for" in text
    assert victim in text
    assert "Evicted" in text


def test_the_report_of_a_run_of_nothing_is_whole(api: Api, client: Client) -> None:
    run = finished(api, manifests(pod("lonely")))
    text = client.get(f"/runs/{run}/report/").content.decode()
    assert "There are no nodes." in text
    assert "default/lonely" in text
    assert client.get("/runs/zzzzzzzzzzzzzzzz/report/").status_code == 404


def trace_of(api: Api, run: str) -> list[dict[str, Any]]:
    answer = api.client.get(f"/api/v1/runs/{run}/chrome-trace")
    assert answer.status_code == 200
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    events: list[dict[str, Any]] = json.loads(body)["traceEvents"]
    return events


def test_the_trace_has_every_cycle_and_every_pods_way(api: Api) -> None:
    run = finished(api, preemption())
    trace = trace_of(api, run)
    cycles = [event for event in trace if event["ph"] == "X"]
    assert [(event["name"], event["args"]["attempt"]) for event in cycles] == [
        ("default/payment-0", 1),
        ("default/payment-0", 2),
    ]
    assert cycles[0]["args"]["victims"]
    assert cycles[1]["args"]["node"]
    way = [event["name"] for event in trace if event["ph"] == "b" and event["id"] == "default/payment-0"]
    assert way[0] == "active"
    assert way[-1] == "bound"
    assert way.count("in a cycle") == 2


def test_every_span_that_begins_ends_later_and_durations_are_not_negative(api: Api) -> None:
    trace = trace_of(api, finished(api, preemption()))
    open_spans: dict[tuple[str, str], int] = {}
    for event in trace:
        if event["ph"] == "b":
            open_spans[event["id"], event["name"]] = event["ts"]
        elif event["ph"] == "e":
            assert event["ts"] >= open_spans.pop((event["id"], event["name"]))
        elif event["ph"] == "X":
            assert event["dur"] >= 0
    assert open_spans == {}


def test_queue_depths_are_counted_at_each_cycle() -> None:
    lines = [
        b'{"seq":1,"t_us":0,"type":"PodEnqueued","pod":"a/x","queue":"active","event":"PodAdd"}',
        b'{"seq":2,"t_us":0,"type":"PodEnqueued","pod":"a/y","queue":"gated","event":"PodAdd"}',
        b'{"seq":3,"t_us":5,"type":"CycleStarted","cycle":1,"pod":"a/x","attempt":1}',
        b'{"seq":4,"t_us":9,"type":"PodDeleted","pod":"a/y"}',
        b'{"seq":5,"t_us":9,"type":"CycleStarted","cycle":2,"pod":"a/x","attempt":2}',
    ]
    trace = json.loads(b"".join(chrome_trace(lines)))["traceEvents"]
    depths = [event["args"] for event in trace if event["ph"] == "C"]
    assert depths[0] == {"active": 1, "backoff": 0, "unschedulable": 0, "gated": 1}
    assert depths[1] == {"active": 0, "backoff": 0, "unschedulable": 0, "gated": 0}


def test_a_run_without_events_is_an_empty_trace() -> None:
    assert len(json.loads(b"".join(chrome_trace([])))["traceEvents"]) == 3
