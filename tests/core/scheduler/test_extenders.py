"""Extenders in the scheduling cycle: what they change of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from scheduler_core.api.kinds import KubeObject
from scheduler_core.config import load_config
from scheduler_core.simulator import CONFORMANCE, Simulator, Step
from scheduler_core.trace.detail import CycleDetail
from scheduler_core.trace.sink import MemorySink
from tests.core.extender.service import URL, Service
from tests.make import make_node, make_pod


class Run:
    """A run with extenders."""

    def __init__(
        self,
        objects: Sequence[KubeObject],
        service: Service,
        *extenders: dict[str, Any],
        steps: Sequence[Step] = (),
    ) -> None:
        config = {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "extenders": [{"urlPrefix": URL, **fields} for fields in extenders],
        }
        self.sink = MemorySink(details=True)
        loaded = load_config(json.dumps(config))
        self.simulator = Simulator(loaded, CONFORMANCE, self.sink, extender_transport=service)
        self.simulator.load(objects)
        self.result = self.simulator.run(steps)

    def detail(self, cycle: int) -> CycleDetail:
        return self.sink.details[cycle]


BY_NAME = {"filterVerb": "filter", "nodeCacheCapable": True}
NODES = [make_node("a"), make_node("b")]


def test_a_node_that_an_extender_refuses_is_not_taken() -> None:
    service = Service(filter={"NodeNames": ["b"], "FailedNodes": {"a": "too loud"}})
    run = Run([*NODES, make_pod()], service, BY_NAME)
    assert run.result.placements == {"default/pod": "b"}
    [status] = run.detail(1).statuses
    assert (status.plugin, status.reasons) == ("", ("too loud",))


def test_any_event_requeues_a_pod_that_an_extender_refused() -> None:
    service = Service(filter={"NodeNames": [], "FailedNodes": {"a": "no", "b": "no"}})
    change = Step(advance_us=60_000_000, apply=(make_node("a", labels={"x": "y"}),))
    run = Run([*NODES, make_pod()], service, BY_NAME, steps=[change])
    assert run.detail(1).unschedulable_plugins == ("Extender",)
    assert "0/2 nodes are available: 2 no." in run.detail(1).message
    steps = [run.detail(cycle).step for cycle in sorted(run.sink.details)]
    assert steps == [0, 0, 1], "its own new condition, then the node's new label"


def test_an_extender_that_cannot_be_asked_fails_the_attempt_with_an_error() -> None:
    run = Run([*NODES, make_pod()], Service(filter=500), BY_NAME)
    assert run.detail(1).result == "error"
    assert run.detail(1).message == f"failed filter with extender at URL {URL}/filter, code 500"
    ignorable = {**BY_NAME, "ignorable": True}
    assert Run([*NODES, make_pod()], Service(filter=500), ignorable).result.num_bound == 1


def test_the_extender_s_score_decides_among_feasible_nodes() -> None:
    service = Service(prioritize=[{"Host": "b", "Score": 10}])
    run = Run([*NODES, make_pod()], service, {"prioritizeVerb": "prioritize", "weight": 5})
    assert run.result.placements == {"default/pod": "b"}
    detail = run.detail(1)
    assert list(detail.weighted[URL]) == [500 if detail.nodes[row] == "b" else 0 for row in detail.scored]
    assert URL not in detail.raw


def test_nodes_given_back_whole_are_scored_without_their_pods_and_images() -> None:
    image, size = "app:1", 900 * 1024 * 1024
    nodes = [make_node("a", images={image: size}), make_node("b", images={image: size})]
    busy = make_pod("busy", node="a", requests={"cpu": "3", "memory": "6Gi"})
    answer = {"Nodes": {"items": [{"metadata": {"name": name}} for name in ("a", "b")]}}
    whole = Run([*nodes, busy, make_pod()], Service(filter=answer), {"filterVerb": "filter"}).detail(1)
    assert len(set(whole.raw["NodeResourcesFit"])) == 1
    assert set(whole.raw["ImageLocality"]) == {0}
    named = Run([*nodes, busy, make_pod()], Service(filter={"NodeNames": ["a", "b"]}), BY_NAME).detail(1)
    assert len(set(named.raw["NodeResourcesFit"])) == 2
    assert min(named.raw["ImageLocality"]) > 0


def test_a_resource_left_to_the_extender_is_not_counted_by_the_filter() -> None:
    pod = make_pod(requests={"example.com/widget": "1"})
    managed = [{"name": "example.com/widget", "ignoredByScheduler": True}]
    allows = Service(filter={"NodeNames": ["a"]})
    assert Run([*NODES, pod], allows, {**BY_NAME, "managedResources": managed}).result.num_bound == 1
    counted = [{"name": "example.com/widget"}]
    assert Run([*NODES, pod], allows, {**BY_NAME, "managedResources": counted}).result.num_bound == 0


def test_an_extender_that_binds_binds_in_place_of_the_plugins() -> None:
    service = Service(bind={})
    run = Run([make_node("a"), make_pod()], service, {"bindVerb": "bind"})
    assert run.result.placements == {"default/pod": "a"}
    [(_, question, _)] = service.asked
    assert (question["PodName"], question["Node"]) == ("pod", "a")
    [bound] = [event for line in run.sink.lines if (event := json.loads(line))["type"] == "PodBound"]
    assert bound["extender"] == URL


def test_a_binding_that_fails_sends_the_pod_back() -> None:
    run = Run([make_node("a"), make_pod()], Service(bind={"Error": "taken"}), {"bindVerb": "bind"})
    assert [pending.queue for pending in run.result.pending] == ["backoff"]
    events = [json.loads(line) for line in run.sink.lines]
    assert [event["message"] for event in events if event["type"] == "PodUnschedulable"] == ["taken"]


def test_a_nominated_node_that_the_extender_refuses_is_one_among_others() -> None:
    pod = make_pod(status={"nominatedNodeName": "a"})
    service = Service(filter={"NodeNames": [], "FailedNodes": {"a": "no"}})
    run = Run([make_node("a"), pod], service, BY_NAME)
    assert run.result.num_bound == 0
    first_attempt = [question["NodeNames"] for _, question, _ in service.asked[:2]]
    assert first_attempt == [["a"], ["a"]], "by itself, then among all"


def test_without_a_transport_extenders_are_switched_off_and_say_so() -> None:
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "extenders": [{"urlPrefix": URL, "filterVerb": "filter"}],
    }
    simulator = Simulator(load_config(json.dumps(config)), CONFORMANCE)
    simulator.load([make_node("a"), make_pod()])
    [pending] = simulator.run().pending
    assert pending.message == f'Post "{URL}/filter": extenders are switched off here'
