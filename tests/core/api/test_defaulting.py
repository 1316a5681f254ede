"""What the API server fills in."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api import Node, Pod, canonical, decode_object, default_object, encode_object
from scheduler_core.api.selectors import LabelSelectorRequirement

TERM = {"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "web"}}}


def defaulted(raw: dict[str, Any]) -> Any:
    return default_object(decode_object(raw))


def pod(spec: dict[str, Any], **metadata: Any) -> Pod:
    made = defaulted(
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", **metadata}, "spec": spec}
    )
    assert isinstance(made, Pod)
    return made


def texts(resources: dict[str, Any]) -> dict[str, str]:
    return {name: str(quantity) for name, quantity in resources.items()}


def test_a_pod_gets_namespace_uid_scheduler_and_phase() -> None:
    made = pod({})
    assert (made.metadata.namespace, made.metadata.uid) == ("default", "uid-Pod-default/web")
    assert (made.spec.scheduler_name, made.spec.restart_policy) == ("default-scheduler", "Always")
    assert (made.status.phase, made.spec.termination_grace_period_seconds) == ("Pending", 30)


def test_what_is_set_stays() -> None:
    made = pod({"schedulerName": "packer", "terminationGracePeriodSeconds": 0}, namespace="shop", uid="u")
    assert (made.metadata.namespace, made.metadata.uid) == ("shop", "u")
    assert (made.spec.scheduler_name, made.spec.termination_grace_period_seconds) == ("packer", 0)


def test_an_object_without_namespace_has_its_kind_and_name_for_a_uid() -> None:
    node = defaulted({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}})
    assert (node.metadata.namespace, node.metadata.uid) == ("", "uid-Node-n1")


def test_limits_become_requests_where_none_are_given() -> None:
    resources = {"limits": {"cpu": "2", "memory": "1Gi"}, "requests": {"cpu": "1"}}
    made = pod({"containers": [{"name": "a", "resources": resources}], "initContainers": [
        {"name": "b", "resources": {"limits": {"cpu": "3"}}}]})  # fmt: skip
    assert texts(made.spec.containers[0].resources.requests) == {"cpu": "1", "memory": "1Gi"}
    assert texts(made.spec.init_containers[0].resources.requests) == {"cpu": "3"}


def test_amounts_are_rounded_up_to_thousandths() -> None:
    made = pod(
        {"containers": [{"name": "a", "resources": {"requests": {"cpu": "1u"}}}], "overhead": {"cpu": "100u"}}
    )
    assert texts(made.spec.containers[0].resources.requests) == {"cpu": "1m"}
    assert texts(made.spec.overhead) == {"cpu": "1m"}


def test_pod_level_requests_come_from_the_containers_then_from_the_pod_s_limits() -> None:
    made = pod(
        {
            "containers": [{"name": "a", "resources": {"requests": {"cpu": "300m", "nvidia.com/gpu": "1"}}}],
            "resources": {"limits": {"cpu": "2", "memory": "1Gi"}},
        }
    )
    assert made.spec.resources is not None
    assert texts(made.spec.resources.requests) == {"cpu": "300m", "memory": "1Gi"}


def test_pod_level_requests_are_not_made_up_without_pod_level_limits() -> None:
    made = pod(
        {
            "containers": [{"name": "a", "resources": {"requests": {"memory": "1Gi"}}}],
            "resources": {"requests": {"cpu": "2"}},
        }
    )
    assert made.spec.resources is not None
    assert texts(made.spec.resources.requests) == {"cpu": "2"}


def test_huge_pages_of_the_containers_become_the_pod_s() -> None:
    made = pod(
        {
            "containers": [{"name": "a", "resources": {"limits": {"hugepages-2Mi": "4Mi", "cpu": "1"}}}],
            "resources": {"requests": {"cpu": "2"}},
        }
    )
    assert made.spec.resources is not None
    assert texts(made.spec.resources.limits) == {"hugepages-2Mi": "4Mi"}
    assert texts(made.spec.resources.requests) == {"cpu": "2", "hugepages-2Mi": "4Mi"}


@pytest.mark.parametrize(("host_network", "host_port"), [(True, 80), (False, 0)])
def test_ports_are_tcp_and_those_of_a_pod_on_the_host_s_network_the_host_s(
    host_network: bool, host_port: int
) -> None:
    ports = [{"containerPort": 80}, {"containerPort": 53, "hostPort": 5353, "protocol": "UDP"}]
    made = pod({"hostNetwork": host_network, "containers": [{"name": "a", "ports": ports}]})
    first, second = made.spec.containers[0].ports
    assert (first.protocol, first.host_port) == ("TCP", host_port)
    assert (second.protocol, second.host_port) == ("UDP", 5353)


def affinity_terms(term: dict[str, Any], **labels: str) -> tuple[LabelSelectorRequirement, ...]:
    affinity = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    made = pod({"affinity": affinity}, labels=labels)
    assert made.spec.affinity is not None
    assert made.spec.affinity.pod_anti_affinity is not None
    (folded,) = made.spec.affinity.pod_anti_affinity.required_during_scheduling_ignored_during_execution
    return folded.label_selector.match_expressions if folded.label_selector else ()


def test_label_keys_become_conditions_on_the_pod_s_own_values() -> None:
    term = {**TERM, "matchLabelKeys": ["hash", "absent"], "mismatchLabelKeys": ["tenant"]}
    assert affinity_terms(term, hash="abc", tenant="a") == (
        LabelSelectorRequirement(key="hash", operator="In", values=("abc",)),
        LabelSelectorRequirement(key="tenant", operator="NotIn", values=("a",)),
    )


def test_label_keys_without_a_selector_stay_as_they_are() -> None:
    assert affinity_terms({"topologyKey": "zone", "matchLabelKeys": ["hash"]}, hash="abc") == ()


def test_preferred_terms_are_folded_too() -> None:
    term = {"weight": 1, "podAffinityTerm": {**TERM, "matchLabelKeys": ["hash"]}}
    affinity = {"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [term]}}
    made = pod({"affinity": affinity}, labels={"hash": "abc"})
    assert made.spec.affinity is not None
    assert made.spec.affinity.pod_affinity is not None
    (weighted,) = made.spec.affinity.pod_affinity.preferred_during_scheduling_ignored_during_execution
    assert weighted.pod_affinity_term.label_selector is not None
    assert weighted.pod_affinity_term.label_selector.match_expressions[0].values == ("abc",)


def test_label_keys_of_spread_constraints_are_left_to_the_scheduler() -> None:
    constraint = {"maxSkew": 1, "topologyKey": "zone", "labelSelector": {}, "matchLabelKeys": ["hash"]}
    made = pod({"topologySpreadConstraints": [constraint]}, labels={"hash": "abc"})
    (kept,) = made.spec.topology_spread_constraints
    assert kept.label_selector is not None
    assert kept.label_selector.is_empty()
    assert (kept.node_affinity_policy, kept.node_taints_policy, kept.min_domains) == (None, None, None)


def test_a_node_without_allocatable_has_its_capacity() -> None:
    node = defaulted(
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": "n"},
            "status": {"capacity": {"cpu": "1500u"}},
        }
    )
    assert isinstance(node, Node)
    assert texts(node.status.allocatable) == {"cpu": "2m"}


@pytest.mark.parametrize(
    ("api_version", "kind", "given", "expected"),
    [
        ("v1", "Namespace", {}, {"labels": {"kubernetes.io/metadata.name": "x"}}),
        ("apps/v1", "Deployment", {}, {"replicas": 1}),
        ("apps/v1", "StatefulSet", {"replicas": 0}, {"replicas": 0}),
        (
            "v1",
            "ReplicationController",
            {"template": {"metadata": {"labels": {"a": "b"}}}},
            {"selector": {"a": "b"}},
        ),
        ("batch/v1", "Job", {}, {"parallelism": 1, "completions": 1}),
        ("batch/v1", "Job", {"completions": 5}, {"parallelism": 1, "completions": 5}),
        (
            "storage.k8s.io/v1",
            "StorageClass",
            {},
            {"volume_binding_mode": "Immediate", "reclaim_policy": "Delete"},
        ),
        ("scheduling.k8s.io/v1", "PriorityClass", {}, {"preemption_policy": "PreemptLowerPriority"}),
        (
            "v1",
            "PersistentVolume",
            {},
            {"volume_mode": "Filesystem", "persistent_volume_reclaim_policy": "Retain"},
        ),
        ("v1", "PersistentVolumeClaim", {}, {"volume_mode": "Filesystem"}),
        ("storage.k8s.io/v1", "CSIDriver", {}, {"attach_required": True, "storage_capacity": False}),
    ],
)
def test_other_kinds_have_their_defaults(
    api_version: str, kind: str, given: dict[str, Any], expected: dict[str, Any]
) -> None:
    made = defaulted({"apiVersion": api_version, "kind": kind, "metadata": {"name": "x"}, "spec": given})
    places = (made.metadata, made, getattr(made, "spec", None))
    for name, value in expected.items():
        assert value in [getattr(place, name, None) for place in places]


def test_defaults_given_twice_are_the_same() -> None:
    raw = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {
        "hostNetwork": True,
        "containers": [{"name": "a", "ports": [{"containerPort": 80}], "resources": {"limits": {"cpu": "1u"}}}],
    }}  # fmt: skip
    once = defaulted(raw)
    assert default_object(once) == once
    assert canonical(encode_object(once)) == canonical(encode_object(default_object(once)))
