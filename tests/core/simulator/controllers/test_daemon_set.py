"""Daemon sets: which nodes get a pod, how it is pinned there, how it is updated."""

from __future__ import annotations

from typing import Any

from scheduler_core.api.pod import Pod
from scheduler_core.simulator.controllers.daemon.fitting import target_node
from scheduler_core.simulator.controllers.pod_util import is_active, is_ready
from tests.core.simulator.controllers.cluster import Cluster, template, workload
from tests.make import make, make_node


def nodes(count: int = 3) -> list[Any]:
    return [make_node(f"n{number}", cpu="2") for number in range(1, count + 1)]


def where(cluster: Cluster) -> list[str]:
    return sorted(pod.spec.node_name for pod in cluster.pods() if is_active(pod))


def images(cluster: Cluster) -> dict[str, str]:
    return {target_node(pod): pod.spec.containers[0].image for pod in cluster.pods() if is_active(pod)}


def strategy(unavailable: Any = 1, surge: Any = 0) -> dict[str, Any]:
    return {"rollingUpdate": {"maxUnavailable": unavailable, "maxSurge": surge}}


def test_every_node_gets_one_pod_pinned_by_its_name() -> None:
    cluster = Cluster(*nodes(), workload("DaemonSet")).until(5)
    assert where(cluster) == ["n1", "n2", "n3"]
    pod: Pod = cluster.pods()[0]
    assert pod.spec.affinity is not None
    assert pod.spec.affinity.node_affinity is not None
    required = pod.spec.affinity.node_affinity.required_during_scheduling_ignored_during_execution
    assert required is not None
    (term,) = required.node_selector_terms
    (field,) = term.match_fields
    assert (field.key, field.operator, field.values) == ("metadata.name", "In", (pod.spec.node_name,))
    assert [(own.key, own.operator, own.effect) for own in pod.spec.tolerations] == [
        ("node.kubernetes.io/not-ready", "Exists", "NoExecute"),
        ("node.kubernetes.io/unreachable", "Exists", "NoExecute"),
        ("node.kubernetes.io/disk-pressure", "Exists", "NoSchedule"),
        ("node.kubernetes.io/memory-pressure", "Exists", "NoSchedule"),
        ("node.kubernetes.io/pid-pressure", "Exists", "NoSchedule"),
        ("node.kubernetes.io/unschedulable", "Exists", "NoSchedule"),
    ]
    status = cluster.get("DaemonSet", "web").status
    assert (status.desired_number_scheduled, status.number_ready, status.updated_number_scheduled) == (
        3,
        3,
        3,
    )


def test_a_new_node_gets_one_too() -> None:
    cluster = Cluster(*nodes(2), workload("DaemonSet")).until(5)
    cluster.add(make_node("n9", cpu="2"))
    cluster.until(10)
    assert where(cluster) == ["n1", "n2", "n9"]
    assert cluster.get("DaemonSet", "web").status.desired_number_scheduled == 3


def test_only_nodes_that_are_selected_and_tolerated() -> None:
    chosen = template(nodeSelector={"disk": "ssd"})
    cluster = Cluster(
        make_node("plain"),
        make_node("ssd", labels={"disk": "ssd"}),
        make_node("tainted", labels={"disk": "ssd"}, taints=["gpu=yes:NoSchedule"]),
        make_node("cordoned", labels={"disk": "ssd"}, unschedulable=True),
        workload("DaemonSet", template=chosen),
    ).until(5)
    assert where(cluster) == ["cordoned", "ssd"]
    assert len(cluster.pods()) == 2


def test_the_template_s_own_affinity_stays_beside_the_name() -> None:
    term = {"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]}
    affinity = {
        "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    }
    cluster = Cluster(
        make_node("plain"),
        make_node("ssd", labels={"disk": "ssd"}),
        workload("DaemonSet", template=template(affinity=affinity)),
    ).until(5)
    (pod,) = cluster.pods()
    assert pod.spec.affinity is not None
    assert pod.spec.affinity.node_affinity is not None
    required = pod.spec.affinity.node_affinity.required_during_scheduling_ignored_during_execution
    assert required is not None
    assert len(required.node_selector_terms[0].match_expressions) == 1
    assert required.node_selector_terms[0].match_fields[0].values == ("ssd",)


def test_a_node_that_no_longer_fits_loses_its_pod() -> None:
    chosen = template(nodeSelector={"disk": "ssd"})
    ssd = [make_node(name, labels={"disk": "ssd"}) for name in ("n1", "n2")]
    cluster = Cluster(*ssd, workload("DaemonSet", template=chosen)).until(5)
    cluster.patch("Node", "n1", {"metadata": {"labels": {"disk": None}}})
    cluster.until(6)
    assert where(cluster) == ["n2"]


def test_a_taint_that_only_keeps_new_pods_away_lets_the_daemon_stay() -> None:
    cluster = Cluster(*nodes(1), workload("DaemonSet")).until(5)
    cluster.patch("Node", "n1", {"spec": {"taints": [{"key": "a", "effect": "NoSchedule"}]}})
    cluster.until(10)
    assert where(cluster) == ["n1"]
    status = cluster.get("DaemonSet", "web").status
    assert (status.desired_number_scheduled, status.number_misscheduled) == (0, 1)


def test_a_pod_without_room_waits_on_its_node() -> None:
    cluster = Cluster(make_node("n1", cpu="500m"), make_node("n2"), workload("DaemonSet")).until(5)
    assert sorted((target_node(pod), pod.spec.node_name) for pod in cluster.pods()) == [
        ("n1", ""),
        ("n2", "n2"),
    ]


def test_an_update_has_one_node_at_a_time_without_a_daemon() -> None:
    cluster = Cluster(*nodes(), workload("DaemonSet")).until(5)
    cluster.patch("DaemonSet", "web", {"spec": {"template": template(image="app:2")}})
    cluster.until(6)
    assert images(cluster) == {"n2": "app:1", "n3": "app:1"}
    for second in range(6, 150, 3):
        cluster.until(second)
        assert sum(is_active(pod) and is_ready(pod) for pod in cluster.pods()) >= 2
    assert images(cluster) == {"n1": "app:2", "n2": "app:2", "n3": "app:2"}


def test_with_a_surge_the_new_daemon_is_there_before_the_old_one_goes() -> None:
    cluster = Cluster(*nodes(), workload("DaemonSet", updateStrategy=strategy(0, "34%"))).until(5)
    cluster.patch("DaemonSet", "web", {"spec": {"template": template(image="app:2", cpu="100m")}})
    cluster.until(5.5)
    assert len(cluster.pods()) == 5
    for second in range(6, 30):
        cluster.until(second)
        ready = {pod.spec.node_name for pod in cluster.pods() if is_active(pod) and is_ready(pod)}
        assert ready == {"n1", "n2", "n3"}
    assert images(cluster.until(60)) == {"n1": "app:2", "n2": "app:2", "n3": "app:2"}


def test_on_delete_leaves_the_old_ones() -> None:
    cluster = Cluster(*nodes(2), workload("DaemonSet", updateStrategy={"type": "OnDelete"})).until(5)
    cluster.patch("DaemonSet", "web", {"spec": {"template": template(image="app:2")}})
    cluster.until(60)
    assert set(images(cluster).values()) == {"app:1"}
    assert cluster.get("DaemonSet", "web").status.updated_number_scheduled == 0


def test_a_daemon_that_failed_is_replaced() -> None:
    cluster = Cluster(*nodes(1), workload("DaemonSet")).until(5)
    pod = cluster.pods()[0]
    failed = make(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": pod.metadata.name},
            "status": {"phase": "Failed"},
        }
    )
    cluster.api.update_status(failed, by="edit")
    cluster.until(10)
    assert [(own.metadata.name != pod.metadata.name, own.status.phase) for own in cluster.pods()] == [
        (True, "Running")
    ]


def test_daemons_of_a_dump_stay_whatever_their_revision_is_called() -> None:
    before = Cluster(*nodes(), workload("DaemonSet")).until(5)
    dump = [found for kind in ("Node", "DaemonSet", "Pod") for found in before.api.list(kind)]
    after = Cluster(*dump).until(60)
    assert after.events("PodCreated", "PodTerminating", "CycleStarted") == []
    digest = before.pods()[0].metadata.labels["controller-revision-hash"]
    (revision,) = after.api.list("ControllerRevision")
    assert revision.metadata.name == f"web-{digest}"
