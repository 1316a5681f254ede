from __future__ import annotations

from scheduler_core.api.kinds import KubeObject
from scheduler_core.trace import Remedy
from tests.core.simulator.running import Run
from tests.make import make_node, make_pod


def remedies(objects: list[KubeObject]) -> list[Remedy]:
    run = Run(objects)
    return run.sink.details[max(run.sink.details)].remedies


def texts(objects: list[KubeObject]) -> list[str]:
    return [remedy.text for remedy in remedies(objects)]


def test_the_smallest_request_that_would_do_is_named_with_all_nodes_that_then_fit() -> None:
    nodes = [make_node("a", cpu="4"), make_node("b", cpu="4"), make_node("c", cpu="4")]
    used = [
        make_pod(f"on-{name}", node=name, requests={"cpu": cpu})
        for name, cpu in zip("abc", "213", strict=True)
    ]
    pod = make_pod("pod", requests={"cpu": "3500m"})
    assert texts([*nodes, *used, pod]) == [
        "Request at most 3 cpu (500m less): b would fit",
        "Free 500m cpu on b: it would fit",
    ]


def test_the_request_named_makes_the_pod_fit_and_one_milli_more_does_not() -> None:
    nodes = [make_node("a", cpu="4"), make_pod("used", node="a", requests={"cpu": "1700m"})]
    (ask, _) = remedies([*nodes, make_pod("pod", requests={"cpu": "3"})])
    assert ask.text == "Request at most 2.3 cpu (700m less): a would fit"
    assert Run([*nodes, make_pod("pod", requests={"cpu": "2300m"})]).result.num_pending == 0
    assert Run([*nodes, make_pod("pod", requests={"cpu": "2301m"})]).result.num_pending == 1


def test_where_no_node_is_large_enough_a_larger_one_is_named() -> None:
    objects = [make_node("a", cpu="4"), make_node("b", cpu="8"), make_pod("pod", requests={"cpu": "16"})]
    ask, add = remedies(objects)
    assert ask.text == "Request at most 8 cpu (8 less): b would fit"
    assert (add.kind, add.text) == (
        "add",
        "Add a node with at least 16 cpu (the largest that else fits has 8)",
    )


def test_nodes_that_one_toleration_would_open_stand_together() -> None:
    nodes = [make_node(name, taints=["dedicated=gpu:NoSchedule"]) for name in "abc"]
    (remedy,) = remedies([*nodes, make_pod("pod")])
    assert remedy.text == "Tolerate dedicated=gpu:NoSchedule, or remove it: a, b and c would fit"
    assert (remedy.kind, remedy.num_nodes, remedy.plugin) == ("tolerate", 3, "TaintToleration")


def test_changes_that_are_needed_together_are_named_together() -> None:
    node = make_node("a", cpu="1", taints=["t:NoSchedule"])
    assert texts([node, make_pod("pod", requests={"cpu": "2"})]) == [
        "Tolerate t:NoSchedule, or remove it; and Request at most 1 cpu (1 less): a would fit"
    ]


def test_labels_ports_cordons_are_named() -> None:
    objects = [
        make_node("a", unschedulable=True, labels={"disk": "ssd"}),
        make_node("b"),
        make_node("c", labels={"disk": "ssd"}),
        make_pod("holder", node="c", host_ports=[80]),
    ]
    assert texts([*objects, make_pod("pod", nodeSelector={"disk": "ssd"}, host_ports=[80])]) == [
        "Label a node so that disk=ssd, or take that out of the pod's nodeSelector: b would fit",
        "Free host port 80/TCP on a node: c would fit",
        "Uncordon a node: a would fit",
    ]


def test_a_pod_that_preempts_has_only_to_wait() -> None:
    objects = [make_node("a", cpu="1"), make_pod("low", node="a", requests={"cpu": "1"}, priority=0)]
    run = Run([*objects, make_pod("high", requests={"cpu": "1"}, priority=9)])
    first = run.sink.details[1].remedies[0]
    assert first.text == "Wait: a is promised to the pod once default/low is gone"


def test_a_pod_that_fits_needs_nothing() -> None:
    assert texts([make_node("a"), make_pod("pod")]) == []


def test_no_state_of_a_node_is_tolerated_and_nothing_relabelled_that_the_cloud_sets() -> None:
    sick = make_node("a", taints=["node.kubernetes.io/disk-pressure:NoSchedule"])
    assert texts([sick, make_pod("pod")]) == [
        "Have the nodes recover from node.kubernetes.io/disk-pressure:NoSchedule, or use another node: a would fit"
    ]
    for key in ("topology.kubernetes.io/zone", "kubernetes.io/hostname", "node.kubernetes.io/instance-type"):
        assert texts([make_node("a"), make_pod("pod", nodeSelector={key: "x"})]) == [
            f"Use a node where {key}=x, or take that out of the pod's nodeSelector: a would fit"
        ]
