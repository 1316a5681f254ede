"""What a run comes to, in sentences: the most important first, and nothing that did not happen."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from scheduler_core.api import Source, load_manifests
from scheduler_core.config import load_config
from scheduler_core.simulator import DEFAULT, Simulator, read_scenario
from tests.core.simulator.controllers.cluster import template, workload
from tests.make import make, make_node, make_pod
from tests.needs import ROOT

if TYPE_CHECKING:
    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.simulator import RunResult

PROD = ROOT / "tests/inputs/faults/plans/prod.yaml"


def run(*objects: KubeObject, edits: list[dict[str, Any]] | None = None) -> RunResult:
    simulator = Simulator(load_config(""), DEFAULT)
    simulator.load(objects)
    scenario = {
        "apiVersion": "playground/v1",
        "kind": "Scenario",
        "edits": edits or [{"kind": "wait", "for": "1s"}],
    }
    return simulator.run(edits=read_scenario(json.dumps(scenario)).edits if edits else ())


def prod(*edits: dict[str, Any]) -> RunResult:
    loaded = load_manifests([Source(PROD.name, PROD.read_bytes())])
    return run(*(item.object for item in loaded.objects), edits=list(edits))


def lines(result: RunResult) -> list[str]:
    return [line.text for line in result.headline]


def test_nothing_happened_only_where_nothing_did() -> None:
    assert lines(run(make_node("n"))) == ["Nothing was pending"]
    refused = run(
        make_node("n"), edits=[{"at": "1s", "kind": "scale", "object": "Deployment/default/x", "replicas": 2}]
    )
    (only,) = lines(refused)
    assert only.startswith("Scale Deployment/default/x to 2")
    assert "not found" in only


def test_who_waits_comes_before_all_else_of_the_pods() -> None:
    result = run(
        make_node("n", cpu="1"), make_pod("a", requests={"cpu": "500m"}), make_pod("b", requests={"cpu": "3"})
    )
    assert lines(result) == ["1 of 2 pods stays pending"]
    assert result.headline[0].pods == ("default/b",)
    assert lines(run(make_node("n"), make_pod("a"), make_pod("b"))) == ["All 2 pods are placed"]
    assert lines(run(make_node("n"), make_pod("a"))) == ["The pod is placed"]
    assert lines(run(make_pod("a"))) == ["The pod stays pending"]


def test_a_drain_that_a_budget_holds_says_that_it_cannot_finish_and_which_one() -> None:
    nodes = ["ip-10-0-a-2", "ip-10-0-b-3", "ip-10-0-c-3"]
    first, *rest = lines(prod({"at": "1m", "kind": "drain", "nodes": nodes, "force": True}))
    assert first.startswith("Drain ip-10-0-a-2, ip-10-0-b-3, ip-10-0-c-3")
    assert first.endswith("cannot finish: 3 pods are held by PodDisruptionBudget shop/cache")
    assert "shop/api: 8 of 8 available at the end, 8 before, 6 at the lowest" in rest


def test_a_lost_zone_tells_what_is_missing_at_the_end_and_since_when() -> None:
    result = prod({"at": "1m", "kind": "lose", "zone": "eu-west-1b"})
    told = lines(result)
    assert told[0] == "3 of 7 pods stay pending"
    assert told[1].startswith("9 pods evicted from nodes with a NoExecute taint, such as lost ones: ")
    assert "shop/web: 6 of 9 available at the end, 9 before" in told
    assert {one.by for one in result.evicted} == {"taint-eviction-controller"}


def test_preempted_pods_are_told_with_their_priority_and_for_whom_they_went() -> None:
    result = prod({"at": "1m", "kind": "scale", "object": "Deployment/shop/api", "replicas": 20})
    victims = [one for one in result.evicted if one.reason == "preempted"]
    assert len(victims) == 2
    assert all(one.priority == -10 and one.preemptor.startswith("shop/api-") for one in victims)
    told = [line for line in lines(result) if "preempted for" in line]
    assert told[0] == f"1 pod of priority -10 preempted for {victims[0].preemptor}: {victims[0].pod}"


def test_pods_that_a_controller_may_not_create_are_told_once_with_how_often() -> None:
    quota = make(
        {
            "apiVersion": "v1",
            "kind": "ResourceQuota",
            "metadata": {"name": "few", "namespace": "default"},
            "spec": {"hard": {"pods": "1"}},
        }
    )
    result = run(make_node("n"), quota, workload("Deployment", replicas=3))
    told = [line for line in lines(result) if "could not create a pod" in line]
    assert len(told) == 1
    assert "exceeded quota: few" in told[0]
    assert result.not_admitted[0].object.startswith("ReplicaSet/default/web-")
    assert result.not_admitted[0].times > 1
    assert "Nothing was pending" not in lines(result)


def test_scaling_down_is_no_loss_and_a_rollout_tells_its_lowest_point() -> None:
    web = workload("Deployment", replicas=4)
    down = run(
        make_node("n", cpu="8"),
        web,
        edits=[{"at": "1m", "kind": "scale", "object": "Deployment/default/web", "replicas": 1}],
    )
    assert not [line for line in lines(down) if "available" in line]
    image = {"at": "1m", "kind": "setImage", "object": "Deployment/default/web", "image": "app:2"}
    tight = workload(
        "Deployment",
        replicas=4,
        template=template(cpu="2"),
        strategy={"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 2}},
    )
    rolled = run(make_node("n", cpu="8"), tight, edits=[image])
    assert "default/web: 4 of 4 available at the end, 4 before, 2 at the lowest" in lines(rolled)


def test_what_a_pending_pod_waits_for_is_named() -> None:
    gated = make_pod("gated", schedulingGates=[{"name": "example.com/quota"}])
    foreign = make_pod("foreign", schedulerName="other")
    waits = {
        pod.pod: pod.waits
        for pod in run(make_node("n"), gated, foreign, make_pod("big", requests={"cpu": "99"})).pending
    }
    assert waits == {
        "default/gated": "is held by the scheduling gate example.com/quota",
        "default/foreign": "is not tried: no profile has its schedulerName, other",
        "default/big": "waits for a change in the cluster that may help",
    }


def test_what_a_stateful_set_and_a_daemon_set_wait_for_is_told() -> None:
    sets = (
        workload("StatefulSet", "db", replicas=4, template=template({"app": "db"}, cpu="900m")),
        workload("DaemonSet", "agent", template=template({"app": "agent"}, cpu="1500m")),
    )
    result = run(make_node("n1", cpu="2"), make_node("n2", cpu="2"), *sets)
    told = {one.object: (one.text, one.pod) for one in result.held_up}
    waited = next(pod.pod for pod in result.pending if pod.pod.startswith("default/db-"))
    number = int(waited.rpartition("-")[2]) + 1
    assert told["StatefulSet/default/db"] == (
        f"StatefulSet default/db has {number} of 4 pods: it makes no other before {waited} is ready",
        waited,
    )
    text, pod = told["DaemonSet/default/agent"]
    assert (
        text == "DaemonSet default/agent: 1 of 2 pods stays pending, each for the one node that it belongs to"
    )
    assert pod in {each.pod for each in result.pending}
    assert all(text in lines(result) for text, _ in told.values())
    whole = run(make_node("n1", cpu="8"), *sets)
    assert whole.held_up == ()
