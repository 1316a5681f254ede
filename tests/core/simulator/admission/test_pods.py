"""Priority, default tolerations and runtime classes, as a new pod meets them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.simulator.small_cluster import SmallCluster
from tests.make import make_pod


def priority_class(name: str, value: int, **fields: Any) -> dict[str, Any]:
    metadata = {"name": name}
    return {
        "apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": metadata, "value": value, **fields
    }  # fmt: skip


def runtime_class(**fields: Any) -> dict[str, Any]:
    return {
        "apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "vm"}, "handler": "vm", **fields
    }  # fmt: skip


def test_a_pod_stays_300_seconds_on_a_node_that_is_not_ready_or_unreachable() -> None:
    cluster = SmallCluster()
    pod = cluster.create(make_pod("web"))
    assert [(it.key, it.operator, it.effect, it.toleration_seconds) for it in pod.spec.tolerations] == [
        ("node.kubernetes.io/not-ready", "Exists", "NoExecute", 300),
        ("node.kubernetes.io/unreachable", "Exists", "NoExecute", 300),
    ]
    assert cluster.events[1]["fields"] == {
        "spec.tolerations": "node.kubernetes.io/not-ready:NoExecute for 300s, "
        "node.kubernetes.io/unreachable:NoExecute for 300s"
    }


@pytest.mark.parametrize(
    ("own", "added"),
    [
        ({"operator": "Exists"}, []),
        ({"key": "node.kubernetes.io/not-ready", "operator": "Exists"}, ["node.kubernetes.io/unreachable"]),
        (
            {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoSchedule"},
            ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"],
        ),
    ],
)
def test_a_toleration_of_its_own_stands_in_for_the_default(own: dict[str, str], added: list[str]) -> None:
    pod = SmallCluster().create(make_pod("web", tolerations=[own]))
    assert [toleration.key for toleration in pod.spec.tolerations[1:]] == added


def test_a_priority_class_gives_its_value_and_policy() -> None:
    cluster = SmallCluster(priority_class("high", 1000, preemptionPolicy="Never"))
    pod = cluster.create(make_pod("web", priorityClassName="high"))
    assert (pod.spec.priority, pod.spec.preemption_policy) == (1000, "Never")
    fields = cluster.events[1]["fields"]
    assert (fields["spec.priority"], fields["spec.preemptionPolicy"]) == ("1000", "Never")


def test_the_global_default_is_for_pods_without_a_class() -> None:
    cluster = SmallCluster(priority_class("usual", 7, globalDefault=True))
    pod = cluster.create(make_pod("web"))
    assert (pod.spec.priority, pod.spec.priority_class_name) == (7, "usual")


def test_a_class_that_is_not_there_and_a_priority_of_one_s_own_are_refused() -> None:
    cluster = SmallCluster(priority_class("high", 1000))
    assert cluster.refusal(make_pod("web", priorityClassName="gold")) == (
        'pods "web" is forbidden: no PriorityClass with name gold was found'
    )
    assert cluster.refusal(make_pod("web", priority=3, priorityClassName="high")) == (
        'pods "web" is forbidden: the integer value of priority (3) must not be provided in pod spec; '
        "priority admission controller computed 1000 from the given PriorityClass name"
    )
    assert (
        cluster.create(make_pod("dns", priorityClassName="system-node-critical")).spec.priority
        == 2_000_001_000
    )


def test_a_runtime_adds_its_overhead_its_nodes_and_its_tolerations() -> None:
    scheduling = {"nodeSelector": {"kvm": "yes"}, "tolerations": [{"key": "vm", "operator": "Exists"}]}
    cluster = SmallCluster(runtime_class(overhead={"podFixed": {"cpu": "250m"}}, scheduling=scheduling))
    pod = cluster.create(make_pod("web", runtimeClassName="vm", nodeSelector={"disk": "ssd"}))
    assert {name: str(it) for name, it in pod.spec.overhead.items()} == {"cpu": "250m"}
    assert pod.spec.node_selector == {"disk": "ssd", "kvm": "yes"}
    assert [toleration.key for toleration in pod.spec.tolerations][-1] == "vm"
    fields = cluster.events[1]["fields"]
    assert (fields["spec.overhead"], fields["spec.nodeSelector"]) == ("cpu=250m", "kvm=yes")


def test_a_runtime_that_says_otherwise_than_the_pod_refuses_it() -> None:
    cluster = SmallCluster(
        runtime_class(overhead={"podFixed": {"cpu": "1"}}, scheduling={"nodeSelector": {"kvm": "yes"}})
    )
    head = 'pods "web" is forbidden: '
    assert cluster.refusal(make_pod("web", runtimeClassName="gvisor")) == (
        head + 'pod rejected: RuntimeClass "gvisor" not found'
    )
    assert cluster.refusal(make_pod("web", runtimeClassName="vm", overhead={"cpu": "2"})) == (
        head + "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
    )
    assert cluster.refusal(make_pod("web", overhead={"cpu": "2"})) == (
        head + "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"
    )
    assert cluster.refusal(make_pod("web", runtimeClassName="vm", nodeSelector={"kvm": "no"})) == (
        head + "conflict: runtimeClass.scheduling.nodeSelector[kvm] = yes; pod.spec.nodeSelector[kvm] = no"
    )


def test_a_claim_without_a_class_gets_the_default_one() -> None:
    annotations = {"storageclass.kubernetes.io/is-default-class": "true"}
    storage = {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "provisioner": "x"}
    cluster = SmallCluster(
        {**storage, "metadata": {"name": "slow"}},
        {**storage, "metadata": {"name": "fast", "annotations": annotations}},
    )
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data"}, "spec": spec}
    assert cluster.create(claim).spec.storage_class_name == "fast"
