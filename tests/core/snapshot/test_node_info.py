from __future__ import annotations

from scheduler_core.snapshot.axes import ResourceAxis
from scheduler_core.snapshot.node_info import NodeInfo
from scheduler_core.snapshot.pod_info import PodInfo
from tests.make import make_pod


def numbers(node_info: NodeInfo) -> set[int]:
    return {port.port for port in node_info.used_ports()}


def test_ports_are_taken_by_pods_that_come_and_free_once_they_go() -> None:
    axis = ResourceAxis()
    node_info = NodeInfo("n", axis)
    web, api = (PodInfo(make_pod(name, host_ports=[port]), axis) for name, port in (("web", 80), ("api", 81)))
    for pod_info in (web, api):
        node_info.add_pod(pod_info)
    copy = node_info.clone()
    copy.remove_pod(web.uid)
    assert (numbers(node_info), numbers(copy)) == ({80, 81}, {81})


def test_a_port_held_twice_is_free_once_one_of_the_two_goes() -> None:
    axis = ResourceAxis()
    node_info = NodeInfo("n", axis)
    pods = [PodInfo(make_pod(name, host_ports=[80]), axis) for name in ("web", "forced")]
    for pod_info in pods:
        node_info.add_pod(pod_info)
    node_info.remove_pod(pods[0].uid)
    assert numbers(node_info) == set()
