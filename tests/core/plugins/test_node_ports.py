from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.framework.cluster_event import ActionType, QueueingHint
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.plugins import node_ports
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.plugins import strategies
from tests.core.plugins.judging import hints, judge, pre_filter, refused
from tests.core.plugins.reference import ports as reference
from tests.make import make_node, make_pod, make_snapshot

PLUGIN = node_ports.NodePorts()


@given(strategies.host_ports, st.lists(strategies.host_ports, max_size=3), st.booleans())
def test_the_columns_judge_as_one_node_at_a_time(wanted: list, taken: list, as_sidecar: bool) -> None:
    pod = make_pod(host_ports=wanted)
    if as_sidecar:
        sidecar = {"name": "s", "restartPolicy": "Always", "ports": [{"containerPort": 1, "hostPort": 80}]}
        pod = make_pod(host_ports=wanted, initContainers=[sidecar])
    bound = [make_pod(f"p{i}", node=f"n{i % 2}", host_ports=ports) for i, ports in enumerate(taken)]
    snapshot = make_snapshot([make_node("n0"), make_node("n1")], bound)
    expected = {
        name: reference.node_ports(pod, [other for other in bound if other.spec.node_name == name])
        for name in ("n0", "n1")
    }
    assert judge(PLUGIN, pod, snapshot) == expected


@pytest.mark.parametrize(
    ("taken", "wanted", "is_free"),
    [
        (80, 80, False),
        (80, 81, True),
        (80, "80/UDP", True),
        ("10.0.0.1:80", "10.0.0.2:80", True),
        ("10.0.0.1:80", "10.0.0.1:80", False),
        ("10.0.0.1:80", 80, False),
        (80, "10.0.0.1:80", False),
        ("10.0.0.1:80/UDP", "0.0.0.0:80/TCP", True),
    ],
)
def test_ports_clash_by_number_protocol_and_address(
    taken: int | str, wanted: int | str, is_free: bool
) -> None:
    snapshot = make_snapshot([make_node("n")], [make_pod("there", node="n", host_ports=[taken])])
    assert (refused(PLUGIN, make_pod(host_ports=[wanted]), snapshot) == {}) == is_free


def test_a_pod_without_host_ports_is_skipped() -> None:
    *_, status = pre_filter(PLUGIN, make_pod(), make_snapshot([make_node("n")]))
    assert status == ("Skip", ())


def test_a_port_that_two_pods_hold_is_free_when_one_of_them_goes() -> None:
    there = [make_pod(name, node="n", host_ports=[80]) for name in ("one", "two")]
    snapshot = make_snapshot([make_node("n")], there)
    info = snapshot.node_infos.info(snapshot.node_infos.row_of["n"])
    assert node_ports.clash(PodInfo(there[0], snapshot.node_infos.axis).host_ports, info.used_ports())
    info.remove_pod(there[0].metadata.uid)
    assert info.used_ports() == frozenset()


def test_an_init_container_that_ends_takes_no_port() -> None:
    init = {"name": "init", "ports": [{"containerPort": 80, "hostPort": 80}]}
    *_, status = pre_filter(PLUGIN, make_pod(initContainers=[init]), make_snapshot([make_node("n")]))
    assert status == ("Skip", ())


def test_the_numbers_behind_a_refusal_are_the_ports_taken() -> None:
    nodes = make_snapshot([make_node("n")], [make_pod("there", node="n", host_ports=[80, 443])]).node_infos
    pod = PodInfo(make_pod(host_ports=[443, 8080]), nodes.axis)
    assert PLUGIN.refusal_numbers(CycleState(), pod, nodes, nodes.row_of["n"]) == [
        {"port": 443, "protocol": "TCP", "ip": "0.0.0.0", "held_by": ["default/there"]}
    ]


def test_the_end_of_a_pod_that_held_a_wanted_port_queues() -> None:
    [hint] = hints(PLUGIN, "Pod", ActionType.DELETE)
    pod = make_pod(host_ports=[80])
    assert hint(pod, make_pod("gone", node="n", host_ports=[80]), None) == QueueingHint.QUEUE
    assert hint(pod, make_pod("gone", node="n", host_ports=[81]), None) == QueueingHint.SKIP
    assert hint(pod, make_pod("gone", node="n"), None) == QueueingHint.SKIP


def test_the_end_of_a_pod_without_a_node_queues_only_if_one_was_promised() -> None:
    [hint] = hints(PLUGIN, "Pod", ActionType.DELETE)
    pod = make_pod(host_ports=[80])
    nominated = make_pod("gone", host_ports=[80], status={"nominatedNodeName": "n"})
    assert hint(pod, make_pod("gone", host_ports=[80]), None) == QueueingHint.SKIP
    assert hint(pod, nominated, None) == QueueingHint.QUEUE


def test_only_pods_that_go_and_new_nodes_queue() -> None:
    events = [(r.event.resource, r.event.action_type) for r in PLUGIN.events_to_register()]
    assert events == [("Pod", ActionType.DELETE), ("Node", ActionType.ADD)]
    assert hints(PLUGIN, "Node", ActionType.ADD) == [None]
