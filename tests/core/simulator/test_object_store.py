from __future__ import annotations

from typing import Any

from scheduler_core.simulator.object_store import ObjectStore
from tests.make import make, make_node, make_pod


def names(store: ObjectStore, kind: str, namespace: str | None = None) -> list[str]:
    return [found.metadata.name for found in store.list(kind, namespace)]


def test_objects_are_listed_by_namespace_and_name_whatever_came_when() -> None:
    store = ObjectStore()
    for name, namespace in (("b", "shop"), ("a", "shop"), ("z", "api")):
        store.put("Pod", make_pod(name, namespace=namespace))
    assert names(store, "Pod") == ["z", "a", "b"]
    assert names(store, "Pod", "shop") == ["a", "b"]
    store.put("Pod", make_pod("c", namespace="shop"))
    store.delete("Pod", "shop", "a")
    assert names(store, "Pod", "shop") == ["b", "c"]
    assert names(store, "Pod") == ["z", "b", "c"]
    assert names(store, "Node") == []


def test_listeners_are_told_of_every_change_in_order_with_what_was_before() -> None:
    store = ObjectStore()
    told: list[tuple[str, Any, Any]] = []
    store.listen(lambda kind, old, new: told.append((kind, old, new)))
    first = store.put("Node", make_node("node-a"))
    second = store.put("Node", make_node("node-a", cpu="8"))
    store.delete("Node", "", "node-a")
    store.delete("Node", "", "node-a")
    assert told == [("Node", None, first), ("Node", first, second), ("Node", second, None)]
    assert [first.metadata.resource_version, second.metadata.resource_version] == ["1", "2"]


def test_namespaces_that_do_not_exist_have_no_labels() -> None:
    store = ObjectStore()
    raw = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "labels": {"team": "a"}}}
    store.put("Namespace", make(raw))
    assert store.namespace_labels("shop") == {"team": "a", "kubernetes.io/metadata.name": "shop"}
    assert store.namespace_labels("elsewhere") == {}
