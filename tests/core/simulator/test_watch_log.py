from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from scheduler_core.config import load_config
from scheduler_core.errors import ManifestError
from scheduler_core.simulator import DEFAULT, Simulator, WatchLog, is_watch_log, read_watch_log
from scheduler_core.trace import MemorySink

OLD = "2026-01-05T07:00:00Z"


def node(name: str, cpu: str = "2", **spec: Any) -> dict[str, Any]:
    beat = {"type": "Ready", "status": "True", "lastHeartbeatTime": "2026-01-05T07:59:00Z"}
    status = {"allocatable": {"cpu": cpu, "pods": "9"}, "conditions": [beat]}
    metadata = {"name": name, "uid": f"u-{name}", "creationTimestamp": OLD}
    return {"apiVersion": "v1", "kind": "Node", "metadata": metadata, "spec": spec, "status": status}


def pod(
    name: str, created: str, node_name: str = "", phase: str = "Pending", cpu: str = "1"
) -> dict[str, Any]:
    spec: dict[str, Any] = {
        "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu}}}]
    }
    if node_name:
        spec["nodeName"] = node_name
    metadata = {"name": name, "namespace": "shop", "uid": f"u-{name}", "creationTimestamp": created}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": {"phase": phase}}


def line(seconds: float, type_: str, object_: dict[str, Any]) -> bytes:
    whole, fraction = divmod(round(seconds * 1000), 1000)
    time = f"2026-01-05T08:{whole // 60:02}:{whole % 60:02}.{fraction:03}Z"
    return json.dumps({"receivedAt": time, "type": type_, "object": object_}).encode()


LOG = [
    line(0, "ADDED", node("n1")),
    line(0, "ADDED", node("n2", unschedulable=True)),
    line(0.1, "ADDED", pod("old", OLD, "n1", "Running")),
    line(2.5, "ADDED", pod("new", "2026-01-05T08:00:02Z")),
    line(2.6, "MODIFIED", pod("new", "2026-01-05T08:00:02Z", "n1")),
    line(2.7, "MODIFIED", pod("new", "2026-01-05T08:00:02Z", "n1", "Running")),
    line(4, "ADDED", pod("waits", "2026-01-05T08:00:04Z")),
    line(5, "MODIFIED", node("n1")),
    line(20, "MODIFIED", pod("old", OLD, "n1", "Succeeded")),
    line(30, "DELETED", pod("old", OLD, "n1", "Succeeded")),
    line(40, "MODIFIED", node("n2")),
    line(41, "ADDED", {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}),
]


def replay(log: WatchLog) -> tuple[Simulator, list[dict[str, Any]]]:
    sink = MemorySink()
    scenario = log.scenario
    options = msgspec.structs.replace(
        DEFAULT, controllers=scenario.controllers, horizon_us=scenario.horizon_us, epoch_us=log.epoch_us
    )
    simulator = Simulator(load_config(""), options, sink)
    simulator.load(log.objects)
    simulator.run(edits=scenario.edits)
    return simulator, [json.loads(text) for text in sink.lines]


def test_what_was_there_is_the_cluster_and_what_came_keeps_its_time() -> None:
    log = read_watch_log(LOG)
    assert [object_.metadata.name for object_ in log.objects] == ["n1", "n2", "old"]
    assert [(edit.at_us, edit.type, edit.object["metadata"]["name"]) for edit in log.scenario.edits][:3] == [  # type: ignore[union-attr]
        (2_500_000, "ADDED", "new"),
        (2_600_000, "MODIFIED", "new"),
        (2_700_000, "MODIFIED", "new"),
    ]
    assert (log.scenario.controllers, log.scenario.horizon_us) == ("off", 641_000_000)
    assert log.skipped == {"ConfigMap": 1}
    assert log.placements == {"shop/new": "n1"}


def test_a_replay_decides_anew_at_the_times_of_the_recording() -> None:
    simulator, events = replay(read_watch_log(LOG))
    bound = {event["pod"]: event for event in events if event["type"] == "PodBound"}
    assert (bound["shop/new"]["node"], bound["shop/new"]["t_us"] // 100_000) == ("n1", 25)
    # The old pod ends at 20 s and makes room, as it did in the recording.
    assert bound["shop/waits"]["node"] == "n1"
    assert 20_000_000 <= bound["shop/waits"]["t_us"] < 22_000_000
    assert simulator.store.get("Pod", "shop", "old") is None
    assert not simulator.store.get("Node", "", "n2").spec.unschedulable


def test_heartbeats_change_nothing() -> None:
    _, events = replay(read_watch_log(LOG))
    assert [event["node"] for event in events if event["type"] == "NodeUpdated"] == ["n2"]


def test_a_pod_that_comes_back_under_its_name_is_another_one() -> None:
    again = pod("old", "2026-01-05T08:00:50Z")
    again["metadata"]["uid"] = "u-again"
    simulator, _ = replay(read_watch_log([*LOG, line(50, "ADDED", again)]))
    found = simulator.store.get("Pod", "shop", "old")
    assert (found.metadata.uid, found.spec.node_name) == ("u-again", "n2")


def test_a_clock_that_was_set_back_keeps_the_order() -> None:
    log = read_watch_log([*LOG[:4], line(1, "ADDED", pod("next", "2026-01-05T08:00:03Z"))])
    assert [edit.at_us for edit in log.scenario.edits] == [2_500_000, 2_500_000]


def test_secrets_of_a_recording_are_not_kept() -> None:
    raw = pod("new", "2026-01-05T08:00:02Z")
    raw["spec"]["containers"][0]["env"] = [{"name": "PASSWORD", "value": "hunter2"}]
    log = read_watch_log([LOG[0], line(2, "ADDED", raw)])
    assert "hunter2" not in str(log.scenario.edits)


def test_a_recording_is_told_from_a_scenario() -> None:
    assert is_watch_log(b"\n" + LOG[0])
    assert not is_watch_log(b"kind: Scenario")
    assert not is_watch_log(b'{"kind": "Scenario"}')


def test_everything_wrong_is_listed_with_its_line() -> None:
    broken = pod("x", OLD)
    broken["spec"]["containers"] = "none"
    with pytest.raises(ManifestError) as refused:
        read_watch_log(
            [
                LOG[0],
                b"{",
                b'{"type": "ADDED", "object": {}}',
                b'{"receivedAt": "yesterday", "type": "ADDED", "object": {}}',
                line(1, "CHANGED", node("n3")),
                line(1, "ADDED", broken),
            ],
            "w.jsonl",
        )
    assert [(error.line, error.field, error.message) for error in refused.value.errors] == [
        (2, "", "expected an event as JSON: Input data was truncated"),
        (3, "receivedAt", "the time is missing"),
        (
            4,
            "receivedAt",
            'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
        ),
        (5, "type", 'supported values: "ADDED", "MODIFIED", "DELETED"'),
        (6, "object.spec.containers", "expected a list, got a string"),
    ]
    with pytest.raises(ManifestError, match="no event found"):
        read_watch_log([])
