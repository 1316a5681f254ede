"""Makes Kubernetes objects for tests, as the API server would store them, and snapshots of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scheduler_core.api.decode import decode_object, encode_object
from scheduler_core.api.defaulting import default_object
from scheduler_core.api.kinds import KubeObject
from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.cache.cache import SchedulerCache
from scheduler_core.snapshot.pod_info import PodInfo
from scheduler_core.snapshot.snapshot import Snapshot


def make(raw: Mapping[str, Any]) -> KubeObject:
    """Returns any object from its JSON form."""
    return default_object(decode_object(raw))


def make_node(
    name: str,
    *,
    cpu: str = "4",
    memory: str = "8Gi",
    pods: str = "110",
    resources: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    taints: Iterable[str] = (),
    images: Mapping[str, int] | Iterable[tuple[Sequence[str], int]] = (),
    unschedulable: bool = False,
) -> Node:
    """Returns a node.

    Args:
        name: its name.
        cpu: allocatable; so are memory and pods.
        memory: see cpu.
        pods: see cpu.
        resources: further allocatable resources.
        labels: its labels.
        taints: as kubectl writes them: "key=value:NoSchedule", "key:NoExecute".
        images: name → size in bytes, or (names, size) where an image has several.
        unschedulable: whether it is cordoned.
    """
    listed = [((image,), size) for image, size in images.items()] if isinstance(images, Mapping) else images
    node = make(
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": dict(labels or {})},
            "spec": {"taints": [parse_taint(taint) for taint in taints], "unschedulable": unschedulable},
            "status": {
                "allocatable": {"cpu": cpu, "memory": memory, "pods": pods, **(resources or {})},
                "images": [{"names": list(names), "sizeBytes": size} for names, size in listed],
            },
        }
    )
    assert isinstance(node, Node)
    return node


def make_pod(
    name: str = "pod",
    *,
    namespace: str = "default",
    requests: Mapping[str, str] | None = None,
    containers: Sequence[Mapping[str, Any]] | None = None,
    node: str = "",
    labels: Mapping[str, str] | None = None,
    host_ports: Iterable[int | str] = (),
    priority: int | None = None,
    status: Mapping[str, Any] | None = None,
    **spec: Any,
) -> Pod:
    """Returns a pod.

    Args:
        name: its name.
        namespace: its namespace.
        requests: of its one container.
        containers: in their JSON form, instead of the one container.
        node: the node it is bound to.
        labels: its labels.
        host_ports: of its one container: 80, "80/UDP", "10.0.0.1:80", "10.0.0.1:80/UDP".
        priority: its priority.
        status: in its JSON form.
        spec: further fields of its spec under their JSON names and in their JSON form.
    """
    if containers is None:
        ports = [parse_host_port(port) for port in host_ports]
        resources = {"requests": dict(requests or {})}
        containers = [{"name": "main", "image": "app:1", "ports": ports, "resources": resources}]
    raw_spec: dict[str, Any] = {"containers": list(containers), **spec}
    if node:
        raw_spec["nodeName"] = node
    if priority is not None:
        raw_spec["priority"] = priority
    metadata = {"name": name, "namespace": namespace, "labels": dict(labels or {})}
    raw = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": raw_spec, "status": status or {}}
    pod = make(raw)
    assert isinstance(pod, Pod)
    return pod


def make_owned(name: str, **pod: Any) -> list[KubeObject]:
    """Returns a pod and the ReplicaSet of its name that would make it again; arguments are those of ``make_pod``."""
    return owned(make_pod(name, **pod))


def owned(one: Pod) -> list[KubeObject]:
    """Returns a pod and a ReplicaSet of its name that would make it again."""
    name = one.metadata.name
    raw = encode_object(one)
    labels = {**one.metadata.labels, "rs": name}
    admitted = ("nodeName", "priority", "preemptionPolicy")
    spec = {key: value for key, value in raw["spec"].items() if key not in admitted}
    metadata = {"name": name, "namespace": one.metadata.namespace, "uid": f"uid-rs-{name}"}
    replica_set = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": metadata,
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": {"rs": name}},
            "template": {"metadata": {"labels": labels}, "spec": spec},
        },
    }
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "controller": True, "name": name}
    raw["metadata"] |= {"labels": labels, "ownerReferences": [{**owner, "uid": metadata["uid"]}]}
    return [make(replica_set), make(raw)]


def make_cache(nodes: Iterable[Node], pods: Iterable[Pod] = ()) -> SchedulerCache:
    """Returns a cache that knows nodes and bound pods."""
    cache = SchedulerCache()
    for node in nodes:
        cache.add_node(node)
    for pod in pods:
        cache.add_pod(PodInfo(pod, cache.axis), pod.spec.node_name)
    return cache


def make_snapshot(nodes: Iterable[Node], pods: Iterable[Pod] = ()) -> Snapshot:
    """Returns what the scheduler sees of nodes and of the pods bound to them."""
    cache = make_cache(nodes, pods)
    snapshot = Snapshot(cache.axis)
    cache.update_snapshot(snapshot)
    return snapshot


def parse_taint(text: str) -> dict[str, str]:
    """Returns the JSON form of "key=value:Effect"."""
    head, _, effect = text.rpartition(":")
    key, _, value = head.partition("=")
    return {"key": key, "value": value, "effect": effect}


def parse_host_port(text: int | str) -> dict[str, Any]:
    """Returns the JSON form of a container port: 80, "80/UDP", "10.0.0.1:80/UDP"."""
    address, _, rest = str(text).rpartition(":")
    port, _, protocol = rest.partition("/")
    raw: dict[str, Any] = {"containerPort": int(port), "hostPort": int(port)}
    if address:
        raw["hostIP"] = address
    if protocol:
        raw["protocol"] = protocol
    return raw
