"""A cluster at one moment of a check: objects, who belongs to whom, what is free."""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from scheduler_core.api.kinds import object_key
from scheduler_core.api.node import Node
from scheduler_core.api.pod import FAILED, SUCCEEDED, Pod
from scheduler_core.api.pod_resources import pod_requests, to_ints
from scheduler_core.api.resources import PODS
from scheduler_core.api.taints import NO_EXECUTE, NO_SCHEDULE

if TYPE_CHECKING:
    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.checks.recorder import Bound, Denied, Preempted, Refused

_MAX_OWNERS: Final = 5


class Facts(NamedTuple):
    """What was recorded up to the moment; bindings and victims only since the change.

    Args:
        bound: by pod.
        refused: by pod, the last attempt that failed.
        preempted: in their order.
        denied: what admission refused.
        since_us: when the change was made.
    """

    bound: Mapping[str, Bound]
    refused: Mapping[str, Refused]
    preempted: tuple[Preempted, ...]
    denied: tuple[Denied, ...]
    since_us: int


class Room(NamedTuple):
    """What a node offers and what of it is taken, by resource: cpu in milli-cores, else the resource's unit."""

    allocatable: Mapping[str, int]
    used: Mapping[str, int]

    def free(self, resource: str) -> int:
        """Returns what is left; below 0 where more is taken than there is."""
        return self.allocatable.get(resource, 0) - self.used.get(resource, 0)


def pod_key(pod: Pod) -> str:
    """Returns "namespace/name"."""
    return f"{pod.metadata.namespace}/{pod.metadata.name}"


def is_over(pod: Pod) -> bool:
    """Returns whether a pod has come to its end and takes no room any more."""
    return pod.status.phase in (SUCCEEDED, FAILED)


def takes_pods(node: Node) -> bool:
    """Returns whether a node takes pods that tolerate nothing: not cordoned, no taint that keeps pods off."""
    return not node.spec.unschedulable and not any(
        taint.effect in (NO_SCHEDULE, NO_EXECUTE) for taint in node.spec.taints
    )


class ClusterState:
    """All objects at one moment."""

    def __init__(self, objects: Iterable[KubeObject], facts: Facts) -> None:
        self.objects = tuple(objects)
        self.facts = facts
        self.by_key: dict[str, KubeObject] = {}
        for object_ in self.objects:
            metadata = object_.metadata
            self.by_key[object_key(object_.kind, metadata.namespace, metadata.name)] = object_
        self.nodes = {node.metadata.name: node for node in self.objects if isinstance(node, Node)}
        self.pods = {pod_key(pod): pod for pod in self.objects if isinstance(pod, Pod)}
        self._owners: dict[str, tuple[str, ...]] = {}

    def owners(self, pod: Pod) -> tuple[str, ...]:
        """Returns the pod's own key and those of the controllers above it, the nearest first."""
        key = pod_key(pod)
        found = self._owners.get(key)
        if found is None:
            found = self._owners[key] = self._find_owners(pod)
        return found

    @functools.cached_property
    def num_pods_of(self) -> Mapping[str, int]:
        """How many pods there are of each owner, those that came to their end among them."""
        return Counter(key for pod in self.pods.values() for key in self.owners(pod))

    def _find_owners(self, pod: Pod) -> tuple[str, ...]:
        metadata = pod.metadata
        keys = [object_key("Pod", metadata.namespace, metadata.name)]
        owner = metadata.controller()
        while owner is not None and len(keys) < _MAX_OWNERS:
            namespace = "" if owner.kind == "Node" else metadata.namespace
            keys.append(object_key(owner.kind, namespace, owner.name))
            above = self.by_key.get(keys[-1])
            owner = above.metadata.controller() if above is not None else None
        return tuple(keys)

    def workload(self, pod: Pod) -> str:
        """Returns what the pod belongs to in the end: "Deployment/shop/web"; a bare pod belongs to itself."""
        return self.owners(pod)[-1]

    @functools.cached_property
    def pending(self) -> frozenset[str]:
        """The pods that have no node."""
        return frozenset(key for key, pod in self.pods.items() if not pod.spec.node_name and not is_over(pod))

    @functools.cached_property
    def pods_on(self) -> Mapping[str, list[Pod]]:
        """The pods that take room, by node."""
        found: dict[str, list[Pod]] = defaultdict(list)
        for pod in self.pods.values():
            if pod.spec.node_name and not is_over(pod):
                found[pod.spec.node_name].append(pod)
        return found

    @functools.cached_property
    def rooms(self) -> Mapping[str, Room]:
        """What there is on each node and what is taken."""
        return {name: self._room(node) for name, node in self.nodes.items()}

    def _room(self, node: Node) -> Room:
        pods = self.pods_on.get(node.metadata.name, [])
        used: dict[str, int] = {PODS: len(pods)}
        for pod in pods:
            for resource, amount in pod_requests(pod).items():
                used[resource] = used.get(resource, 0) + amount
        return Room(to_ints(node.status.allocatable), used)
