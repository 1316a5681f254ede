from __future__ import annotations

from scheduler_core.snapshot.axes import ResourceAxis
from scheduler_core.snapshot.node_info import NodeInfo
from scheduler_core.snapshot.pod_info import HostPort, PodInfo
from tests.make import make_node, make_pod


def node_with(*names: str) -> NodeInfo:
    info = NodeInfo("node-a", ResourceAxis())
    info.set_node(make_node("node-a"))
    for name in names:
        pod = make_pod(name, requests={"cpu": "100m", "memory": "1Mi"}, host_ports=[8000 + len(info.pods)])
        info.add_pod(PodInfo(pod, info.axis))
    return info


def keys(info: NodeInfo) -> list[str]:
    return [pod.key.removeprefix("default/") for pod in info.pods.values()]


def test_the_last_pod_takes_the_place_of_one_that_goes() -> None:
    info = node_with("a", "b", "c", "d")
    info.remove_pod("uid-Pod-default/b")
    assert keys(info) == ["a", "d", "c"]
    info.remove_pod("uid-Pod-default/c")
    assert keys(info) == ["a", "d"]


def test_sums_follow_the_pods() -> None:
    info = node_with("a", "b")
    assert (info.requested[0], info.requested[1], info.non_zero_cpu) == (200, 2 * 1024**2, 200)
    assert info.used_ports() == {HostPort("0.0.0.0", "TCP", 8000), HostPort("0.0.0.0", "TCP", 8001)}
    copy = info.clone()
    copy.remove_pod("uid-Pod-default/a")
    assert (copy.requested[0], len(copy.pods)) == (100, 1)
    assert (info.requested[0], len(info.pods)) == (200, 2)
