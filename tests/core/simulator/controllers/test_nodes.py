"""Nodes that are lost, tainted or removed, and what becomes of their pods."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api.taints import Taint, Toleration
from scheduler_core.simulator.controllers.pod_util import is_ready
from scheduler_core.simulator.controllers.taint_eviction import FOREVER, tolerated_seconds
from tests.core.simulator.controllers.cluster import Cluster, condition, names, template, workload
from tests.make import make_node, make_pod

KUBELET = "scheduler-playground/kubelet"


def lose(cluster: Cluster, *nodes: str) -> None:
    for name in nodes:
        cluster.patch("Node", name, {"metadata": {"annotations": {KUBELET: "stopped"}}})


def restore(cluster: Cluster, name: str) -> None:
    cluster.patch("Node", name, {"metadata": {"annotations": {KUBELET: None}}})


def taints(cluster: Cluster, name: str) -> list[tuple[str, str]]:
    return [(own.key, own.effect) for own in cluster.get("Node", name, "").spec.taints]


def nodes(count: int, zone: str = "", **more: Any) -> list[Any]:
    labels = {"topology.kubernetes.io/zone": zone} if zone else {}
    return [make_node(f"n{zone}{number}", cpu="8", labels=labels, **more) for number in range(1, count + 1)]


def test_a_lost_node_is_unknown_after_50_s_and_tainted() -> None:
    cluster = Cluster(*nodes(3), make_pod("a", node="n1")).until(12)
    lose(cluster, "n1")
    cluster.until(61)
    assert taints(cluster, "n1") == []
    cluster.until(66)
    assert condition(cluster.get("Node", "n1", ""), "Ready") == (
        "Unknown",
        "NodeStatusUnknown",
        "Kubelet stopped posting node status.",
    )
    assert taints(cluster, "n1") == [
        ("node.kubernetes.io/unreachable", "NoSchedule"),
        ("node.kubernetes.io/unreachable", "NoExecute"),
    ]
    assert not is_ready(cluster.get("Pod", "a"))


def test_its_pods_are_deleted_after_300_s_and_end_only_when_the_node_is_removed() -> None:
    made = workload("Deployment", replicas=1, template=template(nodeSelector={"keep": "no"}))
    cluster = Cluster(*nodes(2), workload("Deployment", replicas=2)).until(10)
    lost = cluster.pods()[0]
    lose(cluster, lost.spec.node_name)
    cluster.until(364)
    assert cluster.get("Pod", lost.metadata.name).metadata.deletion_timestamp is None
    cluster.until(366)
    pod = cluster.get("Pod", lost.metadata.name)
    assert pod.metadata.deletion_timestamp is not None
    assert condition(pod, "DisruptionTarget") == (
        "True",
        "DeletionByTaintManager",
        "Taint manager: deleting due to NoExecute taint",
    )
    assert len([own for own in cluster.pods() if own.metadata.deletion_timestamp is None]) == 2
    cluster.until(700)
    assert cluster.get("Pod", lost.metadata.name) is not None
    cluster.delete("Node", lost.spec.node_name)
    cluster.until(735)
    assert cluster.get("Pod", lost.metadata.name) is not None
    cluster.until(765)
    assert cluster.get("Pod", lost.metadata.name) is None
    assert made.metadata.name == "web"


def test_a_node_that_is_back_in_time_keeps_its_pods() -> None:
    cluster = Cluster(*nodes(2), make_pod("a", node="n1", tolerations=TOLERATIONS)).until(10)
    lose(cluster, "n1")
    cluster.until(200)
    assert not is_ready(cluster.get("Pod", "a"))
    restore(cluster, "n1")
    cluster.until(210)
    assert taints(cluster, "n1") == []
    assert is_ready(cluster.get("Pod", "a"))
    assert condition(cluster.get("Node", "n1", ""), "Ready")[0] == "True"
    cluster.until(600)
    assert cluster.get("Pod", "a").metadata.deletion_timestamp is None
    told = [event["message"] for event in cluster.events("EventRecorded")]
    assert "Cancelling deletion of Pod default/a" in told


TOLERATIONS = [
    {
        "key": f"node.kubernetes.io/{key}",
        "operator": "Exists",
        "effect": "NoExecute",
        "tolerationSeconds": 300,
    }
    for key in ("not-ready", "unreachable")
]


def test_a_node_that_is_back_before_anybody_noticed_changes_nothing() -> None:
    cluster = Cluster(*nodes(2), make_pod("a", node="n1")).until(10)
    lose(cluster, "n1")
    cluster.until(30)
    restore(cluster, "n1")
    cluster.until(200)
    assert cluster.get("Node", "n1", "").status.conditions == ()
    assert is_ready(cluster.get("Pod", "a"))


def test_pods_that_were_ending_on_a_lost_node_do_not_end() -> None:
    cluster = Cluster(*nodes(2), make_pod("a", node="n1")).until(5)
    cluster.delete("Pod", "a")
    cluster.until(10)
    lose(cluster, "n1")
    assert names(cluster.until(400).pods()) == ["a"]
    restore(cluster, "n1")
    assert names(cluster.until(410).pods()) == []


def test_marked_as_out_of_service_a_lost_node_gives_its_ending_pods_free() -> None:
    cluster = Cluster(*nodes(2), make_pod("a", node="n1")).until(5)
    lose(cluster, "n1")
    cluster.until(100)
    cluster.delete("Pod", "a")
    assert names(cluster.until(200).pods()) == ["a"]
    kept = [{"key": own.key, "effect": own.effect} for own in cluster.get("Node", "n1", "").spec.taints]
    out = {"key": "node.kubernetes.io/out-of-service", "value": "nodeshutdown", "effect": "NoExecute"}
    cluster.patch("Node", "n1", {"spec": {"taints": [*kept, out]}})
    assert names(cluster.until(230).pods()) == []


def test_in_a_zone_one_node_in_ten_seconds_is_given_up() -> None:
    cluster = Cluster(*nodes(3, "a"), *nodes(4, "b")).until(5)
    lose(cluster, "na1", "na2", "na3")
    counts = []
    for second in (61, 71, 81):
        cluster.until(second)
        counts.append(
            sum(
                ("node.kubernetes.io/unreachable", "NoExecute") in taints(cluster, f"na{n}")
                for n in (1, 2, 3)
            )
        )
    assert counts == [1, 2, 3]
    assert taints(cluster, "nb1") == []


def test_when_everything_is_gone_nobody_is_evicted() -> None:
    cluster = Cluster(*nodes(2), make_pod("a", node="n1")).until(5)
    lose(cluster, "n1", "n2")
    cluster.until(500)
    for name in ("n1", "n2"):
        assert taints(cluster, name) == [("node.kubernetes.io/unreachable", "NoSchedule")]
    assert cluster.get("Pod", "a").metadata.deletion_timestamp is None
    restore(cluster, "n2")
    cluster.until(600)
    assert ("node.kubernetes.io/unreachable", "NoExecute") in taints(cluster, "n1")


def test_a_cordon_is_a_taint_and_goes_with_it() -> None:
    cluster = Cluster(*nodes(1)).until(1)
    cluster.patch("Node", "n1", {"spec": {"unschedulable": True}})
    assert taints(cluster.until(2), "n1") == [("node.kubernetes.io/unschedulable", "NoSchedule")]
    cluster.patch("Node", "n1", {"spec": {"unschedulable": False}})
    assert taints(cluster.until(3), "n1") == []


def test_a_taint_evicts_whom_it_is_not_tolerated_by() -> None:
    patient = [{"key": "gpu", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 60}]
    cluster = Cluster(
        *nodes(1),
        make_pod("hasty", node="n1"),
        make_pod("patient", node="n1", tolerations=patient),
        make_pod("fine", node="n1", tolerations=[{"operator": "Exists"}]),
    ).until(5)
    cluster.patch("Node", "n1", {"spec": {"taints": [{"key": "gpu", "effect": "NoExecute"}]}})
    cluster.until(6)
    assert [pod.metadata.name for pod in cluster.pods() if pod.metadata.deletion_timestamp] == ["hasty"]
    assert names(cluster.until(64).pods()) == ["fine", "patient"]
    assert names(cluster.until(100).pods()) == ["fine"]


def test_taints_that_were_there_before_evict_nobody() -> None:
    cluster = Cluster(make_node("n1", taints=["gpu:NoExecute"]), make_pod("a", node="n1")).until(500)
    assert cluster.get("Pod", "a").metadata.deletion_timestamp is None


def test_pods_of_a_node_that_the_dump_leaves_out_stay() -> None:
    cluster = Cluster(*nodes(1), make_pod("a", node="elsewhere")).until(500)
    assert names(cluster.pods()) == ["a"]


@pytest.mark.parametrize(
    ("tolerations", "seconds"),
    [
        ([], 0),
        ([Toleration(key="a", operator="Exists")], FOREVER),
        ([Toleration(key="a", operator="Exists", toleration_seconds=30)], 30),
        ([Toleration(key="a", operator="Exists", toleration_seconds=-5)], 0),
        ([Toleration(key="b", operator="Exists", toleration_seconds=30)], 0),
    ],
)
def test_for_how_long_a_taint_is_tolerated(tolerations: list[Toleration], seconds: int) -> None:
    assert tolerated_seconds([Taint(key="a", effect="NoExecute")], tolerations) == seconds
