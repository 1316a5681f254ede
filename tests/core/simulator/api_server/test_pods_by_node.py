"""The pods of a node, as they come, move and go."""

from __future__ import annotations

from scheduler_core.simulator.api_server.pods_by_node import PodsByNode
from scheduler_core.simulator.object_store import ObjectStore
from tests.make import make_node, make_pod


def test_pods_are_found_by_their_node_as_they_come_and_go() -> None:
    store = ObjectStore()
    store.put("Pod", make_pod("b", node="n1"))
    placed = PodsByNode(store)
    assert [pod.metadata.name for pod in placed.on("n1")] == ["b"]
    store.put("Pod", make_pod("a", node="n1"))
    store.put("Pod", make_pod("c"))
    store.put("Node", make_node("n1"))
    assert [pod.metadata.name for pod in placed.on("n1")] == ["a", "b"]
    store.put("Pod", make_pod("c", node="n1"))
    store.delete("Pod", "default", "a")
    assert [pod.metadata.name for pod in placed.on("n1")] == ["b", "c"]
    assert placed.on("n2") == []
